"""English dates: December 3rd, "3 Dec 2026", 12/3, "the 17th", months, quarters and years."""

import re
from datetime import date

from surefoot.language.datemath import add_months, month_start
from surefoot.language.numerals import NotANumber, read_count, read_ordinal
from surefoot.language.pieces import CalendarDay, DaySpan, Mark, MonthBit, Weekday
from surefoot.language.scanning import Rule, Scan, rule
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

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WORD_DAY = r"(?:twenty[- ](?:one|two|three|four|five|six|seven|eight|nine)|thirty[- ]one)"
_TEEN_DAY = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)(?= )"
_TWO_DIGITS = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|"
    r"two|three|four|five|six|seven|eight|"
    r"nine))?|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_YEAR = (
    rf"(?:[12]\d{{3}}|'\d\d|(?<=of )\d\d(?!\d)|two thousand(?: (?:and )?(?:{_TWO_DIGITS}|"
    r"one|two|three|four|five|six|seven|"
    rf"eight|nine))?|(?:seventeen|eighteen|nineteen|twenty) (?:hundred(?: (?:and )?{_TWO_DIGITS}"
    rf")?|{_TWO_DIGITS}))"
)
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MAY = re.compile(r"(?:in|by|of|since|until|till|next|this|last|from|to|early|late|mid)[ -]?$", re.I)
_YEAR_CONTEXT = re.compile(
    r"(?:in|since|after|before|until|till|by|from|to|of|year|during|between|and|than|-|~|through|for|"
    r"mid|early|late|=|<|>) ?$",
    re.I,
)
_SEPY = r"(?:,? ?(?:of )?|[-/])"


def _relative_unit(match: re.Match[str], scan: Scan) -> CalendarDay | DaySpan:
    offset = WHICH_WEEK.get(match["which"].lower(), 0)
    unit = match["unit"].lower()
    if unit == "year":
        return CalendarDay(scan.now.year + offset, relative=True)
    first = month_start(scan.now.date())
    if unit == "month":
        first = add_months(first, offset)
        return CalendarDay(first.year, first.month, relative=True)
    first = add_months(first.replace(month=first.month - (first.month - 1) % 3), offset * 3)
    return DaySpan(first, add_months(first, 3), "month")


def _quarter(match: re.Match[str], scan: Scan) -> DaySpan:
    year = int(match["y"] or match["y2"] or scan.now.year)
    first = date(year, int(match["q"]) * 3 - 2, 1)
    return DaySpan(first, add_months(first, 3), "month")


def _year_number(said: str) -> int:
    said = said.lower()
    if said.startswith("'") or (said.isdigit() and len(said) == 2):
        short = int(said.lstrip("'"))
        return short + (1900 if short > 50 else 2000)
    return read_count(said)


