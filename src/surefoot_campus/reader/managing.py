"""Sentences about bookings that exist: list, cancel, or move to another time."""

import re

from surefoot.texts import Text
from surefoot_campus.reader.acts import Acts
from surefoot_campus.reader.clauses import Clause
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.parts import Parts, fill_slots, problem_of, wants_booking
from surefoot_campus.reader.reading import Found, Reading
from surefoot_campus.reader.timing import Timing, Window, clock, day_slots, sort_out, time_slots, window_of

_REFERENCE_CODE = re.compile(r"(?<![A-Za-z0-9])(?:BK|R|RSV|RES|B|NO)[-#]?\d[A-Za-z0-9_-]{2,24}", re.IGNORECASE)
_BOOKED_PLACE = re.compile(
    r"(?:我)?(?:昨天|刚才|刚刚|之前|前天|上次|早上)?(?:订|约|定|预约|预订)的?(?:那个|那间|那场|那次|研讨间|自习室|房间?|讨论室)"
)
_DAYS_ONE = re.compile(r"的约(?!束|定)|(?:帮|给)我(?:改|挪|换|调)(?:到|成)|把[^，,。]{1,10}的(?:换|改|挪|调|移|推)")
_THAT_ONE = re.compile(
    r"(?:那|这)(?:个|间|场|次)(?:研讨间|自习室|房间?|讨论室|预约)?|my (?:booking|reservation|room)(?: \w+){0,3}",
    re.IGNORECASE,
)


def managing(parts: Parts) -> Reading | None:
    """Return the reading of a sentence about existing bookings, or ``None`` when it is about something else."""
    cancel, listing = parts.any("cancel"), parts.any("listing")
    move = parts.any("move") and _speaks_of_booking(parts.text)
    swapped = any(act.cancel and act.move for act in parts.acts)
    move = move and (not cancel or swapped or says("old_booking", parts.text))
    if not (cancel or listing or move):
        return None
    timing = sort_out(parts.text, parts.clauses, parts.acts, parts.moments)
    new_room = cancel and (
        parts.any("move") or any(_asks_anew(c, a) for c, a in zip(parts.clauses, parts.acts, strict=True))
    )
    if move:
        return _moved(parts, timing)
    tasks = (["list_bookings"] if listing else []) + (["cancel_booking"] if cancel else [])
    slots: dict[str, Found] = _reference(parts, timing)
    if cancel and new_room:
        tasks += ["find_room", *(["book_room"] if wants_booking(parts) else [])]
        given, _ = fill_slots(parts, timing, room=True, meal=False)
        slots |= given
    else:
        window = window_of([*timing.booking, *timing.room], parts.now)
        booked_on = window.past or any(m.days[-1] < parts.now.date() for m in (*timing.booking, *timing.room))
        slots |= {} if booked_on else day_slots(window) | time_slots(window, None)
    why = Text("说的是已有的预约", "about bookings that exist")
    return Reading(parts.text, tuple(tasks), slots, problem=problem_of(parts), reasons=(why,))


def _asks_anew(clause: Clause, act: Acts) -> bool:
    """Whether a clause asks for another room beside the booking that is given up."""
    return bool(
        act.room and not act.manages and not _THAT_ONE.search(clause.text) and not _BOOKED_PLACE.search(clause.text)
    )


def _moved(parts: Parts, timing: Timing) -> Reading:
    slots = _reference(parts, timing)
    times = [*timing.booking, *timing.room]
    window = window_of(times[-1:] if len(times) > 1 else times, parts.now)
    old = window_of(times[:-1], parts.now) if len(times) > 1 else Window()
    slots |= {k: v for k, v in parts.slots.items() if k not in ("near", "room")}
    slots |= day_slots(window if times and times[-1].said_day else old if old.days else window)
    slots |= time_slots(window, parts.slots["duration_min"].value if "duration_min" in parts.slots else None)
    if old.begin is not None:
        slots["old_start"] = Found(clock(old.begin), old.span)
    if old.days:
        slots["old_date"] = Found(old.days[0].isoformat(), old.span)
    why = Text("把已有的预约改到别的时间", "moves a booking to another time")
    tasks = ("find_room", "book_room", "cancel_booking")
    return Reading(parts.text, tasks, slots, reschedule=True, problem=problem_of(parts), reasons=(why,))


def _speaks_of_booking(text: str) -> bool:
    return (
        bool(_THAT_ONE.search(text) or _BOOKED_PLACE.search(text) or _REFERENCE_CODE.search(text))
        or bool(_DAYS_ONE.search(text))
        or says("booking_noun", text)
    )


def _reference(parts: Parts, timing: Timing) -> dict[str, Found]:
    code = _REFERENCE_CODE.search(parts.text)
    if code:
        return {"booking_ref": Found(code[0].upper(), code.span())}
    if timing.reference:
        return {"booking_ref": Found(parts.text[slice(*timing.reference)], timing.reference)}
    booked = _BOOKED_PLACE.search(parts.text)
    if not booked and parts.any("cancel") and timing.booking:
        named = timing.booking[0]
        return {"booking_ref": Found(named.text, (named.start, named.end))}
    if booked:
        return {"booking_ref": Found(booked[0], booked.span())}
    return {}
