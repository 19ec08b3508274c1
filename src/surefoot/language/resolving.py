"""Gives days their dates and clock readings their hour, from now and the calendar."""

import calendar as _calendar
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from surefoot.language.calendar import Calendar, ImpossibleTime
from surefoot.language.datemath import add_months, monday_of
from surefoot.language.pieces import (
    CalendarDay,
    Checked,
    Clock,
    Day,
    DaySpan,
    Grain,
    MonthBit,
    NthWeekday,
    Weekday,
    WeekOf,
)

_KEPT_PAST_DAYS = 92  # a month and day without a year that passed this recently is read as just past


@dataclass(frozen=True, slots=True)
class Days:
    """[first, until) with what it was said as; ``also`` is a second possible reading."""

    first: date
    until: date
    grain: Grain = "day"
    also: date | None = None

    @property
    def single(self) -> bool:
        """Whether this is one day."""
        return self.until - self.first == timedelta(days=1)


def resolve_day(day: Day, today: date, after: date | None = None) -> Days:
    """The dates of ``day``. ``after``: the day it must not precede, as the end of a range.

    Raises ImpossibleTime for a date that does not exist and for two dates that disagree.
    """
    if isinstance(day, DaySpan):
        return Days(day.first, day.until, day.grain)
    if isinstance(day, Weekday):
        return _weekday(day, today, after)
    if isinstance(day, NthWeekday):
        return _nth(day, today)
    if isinstance(day, MonthBit):
        return _month_bit(day, today)
    if isinstance(day, WeekOf):
        return _week_of(day, today)
    if isinstance(day, Checked):
        return _checked(day, today, after)
    return _numbers(day, today, after)


def _one(day: date, also: date | None = None) -> Days:
    return Days(day, day + timedelta(days=1), "day", also)


def _weekday(day: Weekday, today: date, after: date | None) -> Days:
    if day.monday is not None:
        also = _weekday(Weekday(day.weekday), today, None).first if day.maybe_bare else None
        return _one(day.monday + timedelta(days=day.weekday), also)
    start = after or today
    if day.past:
        return _one(start - timedelta(days=(start.weekday() - day.weekday - 1) % 7 + 1))
    return _one(start + timedelta(days=(day.weekday - start.weekday()) % 7))


def _checked(day: Checked, today: date, after: date | None) -> Days:
    main = resolve_day(day.main, today, after)
    near = day.check
    if isinstance(near, CalendarDay) and _lacks_year(near):
        near = replace(near, year=main.first.year)
    if isinstance(near, Weekday) and near.monday is None:
        agrees = main.first.weekday() == near.weekday
    elif isinstance(near, CalendarDay) and near.month is None:
        agrees = main.first.day == near.day
    else:
        agrees = resolve_day(near, today).first == main.first
    if not agrees and _lacks_year(day.main) and isinstance(day.check, Weekday):
        assert isinstance(day.main, CalendarDay)
        # 12月3日周四 may mean another year's where this one's date falls on another weekday: the nearest that fits
        fitting = _with_weekday(main.first, day.check, today)
        if fitting is not None:
            return _one(fitting)
    if not agrees:
        raise ImpossibleTime(
            "DATE_MISMATCH",
            "说的日期和星期（或另一个日期）对不上。",
            "The date and the weekday, or two dates, disagree.",
        )
    return main


def _with_weekday(day: date, weekday: Weekday, today: date) -> date | None:
    """Return the date a year on or back that falls on the weekday, where it is as likely as the date itself.

    A date that is over may be meant for next year, one that is far off for the year before; one that is near is
    rather a slip of the weekday.
    """
    if weekday.monday is not None or day.day > 28:
        return None
    later, earlier = day.replace(year=day.year + 1), day.replace(year=day.year - 1)
    if day < today and later.weekday() == weekday.weekday:
        return later
    return earlier if earlier.weekday() == weekday.weekday and today - earlier < day - today else None


def _lacks_year(day: Day) -> bool:
    return isinstance(day, CalendarDay) and day.year is None and day.month is not None


