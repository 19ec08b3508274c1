"""Days said side by side: 12月 and 3日 are one date, "week 13" and "Wednesday" one day."""

from dataclasses import replace

from surefoot.language.pieces import (
    CalendarDay,
    Checked,
    Day,
    DaySpan,
    MonthBit,
    NthWeekday,
    Weekday,
    WeekOf,
)


def many_days(day: Day | None) -> bool:
    """Whether a time said beside ``day`` would be a time of several days."""
    if isinstance(day, DaySpan):
        return (day.until - day.first).days > 1
    return isinstance(day, MonthBit | WeekOf) or (isinstance(day, CalendarDay) and day.day is None)


def merge_days(first: Day, second: Day) -> Day | None:
    """Two days said side by side as one day, or None when they are two."""
    details = Weekday | NthWeekday | MonthBit | WeekOf
    if isinstance(first, details) and not isinstance(second, details):
        merged = _merge(second, first)
        return merged if merged is not None else _merge(first, second)
    return _merge(first, second)


def _merge(whole: Day, detail: Day) -> Day | None:
    if isinstance(whole, CalendarDay):
        return _merge_numbers(whole, detail)
    if isinstance(whole, DaySpan):
        if isinstance(detail, Weekday) and detail.monday is None:
            if whole.grain == "week":
                return Weekday(detail.weekday, whole.first)
            return Checked(whole, detail) if whole.grain == "day" and not whole.name.endswith("末") else None
        if whole.grain == "day" and isinstance(detail, CalendarDay) and detail.day is not None:
            return Checked(whole, detail)
    return None


def _merge_numbers(whole: CalendarDay, detail: Day) -> Day | None:
    if isinstance(detail, CalendarDay):
        return _fill(whole, detail)
    if isinstance(detail, WeekOf) and detail.of is None and (detail.rank == 0) == (whole.day is not None):
        return replace(detail, of=whole)
    if isinstance(detail, Weekday) and whole.day is not None:
        return Checked(whole, detail)
    if whole.day is not None:
        return None
    if isinstance(detail, NthWeekday) and whole.month is not None:
        return replace(detail, month=whole)
    if isinstance(detail, MonthBit) and detail.of is None:
        return replace(detail, of=whole)
    if isinstance(detail, MonthBit) and detail.of is not None and detail.of.year is None:
        return replace(detail, of=replace(detail.of, year=whole.year)) if whole.month is None else None
    return None


def _fill(whole: CalendarDay, detail: CalendarDay) -> CalendarDay | None:
    """2026年 and 12月3日, 本月 and 十日, "April" and "2017": each says what the other leaves open."""
    if whole.month is None and detail.month is not None:
        open_year = detail.year is None or (whole.relative and detail.relative)
        return replace(detail, year=whole.year) if open_year else None
    if whole.day is None and whole.month is not None and detail.month is None and detail.year is None:
        return replace(whole, day=detail.day)
    if detail.month is None and detail.day is None and whole.year is None and detail.year is not None:
        return replace(whole, year=detail.year)
    return None
