"""How long: 一个半小时, 三刻钟, 两节课, "an hour and a half", "90 min"."""

import re
from dataclasses import dataclass
from datetime import timedelta

from surefoot.language.calendar import Calendar
from surefoot.language.normalise import normalise
from surefoot.language.numerals import NotANumber, read_number
from surefoot.language.pieces import Grain, Length

ZH_NUMBER = r"(?:\d{1,4}(?:\.\d{1,2})?|[零〇一二两三四五六七八九十百廿俩仨]{1,6})"
_ZH_UNIT = (
    r"(?:年|个?半年|个月|个?季度|个?星期|个?礼拜|周(?![一二三四五六日天])|天|个?小时|个?钟头|分钟|分(?!之)|"
    r"秒钟?|刻钟|节课|学时|hrs?(?![a-z])|h(?![a-z])|hours?|mins?(?![a-z])|minutes?)"
)
_ZH_SEGMENT = (
    rf"(?:(?P<lone>半) ?(?:个 ?)?(?P<lone_unit>小时|钟头|年|月)"
    rf"|(?P<number>{ZH_NUMBER}) ?(?P<half>个半)? ?(?P<unit>{_ZH_UNIT})(?P<tail>半)?)"
)
_ZH_PLAIN = re.sub(r"\?P<[a-z_]+>", "?:", _ZH_SEGMENT)
# 5分 alone is a score; only after an hour is it minutes.
_ZH_FIRST = _ZH_PLAIN.replace("|分(?!之)", "")
ZH_LENGTH = rf"{_ZH_FIRST}(?: ?(?:多|又|余|零)? ?{_ZH_PLAIN}){{0,5}}"
_ZH_PART = re.compile(_ZH_SEGMENT, re.IGNORECASE)

_EN_WORDS = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|"
    r"two|three|four|five|six|seven|"
    r"eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen)"
)
EN_NUMBER = rf"(?:\d{{1,4}}(?:\.\d{{1,2}})?|{_EN_WORDS})"
_EN_UNIT = (
    r"(?:years?|yrs?|months?|weeks?|wks?|fortnights?|weekends?|days?|nights?|decades?|hours?|hrs?|h|minutes?|mins?|"
    r"(?<!a )seconds?(?! (?:period|class|one|room|floor|week|day|month|half|thing|option|place|year))|secs?|"
    r"periods?|quarters?(?! (?:past|to))|(?:business|working|work) days?|(?-i:(?<![23])D|W|Y))"
)
_EN_SEGMENT = (
    rf"(?:(?P<lone>half|1[/\u2044]2) (?:of )?(?:an? )?(?P<lone_unit>hour|year|day|month)(?![a-z])"
    rf"|(?P<number>{EN_NUMBER}|an?(?=[ -])|another(?= )|(?:a )?couple(?: of)?|(?:a )?few|several)"
    rf"(?P<half> and a half)?[- ]?"
    rf"(?P<unit>{_EN_UNIT})(?![a-z])(?P<tail> and a half)?)"
)
_EN_PLAIN = re.sub(r"\?P<[a-z_]+>", "?:", _EN_SEGMENT)
EN_LENGTH = rf"{_EN_PLAIN}(?:,? ?(?:and )?{_EN_PLAIN}){{0,4}}"
_EN_PART = re.compile(_EN_SEGMENT, re.IGNORECASE)

_SECONDS: dict[str, tuple[int, Grain]] = {
    "秒": (1, "minute"), "分": (60, "minute"), "刻": (900, "minute"), "小": (3600, "minute"),
    "钟": (3600, "minute"), "天": (86400, "day"), "周": (604800, "week"), "星": (604800, "week"),
    "礼": (604800, "week"), "sec": (1, "minute"), "min": (60, "minute"),
    "h": (3600, "minute"), "hr": (3600, "minute"), "hou": (3600, "minute"), "day": (86400, "day"),
    "nig": (86400, "day"), "wee": (604800, "week"), "wk": (604800, "week"), "for": (1209600, "week"),
    "d": (86400, "day"), "w": (604800, "week"), "bus": (86400, "day"), "wor": (86400, "day"),
    "weekend": (172800, "day"),
}  # fmt: skip
_MONTHS: dict[str, tuple[int, Grain]] = {
    "年": (12, "year"), "半": (6, "month"), "月": (1, "month"), "季": (3, "month"), "yea": (12, "year"),
    "yr": (12, "year"), "y": (12, "year"), "mon": (1, "month"), "dec": (120, "year"), "qua": (3, "month"),
}  # fmt: skip