def _date(year: int, month: int, day: int) -> date:
    if not 1 <= year <= 9998:
        raise ImpossibleTime("YEAR_OUT_OF_RANGE", f"{year}年超出了日历。", f"Year {year} is outside the calendar.")
    if not 1 <= month <= 12:
        raise ImpossibleTime("MONTH_OUT_OF_RANGE", f"没有{month}月。", f"There is no month {month}.")
    if not 1 <= day <= _calendar.monthrange(year, month)[1]:
        raise ImpossibleTime(
            "DAY_OUT_OF_RANGE",
            f"{year}年{month}月没有{day}日。",
            f"Month {month} of {year} has no day {day}.",
        )
    return date(year, month, day)


def _numbers(day: CalendarDay, today: date, after: date | None) -> Days:
    if day.month is None and day.day is None:
        year = day.year or today.year
        return Days(_date(year, 1, 1), _date(year, 12, 31) + timedelta(days=1), "year")
    if day.day is None:
        first = _month_of(day, today, after)
        return Days(first, add_months(first, 1), "month")
    if day.month is None:
        return _one(_coming_day_of_month(day.day, after or today))
    also = None
    if day.swapped:
        also = _numbers(CalendarDay(day.year, day.day, day.month), today, after).first
    if day.year is not None:
        return _one(_date(day.year, day.month, day.day), also)
    if after is not None:
        return _one(_from(day.month, day.day, after), also)
    return _nearest(day.month, day.day, today, also)


def _month_of(day: CalendarDay, today: date, after: date | None) -> date:
    month = day.month or today.month
    if day.year is not None:
        return _date(day.year, month, 1)
    year = (after or today).year
    first = _date(year, month, 1)
    if after is not None:
        return first if first >= after.replace(day=1) else first.replace(year=year + 1)
    kept = timedelta(days=_KEPT_PAST_DAYS)
    return first if add_months(first, 1) > today - kept else first.replace(year=year + 1)


def _from(month: int, day: int, after: date) -> date:
    for year in range(after.year, after.year + 9):
        if month == 2 and day == 29 and not _calendar.isleap(year):
            continue
        if (found := _date(year, month, day)) >= after:
            return found
    return _date(after.year, month, day)


def _nearest(month: int, day: int, today: date, also: date | None) -> Days:
    if month == 2 and day == 29:
        return _one(_from(month, day, today), also)
    this_year = _date(today.year, month, day)
    if this_year >= today:
        return _one(this_year, also)
    next_year = _date(today.year + 1, month, day)
    if today - this_year <= timedelta(days=_KEPT_PAST_DAYS):
        return _one(this_year, also or next_year)
    return _one(next_year, also)


def _coming_day_of_month(day: int, start: date) -> date:
    if not 1 <= day <= 31:
        raise ImpossibleTime("DAY_OUT_OF_RANGE", f"没有{day}号。", f"No month has a day {day}.")
    month = start.replace(day=1)
    for _ in range(3):
        length = _calendar.monthrange(month.year, month.month)[1]
        if day <= length and month.replace(day=day) >= start:
            return month.replace(day=day)
        month = add_months(month, 1)
    raise ImpossibleTime("DAY_OUT_OF_RANGE", f"没有{day}号。", f"No month has a day {day}.")


def _nth(day: NthWeekday, today: date) -> Days:
    first = _month_of(day.month or CalendarDay(today.year, today.month), today, None)
    length = _calendar.monthrange(first.year, first.month)[1]
    days = [d for d in range(1, length + 1) if first.replace(day=d).weekday() == day.weekday]
    if day.rank > len(days):
        raise ImpossibleTime(
            "DAY_OUT_OF_RANGE",
            f"这个月没有第{day.rank}个这样的星期。",
            f"That month has no such weekday number {day.rank}.",
        )
    return _one(first.replace(day=days[day.rank - 1 if day.rank > 0 else -1]))


