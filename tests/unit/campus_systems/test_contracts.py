"""What the contracts accept and refuse, and that the tools keep them."""

from typing import Any

import pytest

from surefoot.contracts.schema import Validator
from surefoot_campus.app import app, permissions
from surefoot_campus.systems.records import EQUIPMENT, ROOM_ID
from surefoot_campus.tools.bookings import book_room, cancel_booking, find_booking, list_bookings
from surefoot_campus.tools.canteens import list_canteens, recommend_canteen
from surefoot_campus.tools.rooms import find_room
from surefoot_campus.tools.schedule import query_schedule
from unit.campus_systems.conftest import Context, at

REGISTRY = app.registry()
BOOKING: dict[str, Any] = {"room_id": "YX-201", "start": at("14:00"), "end": at("15:00"), "party_size": 6}


def problems(tool: str, **arguments: Any) -> list[str]:
    return REGISTRY[tool].input.problems(arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("book_room", {**BOOKING, "room_id": "the big one"}, "room_id"),
        ("book_room", {**BOOKING, "start": "2026-12-02T14:00"}, "start"),
        ("book_room", {**BOOKING, "start": "tomorrow"}, "start"),
        ("book_room", {**BOOKING, "end": "2026-13-02T14:00:00+08:00"}, "end"),
        ("book_room", {**BOOKING, "party_size": 0}, "party_size"),
        ("book_room", {**BOOKING, "party_size": "six"}, "party_size"),
        ("book_room", {**BOOKING, "purpose": "x" * 201}, "purpose"),
        ("book_room", {**BOOKING, "user_id": "somebody"}, "user_id"),
        ("find_room", {"start": at("14:00"), "end": at("15:00"), "equipment": ["piano"]}, "equipment"),
        ("find_room", {"start": at("14:00"), "end": at("15:00"), "duration_min": 0}, "duration_min"),
        ("query_schedule", {"date": "02.12.2026"}, "date"),
        ("cancel_booking", {"reservation_id": "all of them"}, "reservation_id"),
        ("recommend_canteen", {"arrive": at("12:00"), "crowd": "high"}, "crowd"),
        ("recommend_canteen", {"arrive": at("12:00"), "price_max": -1}, "price_max"),
    ],
)
def test_a_value_of_the_wrong_form_is_refused_by_name(tool: str, arguments: dict[str, Any], field: str) -> None:
    found = problems(tool, **arguments)
    assert found
    assert field in found[0]


def test_a_good_booking_is_accepted() -> None:
    assert problems("book_room", **BOOKING) == []


def test_every_time_that_goes_in_must_carry_its_offset() -> None:
    times = [
        (tool.__name__, name, schema)
        for tool in app.tools
        for name, schema in REGISTRY.contract(tool.__name__).parameters.items()
        if schema.get("format") == "date-time"
    ]
    assert len(times) >= 8
    for tool, name, schema in times:
        assert Validator(schema).problems("2026-12-02T14:00:00"), (tool, name)
        assert not Validator(schema).problems("2026-12-02T06:00:00Z"), (tool, name)


def test_files_accept_the_rooms_and_the_equipment_that_the_contracts_accept() -> None:
    parameters = REGISTRY.contract("book_room").parameters
    assert parameters["room_id"]["pattern"] == f"^{ROOM_ID.pattern}$"
    assert tuple(REGISTRY.contract("find_room").parameters["equipment"]["items"]["enum"]) == EQUIPMENT


def test_a_booking_can_be_asked_back_and_taken_back_and_a_cancellation_only_asked_back() -> None:
    book, cancel = REGISTRY.contract("book_room"), REGISTRY.contract("cancel_booking")
    assert book.idempotency is not None
    assert book.idempotency.key == ("user_id", "room_id", "start", "end")
    assert book.reconcile is not None
    assert (book.reconcile.tool, book.reconcile.settle_ms) == ("find_booking", 2000)
    assert book.compensate is not None
    assert book.compensate.tool == "cancel_booking"
    assert cancel.irreversible
    assert cancel.reconcile is not None
    assert cancel.reconcile.expect == "absent"


def test_writes_ask_and_the_permissions_are_those_that_users_have() -> None:
    contracts = [REGISTRY.contract(tool.__name__) for tool in app.tools]
    assert {contract.name for contract in contracts if contract.is_write} == {"book_room", "cancel_booking"}
    assert all(contract.approval == "required" for contract in contracts if contract.is_write)
    assert {contract.permission for contract in contracts} == permissions("student")
    assert {contract.execution_contract.timeout_ms for contract in contracts} == {3000}


async def test_what_each_tool_returns_keeps_its_contract(ctx: Context) -> None:
    made = await book_room(**BOOKING, ctx=ctx(key="k#1"))
    returned = {
        "book_room": made,
        "find_booking": await find_booking(request_key="k#1", ctx=ctx()),
        "list_bookings": await list_bookings(ctx=ctx()),
        "query_schedule": await query_schedule("2026-12-02", ctx=ctx()),
        "find_room": await find_room(at("16:00"), at("18:00"), near="LIB", ctx=ctx()),
        "recommend_canteen": await recommend_canteen(at("12:00"), ctx=ctx()),
        "list_canteens": await list_canteens(at("12:00"), near="LIB", ctx=ctx()),
        "cancel_booking": await cancel_booking(made["reservation_id"], ctx=ctx()),
    }
    assert set(returned) == {tool.__name__ for tool in app.tools}
    problems_found = {tool: REGISTRY[tool].output.problems(data) for tool, data in returned.items()}
    assert not any(problems_found.values()), problems_found
