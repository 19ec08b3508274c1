"""SQLite when it hurts: a full disk, a read-only file, a locked file, a damaged file, a pause of all writes."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection

from shop.app import Backend
from shop.running import buy, confirm, confirm_all, shop
from surefoot.errors import StorageUnavailable
from surefoot.persistence.controls import Controls
from surefoot.persistence.database import open_database, sqlite_url
from surefoot.runtime.runner import Runner
from surefoot.testing.in_memory import TEST_KEY


def limit_pages(connection: Connection, extra: int) -> None:
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + extra}")


async def fill(runner: Runner, run_id: str, size: int) -> None:
    for _ in range(200):
        runner.events.emit(run_id, "filler", {"x": "y" * size})
        await runner.events.flush()


async def test_on_a_full_disk_nothing_is_sent_without_its_intent_and_the_run_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    backend = Backend()
    async with shop(tmp_path, backend) as (runner, _, __):
        first = await buy(runner)
        await runner.runs._database.run(limit_pages, 0)
        for size in (4000, 400, 1):
            with pytest.raises(StorageUnavailable, match="full"):
                await fill(runner, first.run_id, size)
        with pytest.raises(StorageUnavailable, match="full"):
            await runner.resume(first.run_id, by="ann", answer=confirm(first))
        await runner.runs._database.run(limit_pages, 10_000)
        intended = [(effect.tool, effect.arguments["article"]) for effect in await runner.door.ledger.all()]
        assert set(backend.log) <= set(intended)
    async with shop(tmp_path, backend) as (runner, _, __):
        result = await runner.resume(first.run_id, by="ann")
        result = await confirm_all(runner, result)
        assert result.status == "done"
        assert backend.log == [("reserve", "tea"), ("charge", "tea")]


async def test_a_file_that_may_only_be_read_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    await (await open_database(sqlite_url(path), TEST_KEY)).close()
    database = await open_database(f"sqlite:///file:{path}?mode=ro&uri=true", TEST_KEY)
    with pytest.raises(StorageUnavailable, match="readonly"):
        await database.run(lambda connection: connection.exec_driver_sql("DELETE FROM run"))
    await database.close()


async def test_a_damaged_file_is_refused_and_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    await (await open_database(sqlite_url(path), TEST_KEY)).close()
    data = bytearray(path.read_bytes())
    data[100:3000] = b"\xa5" * 2900
    path.write_bytes(bytes(data))
    with pytest.raises(StorageUnavailable, match=r"malformed|not a database"):
        await open_database(sqlite_url(path), TEST_KEY)
    assert path.read_bytes() == bytes(data)


async def test_a_writer_waits_for_another_process_that_holds_the_lock(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        first = await buy(runner)
        other = sqlite3.connect(tmp_path / "surefoot.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        resumed = asyncio.create_task(runner.resume(first.run_id, by="ann", answer=confirm(first)))
        await asyncio.sleep(0.5)
        assert not resumed.done()
        other.execute("COMMIT")
        other.close()
        assert (await resumed).status == "waiting"
        assert backend.log == [("reserve", "tea")]


async def test_while_writes_are_paused_nothing_goes_out_and_reads_go_on(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, injector):
        controls = Controls(runner.runs._database)
        await controls.pause_writes("the bank is being repaired")
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "failed"
        assert result.state["result"]["reason"]["en"].startswith("An operator has paused all writes")
        assert backend.log == []
        assert injector.calls == {"quote": 1}
        await controls.allow_writes()
        assert (await confirm_all(runner, await buy(runner))).status == "done"


async def test_an_undo_that_the_pause_holds_up_goes_to_a_person(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner, "buy cursed")
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        controls = Controls(runner.runs._database)
        await controls.pause_writes("stop")
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        assert result.status == "handed_over"
        assert [item["tool"] for item in result.state["result"]["ticket"]["done"]] == ["reserve"]
        assert backend.log == [("reserve", "cursed")]
