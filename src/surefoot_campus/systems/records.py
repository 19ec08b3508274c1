"""One reader for each CSV file of a campus: a row of text becomes a record, or ValueError says what is wrong."""

import json
import re
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from surefoot_campus.systems.sources import Row
from surefoot_campus.weeks import parse_weeks

EQUIPMENT = ("projector", "whiteboard", "tv", "computer", "video", "power")
ROOM_ID = re.compile(r"[A-Z]{1,3}-[0-9]{3}")
"""What the contract of book_room accepts; a room of another form could be shown, never booked."""
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)")
Record = dict[str, Any]


def building(zones: Collection[str]) -> Callable[[Row], Record]:
    """Return the reader of buildings.csv."""
    return lambda row: {
        "id": _some(row, "id"),
        "name": _names(row),
        "zone": _known(row["zone"], zones, "zone"),
        "lat": _number(row, "lat", -90, 90),
        "lon": _number(row, "lon", -180, 180),
    }


def walk(places: Collection[str]) -> Callable[[Row], list[Any]]:
    """Return the reader of walks.csv: from, to, measured minutes."""
    return lambda row: [
        _known(row["from"], places, "building"),
        _known(row["to"], places, "building"),
        _number(row, "minutes", 0, 240),
    ]


def room(places: Collection[str]) -> Callable[[Row], Record]:
    """Return the reader of rooms.csv."""

    def read(row: Row) -> Record:
        if not ROOM_ID.fullmatch(row["room_id"]):
            raise ValueError(f"room_id {row['room_id']!r} must look like AB-101")
        if _minutes(row["opens"]) >= _minutes(row["closes"]):
            raise ValueError("closes must be later than opens; 25:00 is one hour after midnight")
        return {
            "room_id": row["room_id"],
            "name": _names(row),
            "building": _known(row["building"], places, "building"),
            "capacity": _whole(row, "capacity", 1, 1000),
            "equipment": [_known(item, EQUIPMENT, "equipment") for item in _list(row["equipment"])],
            "opens": row["opens"],
            "closes": row["closes"],
            "fee": _number(row, "fee_per_hour", 0, 100_000),
            "quiet": _yes(row.get("quiet", "")),
        }

    return read


def canteen(places: Collection[str]) -> Callable[[Row], Record]:
    """Return the reader of canteens.csv."""
    return lambda row: {
        "canteen_id": _some(row, "canteen_id"),
        "name": _names(row),
        "building": _known(row["building"], places, "building"),
        "hours": [_hours(hours) for hours in _list(row["hours"])],
        "taste": _list(row["taste"]),
        "diet": _list(row["diet"]),
        "rating": _number(row, "rating", 0, 5),
        "ratings": _whole(row, "ratings", 0, 10_000_000),
        "price": _number(row, "price", 0, 100_000),
    }


def crowd(canteens: Collection[str]) -> Callable[[Row], list[Any]]:
    """Return the reader of crowding.csv: how full a canteen usually is (0..1) from one time to another."""
    return lambda row: [
        _known(row["canteen_id"], canteens, "canteen"),
        *_hours(f"{row['from']}-{row['to']}"),
        _number(row, "level", 0, 1),
    ]


def head_count(canteens: Collection[str], zone: ZoneInfo) -> Callable[[Row], tuple[Any, ...]]:
    """Return the reader of crowding_now.csv: how full a canteen was when somebody last counted."""
    return lambda row: (
        _known(row["canteen_id"], canteens, "canteen"),
        _number(row, "level", 0, 1),
        _seconds(row["at"], zone),
    )


def person(row: Row) -> tuple[str, str, bool]:
    """Read a row of people.csv."""
    return _some(row, "user_id"), _some(row, "role"), _yes(row["may_book"])


