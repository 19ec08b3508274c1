"""English days by week: tomorrow, next Wednesday, week 13, "later this week", "in 3 days"."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from surefoot.language.datemath import add_months, monday_of, month_start, weekend_of
from surefoot.language.lengths import EN_LENGTH, EN_NUMBER, read_length
from surefoot.language.numerals import read_count, read_ordinal
from surefoot.language.pieces import DaySpan, Instant, Length, NthWeekday, Part, Value, Weekday, WeekOf
from surefoot.language.scanning import Rule, Scan, rule, shifted
from surefoot.language.words_en import (
    DIGITS,
    LETTERS,
    NEEDS_COMPANY,
    ORDINAL,
    PREPOSITION,
    WEEKDAY,
    WHICH,
    WHICH_WEEK,
    WORD_END,
)

_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RELATIVE = {
    "today": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "tmw": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1,
    "yesterday": -1,
}  # fmt: skip


def _span(first: date, days: int = 1) -> DaySpan:
    return DaySpan(first, first + timedelta(days=days), "day")


def _relative_day(match: re.Match[str], scan: Scan) -> DaySpan:
    return _span(scan.now.date() + timedelta(days=_RELATIVE[match[1].lower()]))


def _far_day(match: re.Match[str], scan: Scan) -> DaySpan:
    return _span(scan.now.date() + timedelta(days=2 if match[1].lower() == "after tomorrow" else -2))


def _day_after(_match: re.Match[str], scan: Scan) -> DaySpan | None:
    """ "tomorrow or maybe the day after": the day after the one named last."""
    for token in reversed(scan.tokens[-20:]):
        if isinstance(token.value, DaySpan) and token.value.grain == "day":
            return _span(token.value.until)
    return None


def _day_beside(_match: re.Match[str], _scan: Scan) -> Length:
    """ "the day after Friday" is one day after it."""
    return Length(rest=timedelta(days=1), unit="day")


def _weekdays_on(match: re.Match[str], scan: Scan) -> DaySpan:
    """ "two Sundays from now"."""
    today = scan.now.date()
    ahead = (_day_index(match["day"]) - today.weekday() - 1) % 7 + 1
    return _span(today + timedelta(days=ahead, weeks=read_count(match["n"]) - 1))


def _tonight(_match: re.Match[str], scan: Scan) -> Sequence[Value]:
    return [_span(scan.now.date()), Part(night(scan))]


def night(scan: Scan) -> str:
    """Which part of the day "night" is: the calendar's own where it sets one, else the evening."""
    return "night" if "night" in scan.calendar.day_parts else "evening"


def half_of_part(said: str | None) -> Literal["early", "late"] | None:
    """Early or late as said before a part of the day, None where nothing is."""
    if not said:
        return None
    return "early" if said.lower().startswith("early") or said.lower() == "earlier" else "late"


def _this_part(match: re.Match[str], scan: Scan) -> Sequence[Value]:
    last = match["which"].lower() == "last"
    part = match["part"].lower()
    bit = half_of_part(match["bit"])
    return [
        _span(scan.now.date() - timedelta(days=1 if last else 0)),
        Part(night(scan) if part == "night" else part, bit),
    ]


def _day_index(said: str) -> int:
    return _DAY_NAMES.index(said[:3].lower())


def _weekday(match: re.Match[str], scan: Scan) -> Weekday | None:
    said, which = match["day"], (match["which"] or "").lower()
    if not which and said in NEEDS_COMPANY and not _has_company(match, scan):
        return None
    weekday, monday = _day_index(said), monday_of(scan.now.date())
    if which in ("coming", "upcoming"):
        today = scan.now.date()
        ahead = (weekday - today.weekday() - 1) % 7 + 1
        day = today + timedelta(days=ahead)
        return Weekday(weekday, monday_of(day))
    if which == "past":
        return Weekday(weekday, None, past=True)
    return Weekday(weekday, monday + timedelta(weeks=WHICH_WEEK[which]) if which else None)


def _has_company(match: re.Match[str], scan: Scan) -> bool:
    after = scan.text[match.end() : match.end() + 9].lower()
    return PREPOSITION.search(scan.before(match.start(), 8)) is not None or (
        re.match(r" ?(?:\d|at |from |morning|afternoon|evening|night|noon)", after) is not None
    )


def _week(match: re.Match[str], scan: Scan) -> DaySpan:
    monday = monday_of(scan.now.date()) + timedelta(weeks=WHICH_WEEK[match["which"].lower()])
    if match["work"]:
        return DaySpan(monday, monday + timedelta(days=5), "day", "working week")
    return DaySpan(monday, monday + timedelta(weeks=1), "week")


def _after_next(_match: re.Match[str], scan: Scan) -> DaySpan:
    monday = monday_of(scan.now.date()) + timedelta(weeks=2)
    return DaySpan(monday, monday + timedelta(weeks=1), "week")


def _weekend(match: re.Match[str], scan: Scan) -> DaySpan:
    which = WHICH_WEEK[(match["which"] or "this").lower()] if match["which"] not in ("coming", "upcoming") else 0
    first, until = weekend_of(monday_of(scan.now.date()) + timedelta(weeks=which))
    return DaySpan(first, until, "day", "周末")


