"""Preferences in the reader: what a person asks to be remembered, forgotten or told, and how it fills a meal."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from surefoot.language import normalise
from surefoot.memory.item import Item, remember
from surefoot.planning.planner import Proposal
from surefoot.texts import Text
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.reading import Found, Reading

LABELS = {
    "taste": Text("口味", "tastes"),
    "taste_not": Text("不要的口味", "tastes to avoid"),
    "diet": Text("饮食要求", "diet"),
    "price_max": Text("预算（元）", "budget (yuan)"),
}
KEYS = tuple(LABELS)
FROM_MEMORY = Text("按您记下的偏好", "from the preferences you saved")
NOTHING_KEPT = Text("我没有记您的任何偏好。", "I keep no preferences of yours.")


def preferences_talk(words: str, reading: Reading, kept: Mapping[str, Item], now: datetime) -> Proposal | None:
    """Return the proposal for a sentence about preferences themselves, or ``None`` when it is about something else."""
    plain = normalise(words).text
    if says("forget_wish", plain):
        known = {key: item for key, item in kept.items() if key in KEYS}
        text = Text(f"已删除：{_listed(known, 'zh')}。", f"Deleted: {_listed(known, 'en')}.") if known else NOTHING_KEPT
        return Proposal(answer=text, forget=tuple(known), new_task=False)
    if says("recall_wish", plain):
        known = {key: item for key, item in kept.items() if key in KEYS}
        text = Text(f"我记着：{_listed(known, 'zh')}。", f"I keep: {_listed(known, 'en')}.") if known else NOTHING_KEPT
        return Proposal(answer=text, new_task=False)
    wished = {name: found for name, found in reading.slots.items() if name in KEYS and found.origin == "said"}
    if reading.tasks or not wished or not says("remember", plain):
        return None
    items = tuple(
        remember(name, found.value, source="person", at=now, origin=words[:200]) for name, found in wished.items()
    )
    told = {item.key: item for item in items}
    text = Text(
        f"记住了：{_listed(told, 'zh')}。以后推荐食堂会照这个来，三十天内有效；随时可以说“删掉我的口味”。",
        f"Noted: {_listed(told, 'en')}. Canteen advice will follow it for thirty days; say “forget my tastes” at any "
        "time.",
    )
    return Proposal(answer=text, remember=items, new_task=False)


def with_preferences(reading: Reading, kept: Mapping[str, Item]) -> Reading:
    """Return a meal's reading with the preferences that the sentence itself does not speak of."""
    if "recommend_canteen" not in reading.tasks:
        return reading
    usable = {
        key: Found(item.value, None, "inferred" if item.standing == "inferred" else "said", FROM_MEMORY)
        for key, item in kept.items()
        if key in KEYS and key not in reading.slots
    }
    return replace(reading, slots={**usable, **reading.slots}) if usable else reading


def _listed(items: Mapping[str, Item], lang: str) -> str:
    between = "；" if lang == "zh" else "; "
    return between.join(f"{LABELS[key].say(lang)} {_shown(item.value, lang)}" for key, item in items.items())


def _shown(value: Any, lang: str) -> str:
    if isinstance(value, list | tuple):
        return ("、" if lang == "zh" else ", ").join(str(part) for part in value)
    return str(value)
