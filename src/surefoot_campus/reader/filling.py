"""Filling: a reading's slots become the plan's slots, in the tools' own terms; what had to be guessed says so.

Times become ISO 8601 with the campus offset. A guess is ``inferred`` and carries a note for the card.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from surefoot.language import Calendar
from surefoot.planning.plan import Slot
from surefoot_campus.reader.reading import Reading

DAY_BEGINS, DAY_ENDS = time(8), time(22)
USUAL_MINUTES = 60
WIDE_MINUTES = 120
USUAL_GROUP = 4
MEAL_HOURS = (
    (re.compile(r"早[饭餐点]|breakfast", re.IGNORECASE), time(7, 30)),
    (re.compile(r"[午中][饭餐]|lunch|brunch", re.IGNORECASE), time(12)),
    (re.compile(r"晚[饭餐]|dinner|supper", re.IGNORECASE), time(18)),
    (re.compile(r"夜宵|宵夜|midnight snack", re.IGNORECASE), time(21)),
)
_GROUP = re.compile(
    r"我们|咱|小组|组会|组员|讨论(?![间室])|排练|队友|大家|展示|头脑风暴|开会|(?<![a-z])(?:we|our|us|group|team|meeting|discuss\w*|rehears\w*|presentation)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """What filling stands on: the clock and the campus calendar."""

    now: datetime
    calendar: Calendar

    def at(self, day: date, hour: time) -> datetime:
        """Return a local time of the campus."""
        return datetime.combine(day, hour, self.calendar.zone)


@dataclass(frozen=True, slots=True)
class Filled:
    """The plan's slots, and the windows of further days (start, end) where several days were asked for."""

    slots: dict[str, Slot]
    windows: tuple[tuple[str, str], ...] = field(default=())


def said(value: Any) -> Slot:
    """Return a slot for what the person said."""
    return Slot(value=value)


def guessed(value: Any, zh: str, en: str) -> Slot:
    """Return a slot for a guess, with the sentence that marks it on the card."""
    return Slot(value=value, origin="inferred", note={"zh": zh, "en": en})


