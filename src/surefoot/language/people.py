"""How many people: 我们四个, 我和室友三个人, 三四个人, "a group of 5", "5-6 people", "a room for five"."""

import re
from dataclasses import dataclass

from surefoot.language.lengths import EN_NUMBER
from surefoot.language.normalise import normalise
from surefoot.language.numerals import NotANumber, read_count


@dataclass(frozen=True, slots=True)
class PartySize:
    """``low`` to ``high`` people, equal where one number is said.

    ``capacity`` marks a size asked of the room (能坐八个人, 四人间), not a count of who comes.
    ``start`` and ``end`` are a half-open span of the text that was read.
    """

    start: int
    end: int
    text: str
    low: int
    high: int
    capacity: bool = False

    @property
    def ambiguous(self) -> bool:
        """Whether a range was said."""
        return self.low != self.high


_MOST_GUESTS = 300
_N = r"(?:\d{1,3}|[一二两三四五六七八九十百廿俩仨]{1,5})"
_DIGIT_PAIR = r"[一二两三四五六七八][两三四五六七八九]"
_WHO = r"(?:我们|咱们|咱|就|共|总共|一共|我们[组班队]|[宿寝]舍|小组|给我们|才|大概|大约|约)"
_ZH = (
    # 我们俩, 俩人, 咱仨
    r"(?P<duo>[俩仨])(?:个?人)?",
    # 5-6个人, 5到6人
    rf"(?P<low>{_N}) ?(?:-|~|到|至|或者?) ?(?P<high>{_N}) ?(?:个?人|名|位)(?![民间生气工们次])",
    # 三四个人: neighbouring digits are a range, not a number
    rf"(?P<pair>{_DIGIT_PAIR})(?:个?人|个?同学|名|位)(?![民间])",
    # 四人间: a kind of room
    rf"(?P<room>{_N}) ?人[间座位桌]",
    rf"(?P<number>{_N}) ?(?:个?人|个?同学|名(?:同学|学生)?|个?小?伙伴|个?室友|"
    r"口人|位同学)(?![民间生气工们次座类])",
    rf"(?<=们)(?P<us>{_N})个(?!小时|钟头|月|星期|礼拜|字|房|教|座|时)",
    rf"(?<=就)(?P<just>{_N})个(?![小钟月星礼字房教座时半])",
    rf"(?<=[宿寝]舍)(?P<dorm>{_N})个(?![小钟月星礼字房教座时半])",
)
_ME = (
    r"(?P<me>(?:就|只有|只是|就是)我(?:自己)?(?:一个人?|一人)?(?![们和跟与想要能在看的])"
    r"|我(?:自己)?(?:一个人?|一人)(?!一|小)|"
    r"自己一个人|自己(?=看书|自习|学习|刷题|复习|用)|单人)"
)
_CLOCK_AFTER = (
    r"[:.-]\d|[-/]| ?(?:to|till?|until|through|-|–) ?(?:\d|noon|midnight|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|eleven|twelve)|[ap]\b| ?(?:[ap]\.?m\b|o'?clock|sharp\b|noon\b|st\b|nd\b|rd\b|th\b|%|thirty|fifteen|"
    r"forty|twenty|past\b|in the (?:morning|afternoon|evening)|at night|more\b|yuan|rmb|kuai|bucks|(?:class )?periods?|"
    r"(?:half )?h\b|h(?:ou)?rs?\b|min|days?\b|weeks?\b|nights?\b|months?\b|years?\b|times?\b|slots?\b|"
    r"and a half|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)"
    r"| (?:\w+ )?(?:rooms?|pods?|booths?|seats?|tables?|places?|canteens?)\b(?! [a-z]{0,3}-?\d)"
)
_MATES = r"friends|others|colleagues|\w+mates"
_PEOPLE = rf"people|persons?|ppl|pax|students|guys|{_MATES}"
_EN = (
    rf"for (?:about |around |roughly |up to |at least |all |the )?(?P<guests>{EN_NUMBER})(?: or (?P<most>{EN_NUMBER}))?"
    rf"(?!\w)(?! or {EN_NUMBER})(?! (?:of us|{_PEOPLE})\b)(?!{_CLOCK_AFTER})",
    rf"(?:group|party|team|table) of (?P<group>{EN_NUMBER})(?![\w:])",
    rf"(?P<low>{EN_NUMBER}) ?(?:-|to|or) ?(?P<high>{EN_NUMBER}) (?:of us|{_PEOPLE})\b",
    rf"(?P<of_us>{EN_NUMBER}) of us\b",
    rf"(?P<number>{EN_NUMBER})(?: |-)?(?:other )?(?:{_PEOPLE})\b",
    r"(?P<alone>(?:just|only) (?:me|myself)|by myself|on my own)\b",
)
_PATTERNS = tuple(re.compile(p, re.IGNORECASE) for p in (*_ZH, _ME, *_EN))
_MAY_BEGIN = re.compile(r"[0-9一二两三四五六七八九十百廿俩仨我自单就只是]|(?<![A-Za-z0-9])[A-Za-z]", re.IGNORECASE)
_ROOM_HOLDS = re.compile(r"(?:能坐|坐得下|坐下|可容纳|容纳|能装|装得下|能容|可坐|seats?|for up to|fits?|holds?) ?$")
_SKIPPED = frozenset("零〇一二两三四五六七八九十百廿俩仨第.")
# "book it for five" says when; "a room for five" says for whom
_FOR_WHEN = re.compile(
    r"(?:\b(?:it|that|this|them|one|bookings?|reservations?|appointment|alarm|reminder|scheduled?|meet(?:ing)?s?|set|"
    r"class|moved?|rescheduled?|changed?|pushed|due|planned|start\w*|look\w*|search\w*|ask\w*|wait\w*)) $",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"(周|星期|礼拜)[一二三四五六日天]")
