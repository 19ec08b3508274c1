"""Walking minutes: measured where somebody measured them, else estimated from the coordinates."""

from collections.abc import Mapping
from math import asin, ceil, cos, radians, sin, sqrt
from typing import Any

DETOUR = 1.3
METRES_PER_MINUTE = 80.0
BUFFER_MINUTES = 1.0
EARTH_METRES = 6_371_000.0


def minutes_between(profile: Mapping[str, Any], start: str, end: str) -> int:
    """Return whole minutes on foot from one building to another.

    A measured walk counts in both directions unless the other direction was measured too. Otherwise the great-circle
    distance (haversine) times 1.3 at 80 metres a minute, and one minute more.
    """
    if start == end:
        return 0
    measured: dict[tuple[str, str], float] = {(walk[0], walk[1]): walk[2] for walk in profile["walks"]}
    known = measured.get((start, end), measured.get((end, start)))
    if known is not None:
        return ceil(known)
    places = {building["id"]: building for building in profile["buildings"]}
    return ceil(_metres(places[start], places[end]) * DETOUR / METRES_PER_MINUTE + BUFFER_MINUTES)


def _metres(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    lat_a, lat_b = radians(a["lat"]), radians(b["lat"])
    half = (
        sin((lat_b - lat_a) / 2) ** 2 + cos(lat_a) * cos(lat_b) * sin(radians(b["lon"] - a["lon"]) / 2) ** 2
    )  # fmt: skip
    return 2 * EARTH_METRES * asin(sqrt(half))


def building_of(profile: Mapping[str, Any], place: str | None) -> str | None:
    """Return the building that a room id, building id or building name stands for, or ``None``."""
    if not place:
        return None
    wanted = place.strip().casefold()
    for room in profile["rooms"]:
        if wanted in (room["room_id"].casefold(), room["name"]["zh"].casefold(), room["name"]["en"].casefold()):
            return str(room["building"])
    named = {
        building["id"]: {building["id"].casefold(), *(name.casefold() for name in building["name"].values())}
        for building in profile["buildings"]
    }
    exact = (building for building, names in named.items() if wanted in names)
    alike = (building for building, names in named.items() if _alike(wanted, names))
    return next(exact, None) or next(alike, None)


def _alike(wanted: str, names: set[str]) -> bool:
    return any(min(len(name), len(wanted)) > 1 and (name in wanted or wanted in name) for name in names)


def zone_id(profile: Mapping[str, Any], zone: str | None) -> str | None:
    """Return the zone's id for its id or English name, or ``None`` when there is no such zone."""
    for known in profile["zones"]:
        if zone and zone.casefold() in (known["id"].casefold(), known["en"].casefold()):
            return str(known["id"])
    return None
