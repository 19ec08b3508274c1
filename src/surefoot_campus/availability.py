"""Which rooms are open and free when, for one person: the search behind find_room and its alternatives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot_campus.hours import closures, openings
from surefoot_campus.intervals import Interval, earliest, intersect, longest, merge, subtract
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

    @property
    def stay(self) -> timedelta:
        """How long the room is needed: never longer than the window."""
        whole = self.window[1] - self.window[0]
        return min(self.length, whole) if self.length else whole


@dataclass(frozen=True)
class Day:
    """Everything that keeps rooms or the person busy around a window."""

    profile: Record
    room_busy: Mapping[str, Sequence[Interval]]
    own_busy: Sequence[Interval]


async def load_day(campus: Campus, user_id: str, window: Interval) -> Day:
    """Look up the lessons and bookings of the days that ``window`` touches."""
    profile = await campus.profile()
    first, last = window[0].date(), window[1].date()
    busy: dict[str, list[Interval]] = {}
    for booking in await campus.bookings(*whole_days(profile, first, last)):
        busy.setdefault(booking["room_id"], []).extend(spans([booking]))
    taught = await campus.taught()
    for day in days(first, last):
        for lesson in lessons_on(profile, taught, day):
            busy.setdefault(lesson["room_id"], []).extend(spans([lesson]))
    return Day(profile, busy, await own_busy(campus, user_id, first, last))


async def own_busy(campus: Campus, user_id: str, first: date, last: date) -> list[Interval]:
    """Return a person's lessons and bookings from ``first`` to ``last``."""
    profile = await campus.profile()
    lessons = await campus.lessons(user_id)
    held = [lesson for day in days(first, last) for lesson in lessons_on(profile, lessons, day)]
    return spans(held) + spans(await campus.bookings(*whole_days(profile, first, last), user_id))


def whole_days(profile: Record, first: date, last: date) -> tuple[str, str]:
    """Return the start of the first day and the end of the last one, as ISO 8601."""
    zone = ZoneInfo(profile["timezone"])
    ends = datetime.combine(first, time(), zone), datetime.combine(last + timedelta(days=1), time(), zone)
    return ends[0].isoformat(), ends[1].isoformat()


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
    slots = [(room, earliest(free, need.stay)) for room, free in _free(day, need, now)]
    found = [_shown(day.profile, room, need, slot) for room, slot in slots if slot is not None]
    return sorted(found, key=lambda room: _rank(room, need))


def _free(day: Day, need: Need, now: datetime) -> list[tuple[Record, list[Interval]]]:
    """Return the rooms that fit apart from the time, with their free intervals inside the window."""
    window = (max(need.window[0], now), need.window[1])
    found = []
    for room in day.profile["rooms"]:
        if suits(day.profile, room, need):
            closed = [span for _, span in closures(day.profile, room["building"])]
            busy = [*day.room_busy.get(room["room_id"], ()), *closed, *day.own_busy]
            found.append((room, subtract(intersect(openings(day.profile, room, window), [window]), busy)))
    return found


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
    return {**shown, "reasons": _reasons(shown)}


def _reasons(room: Record) -> list[dict[str, str]]:
    reasons = [{"zh": f"可坐 {room['capacity']} 人", "en": f"seats {room['capacity']}"}]
    if room["walk_min"] is not None:
        reasons.append({"zh": f"步行 {room['walk_min']} 分钟", "en": f"{room['walk_min']} min on foot"})
    if room["fee"] == 0:
        reasons.append({"zh": "免费", "en": "free of charge"})
    return reasons


def _rank(room: Record, need: Need) -> tuple[Any, ...]:
    """Earliest first, then near, cheap, and no larger than needed."""
    return (room["start"], room["walk_min"] or 0, room["fee"], room["capacity"] - need.capacity, room["room_id"])


def own_clash(day: Day, need: Need, now: datetime) -> list[Interval]:
    """Return what of the person's own day stands in the way, if some room would fit without it."""
    if not fits(replace(day, own_busy=()), need, now):
        return []
    return intersect(merge(day.own_busy), [need.window])


def other_times(day: Day, need: Need, now: datetime, *, limit: int) -> list[Interval]:
    """Return other times of the same day at which some room fits, in steps of half an hour, nearest first."""
    midnight = need.window[0].replace(hour=0, minute=0, second=0, microsecond=0)
    whole_day = replace(need, window=(midnight, midnight + timedelta(days=1)))
    free = [span for _, spans_ in _free(day, whole_day, now) for span in spans_]
    starts = (midnight + timedelta(minutes=30 * step) for step in range(48))
    windows = [(start, start + need.stay) for start in starts]
    candidates = [
        window
        for window in windows
        if window != need.window and any(span[0] <= window[0] and window[1] <= span[1] for span in free)
    ]
    candidates.sort(key=lambda window: (abs(window[0] - need.window[0]), window[0]))
    return candidates[:limit]


def longest_stay(day: Day, need: Need, now: datetime, *, least: timedelta) -> Interval | None:
    """Return the longest time inside the window in which one room is free, if it is shorter than asked for."""
    best = longest(span for _, free in _free(day, need, now) for span in free)
    return best if best is not None and least <= best[1] - best[0] < need.stay else None