_FELLOWS = re.compile(rf"(?:[友伴学]|other people|{_MATES})$", re.IGNORECASE)
_AND_ONE = re.compile(
    r"我(?:和|跟|与|带|带着)(?:我的?)?$|\b(?:with|me and|me plus|myself and) (?:my |the )?$", re.IGNORECASE
)


def read_party_size(text: str) -> tuple[PartySize, ...]:
    """All counts of people in ``text``, Chinese and English, in their order.

    我和室友三个人 counts three in all; 我和三个室友 counts four. 一个 and 一起 alone count nobody.
    """
    folded = normalise(text)
    # 周六8人: the weekday's numeral is no part of the count
    plain = _WEEKDAY.sub(lambda day: f"{day[1]}·", folded.text)
    found = []
    at = 0
    while match := _MAY_BEGIN.search(plain, at):
        at = match.start()
        read = _size_at(plain, at)
        if read is None:
            at += 1
            continue
        end, low, high, capacity = read
        first, last = folded.span(at, end)
        found.append(PartySize(first, last, text[first:last], low, high, capacity))
        at = end
    return tuple(found)


def _size_at(text: str, at: int) -> tuple[int, int, int, bool] | None:
    before = text[max(0, at - 16) : at]
    if before and (before[-1] in _SKIPPED or (before[-1].isascii() and (before[-1].isalnum() or before[-1] in "-_"))):
        return None
    for pattern in _PATTERNS:
        if (match := pattern.match(text, at)) and (size := _size(match, before)):
            low, high, capacity = size
            return match.end(), low, high, capacity or bool(_ROOM_HOLDS.search(before))
    return None


def _size(match: re.Match[str], before: str) -> tuple[int, int, bool] | None:
    groups = {name: value for name, value in match.groupdict().items() if value}
    try:
        if "low" in groups:
            low, high = read_count(groups["low"]), read_count(groups["high"])
            return (low, high, False) if 0 < low < high else None
        if "guests" in groups:
            return _guests(groups, before)
        if "pair" in groups:
            low, high = read_count(groups["pair"][0]), read_count(groups["pair"][1])
            return (low, high, False) if high == low + 1 else None
        if "me" in groups or "alone" in groups:
            return 1, 1, False
        if "room" in groups:
            size = read_count(groups["room"])
            return size, size, True
        size = read_count(next(iter(groups.values())))
    except NotANumber:
        return None
    if size < 1:
        return None
    if "number" in groups and _AND_ONE.search(before) and _FELLOWS.search(match[0]):
        size += 1
    return size, size, False


def _guests(groups: dict[str, str], before: str) -> tuple[int, int, bool] | None:
    """The count of "a room for five (or six)", or None where "for" says when."""
    if _FOR_WHEN.search(before):
        return None
    low = read_count(groups["guests"])
    high = read_count(groups.get("most", groups["guests"]))
    return (low, high, False) if 0 < low <= high <= _MOST_GUESTS else None
