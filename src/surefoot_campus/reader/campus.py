"""The facts of a campus, from its systems' port: calendar, places, own bookings, who may book, maintenance."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.language import Calendar, Period
from surefoot.texts import Text
from surefoot_campus.reader.facts import Booking, Facts, Maintenance
from surefoot_campus.reader.places import Places
from surefoot_campus.systems.port import Campus

_CALENDAR_KEYS = ("timezone", "term", "periods", "double_periods", "holidays", "makeup", "day_parts")
_PLACE_KEYS = ("zones", "buildings")


async def calendar_of(systems: Campus) -> Calendar:
    """Return the campus' calendar: term, periods, double periods, holidays, make-up days."""
    return _calendar(_key(await systems.profile(), _CALENDAR_KEYS))


async def facts_of(systems: Campus) -> Facts:
    """Return what reader and guards need of a campus. Raises surefoot's ToolError family when it cannot be asked."""
    profile = await systems.profile()
    calendar = _calendar(_key(profile, _CALENDAR_KEYS))

    async def bookings(user_id: str) -> Sequence[Booking]:
        first = datetime.combine(calendar.term_start, time(0), calendar.zone)
        last = first + timedelta(weeks=calendar.weeks + 1)
        found = await systems.bookings(first.isoformat(), last.isoformat(), user_id)
        names = {room["room_id"]: room["name"] for room in profile.get("rooms", [])}
        return [{**item, "room_name": names.get(item["room_id"], item["room_id"])} for item in found]

    async def may_book(user_id: str) -> bool:
        return bool((await systems.person(user_id))["may_book"])

    return Facts(
        calendar=calendar,
        places=_places(_key(profile, _PLACE_KEYS)),
        bookings=bookings,
        may_book=may_book,
        maintenance=tuple(_maintenance(profile, calendar.zone)),
        days_ahead=profile.get("policy", {}).get("days_ahead"),
        canteens=tuple(_canteens(profile)),
        answers={name: Text.from_json(answer) for name, answer in (profile.get("answers") or {}).items()},
    )


def _key(profile: Mapping[str, Any], names: Sequence[str]) -> str:
    return json.dumps({name: profile.get(name) for name in names}, sort_keys=True, ensure_ascii=False)


@lru_cache(maxsize=8)
def _calendar(key: str) -> Calendar:
    data = json.loads(key)
    periods = [
        Period(int(number), time.fromisoformat(start), time.fromisoformat(end))
        for number, (start, end) in data["periods"].items()
    ]
    spans = {
        name: (date.fromisoformat(first), date.fromisoformat(last)) for name, (first, last) in _items(data, "holidays")
    }
    return Calendar(
        term_start=date.fromisoformat(data["term"]["start"]),
        weeks=int(data["term"]["weeks"]),
        periods=tuple(sorted(periods, key=lambda period: period.number)),
        double_periods={int(n): (int(first), int(last)) for n, (first, last) in _items(data, "double_periods")},
        holidays=spans,
        makeup={date.fromisoformat(day): date.fromisoformat(as_) for day, as_ in _items(data, "makeup")},
        day_parts={
            name: (time.fromisoformat(start), time.fromisoformat(end))
            for name, (start, end) in _items(data, "day_parts")
        },
        timezone=data["timezone"],
    )


def _items(data: Mapping[str, Any], name: str) -> list[tuple[str, Any]]:
    return list((data.get(name) or {}).items())


@lru_cache(maxsize=8)
def _places(key: str) -> Places:
    data = json.loads(key)
    zones = {zone["id"]: tuple(filter(None, (zone.get("en"),))) for zone in data["zones"] or []}
    buildings = {
        name: building["id"]
        for building in data["buildings"] or []
        for name in (building["id"], *building["name"].values())
    }
    return Places(zones=zones, landmarks=buildings)


def _maintenance(profile: Mapping[str, Any], zone: ZoneInfo) -> list[Maintenance]:
    def moment(value: str) -> datetime:
        at = datetime.fromisoformat(value)
        return at if at.tzinfo else at.replace(tzinfo=zone)

    return [
        Maintenance(moment(notice["start"]), moment(notice["end"]), Text(notice["zh"], notice["en"]))
        for notice in profile.get("notices") or []
        if notice["kind"] == "maintenance"
    ]


def _canteens(profile: Mapping[str, Any]) -> list[tuple[Text, str]]:
    return [
        (Text.from_json(canteen["name"]), "、".join("–".join(hours) for hours in canteen["hours"]))
        for canteen in profile.get("canteens", [])
    ]
