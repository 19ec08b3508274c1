"""What phrases with a time of day mean: a point, a range, a bound, a part of the day, class periods."""

from dataclasses import replace
from datetime import datetime, timedelta

from surefoot.language.bounds import bounds_of, instant, range_of
from surefoot.language.datemath import add_months_to_moment
from surefoot.language.expressions import DaySource, Kind, Relation, TimeExpression
from surefoot.language.meanings import (
    Meaning,
    Setting,
    in_order,
    left_bounds,
    one_day,
    others_of,
    prefer_future,
    said_days,
    sided,
    timed_kind,
    told,
)
from surefoot.language.phrases import Moment, Phrase
from surefoot.language.pieces import CalendarDay, Clock, Length, Mark
from surefoot.language.resolving import Days, resolve_day


def point_meaning(phrase: Phrase, setting: Setting, relation: Relation | None) -> Meaning:
    """One moment with a time of day, and what lies before or after it."""
    moment = phrase.left
    at = instant(moment)
    if at is not None:
        return Meaning(_instant(at, setting, relation))
    days, source = said_days(phrase, setting)
    bounds = left_bounds(moment, days, source, setting)
    start = setting.at(days.first, bounds.start)
    end = None if bounds.end is None else setting.at(days.first, bounds.end)
    low: datetime | None = start
    high: datetime | None = end
    if relation == "before":
        low, high = None, (end or start) if _counts_itself(phrase) else start
    elif relation == "after":
        low, high = start if _starts_there(phrase) else (end or start), None
    else:
        relation = "at" if end is None else "between"
    kind = timed_kind(source, relation == "at")
    others, approx = others_of(bounds, days, setting), bounds.approx or moment.about
    expression = told(setting, kind, low, high, bounds.grain, relation, source, others, approx)
    return Meaning(expression, _left_behind(days, source), _part(moment, source, setting))


def _counts_itself(phrase: Phrase) -> bool:
    return phrase.closing is Mark.ENDS_BY or phrase.opening is Mark.TO


def _starts_there(phrase: Phrase) -> bool:
    return phrase.closing is Mark.ENDS_SINCE or phrase.opening in (Mark.SINCE, Mark.FROM)


def _left_behind(days: Days, source: DaySource) -> Days | None:
    return days if source == "said" and days.single else None


def _part(moment: Moment, source: DaySource, setting: Setting) -> str | None:
    if moment.part is not None:
        return moment.part.name
    return None if source == "said" else setting.part


def _instant(at: datetime, setting: Setting, relation: Relation | None) -> TimeExpression:
    if relation == "before":
        return told(setting, "datetimerange", None, at, "minute", relation)
    kind: Kind = "datetimerange" if relation == "after" else "datetime"
    return told(setting, kind, at, None, "minute", relation or "at")


def stretch_meaning(phrase: Phrase, length: Length, setting: Setting) -> Meaning:
    """ "from 3 pm for 2 hours", 三点开始两小时: the length says where it ends."""
    days, source = said_days(phrase, setting)
    bounds = left_bounds(phrase.left, days, source, setting)
    start = setting.at(days.first, bounds.start)
    rest = length.rest
    if length.periods:
        rest += setting.calendar.periods_length(length.periods)
    end = add_months_to_moment(start, length.months) + rest
    in_order(start, end)
    others = others_of(bounds, days, setting)
    expression = told(setting, timed_kind(source, False), start, end, "minute", "between", source, others)
    return Meaning(expression, _left_behind(days, source), _part(phrase.left, source, setting))


def range_meaning(phrase: Phrase, right: Moment, setting: Setting, relation: Relation | None) -> Meaning:
    """From one time of day to another, on one day or two."""
    left = phrase.left
    if left.day is None and right.day is not None and not right.day_first:
        left, right = replace(left, day=right.day), replace(right, day=None)
        phrase = replace(phrase, left=left)
    days, source = said_days(phrase, setting)
    at = instant(left)
    if at is not None:
        days, source = one_day(at.date()), "said"
        left = replace(left, time=Clock(at.hour, at.minute, at.second, exact=True))
    if phrase.left.day is None and right.day is not None:
        days, source = one_day(setting.today), "said"  # "2 pm till tomorrow 4 pm" begins today
    last = days if right.day is None else resolve_day(right.day, setting.today, days.first)
    same = last.first == days.first
    bounds = range_of(left, right, setting.calendar, setting.part if source != "said" else None, same)
    bounds = prefer_future(bounds, days, setting) if same else bounds
    start = setting.at(days.first, bounds.start) if at is None else at
    end = setting.at(last.first, bounds.end or timedelta())
    in_order(start, end)
    low, high = sided(start, end, relation)
    kind = timed_kind("said" if right.day is not None else source, False)
    others = others_of(bounds, days, setting)
    relation = relation or "between"
    expression = told(setting, kind, low, high, bounds.grain, relation, source, others, bounds.approx)
    return Meaning(expression, _left_behind(days, source), _part(left, source, setting))


def open_range_meaning(phrase: Phrase, right: Moment, setting: Setting) -> Meaning | None:
    """From a time of day to the end of a day: "3 pm until Friday"."""
    if right.day is None:
        return None
    days, source = said_days(phrase, setting)
    last = resolve_day(right.day, setting.today, days.first)
    start, end = _start(phrase.left, days, setting), setting.midnight(last.until)
    in_order(start, end)
    return Meaning(told(setting, "datetimerange", start, end, "minute", "between", source))


def from_now_meaning(now: datetime, right: Moment, setting: Setting) -> Meaning | None:
    """From now until a day, that day included: "from now until 21 May"."""
    if right.day is None:
        return None
    last = resolve_day(right.day, setting.today, now.date())
    start, end = setting.midnight(now.date()), setting.midnight(last.until)
    in_order(start, end)
    return Meaning(told(setting, "daterange", start, end, "day", "between"))


def until_now_meaning(phrase: Phrase, now: datetime, setting: Setting) -> Meaning | None:
    """From a day or a time until now."""
    kind: Kind = "datetimerange"
    day = phrase.left.day
    if (first := instant(phrase.left)) is not None:
        in_order(first, now)
        return Meaning(told(setting, "datetimerange", first, now, "minute", "between"))
    if phrase.left.time is not None or phrase.left.part is not None:
        days, _ = said_days(phrase, setting)
        start = _start(phrase.left, days, setting)
    elif day is None:
        return None
    else:
        days = resolve_day(day, setting.today)
        if days.first > now.date() and isinstance(day, CalendarDay) and day.year is None and day.month:
            days = resolve_day(replace(day, year=days.first.year - 1), setting.today)
        start, kind = setting.midnight(days.first), "daterange"
    in_order(start, now)
    return Meaning(told(setting, kind, start, now, "minute", "between"))


def _start(moment: Moment, days: Days, setting: Setting) -> datetime:
    return instant(moment) or setting.at(days.first, bounds_of(moment, setting.calendar, None).start)
