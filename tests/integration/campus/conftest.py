"""A fresh campus for each test, embedded and behind a real socket."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn

from surefoot_campus.systems.embedded import EmbeddedCampus, open_embedded
from surefoot_campus.systems.http_client import open_http
from surefoot_campus.systems.load import init
from surefoot_campus.systems.port import Campus
from surefoot_campus.systems.server import campus_server


def free_port() -> int:
    """Return a port of the loopback interface that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@asynccontextmanager
async def served(database: Path, faults: str = "") -> AsyncIterator[str]:
    """Serve a campus on a free port of the loopback interface; yields its URL."""
    port = free_port()
    config = uvicorn.Config(campus_server(EmbeddedCampus(database), faults), port=port, log_level="error", ws="none")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn offers a flag, no event
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await running


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "campus.sqlite"
    init(path, "lakeside")
    return path


@pytest.fixture(params=["embedded", "http"])
async def campus(request: pytest.FixtureRequest, database: Path) -> AsyncIterator[Campus]:
    if request.param == "embedded":
        async with open_embedded(database) as embedded:
            yield embedded
        return
    async with served(database) as url, open_http(url) as client:
        yield client
