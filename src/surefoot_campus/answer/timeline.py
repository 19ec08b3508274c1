"""The itinerary: classes, walks, the booking and the meal in the order of the day."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from surefoot.app import RunView
from surefoot.texts import Text
from surefoot_campus.answer.labels import joined, named

Item = dict[str, Any]


def itinerary(view: RunView) -> list[Item]:
    """Return the timeline's items (``start``, ``end``, ``title``, ``detail``) sorted by start, local ISO times."""
    items = [*_classes(view), *_booking(view), *_meal(view)]
    return sorted(items, key=lambda item: (item["start"], item["end"] or item["start"]))


def _item(start: str, end: str | None, title: str, detail: str = "") -> Item:
    return {"start": start, "end": end, "title": title, "detail": detail}


def data_of(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a step's data if it succeeded (or would have, in a dry run)."""
    if record.get("status") not in ("success", "dry_run"):
        return None
    data: dict[str, Any] = record["output"]["data"]
    return data


def first_data(view: RunView, *tools: str) -> dict[str, Any] | None:
    """Return the data of the first step of one of ``tools`` that succeeded."""
    for tool in tools:
        for _, record in view.by_tool(tool):
            data = data_of(record)
            if data is not None:
                return data
    return None


def _classes(view: RunView) -> Iterator[Item]:
    data = first_data(view, "query_schedule") or {"days": []}
    for day in data["days"]:
        for lesson in day["classes"]:
            place = f"{named(lesson.get('building'), view.lang)} {named(lesson.get('room'), view.lang)}".strip()
            yield _item(lesson["start"], lesson["end"], _say(view, "上课：", "Class: ") + lesson["course"], place)


def booked(view: RunView) -> dict[str, Any] | None:
    """Return the booking made in this run, with what the search knew of the room."""
    data = first_data(view, "book_room")
    if data is None:
        return None
    room = next((room for room in _rooms(view) if room["room_id"] == data["room_id"]), {})
    return {**room, **data}


def room_name(view: RunView, room: Mapping[str, Any]) -> str:
    """Return a room's name for people, with its number where the name does not hold it."""
    name = named(room.get("room_name") or room.get("name"), view.lang)
    if not name or room["room_id"] in name:
        return name or str(room["room_id"])
    return f"{name}（{room['room_id']}）" if view.lang == "zh" else f"{name} ({room['room_id']})"


def _rooms(view: RunView) -> Iterator[dict[str, Any]]:
    for _, record in view.by_tool("find_room"):
        data = data_of(record) or {"rooms": []}
        yield from data["rooms"]


def _booking(view: RunView) -> Iterator[Item]:
    room = booked(view)
    if room is None:
        return
    name = room_name(view, room)
    walk = room.get("walk_min") or 0
    if walk:
        leave = datetime.fromisoformat(room["start"]) - timedelta(minutes=walk)
        yield _item(leave.isoformat(), room["start"], *_walk(view, name, walk))
    number = room.get("reservation_id")
    parts = [_say(view, f"预约号 {number}", f"reservation {number}")] if number else []
    parts += [joined(room["reasons"], view.lang)] if room.get("reasons") else []
    title = _say(view, f"使用 {name}", f"Use {name}")
    yield _item(room["start"], room["end"], title, _say(view, "；", "; ").join(parts))


def _walk(view: RunView, name: str, minutes: int) -> tuple[str, str]:
    return _say(view, f"步行到{name}", f"Walk to {name}"), _say(view, f"约 {minutes} 分钟", f"about {minutes} min")


def _meal(view: RunView) -> Iterator[Item]:
    data = first_data(view, "recommend_canteen", "list_canteens")
    canteen = best_canteen(view)
    if data is None or canteen is None:
        return
    walk, arrive = canteen.get("walk_min") or 0, canteen.get("arrive") or data["arrive"]
    if walk and arrive > data["arrive"]:
        yield _item(data["arrive"], arrive, *_walk(view, named(canteen["name"], view.lang), walk))
    yield _item(
        arrive,
        None,
        _say(view, f"用餐：{named(canteen['name'], view.lang)}", f"Meal: {named(canteen['name'], view.lang)}"),
        _meal_detail(view, canteen),
    )


def _meal_detail(view: RunView, canteen: Mapping[str, Any]) -> str:
    reasons = joined(canteen["reasons"], view.lang) if canteen.get("reasons") else ""
    return reasons


def canteens(view: RunView) -> list[dict[str, Any]]:
    """Return the canteens offered, best first, without those in a zone the person does not want."""
    data = first_data(view, "recommend_canteen", "list_canteens") or {"canteens": []}
    unwanted = view.slots["zone_not"].value if "zone_not" in view.slots else None
    return [canteen for canteen in data["canteens"] if canteen.get("zone") != unwanted]


def best_canteen(view: RunView) -> dict[str, Any] | None:
    """Return the first canteen offered."""
    return next(iter(canteens(view)), None)


def _say(view: RunView, zh: str, en: str) -> str:
    return Text(zh, en).say(view.lang)
