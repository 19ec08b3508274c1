"""What phrases of whole days and of lengths mean."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from surefoot.language.datemath import add_months, add_months_to_moment
from surefoot.language.expressions import Kind, Relation, TimeExpression
from surefoot.language.meanings import CARRIED_DAYS, Meaning, Setting, in_order, one_day, sided, told
from surefoot.language.phrases import Moment, Phrase
from surefoot.language.pieces import CalendarDay, Length, Mark, MonthBit
from surefoot.language.resolving import Days, resolve_day
from surefoot.language.wording import length_words


def length_meaning(phrase: Phrase, length: Length, setting: Setting) -> TimeExpression:
    """A length of time, or with 内, 近, 未来 the span it covers from now."""
    if length.periods:
        length = replace(length, rest=length.rest + setting.calendar.periods_length(length.periods))
    if phrase.opening in (Mark.PAST, Mark.COMING, Mark.WITHIN) or phrase.closing is Mark.WITHIN:
        return _span_from_now(phrase, length, setting)
    fixed = not length.months and length.unit not in ("month", "year")
    minutes = int(length.rest.total_seconds() // 60) if fixed else None
    reading = length_words(minutes, setting.text, setting.language)
    return TimeExpression((0, 0), setting.text, "duration", None, None, length.unit, reading, day=None, minutes=minutes)


def _span_from_now(phrase: Phrase, length: Length, setting: Setting) -> TimeExpression:
    now, past = setting.now, phrase.opening is Mark.PAST
    years = length.months // 12 if length.unit == "year" and not length.rest else 0
    if past and years > 1 and length.months % 12 == 0:
        # 近三年 counts this year: 2024 to 2026 in 2026
        until = date(now.year + 1, 1, 1)
        start, end = setting.midnight(add_months(until, -length.months)), setting.midnight(until)
        rolling = f"{add_months(now.date(), -length.months).isoformat()}–{now.date().isoformat()}"
        return told(setting, "yearrange", start, end, "year", "between", others=(rolling,))
    other = add_months_to_moment(now, -length.months if past else length.months)
    other = other - length.rest if past else other + length.rest
    start, end = (other, now) if past else (now, other)
    kind: Kind = "datetimerange"
    if length.unit not in ("minute", "period"):
        kind, start, end = "daterange", setting.midnight(start.date()), setting.midnight(end.date())
        if not past and phrase.opening is Mark.COMING:
            # The next two days are tomorrow and the day after; today may be meant to count.
            day = timedelta(days=1)
            today_too = (f"{start.date().isoformat()}–{(end - day).date().isoformat()}",)
            return told(setting, kind, start + day, end + day, length.unit, "between", others=today_too)
    # 三年内的论文 looks back
    others = (f"{now.year - years + 1}–{now.year}",) if years and not past else ()
    return told(setting, kind, start, end, length.unit, "between", others=others)


def days_meaning(phrase: Phrase, setting: Setting, relation: Relation | None) -> Meaning | None:
    """Days alone: 周三, 下周, 12月3日之前, "since 2022"."""
    if phrase.left.day is None:
        return None
    days = resolve_day(phrase.left.day, setting.today)
    start, end = setting.midnight(days.first), setting.midnight(days.until)
    others = () if days.also is None else (setting.day_words(days.also),)
    low: datetime | None = start
    high: datetime | None = end
    if relation == "before":
        ends = isinstance(phrase.left.day, MonthBit) and phrase.left.day.bit == "end"
        low, high = None, end if phrase.closing is Mark.ENDS_BY or ends else start
    elif relation == "after":
        low, high = _after(phrase, days, start, end), None
        if phrase.opening is Mark.FROM and not days.single and setting.language == "en":
            # "numbers from last week" may mean that week alone.
            others = (*others, f"{days.first.isoformat()}–{(days.until - timedelta(days=1)).isoformat()}")
        if phrase.closing is Mark.ENDS_AFTER and days.grain == "year":
            others = (*others, f"{start.year + 1}")
    kind = _days_kind(days, relation)
    approx = days.grain == "part" or phrase.left.about
    expression = told(setting, kind, low, high, days.grain, relation, others=others, approx=approx)
    brief = relation is None and days.until - days.first <= CARRIED_DAYS
    return Meaning(expression, days if brief else None)


def _days_kind(days: Days, relation: Relation | None) -> Kind:
    if days.grain == "year":
        return "yearrange"
    return "date" if days.single and relation not in ("before", "after") else "daterange"


def _after(phrase: Phrase, days: Days, start: datetime, end: datetime) -> datetime:
    if phrase.closing is Mark.ENDS_SINCE or phrase.opening in (Mark.SINCE, Mark.FROM):
        return start
    if phrase.closing is Mark.ENDS_AFTER and days.grain == "year":
        return start  # 2022年后 is said of 2022 too; the strict reading is offered beside it
    return end


def counted_meaning(phrase: Phrase, length: Length, setting: Setting) -> Meaning | None:
    """ "two days after tomorrow", "two weeks starting Monday": counted from a day."""
    if phrase.left.day is None:
        return None
    days = resolve_day(phrase.left.day, setting.today)
    sign = -1 if phrase.shift is Mark.BEFORE else 1
    day = add_months(days.first, sign * length.months) + sign * length.rest
    if phrase.shift is Mark.SINCE:
        start, end = setting.midnight(days.first), setting.midnight(day)
        in_order(start, end)
        return Meaning(told(setting, "daterange", start, end, "day", "between"))
    found = one_day(day)
    start, end = setting.midnight(found.first), setting.midnight(found.until)
    return Meaning(told(setting, "date", start, end, "day", None, approx=phrase.left.about), found)


def day_range_meaning(phrase: Phrase, right: Moment, setting: Setting, relation: Relation | None) -> Meaning | None:
    """From one day to another, both included: 周一到周三, "2 to 10 July", 2020年到2023年."""
    left = phrase.left.day
    if left is None or right.day is None:
        return None
    if isinstance(left, CalendarDay) and isinstance(right.day, CalendarDay):
        left = _shared_numbers(left, right.day, setting.today)
    first = resolve_day(left, setting.today)
    last = resolve_day(right.day, setting.today, first.first)
    start, end = setting.midnight(first.first), setting.midnight(last.until)
    in_order(start, end)
    kind: Kind = "yearrange" if first.grain == "year" and last.grain == "year" else "daterange"
    low, high = sided(start, end, relation)
    others = tuple(setting.day_words(days.also) for days in (first, last) if days.also is not None)
    expression = told(setting, kind, low, high, last.grain, relation or "between", others=others)
    brief = relation is None and last.until - first.first <= CARRIED_DAYS
    return Meaning(expression, Days(first.first, last.until) if brief else None)


def _shared_numbers(left: CalendarDay, right: CalendarDay, today: date) -> CalendarDay:
    """ "2 Jan to 5 Feb 2027": the left end takes the year said last. A range without years that today
    lies in is this one, not next year's."""
    if left.month is None and left.day is not None and right.month is not None:
        left = replace(left, month=right.month, year=right.year)  # from the ninth to the 17th of April
    if left.year is not None or not left.month or not right.month:
        return left
    first, last = (left.month, left.day or 1), (right.month, right.day or 31)
    if right.year is not None:
        return replace(left, year=right.year if first <= last else right.year - 1)
    running = first <= last and (today.month, today.day) <= last
    return replace(left, year=today.year) if running else left
