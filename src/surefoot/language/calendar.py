"""The calendar an application supplies: term, class periods, holidays, parts of the day.

Times in this module are local to ``Calendar.timezone``. Nothing here reads a clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo


class ImpossibleTime(ValueError):
    """Something that cannot exist: a 25th hour, a 30th period, week 40 of a 20-week term.

    ``code`` is stable; ``zh`` and ``en`` are one sentence each for the person who wrote it.
    """

    def __init__(self, code: str, zh: str, en: str) -> None:
        super().__init__(en)
        self.code = code
        self.zh = zh
        self.en = en


@dataclass(frozen=True, slots=True)
class Period:
    """One class period: its number (from 1) and its local start and end."""

    number: int
    start: time
    end: time


DAY_PARTS: Mapping[str, tuple[time, time]] = MappingProxyType(
    {
        "dawn": (time(0), time(6)),
        "early": (time(6), time(9)),
        "morning": (time(8), time(12)),
        "noon": (time(11, 30), time(13, 30)),
        "afternoon": (time(14), time(18)),
        "dusk": (time(17), time(19)),
        "evening": (time(18), time(22)),
        "night": (time(20), time(23, 59, 59)),
    }
)


@dataclass(frozen=True)
class Calendar:
    """What an application knows about its days.

    ``term_start`` is the Monday of week 1 and ``weeks`` the number of weeks in the term; 0 means that there is no
    term, and a numbered week is one of the year (ISO 8601).
    ``double_periods`` maps a double period (大节) to its (first, last) period. ``holidays`` maps a
    name, in any language, to its inclusive (first, last) day. ``makeup`` maps a worked day to the day
    whose timetable it follows. ``day_parts`` overrides single entries of ``DAY_PARTS``.
    Raises ValueError when ``term_start`` is no Monday, ``weeks`` is below 0, or the periods are not
    numbered upwards and in order of time.
    """

    term_start: date
    weeks: int
    periods: tuple[Period, ...]
    double_periods: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    holidays: Mapping[str, tuple[date, date]] = field(default_factory=dict)
    makeup: Mapping[date, date] = field(default_factory=dict)
    day_parts: Mapping[str, tuple[time, time]] = field(default_factory=dict)
    timezone: str = "Asia/Shanghai"

    def __post_init__(self) -> None:
        if self.term_start.weekday() != 0:
            raise ValueError(f"term_start must be a Monday, not {self.term_start.isoformat()}")
        if self.weeks < 0:
            raise ValueError("weeks must not be below 0")
        for before, after in zip(self.periods, self.periods[1:], strict=False):
            if before.number >= after.number or before.end > after.start:
                raise ValueError(f"period {after.number} does not follow period {before.number}")
        for period in self.periods:
            if period.start >= period.end:
                raise ValueError(f"period {period.number} ends before it starts")
        ZoneInfo(self.timezone)

    @property
    def zone(self) -> ZoneInfo:
        """The zone all of this calendar's times are in."""
        return ZoneInfo(self.timezone)

    def week_of(self, day: date) -> int | None:
        """The teaching week (from 1) that holds ``day``, or None outside the term."""
        week = (day - self.term_start).days // 7 + 1
        return week if 1 <= week <= self.weeks else None

    def monday(self, week: int) -> date:
        """The Monday of teaching week ``week``. Raises ImpossibleTime when the term has no such week."""
        if not 1 <= week <= self.weeks:
            raise ImpossibleTime(
                "WEEK_UNKNOWN",
                f"这个学期没有第{week}周（共{self.weeks}周）。",
                f"This term has no week {week} (it has {self.weeks}).",
            )
        return self.term_start + timedelta(weeks=week - 1)

    def period(self, number: int) -> Period:
        """Period ``number``. Raises ImpossibleTime when there is none."""
        for period in self.periods:
            if period.number == number:
                return period
        last = self.periods[-1].number if self.periods else 0
        raise ImpossibleTime(
            "PERIOD_UNKNOWN",
            f"没有第{number}节课（一天共{last}节）。",
            f"There is no period {number} (a day has {last}).",
        )

    def period_span(self, first: int, last: int) -> tuple[time, time]:
        """From the start of ``first`` to the end of ``last``. Raises ImpossibleTime for a period that
        does not exist and for a last period before the first."""
        start, end = self.period(first), self.period(last)
        if last < first:
            raise ImpossibleTime(
                "END_BEFORE_START",
                f"第{last}节在第{first}节之前。",
                f"Period {last} is before period {first}.",
            )
        return start.start, end.end

    def double_period(self, number: int) -> tuple[int, int]:
        """(first, last) period of double period ``number``. Raises ImpossibleTime when there is none."""
        if number not in self.double_periods:
            raise ImpossibleTime("PERIOD_UNKNOWN", f"没有第{number}大节。", f"There is no double period {number}.")
        return self.double_periods[number]

    def part(self, name: str) -> tuple[time, time]:
        """The window of a part of the day. Raises KeyError for a name that no calendar knows."""
        return self.day_parts[name] if name in self.day_parts else DAY_PARTS[name]

    def periods_in(self, part: str) -> tuple[int, ...]:
        """Numbers of the periods that start inside a part of the day, earliest first."""
        start, end = self.part(part)
        return tuple(p.number for p in self.periods if start <= p.start < end)

    def periods_length(self, count: int) -> timedelta:
        """How long ``count`` periods of teaching last, breaks not counted."""
        if not self.periods:
            raise ImpossibleTime("PERIOD_UNKNOWN", "这里没有课节时间表。", "No periods are defined here.")
        first = self.periods[0]
        minutes = (first.end.hour - first.start.hour) * 60 + first.end.minute - first.start.minute
        return timedelta(minutes=minutes * count)

    def holiday_on(self, day: date) -> str | None:
        """The name of a holiday that covers ``day``, or None."""
        for name, (first, last) in self.holidays.items():
            if first <= day <= last:
                return name
        return None

    def timetable_day(self, day: date) -> date | None:
        """The day whose timetable ``day`` follows: itself, the day it makes up for, or None on a holiday."""
        if day in self.makeup:
            return self.makeup[day]
        return None if self.holiday_on(day) else day