def _month_bit(day: MonthBit, today: date) -> Days:
    of = day.of or CalendarDay(today.year, today.month)
    if of.month is None:
        year = of.year or today.year
        first, last = {"start": (1, 2), "middle": (5, 8), "end": (12, 12)}[day.bit]
        return Days(_date(year, first, 1), add_months(_date(year, last, 1), 1), "part")
    first_day = _month_of(of, today, None)
    bounds = {"start": (0, 10), "middle": (10, 20), "end": (20, None)}[day.bit]
    until = add_months(first_day, 1) if bounds[1] is None else first_day + timedelta(days=bounds[1])
    return Days(first_day + timedelta(days=bounds[0]), until, "part")


def _week_of(day: WeekOf, today: date) -> Days:
    """By the rule of ISO 8601 a week belongs to the month or year that its Thursday lies in."""
    of = _numbers(day.of or CalendarDay(today.year), today, None)
    if day.rank == 0:
        monday = monday_of(of.first)
    elif day.rank > 0:
        thursday = of.first + timedelta(days=(3 - of.first.weekday()) % 7 + 7 * (day.rank - 1))
        if thursday >= of.until:
            raise ImpossibleTime("WEEK_UNKNOWN", f"那里没有第{day.rank}周。", f"There is no week {day.rank} in it.")
        monday = thursday - timedelta(days=3)
    else:
        last = of.until - timedelta(days=1)
        monday = last - timedelta(days=(last.weekday() - 3) % 7 + 3)
    return Days(monday, monday + timedelta(weeks=1), "week")


@dataclass(frozen=True, slots=True)
class Hours:
    """Offsets from midnight that a clock may mean, the likeliest first."""

    likely: timedelta
    other: timedelta | None = None


_NEXT_MORNING_LIMIT = 6  # 晚上一点 is after midnight up to this hour


def read_clock(clock: Clock, part: str | None) -> Hours:
    """What a clock reading may mean, given the part of the day said with it.

    Raises ImpossibleTime for an hour above 24 or a minute above 59.
    """
    if clock.hour > 24 or (clock.hour == 24 and (clock.minute or clock.second)):
        raise ImpossibleTime(
            "HOUR_OUT_OF_RANGE", f"没有{clock.hour}点。", f"There is no hour {clock.hour} on the clock."
        )
    if clock.minute > 59 or clock.second > 59:
        raise ImpossibleTime("MINUTE_OUT_OF_RANGE", f"没有{clock.minute}分。", f"There is no minute {clock.minute}.")
    said = timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)
    half = timedelta(hours=12)
    if clock.half:
        if clock.hour > 12:
            return Hours(said)
        return Hours(said % half + (half if clock.half == "pm" else timedelta()))
    if clock.exact or clock.hour > 12 or clock.hour == 0:
        return Hours(said)
    if part is not None:
        return Hours(_by_part(clock, part, said))
    if clock.hour == 12:
        return Hours(said)
    if clock.hour < 7:
        return Hours(said + half, said)
    return Hours(said, said + half if clock.hour < 10 else None)


def _by_part(clock: Clock, part: str, said: timedelta) -> timedelta:
    half = timedelta(hours=12)
    if part == "dawn":
        return said % half
    if part in ("early", "morning"):
        return said
    if part == "noon":
        return said + half if clock.hour < 4 else said
    if part in ("evening", "night") and (
        clock.hour == 12 or clock.hour < (5 if part == "evening" else _NEXT_MORNING_LIMIT)
    ):
        return said % half + timedelta(days=1)
    return said % half + half


def moment_of(day: date, offset: timedelta, calendar: Calendar) -> datetime:
    """``offset`` after midnight of ``day`` by the clock on the wall, in the calendar's zone."""
    whole, rest = divmod(offset, timedelta(days=1))
    at = (datetime.combine(day, time()) + rest).time()
    return datetime.combine(day + timedelta(days=whole), at, calendar.zone)


def offset_of(at: time) -> timedelta:
    """How long after midnight a time of day is."""
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)
