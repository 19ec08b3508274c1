"""Read one sentence: clauses, acts, moments and wishes become tasks and slots."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from surefoot.language import Calendar, normalise, read_count
from surefoot.texts import Text
from surefoot_campus.reader.clauses import Clause
from surefoot_campus.reader.cues import says, spots
from surefoot_campus.reader.essentials import Doubts, missing
from surefoot_campus.reader.managing import managing
from surefoot_campus.reader.matters import forbidden
from surefoot_campus.reader.parts import (
    BACKWARDS,
    Parts,
    backwards,
    day_problem,
    fill_slots,
    look,
    open_size,
    problem_of,
    wants_booking,
)
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Found, Reading
from surefoot_campus.reader.timing import Timing, Window, sort_out
from surefoot_campus.reader.topics import is_question, topic_of
from surefoot_campus.reader.typos import repaired

MAX_CHARACTERS = 2000
_PLANNED = ("query_schedule", "find_room", "book_room", "recommend_canteen", "list_bookings", "cancel_booking")


def read(text: str, now: datetime, calendar: Calendar, places: Places | None = None) -> Reading:
    """Return what ``text`` asks for, without looking at anything but the sentence, the clock and the calendar.

    Text beyond ``MAX_CHARACTERS`` is not read and is reported in ``leftovers``.
    """
    plain = repaired(normalise(text[: 2 * MAX_CHARACTERS]).text)
    rest = ("…",) if len(plain) > MAX_CHARACTERS or len(text) > 2 * MAX_CHARACTERS else ()
    plain = plain[:MAX_CHARACTERS]
    matter = forbidden(plain)
    if matter is not None:
        why = Text(f"“{matter.words}”属于不能办的事", f"“{matter.words}” is something that must not be done")
        return Reading(plain, ("refuse",), refusal=matter.text, reasons=(why,), leftovers=rest)
    parts = look(plain, now, calendar, places or Places())
    reading = _elsewhere(parts) or _campus(parts)
    return replace(reading, leftovers=(*reading.leftovers, *rest)) if rest else reading


def _elsewhere(parts: Parts) -> Reading | None:
    """Return a reading for what is not a plan: staff, standing questions, matters of others."""
    if says("staff", parts.text):
        return Reading(parts.text, ("handoff",), reasons=(Text("要找工作人员", "wants a person"),))
    topic = _topic(parts)
    if topic is not None:
        return _standing(parts, topic)
    if says("foreign", parts.text) and not (parts.any("room") and _strong(parts)):
        return Reading(parts.text, ("out_of_scope",))
    return None


def _standing(parts: Parts, topic: str) -> Reading:
    """A standing question alone, or beside something that is to be planned."""
    asked = Reading(parts.text, ("static_answer",), {"topic": Found(topic, None)}, topic=topic)
    leftovers = _leftovers(parts)
    if not leftovers:
        return asked
    rest = _campus(_only(parts, leftovers))
    if not {"clarify", *_PLANNED} & set(rest.tasks):
        return replace(asked, leftovers=tuple(clause.text for clause in leftovers))
    if not any(is_question(clause.text) for clause in parts.clauses if clause not in leftovers):
        return rest
    slots = {**rest.slots, "topic": Found(topic, None)}
    return replace(rest, tasks=(*rest.tasks, "static_answer"), slots=slots, topic=topic)


def _only(parts: Parts, clauses: Sequence[Clause]) -> Parts:
    """Return the parts with the clauses of a standing question left out."""
    kept = [
        (c, a)
        for c, a in zip(parts.clauses, parts.acts, strict=True)
        if c in clauses or topic_of(c.text, silent=True) is None
    ]
    moments = [moment for moment in parts.moments if any(clause.holds(moment.start) for clause, _ in kept)]
    return replace(parts, clauses=[c for c, _ in kept], acts=[a for _, a in kept], moments=moments)


def _topic(parts: Parts) -> str | None:
    for clause, act in zip(parts.clauses, parts.acts, strict=True):
        quiet = act.silent or (act.room == "weak" and not act.book)
        name = topic_of(clause.text, silent=quiet)
        if name is not None:
            return name
    return None


def _leftovers(parts: Parts) -> tuple[Clause, ...]:
    """Clauses that ask for something besides the standing answer."""
    return tuple(
        clause
        for clause, act in zip(parts.clauses, parts.acts, strict=True)
        if topic_of(clause.text, silent=True) is None
        and (act.room == "strong" or act.meal or act.book or act.manages or act.schedule)
    )


def _strong(parts: Parts) -> bool:
    return any(act.room == "strong" for act in parts.acts)


def _campus(parts: Parts) -> Reading:
    manage = managing(parts)
    if manage is not None:
        return manage
    room, meal, schedule = _wants_room(parts), _wants_meal(parts), parts.any("schedule")
    if not (room or meal or schedule):
        return _nothing(parts)
    second = _second_room(parts, parts.first("meal")) if room and meal else None
    timing = sort_out(parts.text, parts.clauses, parts.acts, parts.moments, second_at=second)
    if not room:
        timing = Timing(room=[*timing.room, *timing.meal], booking=timing.booking)
    book = room and wants_booking(parts)
    slots, window = fill_slots(parts, timing, room=room, meal=meal)
    tasks = _order(parts, room=room, meal=meal, schedule=schedule, book=book, second=second is not None)
    optional = ("query_schedule",) if schedule and not parts.any("asked") and room else ()
    reading = Reading(
        text=parts.text,
        tasks=tuple(tasks),
        slots=slots,
        optional=optional,
        confirm_first=says("confirm_first", parts.text),
        free_start=_free_start(parts, window, schedule=schedule),
        delegated=says("delegated", parts.text),
        after_classes=_after_classes(parts, window),
        meal_first="recommend_canteen" in tasks
        and "find_room" in tasks
        and tasks.index("recommend_canteen") < tasks.index("find_room"),
        meal_only=_meal_only(parts) if room else frozenset(),
        day_problem=day_problem(parts),
        problem=problem_of(parts) or (BACKWARDS if backwards(slots) else None),
        reasons=_why(parts, room=room, meal=meal, schedule=schedule, book=book),
    )
    doubts = Doubts(
        day=_undecided_day(parts, window),
        which_days=_some_of(parts.text, len(window.days)),
        time=reading.problem is not None and not reading.day_problem,
        size=open_size(parts),
    )
    return missing(reading, doubts)


def _some_of(text: str, days: int) -> bool:
    """Whether fewer days are wanted than were named (这周三个晚上)."""
    counts = (
        re.search(r"[2-6两三四五六]|two|three|four|five", spot[0], re.IGNORECASE) for spot in spots("some_days", text)
    )
    return any(count is not None and read_count(count[0]) < days for count in counts)


def _undecided_day(parts: Parts, window: Window) -> bool:
    return day_problem(parts) or (len(window.days) > 1 and says("undecided_day", parts.text))


def _wants_room(parts: Parts) -> bool:
    if _strong(parts) or "room" in parts.slots:
        return True
    if parts.any("book"):
        return True
    meal = parts.any("meal")
    if "equipment" in parts.slots or ("capacity_min" in parts.slots and not meal):
        return True
    weak = any(act.room == "weak" for act in parts.acts)
    wanted = any(
        says("want_room", clause.text) for clause, act in zip(parts.clauses, parts.acts, strict=True) if act.room
    )
    studies = any(
        says("self_study", c.text) and any(c.holds(m.start) for m in parts.moments)
        for c, a in zip(parts.clauses, parts.acts, strict=True)
        if a.room == "weak"
    )
    return weak and (not meal or wanted or studies) and bool(parts.moments or "party_size" in parts.slots or wanted)


def _wants_meal(parts: Parts) -> bool:
    if parts.any("meal"):
        return True
    food = {"taste", "diet", "price_max"} & parts.slots.keys()
    return bool(food) and not says("remember", parts.text)


def _order(parts: Parts, *, room: bool, meal: bool, schedule: bool, book: bool, second: bool) -> list[str]:
    tasks = ["query_schedule"] if schedule else []
    named = "room" in parts.slots and book
    rooms = ([] if named else ["find_room"]) + (["book_room"] if book else []) if room else []
    if not meal:
        return tasks + rooms
    first_meal, first_room = parts.first("meal"), min(parts.first("room"), parts.first("book"))
    before = any(says("meal_first", c.text) and a.meal for c, a in zip(parts.clauses, parts.acts, strict=True))
    if rooms and not before and first_meal >= first_room:
        return [*tasks, *rooms, "recommend_canteen", *(["find_room"] if second else [])]
    return [*tasks, "recommend_canteen", *rooms]


def _second_room(parts: Parts, meal_at: int) -> int | None:
    """The clause of a second room need: after the meal, with its own time, beside a room before the meal."""
    first = min(parts.first("room"), parts.first("book"))
    if first >= meal_at or any(says("meal_first", clause.text) for clause in parts.clauses):
        return None
    for index, (clause, act) in enumerate(zip(parts.clauses, parts.acts, strict=True)):
        if act.room and index > meal_at and any(clause.holds(moment.start) for moment in parts.moments):
            return index
    return None


def _free_start(parts: Parts, window: Window, *, schedule: bool) -> bool:
    """Whether the start may be chosen: it was left to us, depends on the timetable, or whole periods were named."""
    return schedule or window.periods or says("any_choice", parts.text) or says("delegated", parts.text)


def _meal_only(parts: Parts) -> frozenset[str]:
    """Places that are said in a clause about the meal alone."""
    eating = [c for c, a in zip(parts.clauses, parts.acts, strict=True) if a.meal and not (a.room or a.book)]
    spans = {name: parts.slots[name].span for name in ("zone", "near") if name in parts.slots}
    return frozenset(name for name, span in spans.items() if span and any(c.holds(span[0]) for c in eating))


def _after_classes(parts: Parts, window: Window) -> bool:
    return window.begin is None and says("after_classes", parts.text)


def _nothing(parts: Parts) -> Reading:
    if says("same_as_before", parts.text):
        intended = ("find_room", "book_room")
        return Reading(parts.text, ("clarify",), clarify=("room", "date", "start"), intended=intended)
    return Reading(parts.text, ("out_of_scope",), problem=problem_of(parts))


def _why(parts: Parts, *, room: bool, meal: bool, schedule: bool, book: bool) -> tuple[Text, ...]:
    reasons = []
    if schedule:
        reasons.append(Text("提到了课程或空闲时间", "speaks of classes or free time"))
    if room:
        reasons.append(
            Text("要订一个房间", "wants a room booked") if book else Text("只要求找房间", "asks to find a room only")
        )
    if book and not parts.any("book"):
        reasons.append(Text("把安排交给了助手，因此包含预订", "left the arrangement to us, so it is to be booked"))
    if meal:
        reasons.append(Text("要推荐食堂", "wants a canteen recommended"))
    return tuple(reasons)
