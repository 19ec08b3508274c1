"""Plans: the steps for a reading's tasks, with dependencies and where each argument comes from."""

from collections.abc import Iterable, Mapping

from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot_campus.reader.filling import Filled
from surefoot_campus.reader.reading import Reading

_ROOM_SLOTS = ("start", "end", "duration_min", "capacity_min", "equipment", "zone", "near", "room_id")
_MEAL_SLOTS = {
    "arrive": "arrive", "crowd": "crowd", "taste": "taste", "taste_not": "taste_not", "diet": "diet",
    "price_max": "price_max", "max_walk_min": "max_walk_min", "meal_zone": "zone", "meal_near": "near",
}  # fmt: skip
_MAX_DAYS = 7


def _both(zh: str, en: str) -> dict[str, str]:
    return {"zh": zh, "en": en}


def _from_slots(names: Iterable[str], slots: Mapping[str, Slot]) -> dict[str, Binding]:
    return {name: Binding(slot=name) for name in names if name in slots}


def schedule_step(slots: Mapping[str, Slot]) -> Step:
    """Return the step that looks at the timetable."""
    return Step(
        id="schedule",
        tool="query_schedule",
        description=_both("查看课表和空闲时间", "Look at the timetable and free time"),
        parameters=_from_slots(("date", "date_to"), slots),
    )


def room_steps(reading: Reading, filled: Filled, *, after: tuple[str, ...]) -> list[Step]:
    """Return the search, one step for each day where several were named."""
    if not filled.windows:
        return [_room_step("rooms", filled.slots, after, after_classes=reading.after_classes and "schedule" in after)]
    steps = []
    for number, (start, end) in enumerate(filled.windows[:_MAX_DAYS], start=1):
        step = _room_step(f"rooms_{number}", filled.slots, after, after_classes=False)
        exact = {"start": Binding(literal=start), "end": Binding(literal=end)}
        steps.append(step.model_copy(update={"parameters": {**step.parameters, **exact}, "critical": False}))
    return steps


def _room_step(name: str, slots: Mapping[str, Slot], after: tuple[str, ...], *, after_classes: bool) -> Step:
    parameters = _from_slots(_ROOM_SLOTS, slots)
    if after_classes:
        parameters["start"] = Binding(choose="after_last_class")
    return Step(
        id=name,
        tool="find_room",
        description=_both("查找空闲的研讨间", "Find a free room"),
        depends_on=after,
        parameters=parameters,
    )


def booking_step(reading: Reading, *, after: tuple[str, ...]) -> Step:
    """Return the booking: of the best room found, or of the room that was named."""
    if after:
        chosen = {"room_id": "best_room", "start": "best_room_start", "end": "best_room_end"}
        parameters = {name: Binding(choose=rule) for name, rule in chosen.items()}
    else:
        parameters = {name: Binding(slot=name) for name in ("room_id", "start", "end")}
    return Step(
        id="booking",
        tool="book_room",
        description=_both("预订研讨间", "Book the room"),
        depends_on=after,
        parameters={**parameters, "party_size": Binding(slot="party_size")},
        requires_confirmation=True,
    )


def meal_step(slots: Mapping[str, Slot], *, after: str | None, sole: bool) -> Step:
    """Return the canteen step. ``after``: the step whose room and end it follows."""
    parameters = {name: Binding(slot=slot) for slot, name in _MEAL_SLOTS.items() if slot in slots}
    if after is not None:
        spot = "$.data" if after == "booking" else "$.data.rooms[0]"
        if "arrive" not in parameters:
            note = _both("用完房间的时间", "when the room is free again")
            parameters["arrive"] = Binding(step=after, path=f"{spot}.end", note=note)
        if not {"zone", "near"} & parameters.keys():
            note = _both("离所用的房间近", "close to the room")
            parameters["near"] = Binding(step=after, path=f"{spot}.room_id", note=note)
    return Step(
        id="meal",
        tool="recommend_canteen",
        description=_both("推荐食堂", "Recommend a canteen"),
        depends_on=(after,) if after else (),
        parameters=parameters,
        critical=None if sole else False,
    )


def list_step(slots: Mapping[str, Slot]) -> Step:
    """Return the step that lists one's bookings."""
    return Step(
        id="bookings",
        tool="list_bookings",
        description=_both("列出您的预约", "List your bookings"),
        parameters=_from_slots(("date", "date_to"), slots),
    )


def cancel_step(*, after: tuple[str, ...] = ()) -> Step:
    """Return the step that cancels the booking in slot ``reservation_id``."""
    return Step(
        id="cancel",
        tool="cancel_booking",
        description=_both("取消预约", "Cancel the booking"),
        depends_on=after,
        parameters={"reservation_id": Binding(slot="reservation_id")},
        requires_confirmation=True,
    )


def plan_of(reading: Reading, steps: Iterable[Step]) -> Plan:
    """Return the plan, with a goal made of what its steps do."""
    ordered = tuple(steps)
    seen = dict.fromkeys((step.description["zh"], step.description["en"]) for step in ordered)
    goal = _both("，".join(zh for zh, _ in seen), "; ".join(en for _, en in seen))
    return Plan(goal=goal, steps=ordered)
