"""query_schedule: the lessons really held on a day, and the free time between them."""

from typing import Any

import pytest

from surefoot.errors import BusinessRefused
from surefoot_campus.tools.bookings import book_room
from surefoot_campus.tools.schedule import query_schedule
from unit.campus_systems.conftest import Context, at


async def day(ctx: Context, date: str, user: str = "student") -> dict[str, Any]:
    [found] = (await query_schedule(date, ctx=ctx(user)))["days"]
    return dict(found)


async def test_the_students_wednesday_has_a_free_second_period_and_a_class_after_it(ctx: Context) -> None:
    wednesday = await day(ctx, "2026-12-02")
    assert (wednesday["week"], wednesday["weekday"], wednesday["note"]) == (12, 3, None)
    assert [(c["course"], c["periods"], c["start"], c["end"]) for c in wednesday["classes"]] == [
        ("大学物理", [3, 4], at("10:00"), at("11:40"))
    ]
    assert wednesday["classes"][0]["building"] == {"zh": "第一教学楼", "en": "Teaching Building 1"}
    assert [(free["start"], free["end"]) for free in wednesday["free"]] == [
        (at("08:00"), at("10:00")), (at("11:40"), at("22:00")),
    ]  # fmt: skip


async def test_odd_weeks_have_the_lab_and_even_weeks_the_lecture(ctx: Context) -> None:
    odd, even = await day(ctx, "2026-12-09"), await day(ctx, "2026-12-02")
    assert "程序设计实验" in [c["course"] for c in odd["classes"]]
    assert "程序设计实验" not in [c["course"] for c in even["classes"]]
    assert "概率论" in [c["course"] for c in (await day(ctx, "2026-12-04"))["classes"]]


async def test_a_course_pauses_in_the_week_that_its_weeks_leave_out(ctx: Context) -> None:
    ninth, tenth = await day(ctx, "2026-11-10"), await day(ctx, "2026-11-17")
    assert (ninth["week"], tenth["week"]) == (9, 10)
    assert "思想政治" not in [c["course"] for c in ninth["classes"]]
    assert "思想政治" in [c["course"] for c in tenth["classes"]]


async def test_a_holiday_and_a_makeup_day_say_what_they_are(ctx: Context) -> None:
    holiday, makeup = await day(ctx, "2026-10-05"), await day(ctx, "2026-09-20")
    assert holiday["classes"] == []
    assert holiday["note"]["zh"] == "国庆节放假，没有课"
    assert [c["course"] for c in makeup["classes"]] == ["高等数学", "大学英语"]
    assert makeup["note"]["en"] == "make-up day: taught as 2026-10-05"
    assert makeup["classes"][0]["start"] == at("08:00", "2026-09-20")


async def test_a_booking_of_ones_own_is_shown_and_not_free(ctx: Context) -> None:
    await book_room("LIB-211", at("14:00"), at("15:00"), 2, ctx=ctx(key="k#1"))
    wednesday = await day(ctx, "2026-12-02")
    assert [booking["room_id"] for booking in wednesday["bookings"]] == ["LIB-211"]
    assert (at("11:40"), at("14:00")) in [(free["start"], free["end"]) for free in wednesday["free"]]


async def test_several_days_come_in_order_and_everyone_sees_their_own(ctx: Context) -> None:
    found = await query_schedule("2026-11-30", "2026-12-06", ctx=ctx())
    assert [entry["weekday"] for entry in found["days"]] == [1, 2, 3, 4, 5, 6, 7]
    teaching = await day(ctx, "2026-12-02", "teacher")
    assert [c["course"] for c in teaching["classes"]] == ["编译原理"]
    assert (await day(ctx, "2026-12-02", "visitor"))["classes"] == []


@pytest.mark.parametrize(
    ("first", "last", "zh", "en"),
    [
        ("2026-12-02", "2026-12-01", "早于开始日期", "is before the first"),
        ("2026-09-13", None, "（2026-09-14 至 2027-01-17）", "(2026-09-14 to 2027-01-17)"),
        ("2027-01-18", None, "（2026-09-14 至 2027-01-17）", "(2026-09-14 to 2027-01-17)"),
        ("2026-11-01", "2026-12-02", "最多查 31 天", "At most 31 days"),
    ],
)
async def test_days_that_cannot_be_looked_up_are_refused_with_what_would_be_right(
    ctx: Context, first: str, last: str | None, zh: str, en: str
) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await query_schedule(first, last, ctx=ctx())
    assert zh in refused.value.text.zh
    assert en in refused.value.text.en
