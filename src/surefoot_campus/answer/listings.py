"""Tables and short facts of an answer: free times, rooms found, canteens, bookings."""

from collections.abc import Iterator
from typing import Any

from surefoot.app import Block, RunView
from surefoot.texts import Text
from surefoot_campus.answer.labels import EQUIPMENT, day, hours, joined, named
from surefoot_campus.answer.timeline import canteens, data_of, first_data, room_name

ROWS = 5


def _say(view: RunView, zh: str, en: str) -> str:
    return Text(zh, en).say(view.lang)


def _table(title: str, columns: list[str], rows: list[list[str]]) -> Block:
    return Block("table", {"title": title, "columns": columns, "rows": rows})


def free_times(view: RunView) -> Iterator[Block]:
    """Say of each day asked for whether there are classes, and when the person is free."""
    data = first_data(view, "query_schedule")
    if data is None:
        return
    lines = [line for entry in data["days"] for line in _day_lines(view, entry)]
    if lines:
        yield Block("text", {"text": "\n".join(lines)})


def _day_lines(view: RunView, entry: dict[str, Any]) -> Iterator[str]:
    name = day(entry["date"], view.lang)
    if entry.get("note"):
        yield f"{name}{_say(view, '：', ': ')}{Text.from_json(entry['note']).say(view.lang)}"
    if not entry["classes"]:
        yield _say(view, f"{name}没有课。", f"No classes on {name}.")
    elif entry.get("free"):
        spans = _say(view, "、", ", ").join(hours(span["start"], span["end"]) for span in entry["free"])
        yield _say(view, f"{name}没课的时间：{spans}。", f"Free on {name}: {spans}.")


def room_tables(view: RunView) -> Iterator[Block]:
    """List the rooms that were found, one table for each search."""
    columns = {
        "zh": ["房间", "地点", "时间", "座位", "设备", "步行", "理由"],
        "en": ["Room", "Place", "Time", "Seats", "Equipment", "Walk", "Why"],
    }
    for _, record in view.by_tool("find_room"):
        data = data_of(record)
        if data is None:
            continue
        rooms = [room for room in data["rooms"] if room.get("zone") != _unwanted(view)]
        title = _say(view, "可以用的房间", "Rooms you could use")
        rows = [_room_row(view, room) for room in rooms[:ROWS]]
        yield _table(title, columns["zh" if view.lang == "zh" else "en"], rows)


def _unwanted(view: RunView) -> Any:
    return view.slots["zone_not"].value if "zone_not" in view.slots else None


def _room_row(view: RunView, room: dict[str, Any]) -> list[str]:
    when = f"{day(room['start'], view.lang)} {hours(room['start'], room['end'])}"
    equipment = _say(view, "、", ", ").join(
        EQUIPMENT[e].say(view.lang) if e in EQUIPMENT else e for e in room["equipment"]
    )
    walk = _say(view, f"{room['walk_min']} 分钟", f"{room['walk_min']} min") if room.get("walk_min") is not None else ""
    building = named(room.get("building_name") or room["building"], view.lang)
    place = f"{room.get('zone') or ''} {building}".strip()
    return [
        room_name(view, room),
        place,
        when,
        str(room["capacity"]),
        equipment,
        walk,
        joined(room["reasons"], view.lang),
    ]


def canteen_table(view: RunView) -> Iterator[Block]:
    """List the canteens that were offered, best first."""
    found = canteens(view)
    if not found:
        return
    columns = ["食堂", "区域", "步行", "预计拥挤", "评分", "人均", "理由"]
    if view.lang != "zh":
        columns = ["Canteen", "Zone", "Walk", "Crowding", "Rating", "Price", "Why"]
    rows = [
        [
            named(canteen["name"], view.lang),
            str(canteen.get("zone") or ""),
            _say(view, f"{canteen['walk_min']} 分钟", f"{canteen['walk_min']} min")
            if canteen.get("walk_min") is not None
            else "",
            f"{canteen['crowding']:.0%}" if canteen.get("crowding") is not None else _say(view, "未知", "unknown"),
            f"{canteen['rating']}" if canteen.get("rating") is not None else "",
            f"¥{canteen['price']}" if canteen.get("price") is not None else "",
            joined(canteen["reasons"], view.lang) if canteen.get("reasons") else "",
        ]
        for canteen in found[:ROWS]
    ]
    yield _table(_say(view, "推荐的食堂", "Canteens, best first"), columns, rows)


def booking_table(view: RunView) -> Iterator[Block]:
    """List the bookings that were asked for."""
    data = first_data(view, "list_bookings")
    if data is None:
        return
    if not data["bookings"]:
        yield Block("text", {"text": _say(view, "没有符合的预约。", "You have no such booking.")})
        return
    columns = ["预约号", "时间", "房间", "人数"] if view.lang == "zh" else ["Number", "Time", "Room", "People"]
    rows = [
        [
            item["reservation_id"],
            f"{day(item['start'], view.lang)} {hours(item['start'], item['end'])}",
            room_name(view, item),
            str(item.get("party_size", "")),
        ]
        for item in data["bookings"]
    ]
    yield _table(_say(view, "您的预约", "Your bookings"), columns, rows)
