"""Answers: what was done, the day's timeline, what was guessed, what went otherwise; in the person's language."""

from datetime import datetime
from typing import Any

import pytest

from surefoot.app import RunView
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot_campus.answer import compose

NOW = datetime.fromisoformat("2026-12-01T10:00:00+08:00")
D = "2026-12-02T"
REASON = {"zh": "离得近", "en": "close by"}
TEXT = {"zh": "x", "en": "x"}


def record(step_id: str, tool: str, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A step record as the graph keeps it."""
    return {
        "id": step_id, "tool": tool, "status": "success", "input": {}, "provenance": {}, "retries": 0, "notes": [],
        "output": {"status": "success", "data": data, "error": None, "metadata": {}}, "error": None, **more,
    }  # fmt: skip


SCHEDULE = {
    "days": [
        {
            "date": "2026-12-02", "week": 12, "weekday": 3, "note": None, "bookings": [],
            "classes": [
                {"course": "高等数学", "start": D + "10:00:00+08:00", "end": D + "11:40:00+08:00",
                 "periods": [3, 4],
                 "building": "主楼", "room": "301"}
            ],
            "free": [{"start": D + "08:00:00+08:00", "end": D + "10:00:00+08:00"}],
        }
    ]
}  # fmt: skip
ROOM = {
    "room_id": "A-203", "name": "A203", "building": "A", "building_name": "甲楼", "zone": "东区", "capacity": 6,
    "equipment": ["projector"], "start": D + "08:55:00+08:00", "end": D + "09:40:00+08:00", "walk_min": 4, "fee": None,
    "reasons": [REASON],
}  # fmt: skip
BOOKED = {
    "reservation_id": "R-77", "room_id": "A-203", "room_name": "A203", "building": "A", "zone": "东区",
    "start": D + "08:55:00+08:00", "end": D + "09:40:00+08:00", "party_size": 4, "status": "booked", "fee": None,
}  # fmt: skip
CANTEEN = {
    "canteen_id": "c1", "name": "一食堂", "zone": "东区", "arrive": D + "09:45:00+08:00", "walk_min": 5,
    "crowding": 0.2,
    "rating": 4.5, "price": 14.0, "score": 0.9, "closes": "13:30", "reasons": [REASON], "contributions": {},
}  # fmt: skip


def steps(**changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The four records of the main job, with changes by step id."""
    guess = {"origin": "inferred", "note": {"zh": "没有说人数", "en": "no head count was given"}}
    made = {
        "schedule": record("schedule", "query_schedule", SCHEDULE),
        "rooms": record("rooms", "find_room", {"window": {}, "rooms": [ROOM]}),
        "booking": record(
            "booking", "book_room", BOOKED, effect_id="e1", effect="committed",
            input={"room_id": "A-203", "party_size": 4}, provenance={"party_size": guess},
        ),
        "meal": record(
            "meal", "recommend_canteen", {"arrive": D + "09:40:00+08:00", "canteens": [CANTEEN]}
        ),
    }  # fmt: skip
    return {name: {**item, **changes.get(name, {})} for name, item in made.items()}


def view(status: str, records: dict[str, Any], lang: str = "zh", **more: Any) -> RunView:
    """A finished run."""
    plan = Plan(
        goal=TEXT,
        steps=tuple(
            Step(id=name, tool=item["tool"], description=TEXT, parameters={"x": Binding(literal=1)})
            for name, item in records.items()
        ),
    )
    return RunView(
        request="…", lang=lang, now=NOW, plan=plan, steps=records, slots=more.pop("slots", {}), status=status,
        ticket=more.pop("ticket", None), result=more.pop("result", {}),
    )  # fmt: skip


def spoken(run: RunView) -> str:
    """Every word of the answer."""
    return "\n".join(str(block.to_json()) for block in compose(run))


def test_a_done_run_names_room_time_and_reservation_number() -> None:
    words = spoken(view("done", steps()))
    assert "R-77" in words
    assert "A203" in words
    assert "08:55–09:40" in words


@pytest.mark.parametrize(("people", "words"), [(1, "1 person,"), (5, "5 people,")])
def test_a_booking_counts_its_people_in_english(people: int, words: str) -> None:
    booking = record("booking", "book_room", {**BOOKED, "party_size": people}, effect="committed")
    assert words in spoken(view("done", steps(booking=booking), lang="en"))


def test_the_timeline_is_in_order_and_holds_class_walks_booking_and_meal() -> None:
    [timeline] = [block for block in compose(view("done", steps())) if block.kind == "timeline"]
    items = timeline.data["items"]
    assert [item["start"][11:16] for item in items] == ["08:51", "08:55", "09:40", "09:45", "10:00"]
    assert items[0]["title"] == "步行到A203（A-203）"
    assert "R-77" in items[1]["detail"]
    assert "离得近" in items[3]["detail"]
    assert "高等数学" in items[4]["title"]


def test_a_guess_is_named_as_one_with_its_reason() -> None:
    assert "人数 4（没有说人数）" in spoken(view("done", steps()))
    assert "People 4 (no head count was given)" in spoken(view("done", steps(), "en"))


@pytest.mark.parametrize("status", ["done", "declined", "refused", "undone", "handed_over", "failed", "dry_run"])
def test_an_english_answer_holds_no_chinese_sentence_of_ours(status: str) -> None:
    words = spoken(view(status, steps(), "en", result={"reason": {"zh": "满了。", "en": "Full."}}))
    names = ("高等数学", "主楼", "甲楼", "东区", "一食堂")
    for name in names:
        words = words.replace(name, "")
    assert not any("\u4e00" <= char <= "\u9fff" for char in words), words


def test_what_failed_and_what_was_done_instead_is_said() -> None:
    error = {"code": "TOOL_UNAVAILABLE", "message": {"zh": "食堂系统没有回应。", "en": "No answer."}, "details": {}}
    note = {"zh": "原来的系统不可用，改用了备用来源。", "en": "A fallback was used."}
    words = spoken(view("done", steps(meal={"status": "skipped", "error": error}, rooms={"notes": [note]})))
    assert "推荐食堂没有完成：食堂系统没有回应。" in words
    assert "改用了备用来源" in words
    assert "一食堂" not in words


def test_an_empty_result_names_the_alternatives() -> None:
    error = {
        "code": "BUSINESS_EMPTY",
        "message": {"zh": "这段时间没有空房。", "en": "Nothing free."},
        "details": {"alternatives": [{"label": {"zh": "下午两点", "en": "2 pm"}, "changes": {}}]},
    }
    run = view("failed", {"rooms": steps(rooms={"status": "empty", "error": error})["rooms"]})
    assert "可以换成：下午两点" in spoken(run)


def test_a_declined_run_says_that_nothing_was_booked() -> None:
    records = {**steps(), "booking": {**steps()["booking"], "status": "skipped", "output": None, "effect_id": None}}
    words = spoken(view("declined", records))
    assert "没有产生任何预约" in words
    assert "R-77" not in words


def test_an_undone_run_says_what_was_taken_back() -> None:
    undone = [{"effect_id": "e1", "tool": "book_room", "state": "compensated", "arguments": {}}]
    words = spoken(view("undone", steps(), result={"reason": {"zh": "撞课。", "en": "Clash."}, "undone": undone}))
    assert "撞课" in words
    assert "已撤销" in words
    assert "已订好" not in words


def test_a_hand_over_gives_the_ticket_and_what_is_unknown() -> None:
    ticket = {
        "ticket_id": "T-r1", "done": [], "undone": [], "residue": [],
        "unknown": [{"tool": "book_room", "arguments": {"room_id": "A-203", "start": D + "08:55:00+08:00"}}],
    }  # fmt: skip
    words = spoken(view("handed_over", steps(booking={"status": "unknown"}), ticket=ticket))
    assert "T-r1" in words
    assert "还不清楚是否办成" in words
    assert "A-203" in words
    assert "已订好" not in words


def test_a_canteen_in_an_unwanted_zone_is_left_out() -> None:
    other = {**CANTEEN, "name": "西苑", "zone": "西区"}
    data = {"arrive": D + "09:40:00+08:00", "canteens": [other, CANTEEN]}
    run = view("done", {"meal": record("meal", "recommend_canteen", data)}, slots={"zone_not": Slot(value="西区")})
    assert "西苑" not in spoken(run)


def test_an_answered_or_refused_run_says_the_reason() -> None:
    for status in ("answered", "refused"):
        run = RunView("…", "zh", NOW, None, {}, {}, status, result={"reason": {"zh": "校历在此。", "en": "Here."}})
        assert "校历在此。" in spoken(run)
