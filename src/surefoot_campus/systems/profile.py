"""campus.yaml: the term, the periods, zones, holidays, policy and notices of a campus, checked line by line."""

from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from surefoot_campus.systems.sources import Sheet

REQUIRED = ("name", "timezone", "term", "periods", "zones", "policy")
OPTIONAL: dict[str, Any] = {
    "currency": "CNY",
    "double_periods": {},
    "holidays": {},
    "makeup": {},
    "notices": [],
    "answers": {},
    "day_parts": {},
}
POLICY = ("days_ahead", "max_hours", "per_day", "min_minutes")
NOTICES = ("maintenance", "closed")


def read_profile(path: Path) -> dict[str, Any]:
    """Return what a campus.yaml says; keys that may be left out are filled in.

    Raises:
        InputInvalid: something in it is wrong, with its line.
    """
    sheet = Sheet(path)
    data = sheet.data
    if not isinstance(data, dict):
        raise sheet.wrong("expected keys: " + ", ".join(REQUIRED))
    for key in data:
        if key not in REQUIRED and key not in OPTIONAL:
            raise sheet.wrong(f"unknown key {key!r}; there are {', '.join([*REQUIRED, *OPTIONAL])}", key)
    for key in REQUIRED:
        if key not in data:
            raise sheet.wrong(f"the key {key!r} is missing")
    profile = {**OPTIONAL, **data}
    for key, check in _CHECKS.items():
        try:
            check(profile, sheet)
        except KeyError as error:
            raise sheet.wrong(f"the key {error} is missing", key) from error
        except (ValueError, TypeError, AttributeError, IndexError) as error:
            raise sheet.wrong(str(error), key) from error
    return profile


def _name(profile: dict[str, Any], sheet: Sheet) -> None:
    _both(profile["name"])


def _timezone(profile: dict[str, Any], sheet: Sheet) -> None:
    try:
        ZoneInfo(profile["timezone"])
    except (KeyError, OSError) as error:
        raise ValueError(f"{profile['timezone']!r} is no time zone, such as Asia/Shanghai") from error


def _term(profile: dict[str, Any], sheet: Sheet) -> None:
    term = profile["term"]
    if date.fromisoformat(term["start"]).isoweekday() != 1:
        raise sheet.wrong(f"the term starts on the Monday of week 1; {term['start']} is none", "term", "start")
    term["weeks"] = _whole(term["weeks"], 1, 60)


def _periods(profile: dict[str, Any], sheet: Sheet) -> None:
    before = time.min
    for number, (start, end) in profile["periods"].items():
        _whole(number, 1, 30)
        if not before <= time.fromisoformat(start) < time.fromisoformat(end):
            raise sheet.wrong(f"period {number} must end after it starts, and start after the last", "periods", number)
        before = time.fromisoformat(end)


def _double_periods(profile: dict[str, Any], sheet: Sheet) -> None:
    for number, (first, last) in profile["double_periods"].items():
        for period in (first, last):
            if period not in profile["periods"]:
                raise sheet.wrong(f"there is no period {period}", "double_periods", number)


def _zones(profile: dict[str, Any], sheet: Sheet) -> None:
    for index, zone in enumerate(profile["zones"]):
        if not (isinstance(zone, dict) and zone.get("id") and zone.get("en")):
            raise sheet.wrong("a zone has an id and an English name: {id: 东区, en: east}", "zones", index)


def _holidays(profile: dict[str, Any], sheet: Sheet) -> None:
    for name, (first, last) in profile["holidays"].items():
        if date.fromisoformat(first) > date.fromisoformat(last):
            raise sheet.wrong(f"{name} ends before it begins", "holidays", name)


def _makeup(profile: dict[str, Any], sheet: Sheet) -> None:
    for day, taught_as in profile["makeup"].items():
        for value in (day, taught_as):
            try:
                date.fromisoformat(value)
            except ValueError as error:
                raise sheet.wrong(f"{value!r} is no date, such as 2026-10-10", "makeup", day) from error


def _policy(profile: dict[str, Any], sheet: Sheet) -> None:
    for key in POLICY:
        profile["policy"][key] = _whole(profile["policy"][key], 1, 1000)


def _notices(profile: dict[str, Any], sheet: Sheet) -> None:
    for index, notice in enumerate(profile["notices"]):
        if notice["kind"] not in NOTICES:
            raise sheet.wrong(f"kind is one of {', '.join(NOTICES)}", "notices", index)
        if datetime.fromisoformat(notice["start"]) >= datetime.fromisoformat(notice["end"]):
            raise sheet.wrong("a notice must end after it starts", "notices", index)
        _both(notice)


def check_places(profile: dict[str, Any], path: Path, places: set[str]) -> None:
    """Check that notices name buildings of the campus; one that names none holds for all of it.

    Raises:
        InputInvalid: an unknown building, with its line.
    """
    for index, notice in enumerate(profile["notices"]):
        if notice.get("building") and notice["building"] not in places:
            raise Sheet(path).wrong(f"there is no building {notice['building']!r}", "notices", index)


def _both(texts: dict[str, str]) -> None:
    if not (texts["zh"] and texts["en"]):
        raise ValueError("a text is needed in Chinese (zh) and English (en)")


def _whole(value: str, least: int, most: int) -> int:
    if not value.isdecimal():
        raise ValueError(f"{value!r} is no whole number")
    number = int(value)
    if not least <= number <= most:
        raise ValueError(f"{value} must lie between {least} and {most}")
    return number


_CHECKS: dict[str, Callable[[dict[str, Any], Sheet], None]] = {
    "name": _name,
    "timezone": _timezone,
    "term": _term,
    "periods": _periods,
    "double_periods": _double_periods,
    "zones": _zones,
    "holidays": _holidays,
    "makeup": _makeup,
    "policy": _policy,
    "notices": _notices,
}
