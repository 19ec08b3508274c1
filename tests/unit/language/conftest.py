"""A term to read times against: week 1 begins on 2026-09-14, ten periods a day, and a fixed now."""

from collections.abc import Callable
from datetime import date, datetime, time

import pytest

from surefoot.language import Calendar, Period, TimeExpression, TimeReading, read_times

Reader = Callable[..., TimeReading]

_PERIODS = [
    "0800-0845",
    "0855-0940",
    "1000-1045",
    "1055-1140",
    "1400-1445",
    "1455-1540",
    "1600-1645",
    "1655-1740",
    "1900-1945",
    "1955-2040",
]


@pytest.fixture(scope="session")
def calendar() -> Calendar:
    periods = tuple(
        Period(number, time.fromisoformat(f"T{span[:4]}"), time.fromisoformat(f"T{span[5:]}"))
        for number, span in enumerate(_PERIODS, start=1)
    )
    return Calendar(
        term_start=date(2026, 9, 14),
        weeks=20,
        periods=periods,
        double_periods={n: (2 * n - 1, 2 * n) for n in range(1, 6)},
        holidays={
            "寒假": (date(2027, 1, 25), date(2027, 2, 28)),
            "元旦": (date(2027, 1, 1), date(2027, 1, 3)),
            "New Year": (date(2027, 1, 1), date(2027, 1, 3)),
        },
        makeup={date(2026, 12, 26): date(2027, 1, 1)},
    )


@pytest.fixture(scope="session")
def now() -> datetime:
    return datetime.fromisoformat("2026-12-01T10:00+08:00")


@pytest.fixture(scope="session")
def read(calendar: Calendar, now: datetime) -> Reader:
    def reader(text: str, at: datetime = now) -> TimeReading:
        return read_times(text, now=at, calendar=calendar)

    return reader


@pytest.fixture(scope="session")
def bounds(read: Reader) -> Callable[[str], list[str]]:
    """Each expression of a text as "start..end", a whole day as its date, an open side left empty."""

    def told(text: str) -> list[str]:
        return [_told(expression) for expression in read(text).expressions]

    return told


def _told(expression: TimeExpression) -> str:
    if expression.kind == "duration":
        return f"{expression.minutes}min"
    start = "" if expression.start is None else f"{expression.start:%Y-%m-%dT%H:%M}"
    end = "" if expression.end is None else f"{expression.end:%Y-%m-%dT%H:%M}"
    if expression.relation == "at":
        return start.removeprefix("2026-")
    return f"{start}..{end}".replace("T00:00", "").replace("2026-", "")
