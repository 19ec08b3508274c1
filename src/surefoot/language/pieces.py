"""The pieces that time expressions are made of: what one word or a fixed group of words says.

A language's rules turn text into these; ``phrases`` joins them; ``resolving`` gives them dates.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Literal

Grain = Literal["minute", "period", "part", "day", "week", "month", "year"]


class Mark(Enum):
    """A word that relates the pieces around it."""

    GLUE = "glue"  # 的, a space, "at": joins and says nothing
    COMMA = "comma"
    TO = "to"
    AND = "and"
    FROM = "from"
    BETWEEN = "between"
    INSIDE = "inside"  # 之间
    BEFORE = "before"  # stands before its time: "before 3"
    AFTER = "after"
    SINCE = "since"
    UNTIL = "until"
    ENDS_BEFORE = "ends_before"  # stands after its time: 三点之前, "3 pm or earlier"
    ENDS_AFTER = "ends_after"
    ENDS_SINCE = "ends_since"  # 起, 以来, "or later"
    ENDS_BY = "ends_by"  # 或之前, "or earlier": the named time itself counts
    WITHIN = "within"
    PAST = "past"  # 近, "the last": before a length
    COMING = "coming"  # 未来, "the next": before a length
    ABOUT = "about"
    EVERY = "every"
    FOR = "for"
    HOUR = "hour"  # "at": what follows may be a bare hour


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A date, month or year by its numbers; what is None is left to the context."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    relative: bool = False  # 今年, 本月: resolved from now, not spelled out
    swapped: bool = False  # 4/12 could also be 12/4


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday (Monday 0), in the week that starts at ``monday`` where that is said."""

    weekday: int
    monday: date | None = None
    past: bool = False
    maybe_bare: bool = False  # 看下周三: 下 may belong to the verb


@dataclass(frozen=True, slots=True)
class NthWeekday:
    """The nth (from 1; -1 the last) such weekday of a month."""

    rank: int
    weekday: int
    month: CalendarDay | None = None


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days that are already fixed: [first, until)."""

    first: date
    until: date
    grain: Grain = "day"
    name: str = ""


@dataclass(frozen=True, slots=True)
class MonthBit:
    """The start, middle or end of a month or year."""

    bit: Literal["start", "middle", "end"]
    of: CalendarDay | None = None


@dataclass(frozen=True, slots=True)
class WeekOf:
    """The week that holds a date (rank 0), or the nth week of a month or year (-1 the last)."""

    rank: int
    of: CalendarDay | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """Two dates said for one day (周三12月2日): ``check`` must agree with ``main``."""

    main: "Day"
    check: "Day"


Day = CalendarDay | Weekday | NthWeekday | DaySpan | MonthBit | WeekOf | Checked


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day, by its key in ``Calendar.day_parts``, or its first or second half (late afternoon)."""

    name: str
    bit: Literal["early", "late"] | None = None


Half = Literal["am", "pm"]


def half_of(said: str | None) -> Half | None:
    """am or pm as written in any way ("p.m.", "P"), None where nothing is."""
    if not said:
        return None
    return "am" if said[0] in "aA" else "pm"


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time as written; ``half`` is am or pm where written, ``exact`` a 24-hour spelling."""

    hour: int
    minute: int = 0
    second: int = 0
    half: Half | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Periods:
    """Class periods, first to last; ``rank`` when a lone number may count within a part of the day."""

    first: int
    last: int
    rank: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A bare number: an hour, day, period or year only where its neighbours make it one."""

    value: int


@dataclass(frozen=True, slots=True)
class Length:
    """How long: whole months and an exact rest; ``unit`` is the smallest unit named."""

    months: int = 0
    rest: timedelta = timedelta()
    unit: Grain = "minute"
    periods: int = 0


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment fixed by the text and now: 现在, 半小时后."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Bad:
    """Something impossible, found while reading."""

    code: str
    zh: str
    en: str


Piece = Day | Part | Clock | Periods | Number | Length | Instant | Bad
Value = Piece | Mark


@dataclass(frozen=True, slots=True)
class Token:
    """``value`` as said by ``text[start:end]``."""

    start: int
    end: int
    value: Value
