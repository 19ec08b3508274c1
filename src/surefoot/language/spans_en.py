"""English spans of time: "the 5 past years", "the first two weeks of May", quarters, decades, the end of a day."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from surefoot.language.datemath import add_months, monday_of, month_start
from surefoot.language.lengths import EN_NUMBER, read_length
from surefoot.language.numerals import NotANumber, read_count, read_number, read_ordinal
from surefoot.language.pieces import (
    CalendarDay,
    Clock,
    DaySpan,
    Instant,
    Length,
    Mark,
    Value,
    Weekday,
)
from surefoot.language.scanning import Rule, Scan, rule
from surefoot.language.words_en import DIGITS, LETTERS, ORDINAL, WEEKDAY, WHICH_WEEK, WORD_END

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_COUNT = rf"(?:{EN_NUMBER}|(?:a )?couple(?: of)?|(?:a )?few|several)"
_UNIT = r"(?:business days?|days?|nights?|weeks?|fortnights?|months?|years?|decades?|hours?|minutes?|mins?|seconds?)"
_AHEAD = r"(?:next|coming|upcoming|following)"
_BACK = r"(?:last|past|previous)"
_IN = r"(?:in |over |during )?(?:the )?"
_DECADES = {
    name: (number + 2) * 10
    for number, name in enumerate(("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"))
}
_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WHOLE = (
    r"(?:(?P<which>this|next|last|previous|the) (?P<whole>month|year|quarter|week)|"
    rf"(?P<month>{_MONTH})|(?P<year>[12]\d{{3}}))(?:,? (?:of )?(?P<year2>[12]\d{{3}}))?"
)


def _counted(match: re.Match[str], _scan: Scan) -> Sequence[Value]:
    """ "the 5 past years", "the 2 next days": the number before the word that says which way."""
    way = Mark.COMING if re.fullmatch(_AHEAD, match["way"], re.IGNORECASE) else Mark.PAST
    return [way, read_length(f"{match['n']} {match['unit']}", "en")]


def _one(match: re.Match[str], _scan: Scan) -> Sequence[Value]:
    """ "the past fortnight", "the next hour"."""
    way = Mark.COMING if re.fullmatch(_AHEAD, match["way"], re.IGNORECASE) else Mark.PAST
    return [way, read_length(f"1 {match['unit']}", "en")]


def _quarters(match: re.Match[str], scan: Scan) -> DaySpan:
    """ "the last two quarters" are whole ones."""
    count = _number(match["n"])
    today = month_start(scan.now.date())
    this = today.replace(month=today.month - (today.month - 1) % 3)
    if re.fullmatch(_AHEAD, match["way"], re.IGNORECASE):
        return DaySpan(add_months(this, 3), add_months(this, 3 + 3 * count), "month")
    return DaySpan(add_months(this, -3 * count), this, "month")


def _number(words: str) -> int:
    words = words.lower()
    if "couple" in words:
        return 2
    if "few" in words or "several" in words:
        return 3
    return read_count(words)


def _decades(match: re.Match[str], scan: Scan) -> DaySpan:
    """ "the next two decades" are whole ones; "this decade" is the one that now lies in."""
    count, this = _number(match["n"]) if match["n"] else 1, scan.now.year // 10 * 10
    way = match["way"].lower()
    if way in ("this", "current"):
        first, last = this, this + 10
    elif re.fullmatch(_AHEAD, way):
        first, last = this + 10, this + 10 + 10 * count
    else:
        first, last = this - 10 * count, this
    return DaySpan(date(first, 1, 1), date(last, 1, 1), "year", "decade")


def _named_decade(match: re.Match[str], _scan: Scan) -> DaySpan:
    tens = int(match["digits"]) if match["digits"] else _DECADES[match["word"].lower()]
    century = {"nineteen": 1900, "eighteen": 1800, "19": 1900, "18": 1800}.get((match["century"] or "").lower())
    first = (century if century is not None else 2000 if tens < 30 else 1900) + tens
    return DaySpan(date(first, 1, 1), date(first + 10, 1, 1), "year", "decade")


def _century(match: re.Match[str], _scan: Scan) -> DaySpan:
    first = (read_ordinal(match["n"]) - 1) * 100
    return DaySpan(date(max(1, first), 1, 1), date(first + 100, 1, 1), "year", "century")


def _h_half(match: re.Match[str], _scan: Scan) -> DaySpan:
    return _half_of(int(match["y"] or match["y2"]), int(match["half"] or match["half2"]))


def _half_year(match: re.Match[str], scan: Scan) -> DaySpan:
    half = 1 if match["rank"].lower() in ("first", "1st") else 2
    return _half_of(_said_year(match, scan), half)


def _half_of(year: int, half: int) -> DaySpan:
    first = date(year, 6 * half - 5, 1)
    return DaySpan(first, add_months(first, 6), "month")


def _said_year(match: re.Match[str], scan: Scan) -> int:
    if match["y"]:
        return int(match["y"])
    return scan.now.year + WHICH_WEEK.get((match["which"] or "this").lower(), 0)


def _ranked_quarter(match: re.Match[str], scan: Scan) -> DaySpan:
    number = 4 if match["rank"].lower() == "last" else read_ordinal(match["rank"])
    if not 1 <= number <= 4:
        raise NotANumber("a year has four quarters")
    first = date(_said_year(match, scan), number * 3 - 2, 1)
    return DaySpan(first, add_months(first, 3), "month")


def _first_of(match: re.Match[str], scan: Scan) -> DaySpan | None:
    """ "the first 2 weeks of 2021", "the last four months of last year", "the first ten days of May"."""
    begin, until = _whole(match, scan)
    count, unit = _number(match["n"] or "1"), match["unit"].lower()
    from_end = match["rank"].lower() in ("last", "final")
    if unit.startswith(("month", "quarter")):
        months = count * (3 if unit.startswith("quarter") else 1)
        first, last = (add_months(until, -months), until) if from_end else (begin, add_months(begin, months))
    elif unit.startswith("week") and (until - begin).days > 27:
        # A week belongs to the month or year that its Thursday lies in (ISO 8601).
        thursday = begin + timedelta(days=(3 - begin.weekday()) % 7)
        end = until - timedelta(days=1)
        last_monday = end - timedelta(days=(end.weekday() - 3) % 7 + 3)
        first = last_monday - timedelta(weeks=count - 1) if from_end else monday_of(thursday)
        last = first + timedelta(weeks=count)
    else:
        days = timedelta(days=count * (7 if unit.startswith("week") else 1))
        first, last = (until - days, until) if from_end else (begin, begin + days)
    return DaySpan(first, last, "day") if first < last else None


def _whole(match: re.Match[str], scan: Scan) -> tuple[date, date]:
    today = scan.now.date()
    if match["month"]:
        number = _MONTHS.index(match["month"][:3].lower()) + 1
        year = int(match["year2"]) if match["year2"] else today.year + (number < today.month)
        first = date(year, number, 1)
        return first, add_months(first, 1)
    if match["year"]:
        return date(int(match["year"]), 1, 1), date(int(match["year"]) + 1, 1, 1)
    offset = WHICH_WEEK.get(match["which"].lower(), 0)
    whole = match["whole"].lower()
    if whole == "year":
        return date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1)
    if whole == "week":
        monday = monday_of(today) + timedelta(weeks=offset)
        return monday, monday + timedelta(weeks=1)
    months = 3 if whole == "quarter" else 1
    first = month_start(today)
    first = add_months(first.replace(month=first.month - (first.month - 1) % months), offset * months)
    return first, add_months(first, months)


def _end_of_day(match: re.Match[str], scan: Scan) -> Sequence[Value]:
    """ "end of tomorrow", "the end of this Sunday", eod: the last second of that day."""
    said = (match["day"] or "").lower()
    today = scan.now.date()
    if said in ("", "day", "the day", "today"):
        day: Value = _span(today)
    elif said in ("tomorrow", "tmr"):
        day = _span(today + timedelta(days=1))
    else:
        names = said.split()
        weekday = _DAY_NAMES.index(names[-1][:3])
        monday = monday_of(today) + timedelta(weeks=WHICH_WEEK.get(names[0], 0)) if len(names) > 1 else None
        day = Weekday(weekday, monday)
    touching = scan.touching(match.start())
    if not said and isinstance(touching, DaySpan | Weekday | CalendarDay):
        return [Clock(23, 59, 59, exact=True)]
    return [day, Clock(23, 59, 59, exact=True)]


def _span(day: date) -> DaySpan:
    return DaySpan(day, day + timedelta(days=1), "day")


def _end_of_unit(match: re.Match[str], scan: Scan) -> DaySpan:
    """eom, eoy: the last part of this month or year."""
    today = scan.now.date()
    if match["unit"].lower() == "m":
        first = month_start(today)
        return DaySpan(first + timedelta(days=15), add_months(first, 1), "part")
    return DaySpan(date(today.year, 7, 1), date(today.year + 1, 1, 1), "part")


def _weekday_weeks_on(match: re.Match[str], scan: Scan) -> Weekday:
    """ "Monday two weeks from now": that weekday, so many weeks on."""
    weeks = _number(match["n"])
    return Weekday(_DAY_NAMES.index(match["day"][:3].lower()), monday_of(scan.now.date()) + timedelta(weeks=weeks))


def _weekday_and_day(match: re.Match[str], scan: Scan) -> DaySpan | None:
    """ "Wed the 13th": the next day that is both."""
    weekday = _DAY_NAMES.index(match["day"][:3].lower())
    number = read_ordinal(match["d"])
    day = scan.now.date()
    for _ in range(_NEAR_DAYS):
        if day.day == number and day.weekday() == weekday:
            return _span(day)
        day += timedelta(days=1)
    return None


def _year_to_date(_match: re.Match[str], scan: Scan) -> DaySpan:
    return DaySpan(date(scan.now.year, 1, 1), scan.now.date(), "day")


def _all_of_it(match: re.Match[str], _scan: Scan) -> Length:
    return read_length(f"1 {match['unit']}", "en")


def _spoken_year(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    """ "in nineteen ninety six": only after a word that makes it a year."""
    if _YEAR_LED.search(scan.before(match.start(), 8)) is None:
        return None
    year = int(read_number(match["y"]))
    return CalendarDay(year) if 1000 <= year <= 2100 else None


def _current_time(_match: re.Match[str], scan: Scan) -> Instant:
    return Instant(scan.now)


_NEAR_DAYS = 92
"""A weekday and a day of the month that meet no sooner than this are rather a slip."""

_YEAR_LED = re.compile(r"(?:in|since|year|of|until|till|before|after|from|to|and) $", re.IGNORECASE)
_TEENS = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONES = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_SPOKEN = (
    rf"(?:two thousand(?:,? (?:and )?(?:{_TENS}(?:[- ]{_ONES})?|{_TEENS}|{_ONES}))?|"
    rf"(?:seventeen|eighteen|nineteen|twenty) (?:{_TENS}(?:[- ]{_ONES})?|{_TEENS})|"
    rf"(?:seventeen|eighteen|nineteen) hundred(?: (?:and )?(?:{_TENS}(?:[- ]{_ONES})?|{_TEENS}))?)"
)

RULES: tuple[Rule, ...] = (
    rule(DIGITS + LETTERS, rf"(?P<n>{_COUNT}) (?P<way>{_AHEAD}|{_BACK}) (?P<unit>{_UNIT}){WORD_END}", _counted),
    rule("tnlpcufiod", rf"{_IN}(?P<way>{_AHEAD}|{_BACK}) (?P<unit>fortnight|second){WORD_END}", _one),
    rule("tnlpcufiod", rf"{_IN}(?P<way>{_AHEAD}|{_BACK}) (?P<n>{_COUNT}) quarters{WORD_END}", _quarters),
    rule(
        "tnlpcufiod",
        rf"{_IN}(?P<way>{_AHEAD}|{_BACK}|this|current) (?:(?P<n>{_COUNT}) )?decades?{WORD_END}",
        _decades,
    ),
    rule(
        "tne1",
        rf"(?:the )?(?P<century>nineteen |eighteen |19|18)?(?:(?P<digits>\d0)'?s|"
        rf"(?P<word>{'|'.join(_DECADES)})ies){WORD_END}",
        _named_decade,
    ),
    rule(LETTERS + DIGITS, rf"(?:the )?(?P<n>{ORDINAL}) {{1,2}}century{WORD_END}", _century),
    rule(
        "h12", rf"(?:(?P<y>[12]\d{{3}})[ -]?h(?P<half>[12])|h(?P<half2>[12])[ -](?P<y2>[12]\d{{3}})){WORD_END}", _h_half
    ),
    rule(
        "tfs12l",
        rf"(?:the )?(?P<rank>first|second|last|1st|2nd) half of (?:the year )?(?:(?P<which>this|next|last|the) year|"
        rf"(?P<y>[12]\d{{3}})){WORD_END}",
        _half_year,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?:the )?(?P<rank>last|{ORDINAL}) quarter(?: of)? "
        rf"(?:(?P<which>this|next|last|the) year|(?P<y>[12]\d{{3}})){WORD_END}",
        _ranked_quarter,
    ),
    rule(
        "tfl",
        rf"(?:the )?(?P<rank>first|last|final) (?P<n>{_COUNT}) (?P<unit>days?|weeks?|months?|quarters?) "
        rf"(?:of|in) {_WHOLE}{WORD_END}",
        _first_of,
    ),
    rule(
        "te",
        rf"(?:the )?(?:e\.?o\.?d\.?{WORD_END}|end of (?P<day>today|tomorrow|tmr|(?:the )?day|"
        rf"(?:(?:this|next) )?{WEEKDAY}){WORD_END})",
        _end_of_day,
    ),
    rule("e", rf"eo(?P<unit>[my]){WORD_END}", _end_of_unit),
    rule(
        "mtwfs",
        rf"(?P<day>{WEEKDAY}),? (?P<n>{_COUNT}) weeks? (?:from (?:now|today)|hence){WORD_END}",
        _weekday_weeks_on,
    ),
    rule(
        "mtwfs",
        rf"(?P<day>{WEEKDAY})\.?,? (?:the )?(?P<d>\d{{1,2}}(?:st|nd|rd|th))"
        rf"(?! (?:of|{_MONTH})|[-/ ]?{_MONTH}| ?(?:-|to|and) \d){WORD_END}",
        _weekday_and_day,
    ),
    rule("ty", rf"(?:the )?year[- ]to[- ]date|ytd{WORD_END}", _year_to_date),
    rule(
        "tafwe",
        rf"(?:all|the (?:whole|entire|full)|(?:a|one) (?:whole|entire|full)|for the(?= (?:hour)))"
        rf" (?P<unit>day|week|month|year|hour){WORD_END}",
        _all_of_it,
    ),
    rule("nest", rf"(?P<y>{_SPOKEN}){WORD_END}", _spoken_year),
    rule("tc", rf"(?:the )?current time{WORD_END}", _current_time),
    rule("tc", rf"(?:the )?current (?:date|day){WORD_END}", lambda _m, scan: _span(scan.now.date())),
)
