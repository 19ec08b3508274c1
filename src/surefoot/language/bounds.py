"""Works out when the two moments of a phrase begin and end on given days."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from surefoot.language.calendar import Calendar, ImpossibleTime
from surefoot.language.phrases import Moment
from surefoot.language.pieces import Clock, Grain, Half, Instant, Part, Periods
from surefoot.language.resolving import Hours, offset_of, read_clock

_HALF_DAY = timedelta(hours=12)
_DAY = timedelta(days=1)
_LATE_START = timedelta(hours=17)  # a range that starts after this may end on the next morning
_EARLY_END = timedelta(hours=9)


@dataclass(frozen=True, slots=True)
class Bounds:
    """[start, end) as offsets from midnight; ``end`` None for a point. ``other``: a second reading."""

    start: timedelta
    end: timedelta | None
    grain: Grain
    approx: bool = False
    other: tuple[timedelta, timedelta | None] | None = None


def bounds_of(moment: Moment, calendar: Calendar, part: str | None) -> Bounds:
    """The bounds of one moment; ``part`` is the part of the day that holds for it.

    Raises ImpossibleTime for an hour or period that does not exist.
    """
    if isinstance(moment.time, Periods):
        first, last = _numbered(moment.time, moment.part.name if moment.part else None, calendar)
        start, end = calendar.period_span(first, last)
        return Bounds(offset_of(start), offset_of(end), "period")
    if isinstance(moment.time, Clock):
        hours = _hours(moment.time, moment.part, part, calendar)
        other = None if hours.other is None else (hours.other, None)
        return Bounds(hours.likely, None, "minute", False, other)
    if moment.part is None:
        raise ValueError("a moment without a time of day has no bounds")
    begins, ends = calendar.part(moment.part.name)
    since, until = offset_of(begins), offset_of(ends)
    until = _DAY if until >= timedelta(hours=23, minutes=59) else until
    middle = since + (until - since) / 2
    if moment.part.bit == "early":
        until = middle
    elif moment.part.bit == "late":
        since = middle
    return Bounds(since, until, "part", True)


def _numbered(periods: Periods, part: str | None, calendar: Calendar) -> tuple[int, int]:
    """上午第二节 is period 2; 下午第二节 is the second period of the afternoon."""
    if part is None:
        return periods.first, periods.last
    inside = calendar.periods_in(part)
    if periods.first in inside or not inside:
        return periods.first, periods.last
    if 1 <= periods.first <= periods.last <= len(inside):
        return inside[periods.first - 1], inside[periods.last - 1]
    calendar.period_span(periods.first, periods.last)
    raise ImpossibleTime(
        "PERIOD_NOT_IN_PART",
        f"第{periods.first}节不在说的那个时段里。",
        f"Period {periods.first} is not in that part of the day.",
    )


def _hours(clock: Clock, said: Part | None, carried: str | None, calendar: Calendar) -> Hours:
    if said is not None:
        return read_clock(clock, said.name)
    plain = read_clock(clock, None)
    if carried is None or clock.half or clock.exact or clock.hour >= 12:
        return plain
    by_part = read_clock(clock, carried)
    start, end = calendar.part(carried)
    inside = offset_of(start) <= by_part.likely <= offset_of(end) + timedelta(hours=1)
    return Hours(by_part.likely) if inside else plain


def range_of(left: Moment, right: Moment, calendar: Calendar, part: str | None, same_day: bool) -> Bounds:
    """The bounds of a range whose two ends share what only one of them says.

    Raises ImpossibleTime for parts that do not exist and for an end before the start on one day.
    """
    left, right = _share_half(left, right)
    last = bounds_of(right, calendar, part)
    first = bounds_of(left, calendar, part)
    end = last.start if last.end is None or (last.approx and not first.approx) else last.end
    start, other = first.start, first.other[0] if first.other else None
    if not same_day:
        return _over_days(first, last, end)
    floating = _floats(right)
    if left.part is None and right.part is not None and _floats(left):
        # 三点到下午五点: the part said last holds for both where that fits
        shared = bounds_of(replace(left, part=right.part), calendar, None).start
        start, other = (shared, None) if shared < end else (start, other)
    if not floating:
        start, other = _before(start, other, end)
    second = None if other is None else _ending(other, end, floating, right)
    end = _ending(start, end, floating, right)
    pair = None if other is None or second is None or second > _DAY else (other, second)
    return Bounds(start, _checked(start, end), _finer(first, last), first.approx or last.approx, pair)


def _over_days(first: Bounds, last: Bounds, end: timedelta) -> Bounds:
    """From one day into another (2点到明天4点): hours as written, for nobody says the half of the day to a night."""
    readings = [first.start, *([first.other[0]] if first.other else [])]
    ends = [end, *([last.other[0]] if last.other else [])]
    other = (max(readings), max(ends)) if len(readings) + len(ends) > 2 else None
    return Bounds(min(readings), min(ends), _finer(first, last), first.approx or last.approx, other)


def _floats(moment: Moment) -> bool:
    """Whether a clock reading is free to mean morning or afternoon."""
    clock = moment.time
    return (
        isinstance(clock, Clock) and moment.part is None and clock.half is None and not clock.exact and clock.hour <= 12
    )


def _share_half(left: Moment, right: Moment) -> tuple[Moment, Moment]:
    """ "2 to 4 pm": the am or pm of one end holds for the other where that keeps the order."""
    if not isinstance(left.time, Clock) or not isinstance(right.time, Clock) or left.part or not _floats(left):
        return left, right
    if right.time.half is None:
        return left, right
    halves: tuple[Half, ...] = (right.time.half, "am", "pm")
    for half in halves:
        shared = replace(left.time, half=half)
        if read_clock(shared, None).likely < read_clock(right.time, None).likely:
            return replace(left, time=shared), right
    return replace(left, time=replace(left.time, half=right.time.half)), right


def _before(start: timedelta, other: timedelta | None, end: timedelta) -> tuple[timedelta, timedelta | None]:
    if other is not None and start >= end > other:
        return other, None
    return start, None


def _ending(start: timedelta, end: timedelta, floating: bool, right: Moment) -> timedelta:
    if not floating:
        return end
    assert isinstance(right.time, Clock)
    said = timedelta(hours=right.time.hour % 12, minutes=right.time.minute, seconds=right.time.second)
    while said <= start:
        said += _HALF_DAY
    return said


def _checked(start: timedelta, end: timedelta) -> timedelta:
    if end <= start and start >= _LATE_START and end <= _EARLY_END:
        return end + _DAY
    if end <= start:
        raise ImpossibleTime("END_BEFORE_START", "结束时间早于开始时间。", "The end is before the start.")
    return end


def _finer(first: Bounds, last: Bounds) -> Grain:
    order: tuple[Grain, ...] = ("minute", "period", "part")
    return min(first.grain, last.grain, key=order.index)


def instant(moment: Moment) -> datetime | None:
    """The fixed moment that 现在 or 半小时后 names, if this is one."""
    return moment.time.at if isinstance(moment.time, Instant) else None
