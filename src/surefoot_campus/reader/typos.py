"""Slips of the keyboard in the words that matter: homophones inside known words, each put right in place."""

import re
from functools import cache

_WORDS = ("研讨间", "研讨室", "自习室", "讨论室", "讨论间", "会议室", "投影仪", "课程表", "图书馆")
_SOUNDS = {
    "研": "严言延沿", "讨": "套桃", "间": "见件建尖坚", "室": "是事式市试", "自": "字", "习": "息西席",
    "论": "轮伦", "会": "回汇", "议": "意义艺", "投": "头偷", "影": "映应", "仪": "以意移", "课": "刻科可",
    "程": "成城", "表": "标", "图": "涂", "书": "输", "馆": "管观",
}  # fmt: skip
_SHORT = {
    "头影": "投影", "投映": "投影", "白版": "白板", "取销": "取消", "取肖": "取消", "预月": "预约", "食糖": "食堂",
    "食唐": "食堂", "实堂": "食堂", "附进": "附近", "付近": "附近", "推见": "推荐", "推建": "推荐", "课标": "课表",
    "明田": "明天", "后田": "后天", "帮我丁": "帮我订", "排炼": "排练",
    "一共": "总共",  # 这周一共 is no Monday
}  # fmt: skip
_PERIOD = re.compile(r"(第[一二三四五六七八九十\d、和到至-]{1,6})[结截接]")


@cache
def _table() -> tuple[re.Pattern[str], dict[str, str]]:
    right = dict(_SHORT)
    for word in _WORDS:
        for at, char in enumerate(word):
            right |= {word[:at] + other + word[at + 1 :]: word for other in _SOUNDS.get(char, "")}
    return re.compile("|".join(sorted(right, key=len, reverse=True))), right


def repaired(text: str) -> str:
    """Return ``text`` with known slips put right; positions stay the same."""
    pattern, right = _table()
    return _PERIOD.sub(r"\1节", pattern.sub(lambda match: right[match[0]], text))
