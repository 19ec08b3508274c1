"""Choice rules of the reader."""

from datetime import datetime

from surefoot.planning import Choosing
from surefoot.planning.plan import Slot, Step
from surefoot_campus.reader.choosing import after_last_class, minding
from surefoot_campus.rules import CHOICES

NOW = datetime.fromisoformat("2026-12-01T10:00:00+08:00")
STEP = Step(id="x", tool="book_room", description={"zh": "x", "en": "x"})
ROOMS = [
    {"room_id": "A-101", "zone": "西区", "start": "s1", "end": "e1", "reasons": []},
    {"room_id": "B-101", "zone": "东区", "start": "s2", "end": "e2", "reasons": []},
]


def choosing(data: dict, **slots: Slot) -> Choosing:
    """What a rule sees after one step with this data."""
    return Choosing(STEP, {"before": {"status": "success", "data": data}}, slots, (), NOW)


def test_the_start_after_classes_is_the_end_of_the_last_one() -> None:
    lessons = [{"end": "2026-12-02T11:40:00+08:00"}, {"end": "2026-12-02T09:40:00+08:00"}]
    chosen = after_last_class(choosing({"days": [{"classes": lessons}]}))
    assert chosen.value == "2026-12-02T11:40:00+08:00"


def test_the_start_is_never_before_now() -> None:
    chosen = after_last_class(choosing({"days": [{"classes": [{"end": "2026-12-01T09:40:00+08:00"}]}]}))
    assert chosen.value == NOW.isoformat()


def test_a_day_without_classes_is_searched_from_its_start() -> None:
    chosen = after_last_class(choosing({"days": [{"classes": []}]}, start=Slot(value="t")))
    assert chosen.value == "t"


def test_a_zone_that_was_ruled_out_is_never_chosen() -> None:
    rules = minding(CHOICES)
    assert rules["best_room"](choosing({"rooms": ROOMS})).value == "A-101"
    assert rules["best_room"](choosing({"rooms": ROOMS}, zone_not=Slot(value="西区"))).value == "B-101"
    assert rules["best_room"](choosing({"rooms": ROOMS[:1]}, zone_not=Slot(value="西区"))) is None


def test_a_guessed_length_makes_the_end_a_guess() -> None:
    guess = Slot(value=45, origin="inferred", note={"zh": "没有说用多久", "en": "no length was given"})
    rules = minding(CHOICES)
    assert rules["best_room_end"](choosing({"rooms": ROOMS}, duration_min=guess)).origin == "inferred"
    assert rules["best_room_end"](choosing({"rooms": ROOMS}, duration_min=Slot(value=45))).origin == "rule"
    assert rules["best_room_start"](choosing({"rooms": ROOMS}, duration_min=guess)).origin == "rule"
