"""Names of arguments and statuses for people, and how values are said."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from surefoot.texts import Text

LABELS: Mapping[str, Text] = {
    "room_id": Text("房间", "Room"),
    "start": Text("开始", "Start"),
    "end": Text("结束", "End"),
    "party_size": Text("人数", "People"),
    "purpose": Text("用途", "Purpose"),
    "reservation_id": Text("预约号", "Reservation"),
    "date": Text("日期", "Day"),
    "date_to": Text("到", "Until"),
    "duration_min": Text("时长（分钟）", "Length (minutes)"),
    "capacity_min": Text("至少座位数", "Seats at least"),
    "equipment": Text("设备", "Equipment"),
    "zone": Text("区域", "Zone"),
    "near": Text("靠近", "Near"),
    "arrive": Text("到达时间", "Arrival"),
    "taste": Text("口味", "Taste"),
    "taste_not": Text("不要的口味", "Not this taste"),
    "diet": Text("饮食要求", "Diet"),
    "crowd": Text("拥挤程度", "Crowding"),
    "price_max": Text("最高价格（元）", "Price at most (yuan)"),
    "max_walk_min": Text("最多步行（分钟）", "Walk at most (minutes)"),
}
EQUIPMENT: Mapping[str, Text] = {
    "projector": Text("投影", "projector"),
    "whiteboard": Text("白板", "whiteboard"),
    "tv": Text("电视", "TV"),
    "computer": Text("电脑", "computer"),
    "video": Text("视频会议", "video conferencing"),
    "power": Text("电源插座", "power sockets"),
}
_WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


def label(name: str, lang: str) -> str:
    """Return the name of an argument; an unknown one is returned as it is."""
    return LABELS[name].say(lang) if name in LABELS else name


def shown(name: str, value: Any, lang: str) -> str:
    """Return an argument's value for people."""
    if name in ("start", "end", "arrive") and isinstance(value, str):
        moment = datetime.fromisoformat(value)
        return f"{day(value, lang)} {moment:%H:%M}"
    if isinstance(value, list):
        parts = [EQUIPMENT[item].say(lang) if item in EQUIPMENT else str(item) for item in value]
        return ("、" if lang == "zh" else ", ").join(parts)
    return str(value)


def day(value: str, lang: str) -> str:
    """Return the day of an ISO date or time: 12月2日（周三） / Wed 2 Dec."""
    moment = datetime.fromisoformat(value)
    if lang == "zh":
        return f"{moment.month}月{moment.day}日（{_WEEKDAYS[moment.weekday()]}）"
    return f"{moment:%a} {moment.day} {moment:%b}"


def hours(start: str, end: str) -> str:
    """Return ``HH:MM–HH:MM`` of two ISO times."""
    return f"{start[11:16]}–{end[11:16]}"


def named(value: Any, lang: str) -> str:
    """Return a name for people: a plain string, or ``{zh, en}`` in the person's language; ``""`` for nothing."""
    if isinstance(value, dict):
        return Text.from_json(value).say(lang)
    return "" if value is None else str(value)


def joined(texts: list[dict[str, str]], lang: str) -> str:
    """Return short bilingual reasons in one line."""
    return ("，" if lang == "zh" else ", ").join(Text.from_json(text).say(lang).rstrip("。.") for text in texts)