def read_length(text: str, language: str) -> Length:
    """The length that ``text``, a whole match of ``ZH_LENGTH`` or ``EN_LENGTH``, says.

    Raises NotANumber where a number in it spells nothing.
    """
    months, rest, periods = 0.0, timedelta(), 0.0
    unit: Grain = "minute"
    for match in (_ZH_PART if language == "zh" else _EN_PART).finditer(text):
        amount, key = _amount(match)
        if key in _MONTHS:
            months += amount * _MONTHS[key][0]
            unit = _MONTHS[key][1]
        elif key in _SECONDS:
            rest += timedelta(seconds=amount * _SECONDS[key][0])
            unit = _SECONDS[key][1]
        else:
            periods += amount
            unit = "period"
    # Half a month is no whole number of days; it is read as fifteen.
    rest += timedelta(days=15) if months % 1 else timedelta()
    return Length(int(months), rest, unit, int(periods))


def _amount(match: re.Match[str]) -> tuple[float, str]:
    if match["lone"]:
        return 0.5, _unit_key(match["lone_unit"])
    words = match["number"].lower()
    if "couple" in words:
        number: float = 2
    elif words.endswith("few") or words == "several":
        number = 3
    elif words == "another":
        number = 1
    else:
        number = read_number(words)
    return number + (0.5 if match["half"] or match["tail"] else 0), _unit_key(match["unit"])


def _unit_key(unit: str) -> str:
    unit = unit.lower().removeprefix("个")
    if not unit[0].isascii():
        return unit[0]
    if unit.startswith("weekend"):
        return "weekend"
    return unit if unit in ("h", "hr", "wk", "yr") else {"hrs": "hr", "wks": "wk", "yrs": "yr"}.get(unit, unit[:3])


@dataclass(frozen=True, slots=True)
class Duration:
    """A stated length: ``minutes``, or ``minutes`` to ``at_most`` (一两个小时) where these differ.

    ``start`` and ``end`` are a half-open span of the text that was read.
    """

    start: int
    end: int
    text: str
    minutes: int
    at_most: int


_PAIR_ZH = (
    r"(?P<low>[一二两三四五六七八])(?P<high>[两三四五六七八九])(?P<unit>个?(?:小时|钟头)|分钟|天|节课)"
    r"|(?P<low_d>\d{1,3}) ?(?:-|~|到|至) ?(?P<high_d>\d{1,3}) ?(?P<unit_d>个?(?:小时|钟头)|分钟|天|节课)"
)
_PAIR_EN = (
    rf"(?P<low>{EN_NUMBER}) ?(?:-|to|or) ?(?P<high>{EN_NUMBER})[- ]?(?P<unit>{_EN_UNIT})(?![a-z])"
    r"|(?P<low_d>\b\B)(?P<high_d>)(?P<unit_d>)"
)
_FIND = {
    "zh": (re.compile(_PAIR_ZH, re.IGNORECASE), re.compile(ZH_LENGTH, re.IGNORECASE)),
    "en": (re.compile(_PAIR_EN, re.IGNORECASE), re.compile(EN_LENGTH, re.IGNORECASE)),
}
_MAY_BEGIN = re.compile(r"[0-9零〇一二两三四五六七八九十百廿俩仨半]|(?<![A-Za-z0-9])[A-Za-z]")
_NUMERAL = frozenset("零〇一二两三四五六七八九十百廿俩仨第")


def read_durations(text: str, *, calendar: Calendar | None = None) -> tuple[Duration, ...]:
    """All lengths of time that ``text`` states, Chinese and English, in their order.

    Periods (两节课) need a ``calendar`` and are left out without one, as are lengths of months or years,
    which are no fixed number of minutes. 第二周 and 5 minutes' names such as "minute" alone are none.
    """
    folded = normalise(text)
    found = []
    at = 0
    while match := _MAY_BEGIN.search(folded.text, at):
        at = match.start()
        read = _duration_at(folded.text, at, calendar)
        if read is None:
            at += 1
            continue
        end, low, high = read
        first, last = folded.span(at, end)
        found.append(Duration(first, last, text[first:last], low, high))
        at = end
    return tuple(found)


def _duration_at(text: str, at: int, calendar: Calendar | None) -> tuple[int, int, int] | None:
    before = text[at - 1 : at]
    if before and (before in _NUMERAL or (before.isascii() and (before.isalnum() or before in ".-"))):
        return None
    for language, (pair, whole) in _FIND.items():
        if match := pair.match(text, at):
            suffix = "" if match["low"] else "_d"
            unit = match["unit" + suffix]
            low = _minutes(match["low" + suffix] + unit, language, calendar)
            high = _minutes(match["high" + suffix] + unit, language, calendar)
            if low and high and low < high:
                return match.end(), low, high
        if match := whole.match(text, at):
            minutes = _minutes(match[0], language, calendar)
            if minutes:
                return match.end(), minutes, minutes
    return None


def _minutes(words: str, language: str, calendar: Calendar | None) -> int | None:
    try:
        length = read_length(words, language)
    except NotANumber:
        return None
    if length.unit in ("month", "year") or length.months or (length.periods and calendar is None):
        return None
    total = length.rest
    if length.periods and calendar is not None:
        total += calendar.periods_length(length.periods)
    return int(total.total_seconds() // 60) or None