def lesson(profile: Record, places: Collection[str], people: Collection[str]) -> Callable[[Row], list[tuple[Any, ...]]]:
    """Return the reader of timetable.csv. Periods with a gap between them become one lesson for each block.

    Weeks that cannot be read are kept as ``None``: the lesson counts as held every week.
    """

    def read(row: Row) -> list[tuple[Any, ...]]:
        weeks = parse_weeks(row["weeks"], profile["term"]["weeks"])
        who = _known(row["user_id"], people, "person") if row["user_id"] else None
        weekday = _whole(row, "weekday", 1, 7)
        place = _known(row["building"], places, "building")
        listed = json.dumps(weeks) if weeks else None
        return [
            (who, _some(row, "course"), weekday, json.dumps(block), listed, place, row["room_id"])
            for block in _blocks(row["periods"], profile["periods"])
        ]

    return read


def booking(zone: ZoneInfo, rooms: Collection[str]) -> Callable[[Row], tuple[Any, ...]]:
    """Return the reader of bookings.csv: what others have booked already."""

    def read(row: Row) -> tuple[Any, ...]:
        start, end = _seconds(row["start"], zone), _seconds(row["end"], zone)
        if start >= end:
            raise ValueError("the end must be later than the start")
        room_id = _known(row["room_id"], rooms, "room")
        return room_id, _some(row, "user_id"), start, end, _whole(row, "party_size", 1, 1000)

    return read


def _some(row: Row, column: str) -> str:
    if not row[column]:
        raise ValueError(f"{column} is empty")
    return row[column]


def _names(row: Row) -> dict[str, str]:
    return {"zh": _some(row, "name_zh"), "en": _some(row, "name_en")}


def _list(value: str) -> list[str]:
    return [item.strip() for item in value.replace("；", ";").split(";") if item.strip()]


def _known(value: str, known: Collection[str], what: str) -> str:
    if value not in known:
        raise ValueError(f"{what} {value!r} is not known; there are {', '.join(sorted(known))}")
    return value


def _number(row: Row, column: str, least: float, most: float) -> float:
    try:
        number = float(row[column])
    except ValueError as error:
        raise ValueError(f"{column} {row[column]!r} is no number") from error
    if not least <= number <= most:
        raise ValueError(f"{column} {row[column]} must lie between {least:g} and {most:g}")
    return number


def _whole(row: Row, column: str, least: int, most: int) -> int:
    number = _number(row, column, least, most)
    if number != int(number):
        raise ValueError(f"{column} {row[column]} is no whole number")
    return int(number)


def _yes(value: str) -> bool:
    if value not in ("yes", "no", ""):
        raise ValueError(f"{value!r} must be yes or no")
    return value == "yes"


def _minutes(clock: str) -> int:
    match = _CLOCK.fullmatch(clock)
    if match is None or int(match[1]) > 30:
        raise ValueError(f"{clock!r} is no time of day, such as 08:00")
    return int(match[1]) * 60 + int(match[2])


def _hours(text: str) -> list[str]:
    hours = [part.strip() for part in text.split("-")]
    if len(hours) != 2:
        raise ValueError(f"{text!r} are no hours, such as 10:30-13:30")
    return [f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in map(_minutes, hours)]


def _seconds(text: str, zone: ZoneInfo) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no time, such as 2026-12-02T14:00") from error
    return int((moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp())


def _blocks(text: str, known: Collection[str]) -> list[list[int]]:
    """Return the runs of periods in ``3-4``, ``3,4,5``, ``第3-4节,7-8节``."""
    numbers: set[int] = set()
    for piece in re.sub(r"[第节\s]", "", text).replace("，", ",").replace("、", ",").split(","):
        match = re.fullmatch(r"0?(\d{1,2})(?:-0?(\d{1,2}))?", piece)
        if match is None:
            raise ValueError(f"periods {text!r} cannot be read; write 3-4 or 3-4,7-8")
        first, last = int(match[1]), int(match[2] or match[1])
        numbers |= set(range(min(first, last), max(first, last) + 1))
    for number in sorted(numbers):
        _known(str(number), known, "period")
    blocks: list[list[int]] = []
    for number in sorted(numbers):
        if blocks and blocks[-1][-1] == number - 1:
            blocks[-1].append(number)
        else:
            blocks.append([number])
    return blocks
