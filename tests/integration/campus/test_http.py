"""A campus behind HTTP: what the client makes of lost answers, broken answers, and a server in its own process."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from integration.campus.conftest import free_port, served
from integration.campus.test_port import wish
from surefoot.errors import ErrorCode, NotSent, ToolError
from surefoot_campus.systems.http_client import HttpCampus, open_http

SERVE = "import sys; from pathlib import Path; from surefoot_campus.systems.server import serve_forever as s; "
SERVE += "s(Path(sys.argv[1]), host='127.0.0.1', port=int(sys.argv[2]), faults=sys.argv[3])"
DIE = "import asyncio, json, sys; from surefoot_campus.systems.http_client import open_http\n"
DIE += "async def main():\n    async with open_http(sys.argv[1]) as c: await c.book(json.loads(sys.argv[2]))\n"
DIE += "asyncio.run(main())"


@asynccontextmanager
async def impatient(url: str, seconds: float) -> AsyncIterator[HttpCampus]:
    """A client that waits ``seconds`` for an answer."""
    async with httpx.AsyncClient(base_url=url, timeout=seconds) as client:
        yield HttpCampus(client)


async def test_a_refused_connection_proves_that_nothing_was_sent() -> None:
    async with open_http("http://127.0.0.1:9") as client:
        with pytest.raises(NotSent):
            await client.book(wish())


@pytest.mark.parametrize(
    ("fault", "code", "rows"),
    [
        ("book=error_5xx", ErrorCode.TOOL_UNAVAILABLE, 0),
        ("book=after_commit_5xx", ErrorCode.TOOL_UNAVAILABLE, 1),
        ("book=malformed", ErrorCode.TOOL_OUTPUT_INVALID, 1),
    ],
)
async def test_each_fault_of_the_server_is_told_apart(database: Path, fault: str, code: ErrorCode, rows: int) -> None:
    async with served(database, fault) as url, open_http(url) as client:
        with pytest.raises(ToolError) as failed:
            await client.book(wish())
        assert failed.value.error_code is code
        assert len(await client.find("student", "k#1", None)) == rows


@pytest.mark.parametrize(("fault", "rows"), [("before_commit_timeout", 0), ("after_commit_timeout", 1), ("slow", 1)])
async def test_an_answer_that_does_not_come_is_a_timeout_whether_or_not_it_was_done(
    database: Path, fault: str, rows: int
) -> None:
    async with served(database, f"book={fault}:0.5") as url, impatient(url, 0.2) as client:
        with pytest.raises(ToolError) as failed:
            await client.book(wish())
        assert failed.value.error_code is ErrorCode.TOOL_TIMEOUT
        assert not isinstance(failed.value, NotSent)
        await asyncio.sleep(0.5)
        assert len(await client.find("student", "k#1", None)) == rows
        assert (await client.book(wish()))["status"] == "booked"
        assert len(await client.find("student", "k#1", None)) == 1


async def test_a_slow_answer_that_comes_in_time_is_an_answer(database: Path) -> None:
    async with served(database, "book=slow:0.2") as url, open_http(url) as client:
        assert (await client.book(wish()))["status"] == "booked"


async def test_a_fault_strikes_as_often_as_planned_and_only_its_own_method(database: Path) -> None:
    async with served(database, "find=error_5xx*2") as url, open_http(url) as client:
        await client.book(wish())
        for _ in range(2):
            with pytest.raises(ToolError):
                await client.find("student", None, None)
        assert len(await client.find("student", None, None)) == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/teleport", "{}", 404),
        ("/v1/find", "not json", 400),
        ("/v1/find", "[]", 400),
        ("/v1/find", '{"user": "student"}', 400),
        ("/v1/book", '{"booking": {"room_id": "YX-101"}}', 400),
        ("/v1/bookings", '{"start": "yesterday", "end": "tomorrow"}', 400),
    ],
)
async def test_a_request_that_the_server_cannot_read_is_a_clear_error(
    database: Path, path: str, body: str, status: int
) -> None:
    async with served(database) as url, httpx.AsyncClient(base_url=url) as client:
        answer = await client.post(path, content=body)
        assert answer.status_code == status
        assert answer.json()["error"]
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, b"", ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b"<html>login</html>", ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b"[]", ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b'{"code": 0}', ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b'{"code": 7}', ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b'{"code": 7, "message": {"zh": "no"}}', ErrorCode.TOOL_OUTPUT_INVALID),
        (200, b'{"code": 7, "message": {"zh": "\xe4\xb8\x8d", "en": "no"}}', ErrorCode.BUSINESS_REFUSED),
        (400, b"", ErrorCode.TOOL_INPUT_INVALID),
        (401, b"", ErrorCode.TOOL_AUTH),
        (429, b"", ErrorCode.TOOL_RATE_LIMITED),
        (500, b"", ErrorCode.TOOL_UNAVAILABLE),
        (302, b"", ErrorCode.TOOL_UNAVAILABLE),
    ],
)
async def test_http_success_is_not_business_success(status: int, body: bytes, code: ErrorCode) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (status, len(body)) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, open_http(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
        with pytest.raises(ToolError) as failed:
            await client.book(wish())
    assert failed.value.error_code is code
    assert not isinstance(failed.value, NotSent)


async def test_a_connection_that_breaks_before_the_answer_is_not_proof_of_anything() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server, open_http(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
        with pytest.raises(ToolError) as failed:
            await client.book(wish())
    assert failed.value.error_code is ErrorCode.TOOL_UNAVAILABLE
    assert not isinstance(failed.value, NotSent)


async def test_the_profile_that_is_known_serves_while_the_campus_is_silent(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surefoot_campus.systems.http_client.PROFILE_SECONDS", -1.0)
    async with AsyncExitStack() as running:
        url = await running.enter_async_context(served(database, "profile=error_5xx"))
        async with open_http(url) as client:
            with pytest.raises(ToolError):
                await client.profile()
            known = await client.profile()
            await running.aclose()
            assert await client.profile() == known
            with pytest.raises(NotSent):
                await client.crowding()


@asynccontextmanager
async def own_process(database: Path, faults: str = "") -> AsyncIterator[str]:
    """Serve the campus as a process of its own."""
    port = free_port()
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVE, str(database), str(port), faults)
    try:
        async with open_http(f"http://127.0.0.1:{port}") as client:
            for _ in range(200):
                try:
                    await client.profile()
                    break
                except ToolError:
                    await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        assert await asyncio.wait_for(server.wait(), 20) in (0, -signal.SIGTERM)


async def test_a_server_in_its_own_process_keeps_what_it_answered_when_it_is_stopped(database: Path) -> None:
    async with own_process(database) as url, open_http(url) as client:
        made = await client.book(wish())
    async with own_process(database) as url, open_http(url) as client:
        assert await client.find("student", "k#1", None) == [made]


async def test_a_client_killed_after_sending_leaves_a_booking_that_its_key_finds(
    database: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    crash = {"SUREFOOT_CRASH_AT": "campus.request_sent", "SUREFOOT_CRASH_MARK": str(mark)}
    async with own_process(database) as url, open_http(url) as client:
        command = [sys.executable, "-c", DIE, url, json.dumps(wish())]
        killed = await asyncio.to_thread(subprocess.run, command, env={**os.environ, **crash}, timeout=60)
        assert killed.returncode == -signal.SIGKILL
        assert mark.read_text(encoding="utf-8") == "campus.request_sent\n"
        for _ in range(100):
            found = await client.find("student", "k#1", None)
            if found:
                break
            await asyncio.sleep(0.05)
        assert [record["request_key"] for record in found] == ["k#1"]
        assert await client.book(wish()) == found[0]
    connection = sqlite3.connect(database)
    assert connection.execute("SELECT count(*) FROM booking WHERE user_id = 'student'").fetchone() == (1,)
    connection.close()
