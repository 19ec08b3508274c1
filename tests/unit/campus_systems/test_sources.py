"""Making a campus from files: what is wrong is named with file and line, and nothing is made or overwritten."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import surefoot_campus
from surefoot.errors import InputInvalid
from surefoot_campus.systems.load import CampusExists, init, samples

SHIPPED = Path(surefoot_campus.__path__[0]) / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the lakeside sample, to be spoilt."""
    return Path(shutil.copytree(SHIPPED / "lakeside", tmp_path / "mine"))


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("sample", ["lakeside", "harbour", "yunshan"])
def test_every_sample_loads(sample: str, tmp_path: Path) -> None:
    assert sample in samples()
    assert init(tmp_path / "c.sqlite", sample).counts["rooms"] >= 4


def test_the_samples_differ_in_names_zones_periods_and_rooms(tmp_path: Path) -> None:
    made = {name: tmp_path / f"{name}.sqlite" for name in samples()}
    for name, database in made.items():
        init(database, name)
    for key in ("name", "zones", "periods"):
        values = [rows(database, f"SELECT value FROM profile WHERE key = '{key}'") for database in made.values()]
        assert len({str(value) for value in values}) == len(made) >= 3
    rooms = [set(rows(database, "SELECT room_id FROM room")) for database in made.values()]
    assert sum(len(each) for each in rooms) == len(set().union(*rooms))


def test_an_existing_campus_is_never_overwritten_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    init(path, "lakeside")
    before = path.read_bytes()
    with pytest.raises(InputInvalid, match="left alone"):
        init(path, "harbour")
    assert path.read_bytes() == before
    init(path, "harbour", force=True)
    assert path.read_bytes() != before


def test_of_several_that_make_one_campus_at_once_one_wins_and_the_others_are_told(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"

    def make(_: int) -> bool:
        try:
            init(path, "lakeside")
        except CampusExists:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(make, range(8))) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["c.sqlite"]


def test_an_unknown_sample_names_the_ones_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="lakeside"):
        init(tmp_path / "c.sqlite", "atlantis")


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("rooms.csv", "Seminar Room 101,YX,4", "Seminar Room 101,QQ,4", "rooms.csv:2: building 'QQ' is not known"),
        ("rooms.csv", "YX,6,whiteboard", "YX,six,whiteboard", "rooms.csv:3: capacity 'six' is no number"),
        ("rooms.csv", "YX,6,whiteboard", "YX,0,whiteboard", "rooms.csv:3: capacity 0 must lie between 1 and 1000"),
        ("rooms.csv", "YX,6,whiteboard", "YX,6.5,whiteboard", "rooms.csv:3: capacity 6.5 is no whole number"),
        ("rooms.csv", "whiteboard;power,07:30", "blackboard;power,07:30", "rooms.csv:2: equipment 'blackboard'"),
        ("rooms.csv", "power,07:30,22:00", "power,22:30,22:00", "rooms.csv:2: closes must be later than opens"),
        ("rooms.csv", "power,07:30,22:00", "power,half eight,22:00", "rooms.csv:2: 'half eight' is no time of day"),
        ("rooms.csv", "YX-101,", "room 101,", "rooms.csv:2: room_id 'room 101' must look like AB-101"),
        ("rooms.csv", "YX-102,", "YX-101,", "rooms.csv:3: YX-101 stands twice"),
        ("rooms.csv", "22:00,0,\n", "22:00,0,no,extra\n", "rooms.csv:2: more cells than the header"),
        ("buildings.csv", "北区,31.0285", "火星,31.0285", "buildings.csv:3: zone '火星'"),
        ("buildings.csv", "北区,31.0285", "北区,131.0285", "buildings.csv:3: lat 131.0285 must lie between"),
        ("walks.csv", "YX,C1,3", "YX,C1,soon", "walks.csv:2: minutes 'soon' is no number"),
        ("canteens.csv", "canteen_id,name_zh", "canteen,name_zh", "canteens.csv:2: the column 'canteen_id' is missing"),
        ("canteens.csv", "06:30-09:30;", "06:30;", "canteens.csv:2: '06:30' are no hours, such as 10:30-13:30"),
        ("crowding.csv", "0.95", "95", "crowding.csv:6: level 95 must lie between 0 and 1"),
        ("crowding_now.csv", "09:52", "nine", "crowding_now.csv:2: '2026-12-01Tnine' is no time"),
        ("people.csv", "teacher,teacher,yes", "teacher,teacher,maybe", "people.csv:5: 'maybe' must be yes or no"),
        ("people.csv", "teacher,teacher,yes", "student,teacher,yes", "people.csv:5: student stands twice"),
        ("timetable.csv", "高等数学,1,1-2", "高等数学,8,1-2", "timetable.csv:2: weekday 8 must lie between 1 and 7"),
        ("timetable.csv", "高等数学,1,1-2", "高等数学,1,first", "timetable.csv:2: periods 'first' cannot be read"),
        ("timetable.csv", "高等数学,1,1-2", "高等数学,1,10-11", "timetable.csv:2: period '11' is not known"),
        ("timetable.csv", "student,高等数学", "nobody,高等数学", "timetable.csv:2: person 'nobody' is not known"),
        ("bookings.csv", "YX-102,li.wei", "YX-999,li.wei", "bookings.csv:2: room 'YX-999' is not known"),
        ("bookings.csv", "YX-101,chen.min", "LIB-211,chen.min", "bookings.csv:4: LIB-211 overlaps another booking"),
        ("bookings.csv", "T14:00,2026-12-01T16:00", "T16:00,2026-12-01T14:00", "bookings.csv:2: the end must be later"),
        ("campus.yaml", "policy:", "polcy:", "campus.yaml:30: unknown key 'polcy'"),
        ("campus.yaml", "timezone: Asia/Shanghai\n", "", "campus.yaml:1: the key 'timezone' is missing"),
        ("campus.yaml", "Asia/Shanghai", "Asia/Atlantis", "campus.yaml:3: 'Asia/Atlantis' is no time zone"),
        ("campus.yaml", "weeks: 18", "weeks: many", "campus.yaml:4: 'many' is no whole number"),
        ("campus.yaml", "2026-09-14", "2026-09-15", "campus.yaml:4: the term starts on the Monday of week 1"),
        ("campus.yaml", "2: [08:55, 09:40]", "2: [08:30, 09:40]", "campus.yaml:7: period 2 must end after it starts"),
        ("campus.yaml", "5: [9, 10]}", "5: [9, 11]}", "campus.yaml:16: there is no period 11"),
        ("campus.yaml", "{id: 东区, en: east}", "{id: 东区}", "campus.yaml:18: a zone has an id and an English name"),
        ("campus.yaml", "国庆节: [2026-10-01", "国庆节: [2026-10-08", "campus.yaml:23: 国庆节 ends before"),
        ("campus.yaml", "2026-10-10: 2026-10-06", "2026-10-10: Tuesday", "campus.yaml:29: 'Tuesday' is no date"),
        ("campus.yaml", "per_day: 2, ", "", "campus.yaml:30: the key 'per_day' is missing"),
        ("campus.yaml", "kind: maintenance", "kind: party", "campus.yaml:32: kind is one of maintenance, closed"),
        ("campus.yaml", "building: TW", "building: XX", "campus.yaml:33: there is no building 'XX'"),
        ("campus.yaml", "  2: [08:55", "  1: [08:55", "campus.yaml:7: the key '1' stands twice"),
        ("campus.yaml", "zones:", "zones: [", "campus.yaml:"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_line_and_nothing_is_made(
    folder: Path, tmp_path: Path, file: str, old: str, new: str, problem: str
) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputInvalid) as refused:
        init(tmp_path / "out" / "c.sqlite", folder)
    assert problem in refused.value.text.en
    assert list((tmp_path / "out").iterdir()) == []


