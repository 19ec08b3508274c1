"""find_room: open, free, large enough, outside one's own classes; and what it offers when nothing is."""

from typing import Any

import pytest

from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot_campus.tools.bookings import book_room
from surefoot_campus.tools.rooms import find_room
from unit.campus_systems.conftest import Context, at, span

Found = dict[str, Any]


async def ids(ctx: Context, start: str, end: str, **wishes: Any) -> list[str]:
    found = await find_room(start, end, ctx=ctx(), **wishes)
    return [room["room_id"] for room in found["rooms"]]


async def offers(ctx: Context, start: str, end: str, **wishes: Any) -> list[dict[str, Any]]:
    with pytest.raises(BusinessEmpty) as empty:
        await find_room(start, end, ctx=ctx(), **wishes)
    return list(empty.value.details["alternatives"])


async def test_rooms_that_are_taken_taught_in_closed_or_too_small_are_not_found(ctx: Context) -> None:
    assert await ids(ctx, at("14:00"), at("15:40"), capacity_min=20) == ["JX-401"]  # YX-301 is taught in then
    assert "YX-101" not in await ids(ctx, at("09:30"), at("10:00"))  # booked until ten
    assert "LIB-212" not in await ids(ctx, at("07:30"), at("08:30"))  # opens at eight
    assert "YX-101" not in await ids(ctx, at("12:00"), at("13:00"), capacity_min=5)


async def test_a_lesson_whose_weeks_are_unknown_keeps_its_room_busy(ctx: Context) -> None:
    friday = "2026-12-04"
    assert "YX-202" not in await ids(ctx, at("14:00", friday), at("17:40", friday), capacity_min=10)
    assert "YX-202" in await ids(ctx, at("12:00", friday), at("13:30", friday), capacity_min=10)


async def test_a_slot_is_the_earliest_in_the_window_without_a_class_of_ones_own(ctx: Context) -> None:
    found = await find_room(at("09:50"), at("13:00"), duration_min=60, ctx=ctx())
    assert {(room["start"], room["end"]) for room in found["rooms"]} == {(at("11:40"), at("12:40"))}


async def test_a_booking_of_ones_own_counts_as_a_class_does(ctx: Context) -> None:
    await book_room("LIB-212", at("14:00"), at("15:00"), 3, ctx=ctx(key="k#1"))
    found = await find_room(at("14:00"), at("18:00"), duration_min=30, ctx=ctx())
    assert found["rooms"][0]["start"] == at("15:00")


async def test_the_first_part_of_a_window_that_is_over_is_not_offered(ctx: Context) -> None:
    found = await find_room(at("11:00", "2026-12-01"), at("20:00", "2026-12-01"), duration_min=30,
                            ctx=ctx(now=at("13:05", "2026-12-01")))  # fmt: skip
    assert found["rooms"][0]["start"] == at("13:05", "2026-12-01")


async def test_a_window_over_midnight_goes_on_the_next_day(ctx: Context) -> None:
    found = await find_room(at("21:50"), at("10:00", "2026-12-05"), duration_min=60, zone="north", ctx=ctx("li.wei"))
    starts = {room["room_id"]: room["start"] for room in found["rooms"]}
    assert starts["JX-401"] == at("07:30", "2026-12-03")


async def test_a_time_of_another_offset_means_the_same_moment(ctx: Context) -> None:
    local = await find_room(at("12:00"), at("13:00"), ctx=ctx())
    utc = await find_room("2026-12-02T04:00:00Z", "2026-12-02T05:00:00Z", ctx=ctx())
    assert utc["rooms"] == local["rooms"]


async def test_the_best_room_is_near_then_cheap_then_no_larger_than_needed(ctx: Context) -> None:
    by_size = await ids(ctx, at("12:00"), at("13:00"), capacity_min=6, zone="东区")
    assert by_size == ["YX-102", "ENG-105", "YX-201", "YX-202", "YX-301"]
    found = await find_room(at("12:00"), at("13:00"), near="工学院", ctx=ctx())
    assert [(room["building"], room["walk_min"]) for room in found["rooms"][:2]] == [("ENG", 0), ("ENG", 0)]
    assert {"zh": "步行 0 分钟", "en": "0 min on foot"} in found["rooms"][0]["reasons"]


@pytest.mark.parametrize("zone", ["北区", "north", "North"])
async def test_a_zone_is_taken_in_both_languages(ctx: Context, zone: str) -> None:
    found = await find_room(at("12:00"), at("13:00"), zone=zone, ctx=ctx())
    assert {room["zone"] for room in found["rooms"]} == {"北区"}


async def test_equipment_must_all_be_there_and_the_fee_is_for_the_time_used(ctx: Context) -> None:
    found = await find_room(at("12:00"), at("13:30"), equipment=["video", "computer"], ctx=ctx())
    assert [(room["room_id"], room["fee"]) for room in found["rooms"]] == [("YX-301", 30.0)]


