"""Both implementations of the campus' port keep the same promises: in one file, and over a socket."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from integration.campus.conftest import served
from surefoot.errors import BusinessRefused, ErrorCode, NotSent, ToolError
from surefoot_campus.systems.http_client import open_http
from surefoot_campus.systems.port import Campus


def wish(key: str | None = "k#1", **changes: Any) -> dict[str, Any]:
    return {
        "room_id": "YX-101",
        "user_id": "student",
        "start": "2026-12-02T14:00:00+08:00",
        "end": "2026-12-02T15:00:00+08:00",
        "party_size": 3,
        "purpose": "",
        "request_key": key,
        **changes,
    }


async def test_a_booking_is_stored_found_and_cancelled(campus: Campus) -> None:
    made = await campus.book(wish())
    assert made["status"] == "booked"
    assert (made["start"], made["request_key"]) == ("2026-12-02T14:00:00+08:00", "k#1")
    assert await campus.find("student", "k#1", None) == [made]
    assert await campus.find("student", None, made["reservation_id"]) == [made]
    assert await campus.find("li.wei", "k#1", None) == []
    gone = await campus.cancel("student", made["reservation_id"])
    assert gone["status"] == "cancelled"
    assert (await campus.cancel("student", made["reservation_id"]))["status"] == "cancelled"
    assert await campus.find("student", None, made["reservation_id"]) == []


async def test_the_same_key_again_is_the_same_booking(campus: Campus) -> None:
    first, second = await campus.book(wish()), await campus.book(wish())
    assert first == second


async def test_the_same_key_for_something_else_is_refused(campus: Campus) -> None:
    await campus.book(wish())
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(wish(party_size=4))
    assert refused.value.details["reason"] == "key_reused"


@pytest.mark.parametrize(
    ("start", "end", "free"),
    [
        ("13:00", "14:00", True),
        ("15:00", "16:00", True),
        ("14:30", "15:30", False),
        ("13:30", "14:01", False),
        ("14:15", "14:45", False),
    ],
)
async def test_overlap_is_refused_by_the_database_and_touching_is_not(
    campus: Campus, start: str, end: str, free: bool
) -> None:
    await campus.book(wish())
    other = wish("k#2", start=f"2026-12-02T{start}:00+08:00", end=f"2026-12-02T{end}:00+08:00", user_id="li.wei")
    if free:
        assert (await campus.book(other))["status"] == "booked"
        return
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(other)
    assert refused.value.details["reason"] == "room_conflict"


async def test_book_cancel_and_book_again_makes_two_rows_in_turn(campus: Campus) -> None:
    first = await campus.book(wish("k#1"))
    await campus.cancel("student", first["reservation_id"])
    second = await campus.book(wish("k#2"))
    assert second["reservation_id"] != first["reservation_id"]


async def test_of_fifty_who_want_one_room_one_gets_it(campus: Campus) -> None:
    wishes = [campus.book(wish(f"k{n}#1", user_id=f"user{n}")) for n in range(50)]
    results = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(isinstance(result, dict) for result in results) == 1
    reasons = [result.details["reason"] for result in results if isinstance(result, BusinessRefused)]
    assert reasons == ["room_conflict"] * 49


async def test_another_persons_booking_cannot_be_cancelled(campus: Campus) -> None:
    made = await campus.book(wish())
    with pytest.raises(BusinessRefused):
        await campus.cancel("li.wei", made["reservation_id"])
    assert await campus.find("student", "k#1", None) != []


async def test_a_room_that_does_not_exist_is_refused(campus: Campus) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(wish(room_id="ZZ-999"))
    assert refused.value.details["reason"] == "no_such_room"


async def test_somebody_unknown_is_a_visitor(campus: Campus) -> None:
    assert await campus.person("nobody") == {"user_id": "nobody", "role": "visitor", "may_book": False}


async def test_the_profile_has_everything_the_tools_need(campus: Campus) -> None:
    profile = await campus.profile()
    assert {"term", "periods", "zones", "policy", "buildings", "walks", "rooms", "canteens", "crowding"} <= set(profile)


async def test_a_refused_connection_proves_that_nothing_was_sent() -> None:
    async with open_http("http://127.0.0.1:9") as client:
        with pytest.raises(NotSent):
            await client.book(wish())


@pytest.mark.parametrize(
    ("fault", "code", "rows"),
    [
        ("book=error_5xx", ErrorCode.TOOL_UNAVAILABLE, 0),
        ("book=after_commit_5xx", ErrorCode.TOOL_UNAVAILABLE, 1),
        ("book=malformed", ErrorCode.TOOL_OUTPUT_INVALID, 1),
    ],
)
async def test_each_fault_of_the_server_is_told_apart(database: Path, fault: str, code: ErrorCode, rows: int) -> None:
    async with served(database, fault) as url, open_http(url) as client:
        with pytest.raises(ToolError) as failed:
            await client.book(wish())
        assert failed.value.error_code is code
        assert len(await client.find("student", "k#1", None)) == rows
