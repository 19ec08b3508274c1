"""Makes a campus database from readable files, all or nothing; errors name file and line."""

import csv
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from surefoot.errors import InputInvalid
from surefoot.texts import Text
from surefoot_campus.weeks import parse_weeks

Row = dict[str, str]


@dataclass(frozen=True)
class Made:
    """What was made: the file, how many rows of each kind, and what could not be read and counts as busy."""

    database: Path
    counts: dict[str, int]
    warnings: list[str] = field(default_factory=list)


def samples() -> list[str]:
    """Return the names of the samples that ship."""
    return sorted(entry.name for entry in _shipped().iterdir() if entry.is_dir())


def init(database: Path, source: str | Path, *, force: bool = False) -> Made:
    """Make ``database`` from a sample's name or a folder of files. An existing file stays unless ``force``.

    Raises:
        InputInvalid: the file exists, the source does not, or a file of it is wrong (with file and line).
    """
    if database.exists() and not force:
        raise InputInvalid(
            Text(
                f"{database.name} 已经存在，没有改动。确实要重做请加 --force。",
                f"{database.name} exists and was left alone. To make it anew, say --force.",
            )
        )
    folder = _folder(source)
    database.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=database.parent, suffix=".new")
    os.close(handle)
    try:
        connection = sqlite3.connect(name)
        made = _fill(connection, folder, database)
        connection.commit()
        connection.close()
        for leftover in (database.with_name(f"{database.name}-wal"), database.with_name(f"{database.name}-shm")):
            leftover.unlink(missing_ok=True)
        os.replace(name, database)
    finally:
        Path(name).unlink(missing_ok=True)
    return made


def _shipped() -> Path:
    return Path(str(files("surefoot_campus").joinpath("data")))


def _folder(source: str | Path) -> Path:
    folder = Path(source) if Path(source).is_dir() else _shipped() / str(source)
    if not (folder / "campus.yaml").is_file():
        names = "、".join(samples()), ", ".join(samples())
        raise InputInvalid(
            Text(
                f"“{source}”不是校园样例，也不是含 campus.yaml 的文件夹。样例有：{names[0]}。",
                f"{str(source)!r} is no sample and no folder with a campus.yaml. Samples: {names[1]}.",
            )
        )
    return folder


def _fill(connection: sqlite3.Connection, folder: Path, database: Path) -> Made:
    schema = files("surefoot_campus.systems").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.executescript(schema)
    profile = _profile(folder / "campus.yaml")
    zones = {zone["id"] for zone in profile["zones"]}
    profile["buildings"] = _rows(folder, "buildings.csv", _building(zones))
    places = {building["id"] for building in profile["buildings"]}
    profile["walks"] = _rows(folder, "walks.csv", _walk(places))
    profile["canteens"] = _rows(folder, "canteens.csv", _canteen(places))
    canteens = {canteen["canteen_id"] for canteen in profile["canteens"]}
    profile["crowding"] = _rows(folder, "crowding.csv", _crowd(canteens))
    rooms = _rows(folder, "rooms.csv", _room(places))
    for key, value in profile.items():
        connection.execute("INSERT INTO profile VALUES (?, ?)", (key, json.dumps(value, ensure_ascii=False)))
    for room in rooms:
        connection.execute("INSERT INTO room VALUES (?, ?)", (room["room_id"], json.dumps(room, ensure_ascii=False)))
    people = _rows(folder, "people.csv", lambda row: (row["user_id"], row["role"], row["may_book"] == "yes"))
    connection.executemany("INSERT INTO person VALUES (?, ?, ?)", people)
    warnings: list[str] = []
    lessons = _rows(folder, "timetable.csv", _lesson(profile, warnings))
    connection.executemany("INSERT INTO lesson VALUES (?, ?, ?, ?, ?, ?, ?)", lessons)
    bookings = _rows(folder, "bookings.csv", _booking(ZoneInfo(profile["timezone"])))
    connection.executemany(
        'INSERT INTO booking (room_id, user_id, start, "end", party_size, purpose, status)'
        " VALUES (?, ?, ?, ?, ?, '', 'booked')",
        bookings,
    )
    counts = {"buildings": len(places), "rooms": len(rooms), "canteens": len(canteens), "lessons": len(lessons)}
    return Made(database, counts, warnings)


