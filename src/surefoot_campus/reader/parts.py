"""The first look at a sentence, and the slots and doubts that follow from it whatever is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from surefoot.language import Calendar, TimeProblem
from surefoot.texts import Text
from surefoot_campus.reader.acts import Acts, acts_of
from surefoot_campus.reader.clauses import Clause, split
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.moments import Moment, moments
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Found
from surefoot_campus.reader.timing import Timing, Window, asks_from_now, clock, day_slots, time_slots, window_of
from surefoot_campus.reader.wishes import wishes

_DAY_PROBLEMS = frozenset(
    {"DATE_MISMATCH", "DAY_OUT_OF_RANGE", "WEEK_UNKNOWN", "MONTH_OUT_OF_RANGE", "YEAR_OUT_OF_RANGE", "OUT_OF_RANGE"}
)
BACKWARDS = Text("结束时间早于开始时间。", "The end is before the start.")


@dataclass(frozen=True)
class Parts:
    """What the first look at a sentence yields."""

    text: str
    clauses: Sequence[Clause]
    acts: Sequence[Acts]
    moments: Sequence[Moment]
    problems: Sequence[TimeProblem]
    slots: dict[str, Found]
    now: datetime

    def any(self, name: str) -> bool:
        """Return whether any clause does this."""
        return any(getattr(act, name) for act in self.acts)

    def first(self, name: str) -> int:
        """Return the first clause that does this; the number of clauses when none does."""
        return next((n for n, act in enumerate(self.acts) if getattr(act, name)), len(self.acts))


def look(plain: str, now: datetime, calendar: Calendar, places: Places) -> Parts:
    """Return clauses, acts, moments and wishes of a normalised sentence."""
    clauses = split(plain)
    acts = [acts_of(clause) for clause in clauses]
    found, problems = moments(plain, now=now, calendar=calendar)
    slots = wishes(plain, calendar, places)
    return Parts(plain, clauses, acts, _without_walks(found, slots), problems, slots, now)


def _without_walks(found: Sequence[Moment], slots: dict[str, Found]) -> list[Moment]:
    """Leave out what was read as the length of a walk (走路别超过十分钟 is no time of day)."""
    walk = slots["max_walk_min"].span if "max_walk_min" in slots else None
    return [m for m in found if walk is None or m.end <= walk[0] or m.start >= walk[1]]


def wants_booking(parts: Parts) -> bool:
    """Return whether a reservation is wanted: asked for, or the whole arrangement left to us, and not put off."""
    if says("not_book", parts.text) and not says("confirm_first_to_book", parts.text):
        return False
    return parts.any("book") or says("delegated", parts.text) or says("confirm_first_to_book", parts.text)


def fill_slots(parts: Parts, timing: Timing, *, room: bool, meal: bool) -> tuple[dict[str, Found], Window]:
    """Return all slots for a room, a meal or both, and the window of the room (or of the only thing asked)."""
    slots = dict(parts.slots)
    length = slots.get("duration_min")
    certain = not day_problem(parts)
    window = window_of(timing.room, parts.now, assume_day=certain)
    eating = window_of(timing.meal, parts.now, assume_day=certain)
    if not room:
        slots.pop("duration_min", None)
    slots |= day_slots(window if window.days else eating)
    slots |= time_slots(window, length.value if length and room else None)
    if room and meal and eating.clocked:
        slots |= _meal_slots(eating)
        if timing.until_meal and "end" not in slots and eating.begin:
            slots["end"] = Found(clock(eating.begin), eating.span)
    if not parts.moments and says("at_once", parts.text):
        slots |= {"date": Found(parts.now.date().isoformat()), "start": Found(clock(parts.now.time()))}
        slots |= {"time_kind": Found("exact")}
    if not (room or meal) and asks_from_now(parts.text):
        slots.setdefault("date", Found(parts.now.date().isoformat()))
        if "start" not in slots:
            slots |= {"start": Found(clock(parts.now.time())), "time_kind": Found("after")}
    if open_size(parts):
        slots.pop("party_size", None)
    if not meal:
        slots = {name: found for name, found in slots.items() if name not in ("crowd", "taste", "taste_not", "diet")}
    return slots, window


def _meal_slots(window: Window) -> dict[str, Found]:
    slots = {}
    if window.begin is not None:
        slots["meal_start"] = Found(clock(window.begin), window.span)
    if window.until is not None:
        slots["meal_end"] = Found(clock(window.until), window.span)
    return slots


def open_size(parts: Parts) -> bool:
    """Return whether the sentence itself leaves the number of people open."""
    return says("undecided_size", parts.text)


def day_problem(parts: Parts) -> bool:
    """Return whether a day was named that cannot be."""
    return any(problem.code in _DAY_PROBLEMS for problem in parts.problems)


def problem_of(parts: Parts) -> Text | None:
    """Return the first impossible time in words."""
    for problem in parts.problems:
        return Text(problem.zh, problem.en)
    return None


def backwards(slots: dict[str, Found]) -> bool:
    """Return whether the end is not after the start."""
    return "start" in slots and "end" in slots and slots["end"].value <= slots["start"].value
