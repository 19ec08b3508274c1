"""Choice rules: the first room found that has not been refused, its start and its end."""

from typing import Any

from surefoot.planning import Choosing, Step
from surefoot_campus.rules import CHOICES
from unit.campus_systems.conftest import NOW, at

ROOMS = [
    {"room_id": room, "start": at(start), "end": at(end), "reasons": [{"zh": "免费", "en": "free of charge"}]}
    for room, start, end in (("YX-101", "14:00", "15:00"), ("YX-102", "14:30", "15:30"))
]


def choosing(*refused: dict[str, Any], rooms: list[dict[str, Any]] = ROOMS) -> Choosing:
    step = Step(id="booking", tool="book_room", description={"zh": "订", "en": "book"})
    results: dict[str, Any] = {"schedule": {"data": {"days": []}}, "rooms": {"data": {"rooms": rooms}}}
    return Choosing(step, results, {}, refused, NOW)


def picked(found: Choosing) -> list[Any]:
    chosen = [CHOICES[name](found) for name in ("best_room", "best_room_start", "best_room_end")]
    return [choice.value if choice else None for choice in chosen]


def test_the_first_room_found_is_taken_with_its_own_times() -> None:
    assert picked(choosing()) == ["YX-101", at("14:00"), at("15:00")]
    best = CHOICES["best_room"](choosing())
    assert best is not None
    assert "免费" in best.why.zh


def test_a_room_that_was_refused_at_that_time_is_passed_over_with_its_times() -> None:
    refused = {"room_id": "YX-101", "start": at("14:00"), "end": at("15:00"), "party_size": 2}
    assert picked(choosing(refused)) == ["YX-102", at("14:30"), at("15:30")]
    assert picked(choosing({**refused, "start": at("09:00")}))[0] == "YX-101"


def test_nothing_is_chosen_when_nothing_is_left() -> None:
    refused = [{"room_id": room["room_id"], "start": room["start"]} for room in ROOMS]
    assert picked(choosing(*refused)) == [None, None, None]
    assert picked(choosing(rooms=[])) == [None, None, None]
