"""Both implementations of the campus' port keep the same promises: in one file, and over a socket."""

import asyncio
from typing import Any

import pytest

from surefoot.errors import BusinessRefused
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


@pytest.mark.parametrize(
    "other",
    [{"party_size": 4}, {"room_id": "YX-102"}, {"purpose": "chess"}, {"end": "2026-12-02T14:30:00+08:00"}],
)
async def test_the_same_key_for_something_else_is_refused(campus: Campus, other: dict[str, Any]) -> None:
    made = await campus.book(wish())
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(wish(**other))
    assert refused.value.details["reason"] == "key_reused"
    assert await campus.find("student", "k#1", None) == [made]


async def test_the_key_of_a_cancelled_booking_does_not_bring_it_back(campus: Campus) -> None:
    made = await campus.book(wish())
    await campus.cancel("student", made["reservation_id"])
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(wish())
    assert refused.value.details["reason"] == "key_reused"
    assert "取消" in refused.value.text.zh
    assert (await campus.book(wish(None)))["status"] == "booked"


async def test_a_booking_that_ends_before_it_starts_is_refused(campus: Campus) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await campus.book(wish(end="2026-12-02T13:00:00+08:00"))
    assert refused.value.details["reason"] == "impossible"


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


async def test_bookings_are_those_that_overlap_half_open_and_of_one_person_if_wanted(campus: Campus) -> None:
    made = await campus.book(wish())

    async def found(start: str, end: str, user: str | None = None) -> bool:
        listed = await campus.bookings(f"2026-12-02T{start}:00+08:00", f"2026-12-02T{end}:00+08:00", user)
        return made["reservation_id"] in [booking["reservation_id"] for booking in listed]

    assert await found("14:30", "14:31")
    assert await found("14:30", "14:31", "student")
    assert not await found("14:30", "14:31", "li.wei")
    assert not await found("13:00", "14:00")
    assert not await found("15:00", "16:00")
    await campus.cancel("student", made["reservation_id"])
    assert not await found("14:30", "14:31")


async def test_a_moment_given_in_another_offset_is_told_in_campus_time(campus: Campus) -> None:
    made = await campus.book(wish(start="2026-12-02T06:00:00Z", end="2026-12-02T07:00:00+00:00"))
    assert (made["start"], made["end"]) == ("2026-12-02T14:00:00+08:00", "2026-12-02T15:00:00+08:00")
    assert await campus.book(wish()) == made


async def test_lessons_are_ones_own_and_taught_are_those_in_rooms_that_can_be_booked(campus: Campus) -> None:
    lessons = await campus.lessons("student")
    assert {"course": "大学物理", "weekday": 3, "periods": [3, 4], "weeks": list(range(1, 17)), "building": "JX",
            "room_id": "JX-201"} in lessons  # fmt: skip
    assert await campus.lessons("visitor") == []
    taught = {lesson["course"]: lesson["weeks"] for lesson in await campus.taught()}
    assert set(taught) == {"公共选修课", "研究生讨论班", "党课"}
    assert taught["党课"] is None


async def test_a_head_count_carries_when_it_was_taken(campus: Campus) -> None:
    counts = {count["canteen_id"]: count for count in await campus.crowding()}
    assert counts["C3"] == {"canteen_id": "C3", "level": 0.1, "at": "2026-12-01T09:20:00+08:00"}


@pytest.mark.parametrize("number", ["BK-99999999999999999999", "BK-²", "nothing", ""])
async def test_a_number_that_cannot_be_one_cancels_nothing(campus: Campus, number: str) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await campus.cancel("student", number)
    assert refused.value.details["reason"] == "not_found"