@pytest.mark.parametrize(
    ("wishes", "zh", "en"),
    [
        ({"start": at("15:00"), "end": at("14:00")}, "结束时间 14:00 要晚于开始时间 15:00", "The end (14:00) must be"),
        (span("2026-12-01", "08:00", "09:00"), "已经过去", "is in the past"),
        ({"capacity_min": 31}, "最大的房间只能坐 30 人", "The largest room seats 30"),
        ({"room_id": "YX-999"}, "没有房间 YX-999", "There is no room YX-999"),
        ({"zone": "中区"}, "校区有：东区、南区、西区、北区", "there are east, south, west, north"),
        ({"near": "月球"}, "没有找到“月球”", "no place called '月球'"),
        (span("2027-02-01", "14:00", "15:00"), "2026-09-14 至 2027-01-17", "(2026-09-14 to 2027-01-17)"),
        (span("2027-01-01", "14:00", "15:00"), "全校不开放（元旦闭校）", "whole campus is closed"),
        ({"start": at("14:00"), "end": at("14:00", "2027-01-05")}, "最多查 31 天", "At most 31 days"),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_refused_with_what_would_be_right(
    ctx: Context, wishes: Found, zh: str, en: str
) -> None:
    asked = {"start": at("14:00"), "end": at("15:00"), **wishes}
    with pytest.raises(BusinessRefused) as refused:
        await find_room(**asked, ctx=ctx())
    assert zh in refused.value.text.zh
    assert en in refused.value.text.en


async def test_a_building_that_is_closed_that_day_has_no_rooms(ctx: Context) -> None:
    saturday = "2026-12-12"
    offered = await offers(ctx, at("14:00", saturday), at("15:00", saturday), zone="西区")
    assert [offer["changes"] for offer in offered] == [{"zone": "东区"}, {"zone": "南区"}]


async def test_a_taken_room_offers_other_times_that_day_and_another_room(ctx: Context) -> None:
    offered = await offers(ctx, at("14:00", "2026-12-03"), at("16:00", "2026-12-03"), room_id="YX-201", capacity_min=6)
    changes = [offer["changes"] for offer in offered]
    assert {**span("2026-12-03", "12:00", "14:00")} in changes
    other = next(change["room_id"] for change in changes if "room_id" in change)
    assert other in await ids(ctx, at("14:00", "2026-12-03"), at("16:00", "2026-12-03"), capacity_min=6)


@pytest.mark.parametrize(
    ("wishes", "zh", "en"),
    [
        ({"capacity_min": 5}, "YX-101 最多 4 人，坐不下 5 人。", "YX-101 seats 4; 5 people do not fit."),
        ({"equipment": ["tv", "power"]}, "YX-101 没有电视。", "YX-101 has no TV."),
    ],
)
async def test_a_named_room_that_would_never_do_says_why_and_offers_one_that_does(
    ctx: Context, wishes: Found, zh: str, en: str
) -> None:
    with pytest.raises(BusinessEmpty) as empty:
        await find_room(at("12:00"), at("13:00"), room_id="YX-101", ctx=ctx(), **wishes)
    assert (empty.value.text.zh, empty.value.text.en) == (zh, en)
    other = empty.value.details["alternatives"][0]["changes"]["room_id"]
    assert other in await ids(ctx, at("12:00"), at("13:00"), **wishes)


async def test_every_other_time_offered_really_fits(ctx: Context) -> None:
    wishes: Found = {"zone": "西区", "capacity_min": 5}
    offered = await offers(ctx, at("19:30"), at("20:30"), **wishes)
    times = [offer["changes"] for offer in offered if "start" in offer["changes"]]
    assert times
    for change in times:
        assert await ids(ctx, change["start"], change["end"], **wishes)


async def test_nothing_with_all_the_equipment_offers_to_do_without_one_item(ctx: Context) -> None:
    offered = await offers(ctx, at("12:00"), at("13:00"), equipment=["tv", "video"])
    assert [offer["changes"] for offer in offered] == [{"equipment": ["video"]}, {"equipment": ["tv"]}]
    assert offered[0]["label"] == {"zh": "不要求电视", "en": "without a TV"}


async def test_a_window_that_is_free_in_part_offers_the_longest_part(ctx: Context) -> None:
    offered = await offers(ctx, at("19:00"), at("23:30"), zone="南区")
    assert offered[-1]["changes"] == {"start": at("19:00"), "end": at("22:00"), "duration_min": 180}


async def test_when_only_the_persons_own_day_stands_in_the_way_that_is_said(ctx: Context) -> None:
    with pytest.raises(BusinessEmpty) as empty:
        await find_room(at("10:00"), at("11:00"), ctx=ctx())
    assert "您自己 10:00-11:00 有课或已有预约" in empty.value.text.zh
    assert "you have a class or a booking from 10:00-11:00" in empty.value.text.en


async def test_what_somebody_else_has_booked_is_not_found(ctx: Context) -> None:
    assert "TW-110" in await ids(ctx, at("12:00"), at("13:00"), zone="西区")
    await book_room("TW-110", at("12:00"), at("13:00"), 3, ctx=ctx("li.wei", key="k#1"))
    offered = await offers(ctx, at("12:00"), at("13:00"), zone="西区")
    assert {"zone": "东区"} in [offer["changes"] for offer in offered]