def fill_room(reading: Reading, ground: Ground) -> Filled:
    """Return the slots of a search and a booking. The reading has at least one day or stands on the timetable."""
    slots: dict[str, Slot] = {}
    days = days_of(reading) or [ground.now.date()]
    windows = [_window(reading, ground, day) for day in days]
    (begin, until), guesses = windows[0][0], windows[0][1]
    slots["start"] = guesses.get("start") or said(begin.isoformat())
    slots["end"] = guesses.get("end") or said(until.isoformat())
    length = _length(reading, int((until - begin).total_seconds() // 60))
    if length is not None:
        slots["duration_min"] = length
    slots |= _people(reading)
    for name in ("equipment", "zone", "near", "room"):
        if name in reading.slots and name not in reading.meal_only:
            slots["room_id" if name == "room" else name] = _carried(reading, name)
    if "room_id" in slots:
        slots["room_id"] = slots["room_id"].model_copy(update={"value": room_id(slots["room_id"].value)})
    if "zone_not" in reading.slots:
        slots["zone_not"] = _carried(reading, "zone_not")
    spans = tuple((first.isoformat(), last.isoformat()) for (first, last), _ in windows) if len(days) > 1 else ()
    return Filled(slots, spans)


def room_id(name: str) -> str:
    """Return a room's number in its full spelling: a203 -> A-203."""
    return re.sub(r"^([A-Z]{1,3})-?(\d{3,4}[A-Z]?)$", r"\1-\2", name.upper())


def days_of(reading: Reading) -> list[date]:
    """Return the days a reading names, in order."""
    named = reading.value("dates") or ([reading.value("date")] if "date" in reading.slots else [])
    return [date.fromisoformat(day) for day in named]


def _window(reading: Reading, ground: Ground, day: date) -> tuple[tuple[datetime, datetime], dict[str, Slot]]:
    """Return one day's window, clipped to what is still to come, and which of its ends were guessed."""
    guesses: dict[str, Slot] = {}
    begin, until = reading.value("start"), reading.value("end")
    first = ground.at(day, time.fromisoformat(begin) if begin else DAY_BEGINS)
    if reading.value("time_kind") != "exact" or begin is None:
        first = max(first, _next_five(ground.now)) if day == ground.now.date() else first
    if until:
        last = ground.at(day, time.fromisoformat(until))
    elif begin and reading.value("time_kind") == "exact":
        minutes = reading.value("duration_min") or USUAL_MINUTES
        last = first + timedelta(minutes=minutes)
        if "duration_min" not in reading.slots:
            guesses["end"] = guessed(
                last.isoformat(),
                f"没有说用多久，按 {minutes} 分钟估计",
                f"no length was given; {minutes} minutes assumed",
            )
    else:
        last = max(ground.at(day, DAY_ENDS), first)
        guesses["end"] = guessed(
            last.isoformat(),
            f"没有说到几点，找到 {DAY_ENDS:%H:%M} 为止",
            f"no end was given; searched until {DAY_ENDS:%H:%M}",
        )
    if begin is None:
        guesses["start"] = guessed(
            first.isoformat(),
            f"没有说从几点开始，从 {first:%H:%M} 找起",
            f"no start was given; searched from {first:%H:%M}",
        )
    return (first, last), guesses


def _next_five(now: datetime) -> datetime:
    rounded = now.replace(second=0, microsecond=0)
    return rounded + timedelta(minutes=-rounded.minute % 5)


def _length(reading: Reading, window_minutes: int) -> Slot | None:
    """Return the length: as said, none for an exact range, else a guess that fits into the window."""
    if "duration_min" in reading.slots:
        return _carried(reading, "duration_min")
    if reading.value("time_kind") == "exact":
        return None
    if 0 < window_minutes <= WIDE_MINUTES:
        return guessed(
            window_minutes,
            f"没有说用多久，按整段时间（{window_minutes} 分钟）估计",
            f"no length was given; the whole span ({window_minutes} minutes) is assumed",
        )
    return guessed(
        USUAL_MINUTES,
        f"没有说用多久，按 {USUAL_MINUTES} 分钟估计",
        f"no length was given; {USUAL_MINUTES} minutes assumed",
    )


def _people(reading: Reading) -> dict[str, Slot]:
    """Return party size and capacity; a booking needs both, a search takes what was said."""
    people, seats = reading.value("party_size"), reading.value("capacity_min")
    slots: dict[str, Slot] = {}
    if people is not None:
        slots["party_size"] = _carried(reading, "party_size")
    elif seats is not None:
        slots["party_size"] = guessed(
            seats,
            f"没有说人数，按要求的 {seats} 座估计",
            f"no head count was given; {seats}, the seats asked for, assumed",
        )
    elif "book_room" in reading.tasks:
        group = _GROUP.search(reading.text)
        size = USUAL_GROUP if group else 1
        zh = f"没有说人数，提到“{group[0]}”，按 {size} 人估计" if group else "没有说人数，按 1 人估计"
        en = f"no head count was given; {size} assumed" + (f" because of “{group[0]}”" if group else "")
        slots["party_size"] = guessed(size, zh, en)
    if seats is not None or people is not None:
        slots["capacity_min"] = said(max(seats or 0, people or 0))
    elif "party_size" in slots:
        slots["capacity_min"] = slots["party_size"]
    return slots


def _carried(reading: Reading, name: str) -> Slot:
    found = reading.slots[name]
    return Slot(value=found.value, origin=found.origin, note=found.note.to_json() if found.note else None)


def fill_meal(reading: Reading, ground: Ground, room: Mapping[str, Slot] | None) -> dict[str, Slot]:
    """Return the slots of a canteen step. ``arrive`` is missing where it follows from the room step."""
    slots: dict[str, Slot] = {}
    for name in ("crowd", "taste", "taste_not", "diet", "price_max", "max_walk_min"):
        if name in reading.slots:
            slots[name] = _carried(reading, name)
    where = ("zone", "near") if room is None else tuple(reading.meal_only & {"zone", "near"})
    for name in where:
        if name in reading.slots:
            slots[f"meal_{name}"] = _carried(reading, name)
    arrive = _arrival(reading, ground, room)
    if arrive is not None:
        slots["arrive"] = arrive
    return slots


def _arrival(reading: Reading, ground: Ground, room: Mapping[str, Slot] | None) -> Slot | None:
    day = (days_of(reading) or [ground.now.date()])[0]
    if "meal_start" in reading.slots:
        return said(ground.at(day, time.fromisoformat(reading.value("meal_start"))).isoformat())
    if room is not None and not reading.meal_first:
        return None
    if room is not None and reading.value("start"):
        before = ground.at(day, time.fromisoformat(reading.value("start"))) - timedelta(hours=1)
        moment = max(before, ground.now)
        return guessed(
            moment.isoformat(),
            "没有说几点吃，按用房间前一小时估计",
            "no mealtime was given; one hour before the room assumed",
        )
    return _meal_time(reading, ground, day)


def _meal_time(reading: Reading, ground: Ground, day: date) -> Slot:
    if reading.value("start"):
        moment = ground.at(day, time.fromisoformat(reading.value("start")))
        return said(max(moment, ground.now).isoformat())
    usual = next((hour for words, hour in MEAL_HOURS if words.search(reading.text)), None)
    if usual is None and day != ground.now.date():
        usual = time(12)
    if usual is not None and ground.at(day, usual) >= ground.now:
        moment = ground.at(day, usual)
        return guessed(
            moment.isoformat(), f"没有说几点吃，按 {usual:%H:%M} 估计", f"no mealtime was given; {usual:%H:%M} assumed"
        )
    return guessed(ground.now.isoformat(), "没有说几点吃，按现在估计", "no mealtime was given; now assumed")
