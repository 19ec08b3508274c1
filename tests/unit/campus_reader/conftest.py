"""A small campus for the reader: the usual term and periods, two bookings, nothing else."""

from collections.abc import Callable, Coroutine
from datetime import date, datetime, time
from typing import Any

import pytest

from surefoot.language import Calendar, Period
from surefoot.planning.plan import Slot
from surefoot.planning.planner import Proposal, Request
from surefoot_campus.reader.facts import Facts
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.planner import RulesPlanner
from surefoot_campus.reader.reading import Reading

NOW = datetime.fromisoformat("2026-12-01T10:00:00+08:00")
STARTS = ("08:00", "08:55", "10:00", "10:55", "14:00", "14:55", "16:00", "16:55", "19:00", "19:55")
ENDS = ("08:45", "09:40", "10:45", "11:40", "14:45", "15:40", "16:45", "17:40", "19:45", "20:40")
BOOKINGS = [
    {
        "reservation_id": "BK-1042", "room_id": "A-203", "room_name": "A203", "party_size": 5,
        "start": "2026-12-03T15:00:00+08:00", "end": "2026-12-03T16:30:00+08:00",
    },
    {
        "reservation_id": "BK-1050", "room_id": "B-101", "room_name": "B101", "party_size": 2,
        "start": "2026-12-04T15:00:00+08:00", "end": "2026-12-04T16:00:00+08:00",
    },
]  # fmt: skip

Read = Callable[[str], Reading]
Propose = Callable[..., Coroutine[Any, Any, Proposal]]


@pytest.fixture(scope="session")
def calendar() -> Calendar:
    """Ten periods, eighteen weeks from 14 September."""
    periods = tuple(
        Period(number, time.fromisoformat(start), time.fromisoformat(end))
        for number, (start, end) in enumerate(zip(STARTS, ENDS, strict=True), start=1)
    )
    return Calendar(date(2026, 9, 14), 18, periods)


@pytest.fixture(scope="session")
def reads(calendar: Calendar) -> Read:
    """Read a sentence on Tuesday 1 December 2026 at ten."""
    return lambda text: read(text, NOW, calendar)


@pytest.fixture(scope="session")
def proposes(calendar: Calendar) -> Propose:
    """Propose for a sentence; ``replies`` are free-text answers, further keywords are picked slots."""

    async def look_up(systems: Any) -> Facts:
        async def bookings(user_id: str) -> list[dict[str, Any]]:
            return BOOKINGS if user_id == "student" else []

        return Facts(calendar, bookings=bookings)

    planner = RulesPlanner(look_up)

    async def propose(
        text: str, *, replies: tuple[tuple[str, str], ...] = (), user: str = "student", **slots: Any
    ) -> Proposal:
        picked = {name: Slot(value=value, origin="confirmed") for name, value in slots.items()}
        return await planner.propose(Request(text, "zh", NOW, user, picked, replies), None)

    return propose
