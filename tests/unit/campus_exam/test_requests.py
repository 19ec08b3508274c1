"""The request exam: readings in the exam's form, graded as its own grader grades."""

import json
from pathlib import Path
from typing import Any

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot_campus.exam.grading import compare, grade_dialogues, grade_requests, same_tasks
from surefoot_campus.exam.requests import requests

GOLD = [
    {"id": "x1", "text": "明天上午十点到十二点订一间研讨间，6个人", "tasks": ["find_room", "book_room"],
     "slots": {"date": "2026-12-02", "start": "10:00", "end": "12:00", "party_size": 6}, "clarify": []},
    {"id": "x2", "text": "帮我代考高数", "tasks": ["refuse"], "slots": {}, "clarify": []},
]  # fmt: skip
TALK = [{"id": "y1", "turns": [
    {"user": "明天下午有没有研讨间", "tasks": ["find_room"], "approx_time": True, "clarify": [],
     "slots": {"date": "2026-12-02", "start": "14:00", "end": "18:00"}},
    {"user": "我们六个", "tasks": ["find_room"], "approx_time": True, "clarify": [],
     "slots": {"date": "2026-12-02", "start": "14:00", "end": "18:00", "party_size": 6}},
]}]  # fmt: skip


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    folder = tmp_path / "exams" / "requests"
    folder.mkdir(parents=True)
    (folder / "campus_one.json").write_text(json.dumps(GOLD), encoding="utf-8")
    (folder / "campus_dialogues_one.json").write_text(json.dumps(TALK), encoding="utf-8")
    return tmp_path / "exams"


def test_every_item_is_read_graded_and_written_in_the_exams_form(exam: Path, tmp_path: Path) -> None:
    report = Report("requests")
    requests(report, exam, ["--predictions", str(tmp_path / "out")])
    assert report.figures["campus.items"] == 2
    assert report.figures["campus.tasks_exact"] == 1
    assert report.figures["dialogue.turns"] == 2
    assert report.figures["dialogue.state_exact"] == 1
    written = json.loads((tmp_path / "out" / "campus_one.json").read_text(encoding="utf-8"))
    assert [item["id"] for item in written] == ["x1", "x2"]
    assert written[0]["slots"]["party_size"] == 6


def test_the_folder_of_the_files_itself_is_taken_too(exam: Path) -> None:
    report = Report("requests")
    requests(report, exam / "requests", [])
    assert report.figures["campus.items"] == 2


def test_absent_data_and_unknown_options_are_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="does not exist"):
        requests(Report("requests"), tmp_path, [])
    with pytest.raises(InputInvalid, match="Unknown option"):
        requests(Report("requests"), tmp_path, ["--frobnicate"])


def test_a_wrong_reading_is_counted_and_named() -> None:
    read: dict[str, dict[str, Any]] = {
        "x1": {"tasks": ["find_room"], "slots": {"date": "2026-12-03"}, "clarify": ["start"]},
        "x2": {"tasks": ["find_room"], "slots": {}},
    }
    grade = grade_requests(GOLD, read)
    assert grade.figures["campus.tasks_exact"] == 0
    assert grade.figures["campus.slot_f1"] == 0
    assert grade.figures["campus.refuse_recall"] == 0
    assert grade.figures["campus.clarify_precision"] == 0
    assert [line.split()[0] for line in grade.failures] == ["x1", "x2"]
    assert grade_dialogues(TALK, {}).figures["dialogue.state_exact"] == 0


@pytest.mark.parametrize(
    ("gold", "given", "approx", "counts"),
    [
        ({"start": "14:00"}, {"start": "12:00"}, True, (1, 0, 0)),
        ({"start": "14:00"}, {"start": "12:00"}, False, (0, 1, 1)),
        ({"near": "图书馆"}, {"near": "图书馆附近"}, False, (1, 0, 0)),
        ({"equipment": ["projector", "board"]}, {"equipment": ["board"]}, False, (1, 0, 1)),
        ({"time_kind": "exact"}, {}, False, (0, 0, 0)),
    ],
)
def test_slots_are_compared_as_the_exam_says(
    gold: dict[str, Any], given: dict[str, Any], approx: bool, counts: tuple[int, int, int]
) -> None:
    assert compare(gold, given, approx=approx) == counts


def test_optional_tasks_do_not_count_and_order_counts_unless_it_is_free() -> None:
    gold = {"tasks": ["find_room", "book_room"], "optional_tasks": ["query_schedule"]}
    assert same_tasks(gold, {"tasks": ["query_schedule", "find_room", "book_room"]})
    assert not same_tasks(gold, {"tasks": ["book_room", "find_room"]})
    assert same_tasks(gold | {"order_free": True}, {"tasks": ["book_room", "find_room"]})
