"""Which language a person reads, and how values, origins and states are said in it."""

import os
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from surefoot.texts import Text

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")

ORIGINS: Mapping[str, Text] = {
    "said": Text("您说的", "you said"),
    "confirmed": Text("已确认", "confirmed"),
    "inferred": Text("猜的（未说明）", "a guess"),
    "tool": Text("查询结果", "from a lookup"),
    "rule": Text("按规则选的", "chosen by rule"),
}

STEP_STATES: Mapping[str, Text] = {
    "pending": Text("等待", "to do"),
    "working": Text("进行中", "under way"),
    "asking": Text("等您确认", "waits for you"),
    "asking_back": Text("正在向对方核实", "asking back"),
    "success": Text("完成", "done"),
    "reconciled": Text("完成（查询后确认）", "done (found by asking back)"),
    "empty": Text("没有结果", "nothing found"),
    "refused": Text("被拒绝", "refused"),
    "failed": Text("失败", "failed"),
    "unknown": Text("结果不明", "result unknown"),
    "timeout": Text("超时", "timed out"),
    "skipped": Text("跳过", "left out"),
    "dry_run": Text("试运行", "dry run"),
    "compensated": Text("已撤销", "taken back"),
    "compensating": Text("撤销中", "being taken back"),
    "residue": Text("没有撤销干净", "could not be taken back"),
}

RUN_STATES: Mapping[str, Text] = {
    "running": Text("进行中或中断", "running or interrupted"),
    "waiting": Text("等待答复", "waiting for an answer"),
    "done": Text("完成", "done"),
    "answered": Text("已答复", "answered"),
    "dry_run": Text("试运行", "dry run"),
    "declined": Text("不办", "declined"),
    "refused": Text("被拒绝", "refused"),
    "undone": Text("已撤销", "undone"),
    "failed": Text("没有办成", "failed"),
    "handed_over": Text("转人工", "handed over"),
}

EFFECT_STATES: Mapping[str, Text] = {
    "intended": Text("可能已发出", "may have been sent"),
    "not_sent": Text("没有发出", "not sent"),
    "committed": Text("已办成", "committed"),
    "refused": Text("被拒绝", "refused"),
    "unknown": Text("结果不明", "unknown"),
    "absent": Text("查明没有办成", "found absent"),
    "compensating": Text("撤销中", "being undone"),
    "compensated": Text("已撤销", "undone"),
    "residue": Text("没有撤销干净", "residue"),
}


def language_of(text: str) -> str:
    """Return ``"zh"`` when the text holds a Chinese character, else ``"en"``."""
    return "zh" if any(unicodedata.name(char, "").startswith("CJK UNIFIED") for char in text[:4000]) else "en"


def language_here() -> str:
    """Return the language of the terminal, from the locale's environment variables."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def clean(value: object) -> str:
    """Return text that can move no cursor: control and format characters are dropped, line ends stay."""
    kept = (char for char in str(value) if char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs"))
    return "".join(kept)


def said(texts: Mapping[str, Text], key: str, lang: str) -> str:
    """Return the sentence for ``key``, or the key itself."""
    return texts[key].say(lang) if key in texts else clean(key)


def name_of(argument: str, labels: Mapping[str, Text], lang: str) -> str:
    """Return an argument's label, or its name where the app gave none."""
    return labels[argument].say(lang) if argument in labels else argument


def value_in_words(value: Any, lang: str) -> str:
    """Return an argument's value written for people."""
    if value is None or value == "" or value == []:
        return "—"
    if isinstance(value, bool):
        return Text("是", "yes").say(lang) if value else Text("否", "no").say(lang)
    if isinstance(value, list | tuple):
        return ("、" if lang == "zh" else ", ").join(value_in_words(item, lang) for item in value)
    if isinstance(value, Mapping):
        if set(value) == {"zh", "en"}:
            return clean(value["zh"] if lang == "zh" else value["en"])
        return ("；" if lang == "zh" else "; ").join(f"{key} {value_in_words(v, lang)}" for key, v in value.items())
    return _moment(value, lang) if isinstance(value, str) else clean(value)


def _moment(value: str, lang: str) -> str:
    try:
        if len(value) == 10:
            return day_in_words(date.fromisoformat(value), lang)
        moment = datetime.fromisoformat(value) if "T" in value else None
    except ValueError:
        moment = None
    return clean(value) if moment is None else f"{day_in_words(moment.date(), lang)} {moment:%H:%M}"


def day_in_words(day: date, lang: str) -> str:
    """Return ``12月2日（周三）`` or ``Wed 2 Dec``."""
    if lang == "zh":
        return f"{day.month}月{day.day}日（{WEEKDAYS[day.weekday()]}）"
    return f"{day:%a} {day.day} {day:%b}"


def arguments_in_words(arguments: Mapping[str, Any], labels: Mapping[str, Text], lang: str) -> str:
    """Return all arguments in one line."""
    pairs = [f"{name_of(name, labels, lang)} {value_in_words(value, lang)}" for name, value in arguments.items()]
    return ("，" if lang == "zh" else ", ").join(pairs)


def origin_in_words(provenance: Mapping[str, Any] | None, lang: str) -> str:
    """Return where a value came from, with the note that explains it."""
    words = said(ORIGINS, (provenance or {}).get("origin", "said"), lang)
    note = (provenance or {}).get("note")
    if not note:
        return words
    return f"{words}：{value_in_words(note, lang)}" if lang == "zh" else f"{words}: {value_in_words(note, lang)}"
