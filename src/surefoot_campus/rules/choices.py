"""Choice rules: which of the rooms that were found is booked."""

from typing import Any

from surefoot.planning import Choice, Choosing, Chosen
from surefoot.texts import Text


def _best(choosing: Choosing) -> dict[str, Any] | None:
    """Return the first room found that the back end has not refused for this step at that time."""
    refused = {(taken.get("room_id"), taken.get("start")) for taken in choosing.refused}
    for result in choosing.results.values():
        for room in result.get("data", {}).get("rooms", []):
            if (room["room_id"], room["start"]) not in refused:
                best: dict[str, Any] = room
                return best
    return None


def best_room(choosing: Choosing) -> Chosen | None:
    """Pick the first room: earliest, then near, then cheap, then no larger than needed."""
    room = _best(choosing)
    if room is None:
        return None
    zh = "，".join(reason["zh"] for reason in room["reasons"])
    en = ", ".join(reason["en"] for reason in room["reasons"])
    return Chosen(
        room["room_id"], Text(f"合适的空房间里最先可用的（{zh}）", f"the first suitable room that is free ({en})")
    )


def best_room_start(choosing: Choosing) -> Chosen | None:
    """The start of the slot in which the best room is free."""
    room = _best(choosing)
    return Chosen(room["start"], Text("该房间可用的时段", "when that room is free")) if room else None


def best_room_end(choosing: Choosing) -> Chosen | None:
    """The end of the slot in which the best room is free."""
    room = _best(choosing)
    return Chosen(room["end"], Text("该房间可用的时段", "when that room is free")) if room else None


CHOICES: dict[str, Choice] = {rule.__name__: rule for rule in (best_room, best_room_start, best_room_end)}