def _profile(path: Path) -> dict[str, Any]:
    try:
        # BaseLoader keeps 08:00 and 2026-09-14 as they are written; YAML 1.1 would make numbers and dates of them.
        profile = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise _wrong(path.name, line, f"not YAML: {error.problem}") from error
    for key in ("name", "timezone", "term", "periods", "zones", "policy"):
        if not isinstance(profile, dict) or key not in profile:
            raise _wrong(path.name, 1, f"the key {key!r} is missing")
    try:
        profile["term"]["weeks"] = int(profile["term"]["weeks"])
        profile["policy"] = {key: int(value) for key, value in profile["policy"].items()}
        ZoneInfo(profile["timezone"])
        datetime.fromisoformat(profile["term"]["start"])
    except (KeyError, ValueError, TypeError) as error:
        raise _wrong(path.name, 1, str(error)) from error
    return {"double_periods": {}, "holidays": {}, "makeup": {}, "notices": [], "answers": {}, **profile}


def _rows(folder: Path, name: str, read: Callable[[Row], Any]) -> list[Any]:
    path = folder / name
    if not path.is_file():
        raise _wrong(name, 0, "the file is missing")
    return list(_read_rows(path, read))


def _read_rows(path: Path, read: Callable[[Row], Any]) -> Iterator[Any]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        for row in reader:
            try:
                yield read({key: (value or "").strip() for key, value in row.items()})
            except (KeyError, ValueError, TypeError, AttributeError) as error:
                problem = f"the column {error} is missing" if isinstance(error, KeyError) else str(error)
                raise _wrong(path.name, reader.line_num, problem) from error


def _wrong(file: str, line: int, problem: str) -> InputInvalid:
    where = f"{file}:{line}" if line else file
    return InputInvalid(Text(f"{where}：{problem}", f"{where}: {problem}"))


def _known(value: str, known: set[str], what: str) -> str:
    if value not in known:
        raise ValueError(f"{what} {value!r} is not known; there are {', '.join(sorted(known))}")
    return value


def _names(row: Row) -> dict[str, str]:
    return {"zh": row["name_zh"], "en": row["name_en"]}


def _list(value: str) -> list[str]:
    return [item.strip() for item in value.split(";") if item.strip()]


def _building(zones: set[str]) -> Callable[[Row], dict[str, Any]]:
    return lambda row: {
        "id": row["id"],
        "name": _names(row),
        "zone": _known(row["zone"], zones, "zone"),
        "lat": float(row["lat"]),
        "lon": float(row["lon"]),
    }


def _walk(places: set[str]) -> Callable[[Row], list[Any]]:
    return lambda row: [
        _known(row["from"], places, "building"),
        _known(row["to"], places, "building"),
        float(row["minutes"]),
    ]


def _room(places: set[str]) -> Callable[[Row], dict[str, Any]]:
    return lambda row: {
        "room_id": row["room_id"],
        "name": _names(row),
        "building": _known(row["building"], places, "building"),
        "capacity": int(row["capacity"]),
        "equipment": _list(row["equipment"]),
        "opens": row["opens"],
        "closes": row["closes"],
        "fee": float(row["fee_per_hour"]),
        "quiet": row.get("quiet", "") == "yes",
    }


def _canteen(places: set[str]) -> Callable[[Row], dict[str, Any]]:
    return lambda row: {
        "canteen_id": row["canteen_id"],
        "name": _names(row),
        "building": _known(row["building"], places, "building"),
        "hours": [hours.split("-") for hours in _list(row["hours"])],
        "taste": _list(row["taste"]),
        "diet": _list(row["diet"]),
        "rating": float(row["rating"]),
        "ratings": int(row["ratings"]),
        "price": float(row["price"]),
    }


def _crowd(canteens: set[str]) -> Callable[[Row], list[Any]]:
    return lambda row: [
        _known(row["canteen_id"], canteens, "canteen"),
        row["from"],
        row["to"],
        float(row["level"]),
    ]


def _lesson(profile: dict[str, Any], warnings: list[str]) -> Callable[[Row], tuple[Any, ...]]:
    def read(row: Row) -> tuple[Any, ...]:
        weeks = parse_weeks(row["weeks"], profile["term"]["weeks"])
        if weeks is None:
            warnings.append(f"timetable.csv: weeks {row['weeks']!r} of {row['course']} not understood; counts as busy")
        first, _, last = row["periods"].partition("-")
        periods = json.dumps(list(range(int(first), int(last or first) + 1)))
        listed = json.dumps(weeks) if weeks else None
        who = row["user_id"] or None
        return who, row["course"], int(row["weekday"]), periods, listed, row["building"], row["room_id"]

    return read


def _booking(zone: ZoneInfo) -> Callable[[Row], tuple[Any, ...]]:
    def seconds(text: str) -> int:
        moment = datetime.fromisoformat(text)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp())

    return lambda row: (
        row["room_id"], row["user_id"], seconds(row["start"]), seconds(row["end"]), int(row["party_size"]),
    )  # fmt: skip
