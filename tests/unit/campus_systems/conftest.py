"""The sample campus in a file of its own, and the context that a tool of it is called with."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from surefoot.contracts import Deadline, SystemClock, ToolContext
from surefoot_campus.systems.embedded import EmbeddedCampus, open_embedded
from surefoot_campus.systems.load import init

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=ZONE)

Context = Callable[..., ToolContext]


@pytest.fixture
async def campus(tmp_path: Path) -> AsyncIterator[EmbeddedCampus]:
    """The lakeside sample."""
    init(tmp_path / "campus.sqlite", "lakeside")
    async with open_embedded(tmp_path / "campus.sqlite") as opened:
        yield opened


@pytest.fixture
def ctx(campus: EmbeddedCampus) -> Context:
    """Return a context on Tuesday 1 December 2026 at ten; keywords change it."""
    clock = SystemClock(ZONE)
    usual = ToolContext("student", "run", "call", NOW, Deadline.after(clock, 3.0), campus)

    def made(user_id: str = "student", now: str | None = None, key: str | None = None) -> ToolContext:
        at = datetime.fromisoformat(now) if now else NOW
        return replace(usual, user_id=user_id, now=at, idempotency_key=key)

    return made


def at(clock: str, day: str = "2026-12-02") -> str:
    """Return a campus moment in ISO 8601: ``at("14:00")`` is tomorrow at two."""
    return f"{day}T{clock}:00+08:00"


def span(day: str, start: str, end: str) -> dict[str, str]:
    """Return ``start`` and ``end`` on a day, as arguments of a tool."""
    return {"start": at(start, day), "end": at(end, day)}
