"""Makes a campus database from readable files, all or nothing; errors name file and line."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from surefoot.errors import InputInvalid
from surefoot.texts import Text
from surefoot_campus.systems import records
from surefoot_campus.systems.profile import check_places, read_profile
from surefoot_campus.systems.sources import Row, read_rows, wrong

T = TypeVar("T")


class CampusExists(InputInvalid):
    """There is a campus in the file already; it was left alone."""


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
        CampusExists: the file is there.
        InputInvalid: the source does not exist, or a file of it is wrong (with file and line).
    """
    if database.exists() and not force:
        raise _exists(database)
    folder = _folder(source)
    database.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=database.parent, suffix=".new")
    os.close(handle)
    try:
        connection = sqlite3.connect(name)
        try:
            made = _fill(connection, folder, database)
            connection.commit()
        finally:
            connection.close()
        _put(Path(name), database, force=force)
    finally:
        Path(name).unlink(missing_ok=True)
    return made


def _put(new: Path, database: Path, *, force: bool) -> None:
    if force:
        for leftover in (database.with_name(f"{database.name}-wal"), database.with_name(f"{database.name}-shm")):
            leftover.unlink(missing_ok=True)
        os.replace(new, database)
        return
    try:
        # A link is made only where nothing stands: of two processes that make the campus at once, one wins.
        os.link(new, database)
    except FileExistsError as error:
        raise _exists(database) from error
    except OSError:
        # A file system without hard links.
        if database.exists():
            raise _exists(database) from None
        os.replace(new, database)


def _exists(database: Path) -> CampusExists:
    return CampusExists(
        Text(
            f"{database.name} 已经存在，没有改动。确实要重做请加 --force。",
            f"{database.name} exists and was left alone. To make it anew, say --force.",
        )
    )


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
    connection.execute("PRAGMA foreign_keys=ON")
    profile = read_profile(folder / "campus.yaml")
    zone = ZoneInfo(profile["timezone"])
    buildings = _unique(folder, "buildings.csv", records.building({zone["id"] for zone in profile["zones"]}), "id")
    places = {building["id"] for building in buildings}
    check_places(profile, folder / "campus.yaml", places)
    canteens = _unique(folder, "canteens.csv", records.canteen(places), "canteen_id")
    eateries = {canteen["canteen_id"] for canteen in canteens}
    rooms = _unique(folder, "rooms.csv", records.room(places), "room_id")
    profile |= {
        "buildings": buildings,
        "walks": _values(read_rows(folder, "walks.csv", records.walk(places))),
        "canteens": canteens,
        "crowding": _values(read_rows(folder, "crowding.csv", records.crowd(eateries))),
    }
    for key, value in profile.items():
        connection.execute("INSERT INTO profile VALUES (?, ?)", (key, json.dumps(value, ensure_ascii=False)))
    for room in rooms:
        connection.execute("INSERT INTO room VALUES (?, ?)", (room["room_id"], json.dumps(room, ensure_ascii=False)))
    _insert(
        connection, "INSERT INTO person VALUES (?, ?, ?)", "people.csv", read_rows(folder, "people.csv", records.person)
    )
    counts = read_rows(folder, "crowding_now.csv", records.head_count(eateries, zone), optional=True)
    _insert(connection, "INSERT INTO head_count VALUES (?, ?, ?)", "crowding_now.csv", counts)
    lessons, warnings = _lessons(connection, folder, profile)
    booked = read_rows(folder, "bookings.csv", records.booking(zone, {room["room_id"] for room in rooms}))
    _insert(
        connection,
        'INSERT INTO booking (room_id, user_id, start, "end", party_size, purpose, status)'
        " VALUES (?, ?, ?, ?, ?, '', 'booked')",
        "bookings.csv",
        booked,
    )
    made = {"buildings": len(places), "rooms": len(rooms), "canteens": len(eateries), "lessons": lessons}
    return Made(database, made, warnings)


def _lessons(connection: sqlite3.Connection, folder: Path, profile: dict[str, Any]) -> tuple[int, list[str]]:
    """Store the timetable; return how many lessons there are, and which weeks were not understood."""
    name, warnings, count = "timetable.csv", [], 0
    people = {row[0] for row in connection.execute("SELECT user_id FROM person")}
    places = {building["id"] for building in profile["buildings"]}
    for line, (row, lessons) in read_rows(folder, name, _with_row(records.lesson(profile, places, people))):
        connection.executemany("INSERT INTO lesson VALUES (?, ?, ?, ?, ?, ?, ?)", lessons)
        count += len(lessons)
        if lessons[0][4] is None:
            course, weeks = row["course"], row["weeks"]
            warnings.append(f"{name}:{line}: weeks {weeks!r} of {course} not understood; counts as busy every week")
    return count, warnings


def _with_row(read: Callable[[Row], T]) -> Callable[[Row], tuple[Row, T]]:
    return lambda row: (row, read(row))


def _values(rows: Iterable[tuple[int, T]]) -> list[T]:
    return [value for _, value in rows]


def _unique(folder: Path, name: str, read: Callable[[Row], dict[str, Any]], key: str) -> list[dict[str, Any]]:
    seen: dict[str, dict[str, Any]] = {}
    for line, record in read_rows(folder, name, read):
        if record[key] in seen:
            raise wrong(name, line, f"{record[key]} stands twice")
        seen[record[key]] = record
    return list(seen.values())


def _insert(connection: sqlite3.Connection, query: str, name: str, rows: Iterable[tuple[int, tuple[Any, ...]]]) -> None:
    for line, values in rows:
        try:
            connection.execute(query, values)
        except sqlite3.IntegrityError as error:
            problem = "overlaps another booking of that room" if "room_conflict" in str(error) else "stands twice"
            raise wrong(name, line, f"{values[0]} {problem}") from error
