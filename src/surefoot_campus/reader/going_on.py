"""Going on after something was booked: a changed day or room moves that booking, a further wish stands on it.

What was booked stays in the thread's memory, so that it holds over the sentences that come between.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from surefoot.language import normalise
from surefoot.memory.summary import Done
from surefoot.texts import Text
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.reading import Found, Reading

_ROOM_SLOTS = frozenset(
    {"date", "dates", "start", "end", "duration_min", "party_size", "room", "zone", "near", "equipment", "capacity_min"}
)
_BOOKED = Text("指的是刚订好的预约", "meaning the booking just made")


def going_on(reading: Reading, before: Reading | None, words: str, done: Sequence[Done], *, new_task: bool) -> Reading:
    """Return the reading of a further sentence in the light of what this thread has booked.

    A changed slot of the room makes it a move of that booking (find, book, cancel the old one); a sentence that only
    adds a meal plans the meal alone, near the room and after it; a cancellation that names no booking means this one.
    A sentence that asks for nothing new (谢谢) is left without a task.
    """
    booking = booked(done)
    if booking is None:
        return reading
    if "cancel_booking" in reading.tasks and not reading.reschedule:
        return _this_one(reading, words, booking)
    if new_task or before is None or "book_room" not in before.tasks:
        return reading
    changed = {name for name in _ROOM_SLOTS if reading.value(name) != before.value(name)}
    if changed:
        return _moved(reading, changed, booking)
    rest = tuple(task for task in reading.tasks if task not in ("query_schedule", "find_room", "book_room"))
    return replace(reading, tasks=rest, slots=_beside(reading, booking), clarify=())


def booked(done: Sequence[Done]) -> Mapping[str, Any] | None:
    """Return the latest booking of this thread that was not cancelled on it since."""
    gone = {item.values.get("reservation_id") for item in done if item.tool == "cancel_booking"}
    made = [item.values for item in done if item.tool == "book_room" and item.values.get("reservation_id")]
    return next((values for values in reversed(made) if values["reservation_id"] not in gone), None)


def nothing_new(going: Reading, done: Sequence[Done]) -> Text | None:
    """Return what to say when a further sentence asks for nothing beyond the booking that stands, else ``None``."""
    booking = booked(done)
    if booking is None or going.tasks or going.clarify:
        return None
    number = booking["reservation_id"]
    return Text(
        f"预约 {number} 保持不变。要改时间、换房间或取消，直接说就行。",
        f"Reservation {number} stands as it is. To move it, change the room or cancel it, just say so.",
    )


def without_move(reading: Reading) -> Reading:
    """Return what a thread keeps of a sentence that moves a booking: the room as it is wanted now, and no more.

    Which booking was given up for it is done with; the next sentence stands on the new one.
    """
    if not {"find_room", "cancel_booking"} <= set(reading.tasks):
        return reading
    gone = {"reservation_id", "booking_ref", "old_date", "old_start"}
    return replace(
        reading,
        tasks=tuple(task for task in reading.tasks if task != "cancel_booking"),
        slots={name: found for name, found in reading.slots.items() if name not in gone},
        reschedule=False,
    )


def asks_for_another(fresh: Reading, words: str, done: Sequence[Done]) -> bool:
    """Whether a sentence asks for one more booking beside the one that was made: it says so, or is whole by itself."""
    if booked(done) is None or not {"book_room", "find_room"} & {*fresh.tasks, *fresh.intended}:
        return False
    whole = "book_room" in fresh.tasks and not fresh.reschedule
    return says("another_one", normalise(words).text) or (
        whole and bool({"date", "dates"} & fresh.slots.keys()) and "start" in fresh.slots
    )


def _this_one(reading: Reading, words: str, booking: Mapping[str, Any]) -> Reading:
    named = {"booking_ref", "reservation_id", "date", "start", "old_date", "old_start"} & reading.slots.keys()
    if named - {"booking_ref"} or ("booking_ref" in named and not says("just_now", normalise(words).text)):
        return reading
    return replace(reading, slots={**reading.slots, "reservation_id": _id(booking)})


def _moved(reading: Reading, changed: set[str], booking: Mapping[str, Any]) -> Reading:
    kept = {name: found for name, found in reading.slots.items() if name not in _ROOM_SLOTS or name in changed}
    if {"start", "end"} & changed:
        kept |= {name: reading.slots[name] for name in ("start", "end", "time_kind") if name in reading.slots}
    meal = tuple(task for task in reading.tasks if task == "recommend_canteen")
    return replace(
        reading,
        tasks=("find_room", "book_room", "cancel_booking", *meal),
        slots={**kept, "reservation_id": _id(booking)},
        clarify=(),
        reschedule=True,
    )


def _id(booking: Mapping[str, Any]) -> Found:
    return Found(booking["reservation_id"], None, "tool", _BOOKED)


def _beside(reading: Reading, booking: Mapping[str, Any]) -> dict[str, Found]:
    """The slots of a meal after the booked room: where it is, and when it ends."""
    slots = dict(reading.slots)
    start, end = str(booking.get("start", "")), str(booking.get("end", ""))
    if len(end) >= 16 and "meal_start" not in slots:
        slots |= {
            "date": Found(start[:10], None, "tool", _BOOKED),
            "meal_start": Found(end[11:16], None, "tool", _BOOKED),
        }
    if not {"near", "zone"} & reading.meal_only and "room_id" in booking:
        slots["near"] = Found(booking["room_id"], None, "tool", _BOOKED)
    return slots
