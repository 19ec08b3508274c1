"""Existing bookings: list them, cancel one, or move one to another time."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from surefoot.planning.plan import Slot, Step
from surefoot.planning.planner import Proposal, Request
from surefoot.texts import Text
from surefoot_campus.reader.facts import Booking, Facts
from surefoot_campus.reader.filling import Ground, days_of, fill_room, said
from surefoot_campus.reader.plans import booking_step, cancel_step, list_step, plan_of, room_steps
from surefoot_campus.reader.questions import ask_which, booking_name
from surefoot_campus.reader.reading import Found, Reading
from surefoot_campus.reader.timing import hours_between

_CODE = re.compile(r"^[A-Z]{1,4}[-#]?\d[\w-]+$")
NONE_FITS = Text(
    "没有找到符合的预约，什么也没有取消。可以说“列出我的预约”看看现有的。",
    "No booking of yours fits; nothing was cancelled. Say “list my bookings” to see what there is.",
)


async def propose_existing(reading: Reading, ground: Ground, facts: Facts, request: Request) -> Proposal:
    """Return the proposal for a reading about bookings that exist; asks which one when several fit."""
    slots: dict[str, Slot] = {}
    steps: list[Step] = []
    if "list_bookings" in reading.tasks:
        slots |= _days(reading)
        steps.append(list_step(slots))
    if "cancel_booking" not in reading.tasks:
        return Proposal(plan=plan_of(reading, steps), slots=slots, reasons=reading.reasons)
    mine = await facts.bookings(request.user_id)
    fitting = matching(reading, mine, ground)
    if not fitting and not steps:
        return Proposal(refusal=NONE_FITS, reasons=reading.reasons)
    if not fitting:
        return Proposal(plan=plan_of(reading, steps), slots=slots, reasons=reading.reasons)
    if len(fitting) > 1:
        return Proposal(question=ask_which(fitting), reasons=reading.reasons)
    target = fitting[0]
    slots["reservation_id"] = _named(target)
    if "find_room" in reading.tasks:
        given = _kept(reading, target) if reading.reschedule else reading
        filled = fill_room(given, ground)
        slots |= filled.slots
        steps += room_steps(given, filled, after=())
        if "book_room" in reading.tasks:
            steps.append(booking_step(given, after=(steps[-1].id,)))
    steps.append(cancel_step(after=(steps[-1].id,) if steps else ()))
    return Proposal(plan=plan_of(reading, steps), slots=slots, reasons=reading.reasons)


def matching(reading: Reading, mine: Sequence[Booking], ground: Ground) -> list[Booking]:
    """Return the bookings that the words fit: by number, else by day and start, only those still to come."""
    picked = reading.value("reservation_id")
    code = picked or reading.value("booking_ref", "")
    if picked or _CODE.match(str(code)):
        return [item for item in mine if _same(str(item["reservation_id"]), str(code))]
    moving = reading.reschedule
    day = reading.value("old_date") or (
        reading.value("date") if not moving and "find_room" not in reading.tasks else None
    )
    days = {day} if day else {item.isoformat() for item in days_of(reading)} if not moving else set()
    if "find_room" in reading.tasks and not moving:
        days = set()
    start = reading.value("old_start") or (None if moving or "find_room" in reading.tasks else reading.value("start"))
    coming = [item for item in mine if datetime.fromisoformat(item["end"]) > ground.now]
    dated = [item for item in coming if not days or item["start"][:10] in days]
    return [item for item in dated if start is None or _starts(item, start, reading)]


def _same(one: str, other: str) -> bool:
    return re.sub(r"[-#\s]", "", one).upper() == re.sub(r"[-#\s]", "", other).upper()


def _starts(item: Booking, start: str, reading: Reading) -> bool:
    begins = item["start"][11:16]
    if reading.value("time_kind") == "window" and not reading.reschedule and "end" in reading.slots:
        return bool(start <= begins < reading.value("end"))
    return bool(begins == start)


def _named(item: Booking) -> Slot:
    name = booking_name(item)
    return Slot(
        value=item["reservation_id"], origin="tool", note={"zh": f"指的是{name.zh}", "en": f"meaning {name.en}"}
    )


def _days(reading: Reading) -> dict[str, Slot]:
    days = days_of(reading)
    if not days:
        return {}
    last = {"date_to": said(max(days).isoformat())} if len(days) > 1 else {}
    return {"date": said(min(days).isoformat())} | last


def _kept(reading: Reading, old: Booking) -> Reading:
    """A moved booking keeps its length, its head count and its neighbourhood unless other ones are given."""
    note = Text("沿用原来的预约", "kept from the old booking")
    slots = dict(reading.slots)
    begins, ends = old["start"][11:16], old["end"][11:16]
    slots.setdefault("date", Found(old["start"][:10], None, "tool", note))
    if "start" not in slots:
        slots |= {"start": Found(begins, None, "tool", note), "time_kind": Found("exact")}
    slots.setdefault("duration_min", Found(hours_between(begins, ends), None, "tool", note))
    slots.setdefault("party_size", Found(old["party_size"], None, "tool", note))
    slots.setdefault("near", Found(old["room_id"], None, "tool", note))
    return replace(reading, slots=slots)
