"""Finding a study room that is open, free, large enough, and fits the person's own day."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot.texts import Text
from surefoot_campus.availability import Day, Need, fits, load_day, longest_stay, other_times, own_clash
from surefoot_campus.hours import campus_closed
from surefoot_campus.intervals import Interval
from surefoot_campus.timetable import local, outside_term
from surefoot_campus.walking import building_of, zone_id

MOST = timedelta(days=31)
MOST_ALTERNATIVES = 6
SHORTEST = timedelta(minutes=30)
EQUIPMENT = {
    "projector": Text("投影", "projector"),
    "whiteboard": Text("白板", "whiteboard"),
    "tv": Text("电视", "TV"),
    "computer": Text("电脑", "computer"),
    "video": Text("视频会议", "video conferencing"),
    "power": Text("电源", "power sockets"),
}


async def find_room(
    start: str,
    end: str,
    duration_min: int | None = None,
    capacity_min: int = 1,
    equipment: list[str] | None = None,
    zone: str | None = None,
    near: str | None = None,
    room_id: str | None = None,
    *,
    ctx: ToolContext,
) -> dict[str, Any]:
    """Return the rooms that fit, best first.

    Raises:
        BusinessRefused: no room could ever fit, or the time cannot be; the sentence says what would be right.
        BusinessEmpty: none is free; ``details.alternatives`` say what would do instead.
    """
    profile = await ctx.systems.profile()
    window = local(profile, start), local(profile, end)
    length = timedelta(minutes=duration_min) if duration_min else None
    need = Need(window, length, capacity_min, tuple(equipment or ()), zone, near, room_id)
    impossible = _impossible_time(profile, window, ctx.now) or _impossible_room(profile, need)
    if impossible is not None:
        raise BusinessRefused(impossible)
    day = await load_day(ctx.systems, ctx.user_id, window)
    rooms = fits(day, need, ctx.now)
    if rooms:
        return {"window": {"start": start, "end": end}, "rooms": rooms[:10]}
    raise BusinessEmpty(_nothing(day, need, ctx.now), details={"alternatives": alternatives(day, need, ctx.now)})


def _impossible_time(profile: dict[str, Any], window: Interval, now: datetime) -> Text | None:
    start, end = window
    if end <= start:
        return Text(
            f"结束时间 {end:%H:%M} 要晚于开始时间 {start:%H:%M}。",
            f"The end ({end:%H:%M}) must be later than the start ({start:%H:%M}).",
        )
    if end <= now:
        return Text(
            f"{start:%m月%d日 %H:%M} 已经过去，请给一个以后的时间。",
            f"{start:%d %b %H:%M} is in the past; please give a time that is still to come.",
        )
    if end - start > MOST:
        return Text(f"一次最多查 {MOST.days} 天。", f"At most {MOST.days} days can be searched at a time.")
    return outside_term(profile, start.date()) or _closed_throughout(profile, window)


def _closed_throughout(profile: dict[str, Any], window: Interval) -> Text | None:
    """Return why the campus is closed at both ends of the window."""
    moment = timedelta(minutes=1)
    first, last = (window[0], window[0] + moment), (window[1] - moment, window[1])
    return campus_closed(profile, last) and campus_closed(profile, first)


def _impossible_room(profile: dict[str, Any], need: Need) -> Text | None:
    rooms = {room["room_id"]: room for room in profile["rooms"]}
    largest = max((room["capacity"] for room in rooms.values()), default=0)
    if need.capacity > largest:
        return Text(
            f"最大的房间只能坐 {largest} 人，坐不下 {need.capacity} 人。",
            f"The largest room seats {largest}; {need.capacity} people do not fit.",
        )
    if need.zone is not None and zone_id(profile, need.zone) is None:
        zones = "、".join(zone["id"] for zone in profile["zones"])
        english = ", ".join(zone["en"] for zone in profile["zones"])
        return Text(f"没有“{need.zone}”，校区有：{zones}。", f"No zone {need.zone!r}; there are {english}.")
    if need.room_id is not None and need.room_id not in rooms:
        return Text(f"没有房间 {need.room_id}。", f"There is no room {need.room_id}.")
    if need.near is not None and building_of(profile, need.near) is None:
        return Text(f"校园里没有找到“{need.near}”。", f"There is no place called {need.near!r} on this campus.")
    return None


def _unsuited(profile: Mapping[str, Any], need: Need) -> Text | None:
    """Return why the room that was named would not do at any time, or ``None``."""
    room = next((room for room in profile["rooms"] if room["room_id"] == need.room_id), None)
    if room is None:
        return None
    seats, missing = room["capacity"], [EQUIPMENT[item] for item in need.equipment if item not in room["equipment"]]
    if seats < need.capacity:
        return Text(
            f"{need.room_id} 最多 {seats} 人，坐不下 {need.capacity} 人。",
            f"{need.room_id} seats {seats}; {need.capacity} people do not fit.",
        )
    if missing:
        return Text(
            f"{need.room_id} 没有{'、'.join(item.zh for item in missing)}。",
            f"{need.room_id} has no {', '.join(item.en for item in missing)}.",
        )
    return None


def _nothing(day: Day, need: Need, now: datetime) -> Text:
    unsuited = _unsuited(day.profile, need)
    if unsuited is not None:
        return unsuited
    when = f"{need.window[0]:%H:%M}-{need.window[1]:%H:%M}"
    zh = f"{need.window[0]:%m月%d日} {when} 没有合适的空房间。"
    en = f"No suitable room is free on {need.window[0]:%d %b}, {when}."
    clash = own_clash(day, need, now)
    if not clash:
        return Text(zh, en)
    listed = [f"{start:%H:%M}-{end:%H:%M}" for start, end in clash]
    return Text(
        f"{need.window[0]:%m月%d日} {when} 有空房间，但您自己 {'、'.join(listed)} 有课或已有预约。",
        f"Rooms are free on {need.window[0]:%d %b}, {when}, but you have a class or a booking from "
        f"{', '.join(listed)}.",
    )


def alternatives(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    """Return what would do instead, each with a label and the slots it changes: other times that day, another room
    or zone at the same time, less equipment, a shorter stay.
    """
    found = [
        {
            "label": {"zh": f"改到 {start:%H:%M}-{end:%H:%M}", "en": f"{start:%H:%M}-{end:%H:%M} instead"},
            "changes": {"start": start.isoformat(), "end": end.isoformat()},
        }
        for start, end in other_times(day, need, now, limit=3)
    ]
    found += _elsewhere(day, need, now)
    found += _with_less(day, need, now)
    return [*found, *_shorter(day, need, now)][:MOST_ALTERNATIVES]


def _elsewhere(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    """Another room where one was named, else another zone where one was named."""
    if need.room_id is not None:
        others = fits(day, replace(need, room_id=None), now) or fits(day, replace(need, room_id=None, zone=None), now)
        return [_other_room(room) for room in others[:1]]
    if need.zone is None:
        return []
    found = []
    for zone in day.profile["zones"]:
        moved = replace(need, zone=zone["id"])
        if zone["id"] != zone_id(day.profile, need.zone) and fits(day, moved, now):
            label = {"zh": f"同一时间改在{zone['id']}", "en": f"the same time in the {zone['en']} zone"}
            found.append({"label": label, "changes": {"zone": zone["id"]}})
    return found[:2]


def _other_room(room: dict[str, Any]) -> dict[str, Any]:
    seats = room["capacity"]
    return {
        "label": {
            "zh": f"同一时间改用{room['name']['zh']}（{room['room_id']}，可坐 {seats} 人）",
            "en": f"{room['name']['en']} ({room['room_id']}, seats {seats}) at the same time",
        },
        "changes": {"room_id": room["room_id"]},
    }


def _with_less(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    found = []
    for item in need.equipment:
        rest = tuple(other for other in need.equipment if other != item)
        if fits(day, replace(need, equipment=rest), now):
            name = EQUIPMENT.get(item, Text(item, item))
            label = {"zh": f"不要求{name.zh}", "en": f"without a {name.en}"}
            found.append({"label": label, "changes": {"equipment": list(rest)}})
    return found[:2]


def _shorter(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    least = timedelta(minutes=day.profile["policy"]["min_minutes"])
    span = longest_stay(day, need, now, least=max(least, SHORTEST))
    if span is None:
        return []
    start, end = span
    minutes = int((end - start).total_seconds()) // 60
    label = {"zh": f"缩短到 {start:%H:%M}-{end:%H:%M}", "en": f"only {start:%H:%M}-{end:%H:%M}"}
    changes = {"start": start.isoformat(), "end": end.isoformat(), "duration_min": minutes}
    return [{"label": label, "changes": changes}]
