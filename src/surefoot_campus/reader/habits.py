"""Habits: which zone a person tends to book in orders rooms that are otherwise equal, and only then."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from surefoot.app import RunView
from surefoot.planning.binding import Choosing
from surefoot.planning.plan import Slot
from surefoot.planning.planner import Proposal

KIND, SLOT = "zone", "zone_habit"
WHY = {"zh": "您常选的区域", "en": "a zone you often choose"}
EVEN = 0.5


def observe(view: RunView) -> Sequence[tuple[str, str]]:
    """Return the zones of the rooms that this run has booked."""
    booked = [record for _, record in view.by_tool("book_room") if record.get("effect") == "committed"]
    zones = [((record.get("output") or {}).get("data") or {}).get("zone") for record in booked]
    return [(KIND, zone) for zone in zones if zone]


def with_habits(proposal: Proposal, habits: Mapping[str, Mapping[str, float]]) -> Proposal:
    """Hand the weights of zones to the choice of a room, unless the person says where it should be."""
    weights = {zone: weight for zone, weight in habits.get(KIND, {}).items() if weight > EVEN}
    if proposal.plan is None or not weights or {"zone", "near", "room_id", "zone_not"} & proposal.slots.keys():
        return proposal
    slot = Slot(value=weights, origin="rule", note=WHY)
    return replace(proposal, slots={**proposal.slots, SLOT: slot})


def by_habit(choosing: Choosing) -> Choosing:
    """Return the choice with rooms of the same start and price in the order of the person's habits."""
    habit = choosing.slots.get(SLOT)
    if habit is None:
        return choosing
    return replace(choosing, results={step: _ordered(result, habit.value) for step, result in choosing.results.items()})


def _ordered(result: Mapping[str, Any], weights: Mapping[str, float]) -> Mapping[str, Any]:
    data = result.get("data") or {}
    rooms = data.get("rooms")
    if not rooms:
        return result
    first = rooms[0]
    even = [room for room in rooms if (room["start"], room.get("price")) == (first["start"], first.get("price"))]
    liked = max(even, key=lambda room: weights.get(room.get("zone"), EVEN))
    if weights.get(liked.get("zone"), EVEN) <= weights.get(first.get("zone"), EVEN):
        return result
    told = {**liked, "reasons": [*liked.get("reasons", []), WHY]}
    return {**result, "data": {**data, "rooms": [told, *(room for room in rooms if room is not liked)]}}
