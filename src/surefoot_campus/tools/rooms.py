"""Finding a study room that is open, free, large enough, and fits the person's own day."""

from datetime import datetime, timedelta
from typing import Any

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot.texts import Text
from surefoot_campus.availability import Day, Need, fits, load_day, other_times
from surefoot_campus.walking import building_of, zone_id

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
    """Return the rooms that fit, best first; with nothing found, alternatives."""
    window = _window(start, end, ctx)
    day = await load_day(ctx.systems, ctx.user_id, window[0].date(), window[1].date())
    length = timedelta(minutes=duration_min) if duration_min else None
    need = Need(window, length, capacity_min, tuple(equipment or ()), zone, near, room_id)
    _refuse_impossible(day, need)
    rooms = fits(day, need, ctx.now)
    if rooms:
        return {"window": {"start": start, "end": end}, "rooms": rooms[:10]}
    raise BusinessEmpty(_nothing(need), details={"alternatives": alternatives(day, need, ctx.now)})


def _window(start: str, end: str, ctx: ToolContext) -> tuple[datetime, datetime]:
    window = datetime.fromisoformat(start), datetime.fromisoformat(end)
    if window[1] <= window[0]:
        raise BusinessRefused(Text("结束时间要晚于开始时间。", "The end must be later than the start."))
    if window[1] <= ctx.now:
        raise BusinessRefused(
            Text(
                f"{window[0]:%m月%d日 %H:%M} 已经过去，请给一个以后的时间。",
                f"{window[0]:%d %b %H:%M} is in the past; please give a time that is still to come.",
            )
        )
    return window


def _refuse_impossible(day: Day, need: Need) -> None:
    rooms = day.profile["rooms"]
    largest = max(room["capacity"] for room in rooms)
    if need.capacity > largest:
        raise BusinessRefused(
            Text(
                f"最大的房间只能坐 {largest} 人，坐不下 {need.capacity} 人。",
                f"The largest room seats {largest}; {need.capacity} people do not fit.",
            )
        )
    if need.zone is not None and zone_id(day.profile, need.zone) is None:
        zones = "、".join(zone["id"] for zone in day.profile["zones"])
        english = ", ".join(zone["en"] for zone in day.profile["zones"])
        raise BusinessRefused(
            Text(f"没有“{need.zone}”，校区有：{zones}。", f"No zone {need.zone!r}; there are {english}.")
        )
    if need.room_id is not None and need.room_id not in {room["room_id"] for room in rooms}:
        raise BusinessRefused(Text(f"没有房间 {need.room_id}。", f"There is no room {need.room_id}."))
    if need.near is not None and building_of(day.profile, need.near) is None:
        raise BusinessRefused(
            Text(f"校园里没有找到“{need.near}”。", f"There is no place called {need.near!r} on this campus.")
        )


def _nothing(need: Need) -> Text:
    when = f"{need.window[0]:%H:%M}-{need.window[1]:%H:%M}"
    return Text(
        f"{need.window[0]:%m月%d日} {when} 没有合适的空房间。",
        f"No suitable room is free on {need.window[0]:%d %b}, {when}.",
    )


def alternatives(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    """Return what would do instead: other times that day, other zones, less equipment; each as slot changes."""
    found = []
    for start, end in other_times(day, need, now):
        label = {"zh": f"改到 {start:%H:%M}-{end:%H:%M}", "en": f"{start:%H:%M}-{end:%H:%M} instead"}
        found.append({"label": label, "changes": {"start": start.isoformat(), "end": end.isoformat()}})
    found += _elsewhere(day, need, now)
    found += _with_less(day, need, now)
    return found[:5]


def _elsewhere(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    if need.zone is None and need.room_id is None:
        return []
    found = []
    for zone in day.profile["zones"]:
        moved = Need(need.window, need.length, need.capacity, need.equipment, zone["id"], need.near)
        if zone["id"] != zone_id(day.profile, need.zone) and fits(day, moved, now):
            label = {"zh": f"同一时间改在{zone['id']}", "en": f"the same time in the {zone['en']} zone"}
            found.append({"label": label, "changes": {"zone": zone["id"], "room": None}})
    return found[:2]


def _with_less(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    found = []
    for item in need.equipment:
        rest = tuple(other for other in need.equipment if other != item)
        if fits(day, Need(need.window, need.length, need.capacity, rest, need.zone, need.near, need.room_id), now):
            name = EQUIPMENT.get(item, Text(item, item))
            label = {"zh": f"不要求{name.zh}", "en": f"without a {name.en}"}
            found.append({"label": label, "changes": {"equipment": list(rest)}})
    return found
