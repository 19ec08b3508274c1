"""Grading of readings against the request exam's gold: exact task lists, slots, refusals, questions, turns.

The measures and their names are those of the exam's own grader: a slot counts as one pair of name and value, a list
as one pair per item; free-text slots are compared by containment, ``approx_time`` lets start and end be two hours off.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CONTAINED = frozenset({"near", "booking_ref", "topic", "paper_ref", "room", "focus", "choice_text"})
IGNORED = frozenset({"time_kind"})
APPROX_MINUTES = 120

Pair = tuple[str, Any]


@dataclass
class Counts:
    """Right, wrongly there, wrongly absent."""

    hits: int = 0
    extra: int = 0
    missing: int = 0

    def add(self, hits: int, extra: int, missing: int) -> None:
        """Add one item's counts."""
        self.hits, self.extra, self.missing = self.hits + hits, self.extra + extra, self.missing + missing

    def add_yes_no(self, wanted: bool, given: bool) -> None:
        """Add one decision."""
        self.add(int(wanted and given), int(given and not wanted), int(wanted and not given))

    @property
    def precision(self) -> float:
        """Right among those given."""
        return round(self.hits / max(1, self.hits + self.extra), 4)

    @property
    def recall(self) -> float:
        """Right among those wanted."""
        return round(self.hits / max(1, self.hits + self.missing), 4)

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return round(2 * self.hits / (2 * self.hits + self.extra + self.missing), 4) if self.hits else 0.0


@dataclass
class Grade:
    """Figures by the grader's names, and a line for every item that is not right."""

    figures: dict[str, float | int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def grade_requests(golds: Sequence[Mapping[str, Any]], read: Mapping[str, Mapping[str, Any]]) -> Grade:
    """Grade single requests; ``read`` holds the readings by item id."""
    right, slots, refuse, clarify, grade = 0, Counts(), Counts(), Counts(), Grade()
    for gold in golds:
        given = read.get(gold["id"], {})
        tasks = same_tasks(gold, given)
        found = compare(gold["slots"], given.get("slots"), approx=bool(gold.get("approx_time")))
        right += tasks
        slots.add(*found)
        refuse.add_yes_no("refuse" in gold["tasks"], "refuse" in given.get("tasks", ()))
        clarify.add_yes_no(bool(gold.get("clarify")), bool(given.get("clarify")))
        if not tasks or found[1] or found[2]:
            grade.failures.append(_failure(gold["id"], gold["text"], gold, given))
    grade.figures = {
        "campus.items": len(golds),
        "campus.tasks_exact": round(right / max(1, len(golds)), 4),
        "campus.slot_f1": slots.f1,
        "campus.refuse_recall": refuse.recall,
        "campus.refuse_false": refuse.extra,
        "campus.clarify_precision": clarify.precision,
        "campus.clarify_recall": clarify.recall,
    }
    return grade


def grade_dialogues(golds: Sequence[Mapping[str, Any]], read: Mapping[str, Mapping[str, Any]]) -> Grade:
    """Grade the state after each turn: tasks, every slot, and whether a question is asked."""
    turns = exact = tasks = 0
    grade = Grade()
    for gold in golds:
        states = read.get(gold["id"], {}).get("turns", [])
        for number, wanted in enumerate(gold["turns"]):
            given = states[number] if number < len(states) else {}
            right = same_tasks(wanted, given)
            _, extra, missing = compare(
                wanted.get("slots"), given.get("slots"), approx=bool(wanted.get("approx_time"))
            )  # fmt: skip
            whole = right and not extra and not missing and bool(wanted.get("clarify")) == bool(given.get("clarify"))
            turns, tasks, exact = turns + 1, tasks + right, exact + whole
            if not whole:
                grade.failures.append(_failure(f"{gold['id']} turn {number + 1}", wanted["user"], wanted, given))
    grade.figures = {
        "dialogue.turns": turns,
        "dialogue.state_exact": round(exact / max(1, turns), 4),
        "dialogue.tasks_exact": round(tasks / max(1, turns), 4),
    }
    return grade


def same_tasks(gold: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Return whether the task lists agree, optional tasks left aside, in order unless the order is free."""
    optional = set(gold.get("optional_tasks", ()))
    wanted = [task for task in gold["tasks"] if task not in optional]
    had = [task for task in given.get("tasks", ()) if task not in optional]
    return sorted(wanted) == sorted(had) if gold.get("order_free") else wanted == had


def compare(
    gold: Mapping[str, Any] | None, given: Mapping[str, Any] | None, *, approx: bool = False
) -> tuple[int, int, int]:
    """Return how many slot values are right, wrongly there, wrongly absent."""
    wanted, left, hits = _pairs(gold), _pairs(given), 0
    for pair in list(wanted):
        match = next((other for other in left if _same(pair, other, approx)), None)
        if match is not None:
            left.remove(match)
            hits += 1
    return hits, len(left), len(wanted) - hits


def _pairs(slots: Mapping[str, Any] | None) -> list[Pair]:
    pairs: list[Pair] = []
    for name, value in (slots or {}).items():
        if name in IGNORED or value in (None, [], ""):
            continue
        pairs += [(name, _plain(item)) for item in (value if isinstance(value, list) else [value])]
    return pairs


def _plain(value: Any) -> str:
    return re.sub(r"[\s，。,.、\"'“”]", "", str(value)).lower()


def _same(wanted: Pair, given: Pair, approx: bool) -> bool:
    (name, gold), (other, value) = wanted, given
    if name != other:
        return False
    if name in CONTAINED:
        return gold in value or value in gold
    if approx and name in {"start", "end"}:
        one, two = _minutes(gold), _minutes(value)
        return one is not None and two is not None and abs(one - two) <= APPROX_MINUTES
    return bool(gold == value)


def _minutes(clock: str) -> int | None:
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", clock)
    return int(match[1]) * 60 + int(match[2]) if match else None


def _failure(name: str, text: str, gold: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    wanted = f"{list(gold['tasks'])} {dict(gold.get('slots') or {})} ask {gold.get('clarify', [])}"
    had = f"{given.get('tasks')} {given.get('slots')} ask {given.get('clarify', [])}"
    return f"{name} {text}\n    gold {wanted}\n    read {had}"