def _named(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    groups = match.groupdict()
    month = _MONTH_NAMES.index(groups["month"][:3].lower()) + 1
    year = _year_number(groups["y"]) if groups.get("y") else None
    said = groups.get("d")
    if said is None and year is None and groups["month"].lower() in NEEDS_COMPANY:
        lead = _MAY if groups["month"].lower() == "may" else PREPOSITION
        if lead.search(scan.before(match.start(), 8)) is None:
            return None
    day = None
    if said:
        try:
            day = read_count(said)
        except NotANumber:
            day = read_ordinal(said)
    which = (groups.get("which") or "").lower()
    if which and year is None:
        year = _which_year(which, month, scan.now.date())
    return CalendarDay(year, month, day)


def _which_year(which: str, month: int, today: date) -> int:
    if which == "next":
        return today.year + 1
    return today.year - 1 if which == "last" else today.year


def _day_of_month(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    on = re.search(r"on $", scan.before(match.start(), 3), re.IGNORECASE) is not None
    if (match["the"] is None and not on) or not match["d"][0].isdigit():
        before = scan.touching(match.start())
        ranged = before in (Mark.TO, Mark.UNTIL, Mark.FROM, Mark.BETWEEN, Mark.AND)
        if not ranged and not isinstance(before, Weekday):
            return None
    return CalendarDay(None, None, read_ordinal(match["d"]))


def _counted_day(match: re.Match[str], _scan: Scan) -> CalendarDay:
    return CalendarDay(None, None, int(match["d"]) if match["d"].isdigit() else read_ordinal(match["d"]))


def _day_of_that_month(match: re.Match[str], scan: Scan) -> CalendarDay:
    first = add_months(month_start(scan.now.date()), WHICH_WEEK.get(match["which"].lower(), 0))
    return CalendarDay(first.year, first.month, read_ordinal(match["d"]))


def _ranked_month(match: re.Match[str], _scan: Scan) -> CalendarDay | None:
    month = 12 if match["rank"].lower() == "last" else read_ordinal(match["rank"])
    return CalendarDay(None, month)


def _decade(match: re.Match[str], _scan: Scan) -> DaySpan:
    first = int(match["y"])
    return DaySpan(date(first, 1, 1), date(first + 10, 1, 1), "year", "decade")


def _slashed(match: re.Match[str], _scan: Scan) -> CalendarDay | None:
    first, second = int(match["a"]), int(match["b"])
    year = _year_number(match["y"]) if match["y"] else None
    if first > 12 and second > 12:
        return None
    month, day = (first, second) if first <= 12 else (second, first)
    if not month >= 1 or not 1 <= day <= 31:
        return None
    return CalendarDay(year, month, day, swapped=first <= 12 and second <= 12 and first != second)


def _iso(match: re.Match[str], _scan: Scan) -> CalendarDay:
    return CalendarDay(int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None)


def _bare_year(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    year = int(match["y"])
    if not 1900 <= year <= 2100:
        return None
    ranged = match["more"] is not None
    return CalendarDay(year) if ranged or _YEAR_CONTEXT.search(scan.before(match.start(), 8)) else None


def _bit(match: re.Match[str], _scan: Scan) -> MonthBit:
    said = match["bit"].lower()
    return MonthBit("end" if said in ("end", "late") else "middle" if said.startswith("mid") else "start")


RULES: tuple[Rule, ...] = (
    rule("tnlpcu", rf"(?:the )?{WHICH} (?:calendar )?(?P<unit>month|year|quarter){WORD_END}", _relative_unit),
    rule(
        "t",
        rf"(?P<which>the) (?P<unit>month|year){WORD_END}(?! (?:after|before|of|[12])"
        r")",
        _relative_unit,
    ),
    rule("q12", r"(?:(?P<y>[12]\d{3})[ -]?)?q(?P<q>[1-4])(?:[ -]?(?P<y2>[12]\d{3}))?(?![a-z0-9])", _quarter),
    rule(
        "jfmasondtnl",
        rf"(?:(?P<which>this|next|last) )?(?P<month>{MONTH})\.?[ /-]?(?:the )?(?P<d>\d{{1,2}}(?:st|"
        rf"nd|rd|th)?)(?![\d:]|[a-z]| ?[ap]\.?m)(?:{_SEPY}(?P<y>{_YEAR}))?{WORD_END}",
        _named,
    ),
    rule(
        "jfmasond",
        rf"(?P<month>{MONTH})(?:\.|,)? (?:the )?(?P<d>{ORDINAL}|{_WORD_DAY})(?:{_SEPY}(?P<y>{_YEAR})"
        rf")?{WORD_END}",
        _named,
    ),
    rule(
        DIGITS + LETTERS,
        rf"(?:the )?(?P<d>\d{{1,2}}|{ORDINAL}|{_TEEN_DAY})[ /-]?(?:day )?(?:of )?(?P<month>{MONTH})"
        rf"\.?(?:{_SEPY}(?P<y>{_YEAR}))?{WORD_END}",
        _named,
    ),
    rule(
        "jfmasondtnl",
        rf"(?:(?P<which>this|next|last) )?(?P<month>{MONTH})\.?(?:(?:, ?| of | |-|"
        rf"/)(?P<y>{_YEAR}))?{WORD_END}",
        _named,
    ),
    rule(
        "12",
        rf"(?P<y>[12]\d{{3}})[, /-]{{1,2}}(?P<month>{MONTH})(?:[ -](?P<d>\d{{1,2}}(?:st|"
        rf"nd|rd|th)?))?{WORD_END}",
        _named,
    ),
    rule(
        "t" + LETTERS + DIGITS,
        rf"(?P<the>the )?(?P<d>{ORDINAL})(?! ?(?:period|week|floor|month|year|day|"
        rf"edition|century|grade|time|class|and {ORDINAL} period|of [12]|{WEEKDAY}{WORD_END}|"
        r"one|thing|half|paper|part|room)|[a-z0-9])",
        _day_of_month,
    ),
    rule(LETTERS + DIGITS, rf"(?:the )?(?P<rank>last|{ORDINAL}) month(?= of )", _ranked_month),
    rule("t" + DIGITS + LETTERS, rf"(?:the )?(?P<d>{ORDINAL}) day(?= of )", _counted_day),
    rule(
        "t" + DIGITS + LETTERS,
        rf"(?:the )?(?P<d>{ORDINAL})(?: day)? of (?P<which>this|next|last|the) month{WORD_END}",
        _day_of_that_month,
    ),
    rule("t", r"(?<=on )the (?P<d>\d{1,2})(?= (?:between|from|at) )", _counted_day),
    rule("t12", rf"(?:the )?(?P<y>(?:1[5-9]|20)\d0)'?s{WORD_END}", _decade),
    rule("12", r"(?P<y>[12]\d{3})(?P<s>[-/. ])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)", _iso),
    rule("12", r"(?P<y>[12]\d{3})-(?P<m>1[0-2]|0?[1-9])(?P<d>)(?![\d-]|/)", _iso),
    rule("2", r"(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-3]\d)(?!\d)", _iso),
    rule(
        DIGITS,
        r"(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4}|\d\d)"
        r"(?![./]\d|-\d(?!\d?-\d{1,2}-\d{4})|\d)",
        _slashed,
    ),
    rule(DIGITS, r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?P<y>)(?![\d/]|\.\d)", _slashed),
    rule(
        "12",
        r"(?P<y>[12]\d{3})(?P<more>(?= ?(?:-|~|to|and|until|till|through) ?[12]\d{3}(?!\d)"
        r"| (?:or|and) (?:later|earlier|after|before)| onwards))?(?![\d:/%]|\.\d|"
        r"-\d|'?s)",
        _bare_year,
    ),
    rule("12", r"(?P<y>[12]\d{3})(?P<more>(?=[-~][12]\d{3}(?!\d)))", _bare_year),
    rule(
        "ebsml",
        r"(?P<bit>end|beginning|start|middle|mid|early|late)(?: of|-(?=[a-z]))?(?=[ -]?(?:the |this |next |"
        r"last )?(?:month|year|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[12]\d{3})"
        r")",
        _bit,
    ),
)
