"""Chinese clock times, parts of the day, class periods and the small words between them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from surefoot.language.lengths import ZH_LENGTH, read_length
from surefoot.language.numerals import read_count
from surefoot.language.pieces import (
    Clock,
    DaySpan,
    Instant,
    Length,
    Mark,
    Number,
    Part,
    Periods,
    Value,
    half_of,
)
from surefoot.language.scanning import Rule, Scan, dash, mark, rule, shifted

_DIGIT = "0123456789"
_HAN = "零〇一二两三四五六七八九十"
_N2 = rf"(?:\d{{1,2}}|[{_HAN}]{{1,3}})"
_PARTS = {
    "凌晨": "dawn", "半夜": "dawn", "清晨": "early", "清早": "early", "一大早": "early", "大清早": "early",
    "早上": "morning", "早晨": "morning", "早间": "morning", "上午": "morning", "午前": "morning",
    "中午": "noon", "正午": "noon", "晌午": "noon", "午间": "noon", "下午": "afternoon", "午后": "afternoon",
    "傍晚": "dusk", "晚上": "evening", "晚间": "evening", "夜里": "night", "夜间": "night", "夜晚": "night",
    "深夜": "night", "夜晚上": "night",
}  # fmt: skip
_COMPARED = frozenset("早晚大小近远快慢多少高低好差宜贵长短安静有了重轻亮暗宽深浅清淡")
_NO_PART = frozenset("最不再更很太")
_ONE_OK = re.compile(r"一点(?:半|钟|整|到|至|-|~|一刻|三刻|[零〇过]|[一二三四五]?十|之?前|以前|之?后|以后)")


def _part(match: re.Match[str], _scan: Scan) -> Part:
    return Part(_PARTS[match[0]])


def _short_part(match: re.Match[str], scan: Scan) -> Part | None:
    from_day = scan.touching(match.start())
    if from_day is None or isinstance(from_day, Mark | Clock | Part | Number | Length):
        return None
    return Part({"早": "morning", "晚": "evening", "夜": "night"}[match[0][0]])


def _hour_part(match: re.Match[str], scan: Scan) -> Part | None:
    """晚八点: part of the day before an hour, but not 最晚八点 and 早一点."""
    if scan.before(match.start()) in _NO_PART or scan.text[match.end()] == "一":
        return None
    return Part("morning" if match[0] == "早" else "evening")


def _hour_word(match: re.Match[str], scan: Scan) -> Clock | None:
    hour = read_count(match["h"])
    if match["h"] == "一" and not _one_is_an_hour(match, scan):
        return None
    minute = 0
    if match["m"]:
        minute = read_count(match["m"])
    elif match["quarter"]:
        minute = {"一": 15, "1": 15, "两": 30, "三": 45, "3": 45}[match["quarter"]]
    elif match["half"]:
        minute = 30
    second = read_count(match["s"]) if match["s"] else 0
    if match["less"]:
        return _less(hour, match["less"])
    return Clock(hour, minute, second, exact=hour > 12 or hour == 0)


def _less(hour: int, said: str) -> Clock:
    minutes = 15 if said.endswith("刻") else read_count(said.rstrip("分钟"))
    return Clock((hour - 1) % 24 if hour else 23, 60 - minutes)


def _one_is_an_hour(match: re.Match[str], scan: Scan) -> bool:
    """Tells 一点 the hour from 一点 "a little" (大一点, 近一点): it needs company that makes it a time."""
    before = scan.touching(match.start())
    if before is not None and before not in (Mark.COMMA, Mark.PAST, Mark.COMING, Mark.ABOUT):
        return True
    if scan.before(match.start()) in _COMPARED and not scan.before(match.start(), 2).endswith(("吃了", "到了")):
        return False
    return _ONE_OK.match(scan.text, match.start()) is not None or scan.before(match.start()) in (
        "到",
        "在",
        "就",
    )


def _digital(match: re.Match[str], _scan: Scan) -> Clock:
    hour = int(match["h"])
    half = half_of(match["half"])
    exact = half is None and (match["h"].startswith("0") or hour > 12)
    return Clock(hour, int(match["m"]), int(match["s"] or 0), half, exact)


def _english_hour(match: re.Match[str], _scan: Scan) -> Clock:
    return Clock(int(match["h"]), half="am" if match["half"].lower() == "am" else "pm")


def _slang_eight(match: re.Match[str], scan: Scan) -> Sequence[Value] | None:
    from_day = scan.touching(match.start())
    return None if isinstance(from_day, Mark) else [Part("morning"), Clock(8)]


def _periods(match: re.Match[str], scan: Scan) -> Periods | None:
    first, last = read_count(match["a"]), read_count(match["b"])
    if match["first"] is None and not match["sep"] and last != first + 1:
        return None
    return Periods(first, last)


def _joined_periods(match: re.Match[str], _scan: Scan) -> Periods | None:
    """三四节, 九十节, 十一二节: digits of neighbouring periods written side by side."""
    said = match["digits"]
    if said.startswith("十"):
        numbers = [10 + read_count(char) for char in said[1:]]
    elif said.endswith("十"):
        numbers = [*(read_count(char) for char in said[:-1]), 10]
    else:
        numbers = [read_count(char) for char in said]
    if len(numbers) < 2 or any(after != before + 1 for before, after in pairwise(numbers)):
        return None
    return Periods(numbers[0], numbers[-1])


def _one_period(match: re.Match[str], _scan: Scan) -> Periods:
    number = read_count(match["a"])
    return Periods(number, number, rank=True)


def _counted_period(match: re.Match[str], scan: Scan) -> Periods | None:
    """明天3节 names a period only right after a day or a part of the day; else it is a count."""
    before = scan.touching(match.start())
    if before is None or isinstance(before, Mark | Number | Length | Clock | Periods):
        return None
    number = read_count(match["a"])
    return Periods(number, number, rank=True)


def _double(match: re.Match[str], scan: Scan) -> Periods:
    first, _ = scan.calendar.double_period(read_count(match["a"]))
    _, last = scan.calendar.double_period(read_count(match["b"] or match["a"]))
    return Periods(first, last)


def _length(match: re.Match[str], _scan: Scan) -> Length | None:
    length = read_length(match[0], "zh")
    return length if length.months or length.rest or length.periods else None


def _shifted(match: re.Match[str], scan: Scan) -> DaySpan | Instant | None:
    length = read_length(match["length"], "zh")
    if length.periods or length.months >= 12_000 or match["length"][0] in "0零〇":
        return None  # 2020年前 and 08年以后 are a year and a relation
    return shifted(scan, length, -1 if "前" in match["way"] else 1)


def _number(match: re.Match[str], _scan: Scan) -> Number:
    return Number(read_count(match[0]))


def _now(_match: re.Match[str], scan: Scan) -> Instant:
    return Instant(scan.now)


_P = rf"(?:\d{{1,2}}|[{_HAN}]{{1,2}}|十[一二])"
_SEP = r"(?: ?(?:-|~|到|至|、|,|和|跟|与) ?)"
_MINUTE = r"(?:[二三四五]?十[一二三四五六七八九]?|[零〇]?[一二三四五六七八九]|\d{1,2})"
_NO_VERB = r"(?!(?:订|定|约|预约|预订|预定|借|买|说)(?:了|过|的))"

CLOCKS: tuple[Rule, ...] = (
    rule("".join({k[0] for k in _PARTS}), f"(?:{'|'.join(sorted(_PARTS, key=len, reverse=True))})(?!好)", _part),
    rule("早晚夜", r"(?:早|晚|夜)(?!餐|饭|自习|点|一点|会|些|起|退|到(?!达)|操|茶|课)", _short_part),
    rule("早晚", rf"(?:早|晚)(?={_N2}点(?!儿))", _hour_part),
    rule("早", r"早八(?!点|时|[一二三四五六七八九十])", _slang_eight),
    rule(
        _DIGIT + _HAN,
        rf"(?P<h>{_N2}) ?(?:点钟?|时(?!候|间|段|长|刻))(?:(?P<half>半)"
        rf"|(?P<quarter>[一两三13])刻|差(?P<less>[一]刻|{_MINUTE}分?)"
        rf"|(?:过|零|〇)?(?P<m>{_MINUTE})(?:分(?!钟)(?:(?P<s>{_MINUTE})"
        r"秒)?|(?![\d点个节号月人位年周天小多分刻十一二两三四五六七八九])))?(?:整|钟)?",
        _hour_word,
    ),
    rule(
        _DIGIT,
        r"(?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<s>\d\d))?(?!\d|:) ?(?P<half>[ap]\.?m\.?(?![a-z])"
        r")?",
        _digital,
    ),
    rule(
        _DIGIT,
        r"(?P<h>\d{1,2})(?P<m>)(?P<s>) ?(?P<half>[ap]m)(?![a-z])",
        _english_hour,
    ),
    rule(
        "第" + _DIGIT + _HAN,
        rf"(?P<first>第)? ?(?P<a>{_P}) ?节?(?P<sep>{_SEP})第? ?(?P<b>{_P}) ?(?:小?节|(?<=\d)"
        r"结|结(?=[,。课]))(?!假|日|目)",
        _periods,
    ),
    rule(
        "第" + _HAN,
        rf"(?P<first>第)?(?P<digits>[{_HAN}]{{2,5}})(?:小?节|结(?=[,。课]))(?!假|日|目)",
        _joined_periods,
    ),
    rule("第" + _DIGIT, r"(?P<first>第)?(?P<digits>[1-9]{2})(?<=12|23|34|45|56|67|78|89)节", _joined_periods),
    rule("第", rf"第 ?(?P<a>{_P}|[{_HAN}]{{3}}) ?(?:节(?!假|日|目)|结(?=[,。课]))", _one_period),
    rule(_DIGIT + _HAN, rf"(?P<a>{_P}) ?节(?!课|假|日|目)", _counted_period),
    rule("第", rf"第 ?(?P<a>{_P})(?:(?:、|,|和|到|-|~)?第?(?P<b>{_P}))? ?大节(?:课)?", _double),
    rule(_DIGIT + _HAN + "半俩仨百", ZH_LENGTH, _length),
    rule(
        _DIGIT + _HAN + "半俩仨百",
        rf"(?P<length>{ZH_LENGTH}) ?(?P<way>之后|以后|过后|后(?![天面勤台门排来续期])"
        r"|之前|以前|前(?![台面天后门排]))",
        _shifted,
    ),
    rule("再过", rf"再?过 ?(?P<length>{ZH_LENGTH})(?P<way>)(?:之后|以后|后(?![天面]))?", _shifted),
    rule(_DIGIT, r"\d{1,2}(?![\d.:/%个人名位块元层楼间张份岁])", _number),
    rule(_HAN, rf"[{_HAN}]{{1,3}}(?=(?:到|至|-|~) ?(?:{_N2}) ?(?:点|号|日|月))", _number),
    rule("现此目马立当刚", r"现在|此刻|目前(?=有|空)|马上|立刻|当下(?=有|就)|刚刚", _now),
)

WORDS: tuple[Rule, ...] = (
    mark("的 在那、里", r" ?的 ?| |在|那天?|里(?=[上中下早晚第\d])", Mark.GLUE),
    mark(",", r", ?", Mark.COMMA),
    mark("到至直 ", r" ?(?:直到|到|至) ?", Mark.TO),
    rule(" -~", r" ?[-~]{1,2} ?", dash),
    mark("一", r"一直到", Mark.TO),
    mark("和与跟及", r"和|与|跟|及", Mark.AND),
    mark("从自由打", r"自从|从|自(?![习己动由行学])", Mark.FROM),
    mark(
        "近最过前上这",
        r"最近(?:的)?这?|近|过去(?:的)?这?|前(?=[一二两三四五六七八九十\d])|上(?=[一二两三四五六七八九十\d])"
        r"|这(?=[一二两三四五六七八九十\d]{1,3}个?[年月天周星礼])",
        Mark.PAST,
    ),
    mark(
        "未接今往后下还之",
        r"未来(?:的)?|接下来(?:的)?|今后(?:的)?|往后|后(?=[一二两三四五六七八九十\d]{1,3}个?[年月天周星礼小])"
        r"|下(?=[一二两三四五六七八九十\d])"
        r"|之后(?=[\d一二两三四五六七八九十]{1,3} ?个?[小分天年月周星礼])",
        Mark.COMING,
    ),
    mark("之", r"之前(?=[\d一二两三四五六七八九十]{1,3}个?[小分天年月周星礼])", Mark.PAST),
    mark("介在", r"介于", Mark.BETWEEN),
    mark("之中", r"(?:的)?之间|中间", Mark.INSIDE),
    mark("之以前", rf"(?:之前|以前|前(?![台面后门排天锋往年提几]|\d)){_NO_VERB}", Mark.ENDS_BEFORE),
    mark("或及截", r"(?:或|及)(?:更早|之前|以前)", Mark.ENDS_BY),
    mark("为止", r"为止", Mark.ENDS_BY),
    mark("之以后过", r"之后|以后|过后|后(?![天面勤台门排来续半期])|开外", Mark.ENDS_AFTER),
    mark("或及", r"(?:或|及)(?:更晚|之后|以后)", Mark.ENDS_SINCE),
    mark("起以开", r"起(?![床来码飞步])|开始|以来|至今", Mark.ENDS_SINCE),
    mark("至", r"至今", Mark.ENDS_SINCE),
    mark("最不至", r"最晚|最迟|不晚于|不迟于|至迟", Mark.UNTIL),
    mark("最不", r"最早(?=[\d一二两三四五六七八九十])|不早于", Mark.SINCE),
    mark("截", r"截[止至]到?|截至", Mark.UNTIL),
    mark("内之以", r"之内|以内|内(?![容部在科])", Mark.WITHIN),
    mark("大约差左前", r"大约|大概|差不多|左右|前后|约(?=[上中下晚早\d一二两三四五六七八九十])", Mark.ABOUT),
)
