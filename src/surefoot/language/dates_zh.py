"""Chinese days: 明天, 下周三, 第8周周三, 12月3号, 月底, 近三年, 2022年."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from surefoot.language.datemath import add_months, monday_of, month_start, weekend_of
from surefoot.language.numerals import read_count
from surefoot.language.pieces import (
    CalendarDay,
    DaySpan,
    Mark,
    MonthBit,
    NthWeekday,
    Part,
    Value,
    Weekday,
)
from surefoot.language.scanning import Rule, Scan, rule

_DIGIT = "0123456789"
_HAN = "零〇一二两三四五六七八九十廿卅"
_N2 = rf"(?:\d{{1,2}}|[{_HAN}]{{1,3}})"
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}
_WEEK = r"(?:周|星期|礼拜)"
_OFFSETS = {
    "": None, "这": 0, "这个": 0, "本": 0, "当": 0, "下": 1, "下个": 1, "下下": 2, "下下个": 2,
    "上": -1, "上个": -1, "上上": -2, "上上个": -2, "这一": 0, "这一个": 0, "下一": 1, "下一个": 1,
    "上一": -1, "上一个": -1,
}  # fmt: skip
_OFFSET = r"(?:这一?个?|本|当|下下个?|下一?个?|上上个?|上一?个?)"
_DAYS = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨": -1, "今天": 0, "今日": 0, "今儿": 0,
    "当天": 0, "今": 0, "明天": 1, "明日": 1, "明儿": 1, "明": 1, "后天": 2, "后日": 2, "后儿": 2,
    "大后天": 3, "次日": 1, "第二天": 1, "隔天": 1,
}  # fmt: skip
_COUNTS = frozenset("0123456789一二两三四五六七八九十几")
_VERBS = frozenset("看查问瞅试帮")
_YEARS = {"今年": 0, "本年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2, "大前年": -3}
_TO_NIGHT = {"晚": "evening", "早": "morning", "晨": "early", "夜": "night"}


def _relative_day(match: re.Match[str], scan: Scan) -> DaySpan:
    first = scan.now.date() + timedelta(days=_DAYS[match[1]])
    return DaySpan(first, first + timedelta(days=1), "day", match[1])


def _day_and_part(match: re.Match[str], scan: Scan) -> Sequence[Value]:
    first = scan.now.date() + timedelta(days=_DAYS[match[1]])
    return [DaySpan(first, first + timedelta(days=1), "day", match[0]), Part(_TO_NIGHT[match[2]])]


def _week_offset(said: str, scan: Scan) -> date | None:
    offset = _OFFSETS[said]
    return None if offset is None else monday_of(scan.now.date()) + timedelta(weeks=offset)


def _weekday(match: re.Match[str], scan: Scan) -> Weekday | None:
    at = match.start()
    if not match["offset"] and scan.before(at) in _COUNTS and scan.touching(at) is None:
        return None  # 一周三次
    if _belongs_to_verb(match, scan):
        return None  # 看一下周三
    maybe = match["offset"] == "下" and scan.before(at) in _VERBS
    return Weekday(_WEEKDAYS[match["day"]], _week_offset(match["offset"] or "", scan), maybe_bare=maybe)


def _belongs_to_verb(match: re.Match[str], scan: Scan) -> bool:
    """规划一下周六: 下 belongs to 一下, not to the week."""
    at = match.start()
    return (match["offset"] or "").startswith("下") and scan.before(at) == "一" and scan.touching(at) is None


def _weekend(match: re.Match[str], scan: Scan) -> DaySpan | None:
    if _belongs_to_verb(match, scan):
        return None
    monday = _week_offset(match["offset"] or "", scan) or monday_of(scan.now.date())
    first, until = weekend_of(monday)
    return DaySpan(first, until, "day", match[0])


def _week(match: re.Match[str], scan: Scan) -> DaySpan | None:
    if _belongs_to_verb(match, scan):
        return None
    monday = _week_offset(match["offset"], scan) or monday_of(scan.now.date())
    return DaySpan(monday, monday + timedelta(weeks=1), "week", match[0])


def _teaching_week(match: re.Match[str], scan: Scan) -> DaySpan:
    monday = scan.calendar.monday(read_count(match["n"]))
    return DaySpan(monday, monday + timedelta(weeks=1), "week", match[0])


def _weekday_of_week(match: re.Match[str], scan: Scan) -> Weekday:
    return Weekday(_WEEKDAYS[match["day"]], scan.calendar.monday(read_count(match["n"])))


def _month(match: re.Match[str], scan: Scan) -> CalendarDay:
    first = add_months(month_start(scan.now.date()), _OFFSETS[match["offset"]] or 0)
    return CalendarDay(first.year, first.month, relative=True)


def _relative_year(match: re.Match[str], scan: Scan) -> CalendarDay:
    return CalendarDay(scan.now.year + _YEARS[match[0]], relative=True)


def _year_number(text: str, now_year: int) -> int:
    number = read_count(text)
    if len(text) > 2 or number >= 100:
        return number
    return number + (2000 if number <= now_year % 100 + 20 else 1900)


def _numbers(match: re.Match[str], scan: Scan) -> CalendarDay:
    groups = match.groupdict()
    year = _year_number(groups["y"], scan.now.year) if groups.get("y") else None
    month = read_count(groups["m"]) if groups.get("m") else None
    said = groups.get("d") or groups.get("bare")
    day = read_count(said.removeprefix("初")) if said else None
    return CalendarDay(year, month, day)


def _bare_year(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    said = match["y"]
    # 三年, 15年 are lengths; 08年, 零八年 and four digits name a year. 15年 does so before a month.
    if len(said) == 4 or (len(said) == 2 and said[0] in "0零〇"):
        return CalendarDay(_year_number(said, scan.now.year))
    if len(said) == 2 and said[0] in _DIGIT and match["month_follows"] is not None:
        return CalendarDay(_year_number(said, scan.now.year))
    return None


def _american(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    first, second, year = int(match["a"]), int(match["b"]), _year_number(match["y"], scan.now.year)
    if first > 12 and second > 12:
        return None
    month, day = (first, second) if first <= 12 else (second, first)
    return CalendarDay(year, month, day, swapped=first <= 12 and second <= 12 and first != second)


def _month_day(match: re.Match[str], _scan: Scan) -> CalendarDay | None:
    month, day = int(match["m"]), int(match["d"])
    return CalendarDay(None, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _nth_weekday(match: re.Match[str], _scan: Scan) -> NthWeekday:
    rank = -1 if match["rank"] == "最后一" else read_count(match["rank"][1:])
    return NthWeekday(rank, _WEEKDAYS[match["day"]])


_BITS = {
    "初": "start",
    "上旬": "start",
    "中旬": "middle",
    "中": "middle",
    "底": "end",
    "末": "end",
    "下旬": "end",
}


def _month_bit(match: re.Match[str], _scan: Scan) -> MonthBit:
    month = CalendarDay(None, read_count(match["m"])) if match["m"] else None
    return MonthBit(_BITS[match["bit"]], month)  # type: ignore[arg-type]


def _year_bit(match: re.Match[str], scan: Scan) -> MonthBit:
    year = scan.now.year + (_YEARS[match["year"]] if match["year"] else 0)
    return MonthBit("start" if match["bit"] == "初" else "end", CalendarDay(year))


def _half_year(match: re.Match[str], scan: Scan) -> DaySpan:
    year = scan.now.year + (_YEARS[match["year"]] if match["year"] else 0)
    if match["y"]:
        year = _year_number(match["y"], scan.now.year)
    if match["quarter"]:
        first, months = date(year, 3 * read_count(match["quarter"]) - 2, 1), 3
    else:
        first, months = date(year, 1 if match["half"] in "上前" else 7, 1), 6
    return DaySpan(first, add_months(first, months), "month", match[0])


def _decade(match: re.Match[str], _scan: Scan) -> DaySpan:
    century = read_count(match["century"]) - 1 if match["century"] else 19
    first = century * 100 + read_count(match["decade"])
    return DaySpan(date(first, 1, 1), date(first + 10, 1, 1), "year", match[0])


def _compact(match: re.Match[str], _scan: Scan) -> CalendarDay | None:
    month, day = int(match["m"]), int(match["d"])
    return CalendarDay(int(match["y"]), month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _ending_year(match: re.Match[str], scan: Scan) -> CalendarDay | None:
    """2016-2018: four digits alone are a year only as the end of a range that began with one."""
    if scan.touching(match.start()) is not Mark.TO or len(scan.tokens) < 2:
        return None
    begun = [t.value for t in scan.tokens[-3:] if isinstance(t.value, CalendarDay)]
    return CalendarDay(int(match["y"])) if begun and begun[-1].day is None else None


def _every(_match: re.Match[str], _scan: Scan) -> Mark:
    return Mark.EVERY


_Y4 = r"(?:[12]\d{3}|[零〇一二三四五六七八九]{4}|[一二两]千零?[零〇一二三四五六七八九十]{0,3})"
_D = rf"(?:\d{{1,2}}|[{_HAN}]{{1,3}}|初[一二三四五六七八九十])"
_BARE_D = r"(?:\d{1,2}|初[一二三四五六七八九十]|十[一二三四五六七八九]|[二三]十[一二三四五六七八九]?)"
_DATE_ENDS = r"(?=$|[ ,。!?;)的上下中晚早前后之以到至-]|周|星期)"
_YEAR_DAY = r"(?P<y>[12]\d{3})"

RULES: tuple[Rule, ...] = (
    rule(
        "今明后前昨大当次第隔",
        rf"({'|'.join(sorted((d for d in _DAYS if len(d) > 1), key=len, reverse=True))})",
        _relative_day,
    ),
    rule(
        "今明昨",
        r"(今|明|昨)(?:天|日|儿)?(晚|早|晨|夜)(?:上|间|里)?(?![餐饭点自]|(?<=早)八(?![点时]))",
        _day_and_part,
    ),
    rule(
        "今明昨",
        r"(今|明|昨)(晚|早)(?:上|间|里)?(?=[一二两三四五六七八九十\d])(?!(?<=早)八(?![点时]))",
        _day_and_part,
    ),
    rule(
        "周星礼这本当下上",
        rf"(?P<offset>{_OFFSET})? ?{_WEEK}(?P<day>[一二三四五六日天])(?:里|当天)?",
        _weekday,
    ),
    rule("周星礼这本当下上", rf"(?P<offset>{_OFFSET})?(?:{_WEEK}末|双休日|周六、?周?日)", _weekend),
    rule("这本当下上", rf"(?P<offset>{_OFFSET}) ?{_WEEK}(?![一二三四五六日天末])", _week),
    rule("这本当下上", rf"(?P<offset>{_OFFSET})月(?:份)?", _month),
    rule(
        "第",
        rf"第 ?(?P<n>{_N2}) ?(?:教学)?{_WEEK}(?:(?=[周星礼]|的?周)|(?![末一二三四五六日天]))",
        _teaching_week,
    ),
    rule("第", rf"第 ?(?P<n>{_N2}) ?{_WEEK}(?P<day>[一二三四五六日天])", _weekday_of_week),
    rule(_DIGIT + _HAN, rf"(?P<n>{_N2})周(?=(?:的)?{_WEEK}[一二三四五六日天])", _teaching_week),
    rule("今本明后去前大", "|".join(sorted(_YEARS, key=len, reverse=True)), _relative_year),
    rule(
        _DIGIT + _HAN,
        rf"(?P<y>{_Y4}|\d{{2}}|[零〇][零〇一二三四五六七八九]) ?年 ?的? ?(?P<m>{_N2}) ?月(?:份)? ?(?P<d>{_D})"
        r" ?[日号]?",
        _numbers,
    ),
    rule(
        _DIGIT + _HAN,
        rf"(?P<y>{_Y4}|\d{{2}}|[零〇][零〇一二三四五六七八九]) ?年 ?的? ?(?P<m>{_N2})"
        r" ?月(?:份)?(?![前内后以])",
        _numbers,
    ),
    rule(
        _DIGIT + _HAN,
        rf"(?P<m>{_N2}) ?月(?:份)? ?(?:(?P<d>{_D}) ?[日号]|(?P<bare>{_BARE_D})"
        r"(?![\d点时个节人月:.零〇一二两三四五六七八九十]))",
        _numbers,
    ),
    rule(_DIGIT + _HAN, rf"(?P<m>{_N2}) ?月(?:份)?(?!球|饼|亮|光|卡|薪)", _numbers),
    rule(_DIGIT + _HAN, rf"(?P<d>{_D}) ?(?:号|日)(?![楼线院馆码门餐房店机车厅教食])", _numbers),
    rule(
        _DIGIT + _HAN,
        rf"(?P<y>{_Y4}|\d{{2}}|[零〇][零〇一二三四五六七八九]) ?年(?!级|代|货|"
        rf"轻|龄)(?:度)?(?P<month_follows>(?=[前后上下]?半年| ?的? ?{_N2} ?月)"
        r")?",
        _bare_year,
    ),
    rule(
        "12",
        rf"{_YEAR_DAY}(?P<s>[-/. ])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?![\d.]|"
        r"[-/]\d)",
        _numbers,
    ),
    rule("12", rf"{_YEAR_DAY}[-/.](?P<m>0[1-9]|1[0-2])(?![\d./-])", _numbers),
    rule("12", r"(?P<y>[12]\d{3})(?= ?(?:-|~|到|至) ?[12]\d{3}(?!\d))", _numbers),
    rule("12", r"(?P<y>(?:19|20)\d\d)(?=(?:之|以)[前后来]|至今)", _numbers),
    rule(
        _DIGIT,
        r"(?P<m>1[0-2]|[1-9])\.(?P<d>[12]\d|3[01]|[1-9])(?=[上下中][午]|晚上|早上|周[一二三四五六日])",
        _numbers,
    ),
    rule("12", r"(?P<y>[12]\d{3})(?![\d.:/%-])", _ending_year),
    rule("12", r"(?P<y>20\d\d)(?P<m>\d\d)(?P<d>\d\d)(?!\d)", _compact),
    rule(_DIGIT, r"(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?P=s)(?P<y>\d{4})(?!\d)", _american),
    rule(_DIGIT, r"(?P<y>\d\d)-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?![\d./-])", _numbers),
    rule(_DIGIT, r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d\d)(?![\d./-])", _american),
    rule(_DIGIT, rf"(?P<m>\d{{1,2}})[-/](?P<d>\d{{1,2}})(?!-|/|,\d){_DATE_ENDS}(?! ?[ap]\.?m)", _month_day),
    rule("最第", rf"(?P<rank>最后一|第[一二三四五])个?{_WEEK}(?P<day>[一二三四五六日天])", _nth_weekday),
    rule(
        _DIGIT + _HAN + "月",
        rf"(?:(?P<m>{_N2}) ?月份?|月)(?P<bit>初(?![一二三四五六七八九十])|上旬|"
        r"中旬|底|末|下旬)",
        _month_bit,
    ),
    rule("年今明去后", r"(?P<year>今年|明年|去年|后年)?年?(?P<bit>底|初)(?<=年.)", _year_bit),
    rule(
        "上下前后今明去" + _DIGIT,
        rf"(?:(?P<year>今年|明年|去年)|(?P<y>{_Y4})年)?的?(?:(?P<half>[上下前后])"
        r"半年|第(?P<quarter>[一二三四])季度)",
        _half_year,
    ),
    rule("第", r"(?P<year>)(?P<y>)(?P<half>)第(?P<quarter>[一二三四])季度", _half_year),
    rule(
        _DIGIT + _HAN + "上",
        rf"(?:(?P<century>{_N2})世纪|上世纪)(?P<decade>[1-9]0|[一二三四五六七八九]十)年代",
        _decade,
    ),
    rule("每", r"每(?:天|日|周|星期|个月|月|年|逢)(?![一二三四五六日天])", _every),
    rule("每", r"每(?:个)?(?=周|星期|礼拜|天)", _every),
)