def _teaching_week(match: re.Match[str], scan: Scan) -> DaySpan | WeekOf:
    said = match["n"] or match["ordinal"]
    if scan.calendar.weeks == 0:
        return WeekOf(read_count(said) if match["n"] else read_ordinal(said))
    monday = scan.calendar.monday(read_count(said) if match["n"] else read_ordinal(said))
    return DaySpan(monday, monday + timedelta(weeks=1), "week")


def _ranked_week(match: re.Match[str], _scan: Scan) -> WeekOf:
    if match["n"]:
        return WeekOf(int(match["n"]))
    said = (match["rank"] or "").lower()
    return WeekOf(-1 if said == "last" else read_ordinal(said) if said else 0)


def _rest(match: re.Match[str], scan: Scan) -> DaySpan:
    """ "later this week" is from today on, "earlier this week" up to today."""
    today, unit = scan.now.date(), match["unit"].lower()
    if unit == "week":
        first, until = monday_of(today), monday_of(today) + timedelta(weeks=1)
    elif unit == "month":
        first, until = month_start(today), add_months(month_start(today), 1)
    else:
        first, until = date(today.year, 1, 1), date(today.year + 1, 1, 1)
    if match["way"].lower() == "earlier" and first < today:
        return DaySpan(first, today, "part", "earlier")
    return DaySpan(today, until, "part", "later")


def _nth_weekday(match: re.Match[str], _scan: Scan) -> NthWeekday:
    rank = -1 if match["rank"].lower() == "last" else read_ordinal(match["rank"])
    return NthWeekday(rank, _day_index(match["day"]))


def _moved(match: re.Match[str], scan: Scan) -> DaySpan | Instant | None:
    length = read_length(match["length"], "en")
    if length.periods:
        return None
    return shifted(scan, length, -1 if (match["way"] or "").lower() in ("ago", "back", "before", "earlier") else 1)


def _now(_match: re.Match[str], scan: Scan) -> Instant:
    return Instant(scan.now)


RULES: tuple[Rule, ...] = (
    rule("ty", rf"({'|'.join(sorted(_RELATIVE, key=len, reverse=True))}){WORD_END}", _relative_day),
    rule("td", rf"(?:the )?day (after tomorrow|before yesterday){WORD_END}", _far_day),
    rule("t", r"the day after(?= ?[?!.,;]|$| that|\)| works)", _day_after),
    rule("td", rf"(?:the )?day(?= (?:after|before) {WEEKDAY}{WORD_END})", _day_beside),
    rule(
        LETTERS + DIGITS,
        rf"(?P<n>{EN_NUMBER}) (?P<day>{WEEKDAY})s (?:from now|from today|hence){WORD_END}",
        _weekdays_on,
    ),
    rule("t", rf"to-?nigh?te?{WORD_END}|tonite{WORD_END}", _tonight),
    rule(
        "tle",
        r"(?:(?P<bit>early|earlier|late|later) )?(?P<which>this|last) "
        rf"(?P<part>morning|afternoon|evening|night){WORD_END}",
        _this_part,
    ),
    rule("mtwfsnlpcu", rf"(?:{WHICH} )?(?P<day>{WEEKDAY})\.?{WORD_END}", _weekday),
    rule("tnlpcuf", rf"(?:the )?{WHICH} (?P<work>work(?:ing)? )?week{WORD_END}(?! (?:of|in) )", _week),
    rule("t", rf"the week after next{WORD_END}", _after_next),
    rule("wtnlpcu", rf"(?:{WHICH} |the )?weekends?{WORD_END}", _weekend),
    rule(
        "w",
        r"week (?P<n>\d{1,2})(?P<ordinal>)(?!\d|:| of (?:the year|next year|last year|"
        r"this year|[12]\d{3}))",
        _teaching_week,
    ),
    rule(LETTERS + DIGITS, rf"(?P<n>)(?P<ordinal>{ORDINAL}) week{WORD_END}(?! (?:of|in) )", _teaching_week),
    rule(
        "w",
        r"week(?P<rank>)(?P<n>) (?:of|beginning|starting|commencing)(?: on)?(?= (?:the )?(?:[a-z]{"
        r"3,9}|\d))",
        _ranked_week,
    ),
    rule(
        "w",
        r"week(?P<rank>) (?P<n>\d{1,2})(?= of (?:the year|next year|last year|"
        r"this year|[12]\d{3}))",
        _ranked_week,
    ),
    rule(LETTERS + DIGITS, rf"(?:the )?(?P<rank>last|{ORDINAL})(?P<n>) week(?= (?:of|in) )", _ranked_week),
    rule(
        "elr",
        r"(?P<way>earlier|later|rest|remainder|remaining)(?: of)?(?: in)? (?:this|"
        rf"the) (?P<unit>week|month|year){WORD_END}",
        _rest,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?:the )?(?P<rank>last|{ORDINAL}) (?P<day>{WEEKDAY})(?= (?:of|in) )",
        _nth_weekday,
    ),
    rule(
        "i",
        rf"in (?:about |around )?(?P<length>{EN_LENGTH})(?P<way>'?s? time)?(?: from (?:now|today))?{WORD_END}",
        _moved,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?P<length>{EN_LENGTH}) (?P<way>ago|back(?! to)|later|earlier|from now|from today|"
        rf"hence){WORD_END}",
        _moved,
    ),
    rule("nr", rf"(?:right )?now{WORD_END}", _now),
)
