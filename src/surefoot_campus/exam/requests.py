"""``surefoot eval requests``: the request exam, read by the campus reader and graded as its own grader grades.

``--data FOLDER`` is the exams' folder, or the folder of the request files. ``--predictions FOLDER`` writes the readings
in the exam's own form, one file per exam file; ``--failures`` lists every item that was not read right.
"""

import json
import time
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path
from typing import Any

from surefoot.errors import InputInvalid
from surefoot.evals.finding import data_folder
from surefoot.evals.report import Report
from surefoot.language import Calendar, Period
from surefoot.texts import Text
from surefoot_campus.exam.grading import Grade, grade_dialogues, grade_requests
from surefoot_campus.reader.dialogue import Scene, follow
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Reading

NOW = "2026-12-01T10:00+08:00"
"""When every sentence of the exam is said; its conventions fix the day and the weeks of term."""
STARTS = tuple(
    time_of_day.fromisoformat(start)
    for start in ("08:00", "08:55", "10:00", "10:55", "14:00", "14:55", "16:00", "16:55", "19:00", "19:55")
)
PERIOD_MINUTES = 45


def requests(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Read and grade every ``campus_*.json`` and ``campus_dialogues_*.json``.

    Raises:
        InputInvalid: the data is absent, or an option is not known.
    """
    predictions, failures = _options(options)
    folder = data if data is not None and list(data.glob("campus_*.json")) else data_folder(data, "requests")
    scene = exam_scene()
    singles: list[Mapping[str, Any]] = []
    dialogues: list[Mapping[str, Any]] = []
    given: dict[str, dict[str, Any]] = {}
    spent: list[float] = []
    for file in sorted(folder.glob("campus_*.json")):
        items = json.loads(file.read_text(encoding="utf-8"))
        answers = [_dialogue(item, scene) if "turns" in item else _single(item, scene, spent) for item in items]
        (dialogues if items and "turns" in items[0] else singles).extend(items)
        given |= {answer["id"]: answer for answer in answers}
        if predictions is not None:
            predictions.mkdir(parents=True, exist_ok=True)
            (predictions / file.name).write_text(json.dumps(answers, ensure_ascii=False, indent=1), encoding="utf-8")
    grades: list[Grade] = [grade_requests(singles, given)] if singles else []
    grades += [grade_dialogues(dialogues, given)] if dialogues else []
    for grade in grades:
        for name, figure in grade.figures.items():
            report.add(name, figure)
        for line in grade.failures if failures else ():
            report.note(line)
    if spent:
        report.add("campus.p95_ms", round(sorted(spent)[int(len(spent) * 0.95)], 3))
    report.note("literature items: the literature application comes in a later part; they are not read")


def _single(item: Mapping[str, Any], scene: Scene, spent: list[float]) -> dict[str, Any]:
    began = time.perf_counter()
    reading = read(item["text"], scene.now, scene.calendar, scene.places)
    spent.append((time.perf_counter() - began) * 1000)
    return {"id": item["id"], **reading.to_json()}


def _dialogue(item: Mapping[str, Any], scene: Scene) -> dict[str, Any]:
    earlier: list[Reading] = []
    turns = []
    for turn in item["turns"]:
        state, _ = follow(earlier, turn["user"], scene, said_before=turn.get("assistant_before") or "")
        earlier.append(state)
        turns.append(state.to_json())
    return {"id": item["id"], "turns": turns}


def _options(options: Sequence[str]) -> tuple[Path | None, bool]:
    folder, failures, left = None, False, list(options)
    while left:
        word = left.pop(0)
        if word == "--failures":
            failures = True
        elif word == "--predictions" and left:
            folder = Path(left.pop(0))
        else:
            raise InputInvalid(
                Text(
                    f"不认识的选项 {word}；可用 --predictions 文件夹、--failures。",
                    f"Unknown option {word}; there are --predictions FOLDER and --failures.",
                )
            )
    return folder, failures


def exam_scene() -> Scene:
    """Return the exam's own campus: week 1 begins on Monday 2026-09-14, ten periods of 45 minutes."""
    periods = [Period(number, start, _after(start, PERIOD_MINUTES)) for number, start in enumerate(STARTS, start=1)]
    return Scene(datetime.fromisoformat(NOW), Calendar(date(2026, 9, 14), 18, tuple(periods)), Places())


def _after(start: time_of_day, minutes: int) -> time_of_day:
    return (datetime.combine(date.min, start) + timedelta(minutes=minutes)).time()
