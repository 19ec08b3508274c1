"""Chinese spans of time that name their whole: 去年的前10天, 2021年第二周, and years of an era (康熙三年五月)."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from surefoot.language.datemath import add_months, monday_of, month_start
from surefoot.language.numerals import read_count
from surefoot.language.pieces import CalendarDay, DaySpan, WeekOf
from surefoot.language.scanning import Rule, Scan, rule

_N = r"(?:\d{1,3}|[零〇一二两三四五六七八九十百]{1,4})"
_DIGITS = "0123456789一二三四五六七八九"
_WHOLE = (
    r"(?:(?P<year>今年|本年|明年|去年|前年)|(?P<y>[12]\d{3}) ?年|"
    r"(?P<month>本月|这个月|上个?月|下个?月)|(?P<m>1[0-2]|[1-9]) ?月)"
)
_YEARS = {"今年": 0, "本年": 0, "明年": 1, "去年": -1, "前年": -2}
ERAS: Mapping[str, int] = {
    "贞观": 627, "永徽": 650, "神龙": 705, "开元": 713, "天宝": 742, "元和": 806, "会昌": 841, "太平兴国": 976,
    "景德": 1004, "庆历": 1041, "嘉祐": 1056, "熙宁": 1068, "元丰": 1078, "崇宁": 1102, "宣和": 1119, "靖康": 1126,
    "建炎": 1127, "绍兴": 1131, "淳熙": 1174, "至元": 1264, "洪武": 1368, "永乐": 1403, "宣德": 1426, "正统": 1436,
    "成化": 1465, "弘治": 1488, "正德": 1506, "嘉靖": 1522, "隆庆": 1567, "万历": 1573, "天启": 1621, "崇祯": 1628,
    "顺治": 1644, "康熙": 1662, "雍正": 1723, "乾隆": 1736, "干隆": 1736, "嘉庆": 1796, "道光": 1821, "咸丰": 1851,
    "同治": 1862, "光绪": 1875, "宣统": 1909, "民国": 1912,
}  # fmt: skip
"""The year of our calendar in which the first year of an era began."""


def _era(match: re.Match[str], _scan: Scan) -> CalendarDay:
    """A year of an era; its months are taken for those of our calendar, as is usual where only a month is said."""
    count = 1 if match["n"] == "元" else read_count(match["n"])
    month = read_count(match["m"]) if match["m"] else None
    return CalendarDay(ERAS[match["era"]] + count - 1, month, read_count(match["d"]) if match["d"] else None)


def _part_of(match: re.Match[str], scan: Scan) -> DaySpan | None:
    """去年的前10天, 3月最后两周, 2021年的前两个月."""
    begin, until = _whole(match, scan)
    count, unit, from_end = read_count(match["n"]), match["unit"], match["way"] in ("最后", "后")
    if "月" in unit:
        first, last = (add_months(until, -count), until) if from_end else (begin, add_months(begin, count))
    elif "天" in unit or "日" in unit:
        days = timedelta(days=count)
        first, last = (until - days, until) if from_end else (begin, begin + days)
    else:
        # A week belongs to the month or year that its Thursday lies in (ISO 8601).
        monday = monday_of(begin + timedelta(days=(3 - begin.weekday()) % 7))
        end = until - timedelta(days=1)
        last_monday = end - timedelta(days=(end.weekday() - 3) % 7 + 3)
        first = last_monday - timedelta(weeks=count - 1) if from_end else monday
        last = first + timedelta(weeks=count)
    return DaySpan(first, last, "day") if first < last else None


def _whole(match: re.Match[str], scan: Scan) -> tuple[date, date]:
    today = scan.now.date()
    if match["year"] or match["y"]:
        year = int(match["y"]) if match["y"] else today.year + _YEARS[match["year"]]
        return date(year, 1, 1), date(year + 1, 1, 1)
    if match["m"]:
        number = int(match["m"])
        first = date(today.year + (number < today.month), number, 1)
    else:
        step = {"上": -1, "下": 1}.get(match["month"][0], 0)
        first = add_months(month_start(today), step)
    return first, add_months(first, 1)


def _week_of_year(match: re.Match[str], scan: Scan) -> WeekOf:
    year = int(match["y"]) if match["y"] else scan.now.year + _YEARS[match["year"]]
    return WeekOf(-1 if match["last"] else read_count(match["n"]), CalendarDay(year))


RULES: tuple[Rule, ...] = (
    rule(
        "".join({name[0] for name in ERAS}),
        rf"(?P<era>{'|'.join(ERAS)}) ?(?P<n>元|{_N}) ?年(?: ?(?P<m>{_N}) ?月(?: ?(?P<d>{_N}) ?[日号])?)?",
        _era,
    ),
    rule(
        "今本明去前这上下" + _DIGITS,
        rf"{_WHOLE} ?的? ?(?P<way>前|头|最后|后) ?(?P<n>{_N}) ?"
        r"(?P<unit>天|日|(?:周|个?星期|个?礼拜)(?![一二三四五六日天末])|个月)",
        _part_of,
    ),
    rule(
        "今本明去前12",
        rf"(?:(?P<year>今年|本年|明年|去年|前年)|(?P<y>[12]\d{{3}}) ?年) ?的?"
        rf" ?(?:第 ?(?P<n>{_N}) ?|(?P<last>最后一) ?个?)(?:周|个?星期|个?礼拜)(?![一二三四五六日天])",
        _week_of_year,
    ),
)
