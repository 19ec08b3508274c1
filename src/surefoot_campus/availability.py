"""Which rooms are open and free when, for one person: the search behind find_room and its alternatives."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot_campus.intervals import Interval, earliest, overlap, subtract
from surefoot_campus.systems.port import Campus
from surefoot_campus.timetable import days, lessons_on, spans
from surefoot_campus.walking import building_of, minutes_between, zone_id

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Need:
    """What a room must offer. ``window`` is when; ``length`` how long within it (``None``: all of it)."""

    window: Interval
    length: timedelta | None = None
    capacity: int = 1
    equipment: tuple[str, ...] = ()
    zone: str | None = None
    near: str | None = None
    room_id: str | None = None

    def with_window(self, start: datetime, end: datetime) -> "Need":
        """Return the same need at another time."""
        return replace(self, window=(start, end))


@dataclass(frozen=True)
class Day:
    """Everything that keeps rooms or the person busy around a window."""

    profile: Record
    room_busy: Mapping[str, Sequence[Interval]]
    own_busy: Sequence[Interval]
    closed: Mapping[str, Sequence[Interval]] = field(default_factory=dict)


async def load_day(campus: Campus, user_id: str, first: date, last: date) -> Day:
    """Look up lessons, bookings and closures from ``first`` to ``last``."""
    profile = await campus.profile()
    zone = ZoneInfo(profile["timezone"])
    start = datetime.combine(first, time(), zone).isoformat()
    end = datetime.combine(last + timedelta(days=1), time(), zone).isoformat()
    busy: dict[str, list[Interval]] = {}
    for booking in await campus.bookings(start, end):
        busy.setdefault(booking["room_id"], []).extend(spans([booking]))
    taught = await campus.taught()
    for day in days(first, last):
        for lesson in lessons_on(profile, taught, day):
            busy.setdefault(lesson["room_id"], []).extend(spans([lesson]))
    return Day(profile, busy, await own_busy(campus, user_id, first, last), _closed(profile, zone))


async def own_busy(campus: Campus, user_id: str, first: date, last: date) -> list[Interval]:
    """Return a person's lessons and bookings from ``first`` to ``last``."""
    profile = await campus.profile()
    zone = ZoneInfo(profile["timezone"])
    start = datetime.combine(first, time(), zone).isoformat()
    end = datetime.combine(last + timedelta(days=1), time(), zone).isoformat()
    lessons = await campus.lessons(user_id)
    held = [lesson for day in days(first, last) for lesson in lessons_on(profile, lessons, day)]
    return spans(held) + spans(await campus.bookings(start, end, user_id))


def _closed(profile: Record, zone: ZoneInfo) -> dict[str, list[Interval]]:
    closed: dict[str, list[Interval]] = {}
    for notice in profile["notices"]:
        if notice["kind"] == "closed":
            closed.setdefault(notice["building"], []).append(notice_span(notice, zone))
    return closed


def notice_span(notice: Record, zone: ZoneInfo) -> Interval:
    """Return when a notice holds."""
    start, end = datetime.fromisoformat(notice["start"]), datetime.fromisoformat(notice["end"])
    return (start if start.tzinfo else start.replace(tzinfo=zone), end if end.tzinfo else end.replace(tzinfo=zone))


def opening(profile: Record, room: Record, day: date) -> Interval:
    """Return when a room is open on a day; ``24:00`` is the end of the day."""
    zone = ZoneInfo(profile["timezone"])
    return at_clock(day, room["opens"], zone), at_clock(day, room["closes"], zone)


def at_clock(day: date, clock: str, zone: ZoneInfo) -> datetime:
    """Return the moment of ``HH:MM`` on a day; hours from 24 on belong to the next day."""
    hours, minutes = (int(part) for part in clock.split(":"))
    return datetime.combine(day + timedelta(days=hours // 24), time(hours % 24, minutes), zone)


def suits(profile: Record, room: Record, need: Need) -> bool:
    """Return whether a room fits apart from the time."""
    zones = {building["id"]: building["zone"] for building in profile["buildings"]}
    return (
        room["capacity"] >= need.capacity
        and set(need.equipment) <= set(room["equipment"])
        and (need.zone is None or zones[room["building"]] == zone_id(profile, need.zone))
        and (need.room_id is None or room["room_id"] == need.room_id)
    )


def fits(day: Day, need: Need, now: datetime) -> list[dict[str, Any]]:
    """Return the rooms that fit, best first, each with ``start`` and ``end`` of its earliest fitting slot."""
    window = (max(need.window[0], now), need.window[1])
    if window[0] >= window[1]:
        return []
    found = []
    for room in day.profile["rooms"]:
        if not suits(day.profile, room, need):
            continue
        slot = _slot(day, room, need, window)
        if slot is not None:
            found.append(_shown(day.profile, room, need, slot))
    return sorted(found, key=lambda room: _rank(room, need))


def _slot(day: Day, room: Record, need: Need, window: Interval) -> Interval | None:
    opens, closes = opening(day.profile, room, need.window[0].date())
    inside = (max(window[0], opens), min(window[1], closes))
    busy = [*day.room_busy.get(room["room_id"], ()), *day.closed.get(room["building"], ()), *day.own_busy]
    free = subtract([inside], busy) if inside[0] < inside[1] else []
    length = need.length or (need.window[1] - need.window[0])
    return earliest(free, min(length, need.window[1] - need.window[0]))


def _shown(profile: Record, room: Record, need: Need, slot: Interval) -> dict[str, Any]:
    buildings = {building["id"]: building for building in profile["buildings"]}
    building = buildings[room["building"]]
    origin = building_of(profile, need.near)
    hours = (slot[1] - slot[0]).total_seconds() / 3600
    shown = {
        **{name: room[name] for name in ("room_id", "name", "building", "capacity", "equipment")},
        "building_name": building["name"],
        "zone": building["zone"],
        "start": slot[0].isoformat(),
        "end": slot[1].isoformat(),
        "walk_min": minutes_between(profile, origin, building["id"]) if origin else None,
        "fee": round(room["fee"] * hours, 2),
    }
    return {**shown, "reasons": _reasons(shown, need)}


def _reasons(room: Record, need: Need) -> list[dict[str, str]]:
    reasons = [{"zh": f"可坐 {room['capacity']} 人", "en": f"seats {room['capacity']}"}]
    if room["walk_min"] is not None:
        reasons.append({"zh": f"步行 {room['walk_min']} 分钟", "en": f"{room['walk_min']} min on foot"})
    if room["fee"] == 0:
        reasons.append({"zh": "免费", "en": "free of charge"})
    return reasons


def _rank(room: Record, need: Need) -> tuple[Any, ...]:
    """Earliest first, then near, cheap, and no larger than needed."""
    return (room["start"], room["walk_min"] or 0, room["fee"], room["capacity"] - need.capacity, room["room_id"])


def other_times(day: Day, need: Need, now: datetime, *, limit: int = 3) -> Iterable[tuple[datetime, datetime]]:
    """Return other times of the same day at which some room fits, in steps of half an hour, nearest first."""
    length = need.length or (need.window[1] - need.window[0])
    midnight = need.window[0].replace(hour=0, minute=0, second=0, microsecond=0)
    candidates = []
    for step in range(14, 45):
        start = midnight + timedelta(minutes=30 * step)
        moved = need.with_window(start, start + length)
        if start >= now and not overlap(moved.window, need.window) and fits(day, moved, now):
            candidates.append(moved.window)
    candidates.sort(key=lambda window: abs(window[0] - need.window[0]))
    return candidates[:limit]
