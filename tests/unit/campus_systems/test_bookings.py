"""Booking, finding, listing and cancelling through the tools, on the embedded campus."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from surefoot.contracts import Deadline, StandingClock, ToolContext
from surefoot.errors import BusinessRefused, ErrorCode, ToolError
from surefoot_campus.systems.embedded import EmbeddedCampus
from surefoot_campus.tools.bookings import book_room, cancel_booking, find_booking, list_bookings
from unit.campus_systems.conftest import NOW, ZONE, Context, at

TAKEN: dict[str, Any] = {
    "room_id": "YX-201",
    "start": at("14:00", "2026-12-03"),
    "end": at("16:00", "2026-12-03"),
    "party_size": 6,
}
FREE: dict[str, Any] = {"room_id": "SC-305", "start": at("14:00"), "end": at("15:30"), "party_size": 4}


async def test_a_booking_tells_room_place_time_and_fee(ctx: Context) -> None:
    made = await book_room(**FREE, ctx=ctx(key="k#1"))
    assert made["status"] == "booked"
    assert made["room_name"] == {"zh": "活动室 305", "en": "Activity Room 305"}
    assert (made["building"], made["zone"], made["fee"]) == ("SC", "南区", 15.0)
    assert (made["start"], made["end"], made["party_size"]) == (at("14:00"), at("15:30"), 4)
    assert made["request_key"] == "k#1"


async def test_a_booking_is_found_by_key_by_number_and_by_what_was_asked_for(ctx: Context) -> None:
    made = await book_room(**FREE, ctx=ctx(key="k#1"))
    same = {"room_id": "SC-305", "start": "2026-12-02T06:00:00Z", "end": at("15:30")}
    for question in ({"request_key": "k#1"}, {"reservation_id": made["reservation_id"]}, same, {}):
        assert (await find_booking(**question, ctx=ctx()))["records"] == [made]
    for question in ({"request_key": "k#2"}, {"reservation_id": "BK-9"}, {"start": at("13:00")}, {"room_id": "YX-101"}):
        assert (await find_booking(**question, ctx=ctx()))["records"] == []
    assert (await find_booking(request_key="k#1", ctx=ctx("li.wei")))["records"] == []


@pytest.mark.parametrize("number", ["BK-", "BK-²", "BK-99999999999999999999999", "nonsense", "BK--1"])
async def test_a_number_that_cannot_be_one_finds_nothing(ctx: Context, number: str) -> None:
    assert (await find_booking(reservation_id=number, ctx=ctx()))["records"] == []
    with pytest.raises(BusinessRefused, match="You have no booking"):
        await cancel_booking(number, ctx=ctx())


async def test_book_cancel_and_book_again_with_the_next_generation_makes_two_bookings_in_turn(ctx: Context) -> None:
    first = await book_room(**FREE, ctx=ctx(key="k#1"))
    for _ in range(2):
        gone = await cancel_booking(first["reservation_id"], ctx=ctx(key="c#1"))
        assert gone["status"] == "cancelled"
    assert (await find_booking(reservation_id=first["reservation_id"], ctx=ctx()))["records"] == []
    second = await book_room(**FREE, ctx=ctx(key="k#2"))
    assert second["reservation_id"] != first["reservation_id"]
    assert (await find_booking(ctx=ctx()))["records"] == [second]


async def test_a_request_that_arrives_late_does_not_bring_back_what_was_cancelled(ctx: Context) -> None:
    made = await book_room(**FREE, ctx=ctx(key="k#1"))
    await cancel_booking(made["reservation_id"], ctx=ctx())
    with pytest.raises(BusinessRefused, match="was cancelled"):
        await book_room(**FREE, ctx=ctx(key="k#1"))
    assert (await find_booking(ctx=ctx()))["records"] == []


async def test_a_taken_room_is_refused_with_alternatives(ctx: Context) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await book_room(**TAKEN, ctx=ctx(key="k#1"))
    assert refused.value.details["reason"] == "room_conflict"
    changes = [offer["changes"] for offer in refused.value.details["alternatives"]]
    assert any("room_id" in change for change in changes)
    assert any("start" in change for change in changes)


class Failing(EmbeddedCampus):
    """A campus that refuses bookings well and answers nothing else."""

    def __init__(self, campus: EmbeddedCampus, seconds: float) -> None:
        self._campus, self._seconds = campus, seconds

    async def profile(self) -> dict[str, Any]:
        return await self._campus.profile()

    async def book(self, booking: dict[str, Any]) -> dict[str, Any]:
        return await self._campus.book(booking)

    async def bookings(self, start: str, end: str, user_id: str | None = None) -> list[dict[str, Any]]:
        await asyncio.sleep(self._seconds)
        raise ToolError(ErrorCode.TOOL_UNAVAILABLE, "out of order")


@pytest.mark.parametrize("seconds", [0.0, 60.0])
async def test_a_refusal_stays_a_refusal_when_alternatives_cannot_be_had(
    ctx: Context, campus: EmbeddedCampus, seconds: float
) -> None:
    clock = StandingClock(ZONE, NOW)
    failing: ToolContext = replace(
        ctx(key="k#1"), systems=Failing(campus, seconds), deadline=Deadline.after(clock, 0.4)
    )
    with pytest.raises(BusinessRefused) as refused:
        await book_room(**TAKEN, ctx=failing)
    assert refused.value.details == {"reason": "room_conflict", "alternatives": []}


async def test_bookings_still_to_come_are_listed_and_those_of_given_days(ctx: Context) -> None:
    for number, day in enumerate(("2026-12-01", "2026-12-02", "2026-12-04")):
        await book_room("SC-306", at("19:00", day), at("20:00", day), 2, ctx=ctx(key=f"k{number}#1"))

    async def days(**asked: Any) -> list[str]:
        return [item["start"][8:10] for item in (await list_bookings(**asked))["bookings"]]

    assert await days(ctx=ctx()) == ["01", "02", "04"]
    assert await days(ctx=ctx(now=at("20:00", "2026-12-01"))) == ["02", "04"]
    assert await days(date="2026-12-02", ctx=ctx()) == ["02"]
    assert await days(date="2026-12-01", date_to="2026-12-02", ctx=ctx()) == ["01", "02"]
    assert await days(date_to="2026-12-02", ctx=ctx()) == ["01", "02"]
    assert await days(ctx=ctx("li.wei")) == ["01", "02", "05"]
    assert await days(ctx=ctx("teacher")) == []


async def test_days_the_wrong_way_round_are_refused(ctx: Context) -> None:
    with pytest.raises(BusinessRefused, match=r"The last day \(2026-12-01\) is before the first"):
        await list_bookings("2026-12-02", "2026-12-01", ctx=ctx())