def test_a_missing_file_and_a_file_in_another_encoding_are_said(folder: Path, tmp_path: Path) -> None:
    rooms = folder / "rooms.csv"
    rooms.write_bytes(rooms.read_text(encoding="utf-8").encode("gbk"))
    with pytest.raises(InputInvalid, match=r"rooms\.csv: not UTF-8 text; save the file as CSV UTF-8"):
        init(tmp_path / "c.sqlite", folder)
    rooms.unlink()
    with pytest.raises(InputInvalid, match=r"rooms\.csv: the file is missing"):
        init(tmp_path / "c.sqlite", folder)


def test_a_file_saved_by_a_spreadsheet_with_a_byte_order_mark_loads(folder: Path, tmp_path: Path) -> None:
    for name in ("rooms.csv", "campus.yaml"):
        file = folder / name
        file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert init(tmp_path / "c.sqlite", folder).counts["rooms"] == 14


def test_weeks_that_cannot_be_read_are_kept_as_unknown_and_reported_with_their_line(tmp_path: Path) -> None:
    made = init(tmp_path / "c.sqlite", "lakeside")
    assert len(made.warnings) == 1
    assert made.warnings[0].startswith("timetable.csv:19: weeks '未知' of 党课 not understood")
    assert rows(tmp_path / "c.sqlite", "SELECT weeks FROM lesson WHERE course = '党课'") == [(None,)]


@pytest.mark.parametrize(
    ("periods", "blocks"),
    [
        ("3", ["[3]"]), ("3-4", ["[3, 4]"]), ("第3-4节", ["[3, 4]"]), ("03-04", ["[3, 4]"]),
        ("\"3,4,5\"", ["[3, 4, 5]"]), ("3、4", ["[3, 4]"]), ("\"3-4节,7-8节\"", ["[3, 4]", "[7, 8]"]),
    ],
)  # fmt: skip
def test_periods_with_a_gap_become_one_lesson_for_each_block(
    folder: Path, tmp_path: Path, periods: str, blocks: list[str]
) -> None:
    table = folder / "timetable.csv"
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace("高等数学,1,1-2", f"高等数学,1,{periods}", 1), encoding="utf-8")
    init(tmp_path / "c.sqlite", folder)
    query = "SELECT periods FROM lesson WHERE course = '高等数学' AND user_id = 'student' ORDER BY periods"
    assert [row[0] for row in rows(tmp_path / "c.sqlite", query)] == blocks
