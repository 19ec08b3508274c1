"""English names of holidays: fixed days, nth weekdays of a month, and those that move with Easter.

A calendar's own holidays come first: what an application names, in its country, is what people there mean.
"""

import re
from datetime import date, timedelta

from surefoot.language.pieces import CalendarDay, DaySpan, NthWeekday, Value
from surefoot.language.scanning import Build, Rule, Scan, rule
from surefoot.language.words_en import WORD_END

_FIXED = {
    r"new year'?s? day|new year'?s?(?! eve)": (1, 1), r"new year'?s? eve": (12, 31), r"groundhog day": (2, 2),
    r"valentine'?s? day": (2, 14), r"(?:saint|st\.?) patrick'?s? day": (3, 17), r"april fools?'?s?(?: day)?": (4, 1),
    r"earth day": (4, 22), r"may day": (5, 1), r"cinco de mayo": (5, 5), r"juneteenth": (6, 19),
    r"independence day|fourth of july|4th of july": (7, 4), r"halloween": (10, 31), r"all saints'? day": (11, 1),
    r"veterans'? day": (11, 11), r"(?:christmas|xmas) eve": (12, 24), r"(?:christmas|xmas)(?: day)?(?! eve)": (12, 25),
    r"boxing day": (12, 26), r"international women'?s day|women'?s day": (3, 8), r"children'?s day": (6, 1),
}  # fmt: skip
_NTH = {
    r"(?:martin luther king|mlk)(?: jr\.?)?(?: day)?": (3, 0, 1), r"president'?s?'? day": (3, 0, 2),
    r"mother'?s?'? day": (2, 6, 5), r"memorial day": (-1, 0, 5), r"father'?s?'? day": (3, 6, 6),
    r"labou?r day": (1, 0, 9), r"columbus day": (2, 0, 10), r"thanks ?giving(?: day)?": (4, 3, 11),
}  # fmt: skip
_AFTER_THANKSGIVING = {"black friday": 1, "cyber monday": 4}
_AROUND_EASTER = {
    "ash wednesday": -46, "palm sunday": -7, "good friday": -2, "easter monday": 1, "easter sunday": 0, "easter": 0,
    "ascension day": 39, "pentecost": 49, "whit monday": 50,
}  # fmt: skip
_WHICH = r"(?P<before>(?:the )?weekend of )?(?:(?P<which>this|next|last|previous|following|coming|upcoming) )?"
_TAIL = rf"(?:,? (?:of |in )?(?P<year>(?:19|20)\d\d))?(?P<weekend> weekend)?{WORD_END}"


def easter(year: int) -> date:
    """Return Easter Sunday of a year of the Gregorian calendar (the anonymous algorithm, Meeus 1991, p. 67)."""
    golden, century = year % 19, year // 100
    leap, skipped = divmod(century, 4)
    moon = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * skipped + 2 * (year % 100 // 4) - moon - year % 100 % 4) % 7
    month, day = divmod(moon + week - 7 * ((golden + 11 * moon + 22 * week) // 451) + 114, 31)
    return date(year, month, day + 1)


def _year(match: re.Match[str], scan: Scan, this_year: date) -> int | None:
    """Return the year that is said, or that "next" and "last" lead to from today; ``None`` leaves it open."""
    if match["year"]:
        return int(match["year"])
    which = (match["which"] or "").lower()
    if which in ("next", "following", "coming", "upcoming"):
        return scan.now.year + (this_year <= scan.now.date())
    if which in ("last", "previous"):
        return scan.now.year - (this_year >= scan.now.date())
    return scan.now.year if which == "this" else None


def _fixed(month: int, day: int) -> Build:
    def build(match: re.Match[str], scan: Scan) -> Value:
        year = _year(match, scan, date(scan.now.year, month, day))
        if match["weekend"] or match["before"]:
            return _weekend(date(year or scan.now.year, month, day))
        return CalendarDay(year, month, day)

    return build


def _nth(rank: int, weekday: int, month: int, after: int = 0) -> Build:
    def build(match: re.Match[str], scan: Scan) -> Value:
        this_year = _nth_day(rank, weekday, scan.now.year, month) + timedelta(days=after)
        year = _year(match, scan, this_year)
        if year is None:
            year = scan.now.year + (this_year < scan.now.date())
        day = _nth_day(rank, weekday, year, month) + timedelta(days=after)
        if match["weekend"] or match["before"]:
            return _weekend(day)
        return (
            DaySpan(day, day + timedelta(days=1), "day")
            if after
            else NthWeekday(rank, weekday, CalendarDay(year, month))
        )

    return build


def _moving(offset: int) -> Build:
    def build(match: re.Match[str], scan: Scan) -> Value:
        this_year = easter(scan.now.year) + timedelta(days=offset)
        year = _year(match, scan, this_year)
        if year is None:
            year = scan.now.year + (this_year < scan.now.date())
        day = easter(year) + timedelta(days=offset)
        return _weekend(day) if match["weekend"] or match["before"] else DaySpan(day, day + timedelta(days=1), "day")

    return build


def _nth_day(rank: int, weekday: int, year: int, month: int) -> date:
    if rank < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (rank - 1))


def _weekend(day: date) -> DaySpan:
    """The weekend beside a holiday, the holiday included: Monday's begins on Saturday, Thursday's goes on to Sunday."""
    monday = day - timedelta(days=day.weekday())
    if day.weekday() <= 1:
        return DaySpan(monday - timedelta(days=2), day + timedelta(days=1), "day", "weekend")
    return DaySpan(min(day, monday + timedelta(days=5)), monday + timedelta(days=7), "day", "weekend")


def _rules() -> tuple[Rule, ...]:
    found = []
    letters = "abcdefghijklmnopqrstuvwxyz4"
    for name, (month, day) in _FIXED.items():
        found.append(rule(letters, rf"{_WHICH}(?:{name}){_TAIL}", _fixed(month, day)))
    for name, (rank, weekday, month) in _NTH.items():
        found.append(rule(letters, rf"{_WHICH}(?:{name}){_TAIL}", _nth(rank, weekday, month)))
    for name, after in _AFTER_THANKSGIVING.items():
        found.append(rule("tnlpfcubw", rf"{_WHICH}{name}{_TAIL}", _nth(4, 3, 11, after)))
    for name, offset in _AROUND_EASTER.items():
        found.append(rule(letters, rf"{_WHICH}{name}{_TAIL}", _moving(offset)))
    return tuple(found)


RULES: tuple[Rule, ...] = _rules()
