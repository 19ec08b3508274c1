"""Answers: what a person replied or picked since, merged into the first reading."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from surefoot.language import Calendar, NotANumber, normalise, read_count
from surefoot.planning.plan import Slot
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.essentials import Doubts, missing
from surefoot_campus.reader.moments import moments
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Found, Reading
from surefoot_campus.reader.timing import clock, day_slots, later, time_slots, window_of
from surefoot_campus.reader.typos import repaired
from surefoot_campus.reader.wishes import wishes

_NUMBER = re.compile(
    r"^(?:就|大概|大约|一共|总共|我们|问到了|[，, ])*(?P<n>\d{1,3}|"
    r"[一二两三四五六七八九十俩仨]{1,3}|[a-z]+)(?: ?(?:个|人|个人|位|名|people|ppl|"
    r"分钟|minutes|min))?[。.! ]*$",
    re.IGNORECASE,
)
_BARE_RANGE = re.compile(
    r"(?<![\d:])(\d{1,2}(?::\d{2})?) ?(?:to|-|~|到) ?(\d{1,2}(?::\d{2})?)(?![\d:]|个|人)", re.IGNORECASE
)
_NUMBERED = {"party_size", "duration_min", "capacity_min"}
_ZONE_OR_PLACE = re.compile(r"^[\w \-]{1,20}$")


def with_answers(
    reading: Reading,
    slots: Mapping[str, Slot],
    replies: Sequence[tuple[str, str]],
    *,
    now: datetime,
    calendar: Calendar,
    places: Places,
) -> tuple[Reading, str | None]:
    """Return the reading with everything answered since, and the slot of a last reply that said nothing readable."""
    if not slots and not replies:
        return reading, None
    unread = None
    open_size = "party_size" in reading.clarify
    for slot, words in replies:
        found = read_reply(slot, words, now=now, calendar=calendar, places=places)
        unread = None if found else slot
        reading = merged(reading, found)
        if slot == "start" and says("any_choice", words):
            reading, unread = replace(reading, free_start=True), None
    for name, slot_value in slots.items():
        reading = _override(reading, name, slot_value.value)
    tasks = reading.intended if reading.tasks == ("clarify",) else reading.tasks
    if "book_room" in tasks and "find_room" not in tasks and "room" not in reading.slots:
        at = tasks.index("book_room")
        tasks = (*tasks[:at], "find_room", *tasks[at:])
    solved = ("date" in reading.slots) if reading.day_problem else ("start" in reading.slots)
    doubts = Doubts(
        time=reading.problem is not None and not reading.day_problem and not solved,
        day=reading.day_problem and not solved,
        size=open_size and "party_size" not in reading.slots,
    )
    problem = None if solved else reading.problem
    again = replace(reading, tasks=tasks, intended=(), clarify=(), problem=problem)
    return missing(replace(again, day_problem=reading.day_problem and not solved), doubts), unread


def read_reply(slot: str, words: str, *, now: datetime, calendar: Calendar, places: Places) -> dict[str, Found]:
    """Return the slots that a free-text reply to the question for ``slot`` gives; empty when it says nothing."""
    plain = repaired(normalise(words[:400]).text)
    found = wishes(plain, calendar, places)
    times, _ = moments(plain, now=now, calendar=calendar)
    bare = _BARE_RANGE.search(plain)
    if bare and not any(moment.timed for moment in times):
        times += moments(f"from {bare[1]} to {bare[2]}", now=now, calendar=calendar)[0]
    window = window_of(times, now)
    if slot == "date" or any(moment.said_day for moment in times):
        found |= day_slots(window)
    found |= time_slots(window, found["duration_min"].value if "duration_min" in found else None)
    number = _NUMBER.match(plain)
    if slot in _NUMBERED and slot not in found and number:
        try:
            found[slot] = Found(read_count(number["n"]), number.span("n"))
        except NotANumber:
            return found
    if slot == "near" and not {"near", "zone"} & found.keys() and _ZONE_OR_PLACE.match(plain):
        found["near"] = Found(plain)
    return found


def merged(reading: Reading, found: Mapping[str, Found]) -> Reading:
    """Return the reading with further slots: a new day or time replaces the old one, an end alone keeps the start."""
    slots = dict(reading.slots)
    if {"date", "dates"} & found.keys():
        slots = {name: value for name, value in slots.items() if name not in ("date", "dates")}
    if "start" in found:
        slots = {name: value for name, value in slots.items() if name not in ("start", "end", "time_kind")}
    slots |= found
    return replace(reading, slots=_closed(slots))


def _closed(slots: dict[str, Found]) -> dict[str, Found]:
    """An exact start and a length make an end."""
    exact = "time_kind" in slots and slots["time_kind"].value == "exact"
    if exact and "end" not in slots and {"start", "duration_min"} <= slots.keys():
        until = later(time.fromisoformat(slots["start"].value), slots["duration_min"].value)
        if until is not None:
            slots["end"] = Found(clock(until), slots["duration_min"].span)
    return slots


def _override(reading: Reading, name: str, value: Any) -> Reading:
    """Set one slot to a picked value; ``None`` drops it. Times may come as ISO 8601 or ``HH:MM``."""
    slots = dict(reading.slots)
    if name == "any_start":
        return replace(reading, free_start=True)
    if name == "arrive":
        name = "meal_start"
    if value is None:
        slots.pop(name, None)
        return replace(reading, slots=slots)
    if name in ("start", "end", "meal_start") and "T" in str(value):
        moment = datetime.fromisoformat(value)
        slots.pop("dates", None)
        slots["date"] = _picked(moment.date().isoformat())
        value = clock(moment.time())
    if name in ("start", "end"):
        slots["time_kind"] = _picked("exact")
    if name == "date":
        slots.pop("dates", None)
    if name == "near" and value == "":
        slots.pop("near", None)
        return replace(reading, slots=slots)
    slots["room" if name == "room_id" else name] = _picked(value)
    return replace(reading, slots=slots, after_classes=reading.after_classes and name != "start")


def _picked(value: Any) -> Found:
    return Found(value, None, "confirmed")
