"""The business rules: each refuses what it is for, says what would be right in both languages, and nothing else."""

from collections.abc import Mapping
from typing import Any

import pytest

from surefoot.contracts import Registry, Violation
from surefoot_campus.app import app
from surefoot_campus.rules import FEES, RULES
from surefoot_campus.tools.bookings import book_room
from unit.campus_systems.conftest import Context, at, span

GOOD: dict[str, Any] = {"room_id": "YX-201", "start": at("14:00"), "end": at("15:00"), "party_size": 6}
BEFORE = [
    "start_before_end", "not_in_past", "in_term", "may_book", "room_exists", "capacity_fits", "room_open",
    "within_limits", "no_class_clash", "not_in_maintenance",
]  # fmt: skip


async def broken(ctx: Any, **changes: Any) -> Mapping[str, Violation]:
    """Return the rules before a booking that do not hold, by name."""
    found = [await RULES[name]({**GOOD, **changes}, None, ctx) for name in BEFORE]
    return {violation.rule: violation for violation in found if violation is not None}


async def test_a_good_booking_breaks_no_rule(ctx: Context) -> None:
    assert await broken(ctx()) == {}
    assert app.registry().contract("book_room").requires == tuple(BEFORE)


@pytest.mark.parametrize(
    ("changes", "rule", "zh", "en"),
    [
        ({"start": at("15:00"), "end": at("15:00")}, "start_before_end", "要晚于", "must be later"),
        (span("2026-12-01", "09:00", "09:45"), "not_in_past", "现在是 12月01日 10:00", "now 01 Dec 10:00"),
        (span("2027-02-01", "14:00", "15:00"), "in_term", "2026-09-14 至 2027-01-17", "2026-09-14 to 2027-01-17"),
        ({"room_id": "YX-999"}, "room_exists", "没有房间 YX-999", "no room YX-999"),
        ({"party_size": 9}, "capacity_fits", "最多 8 人", "seats 8"),
        ({"start": at("06:30"), "end": at("07:45")}, "room_open", "开放时间是 07:30-22:00", "is open 07:30 to 22:00"),
        ({"start": at("21:30"), "end": at("22:01")}, "room_open", "开放时间", "is open"),
        ({"room_id": "TW-110", **span("2026-12-12", "14:00", "15:00")}, "room_open", "天文楼停电检修", "no power"),
        (span("2027-01-01", "14:00", "15:00"), "room_open", "全校不开放", "whole campus is closed"),
        ({"start": at("14:00"), "end": at("18:01")}, "within_limits", "最多预约 4 小时", "At most 4 hours"),
        ({"start": at("14:00"), "end": at("14:10")}, "within_limits", "至少预约 15 分钟", "At least 15 minutes"),
        (span("2026-12-16", "14:00", "15:00"), "within_limits", "订到 12月15日", "up to 15 Dec"),
        ({"start": at("11:00"), "end": at("12:00")}, "no_class_clash", "10:00-11:40 有课", "from 10:00 to 11:40"),
    ],
)  # fmt: skip
async def test_each_rule_refuses_and_says_what_would_be_right(
    ctx: Context, changes: dict[str, Any], rule: str, zh: str, en: str
) -> None:
    found = await broken(ctx(), **changes)
    assert zh in found[rule].text.zh
    assert en in found[rule].text.en


async def test_a_visitor_and_somebody_unknown_may_not_book(ctx: Context) -> None:
    assert set(await broken(ctx("visitor"))) == set(await broken(ctx("nobody"))) == {"may_book"}
    assert await broken(ctx("teacher")) == {}


async def test_the_last_day_that_can_be_booked_and_the_last_minute_that_is_open_are_allowed(ctx: Context) -> None:
    assert await broken(ctx(), start=at("20:00", "2026-12-15"), end=at("22:00", "2026-12-15")) == {}


async def test_nothing_can_be_booked_while_the_booking_system_is_maintained(ctx: Context) -> None:
    night = ctx(now=at("23:30", "2026-12-05"))
    found = await broken(night, start=at("14:00", "2026-12-06"), end=at("15:00", "2026-12-06"))
    assert set(found) == {"not_in_maintenance"}
    assert "12月06日 06:00 以后" in found["not_in_maintenance"].text.zh
    morning = ctx(now=at("06:00", "2026-12-06"))
    assert await broken(morning, start=at("14:00", "2026-12-06"), end=at("15:00", "2026-12-06")) == {}


async def test_a_third_booking_on_one_day_is_too_many(ctx: Context) -> None:
    for number, hour in enumerate(("12:00", "13:00")):
        await book_room("YX-101", at(hour), at(f"{hour[:2]}:30"), 1, ctx=ctx(key=f"k{number}#1"))
    found = await broken(ctx())
    assert set(found) == {"within_limits"}
    assert "已有 2 个" in found["within_limits"].text.zh
    assert await broken(ctx(), start=at("14:00", "2026-12-03"), end=at("15:00", "2026-12-03")) == {}


async def test_a_booking_of_ones_own_clashes_and_touching_one_does_not(ctx: Context) -> None:
    await book_room("YX-101", at("14:00"), at("15:00"), 1, ctx=ctx(key="k#1"))
    assert set(await broken(ctx())) == {"no_class_clash"}
    assert await broken(ctx(), start=at("15:00"), end=at("16:00")) == {}


async def test_only_an_active_booking_of_ones_own_can_be_cancelled(ctx: Context) -> None:
    made = await book_room(**GOOD, ctx=ctx(key="k#1"))
    rule, arguments = RULES["booking_is_mine"], {"reservation_id": made["reservation_id"]}
    assert await rule(arguments, None, ctx()) is None
    for other in (await rule(arguments, None, ctx("li.wei")), await rule({"reservation_id": "BK-9999"}, None, ctx())):
        assert other is not None
        assert "您没有编号为" in other.text.zh


async def test_what_was_booked_must_be_what_was_asked_for(ctx: Context) -> None:
    rule = RULES["booking_matches_request"]
    assert await rule(GOOD, None, ctx()) is None
    assert await rule(GOOD, {**GOOD, "start": "2026-12-02T06:00:00+00:00"}, ctx()) is None
    assert await rule(GOOD, {**GOOD, "room_id": "YX-202"}, ctx()) is not None
    assert await rule(GOOD, {**GOOD, "end": at("16:00")}, ctx()) is not None


@pytest.mark.parametrize(
    ("room_id", "end", "amount", "zh"),
    [
        ("YX-201", at("15:00"), "0", "免费"),
        ("SC-305", at("15:30"), "15", "15 元"),
        ("YX-301", at("14:15"), "5", "5 元"),
    ],
)
async def test_the_fee_is_the_rooms_price_for_the_time(
    ctx: Context, room_id: str, end: str, amount: str, zh: str
) -> None:
    fee = await FEES["room_fee"]({**GOOD, "room_id": room_id, "end": end}, ctx())
    assert fee is not None
    assert (fee.amount, fee.currency, fee.text.zh) == (amount, "CNY", zh)


def test_the_contracts_load_with_exactly_these_rules_and_fees() -> None:
    registry = Registry.load(app.contracts, app.tools, rules=RULES, fees=FEES)
    used = {name for tool in app.tools for name in registry.contract(tool.__name__).requires}
    used |= {name for tool in app.tools for name in registry.contract(tool.__name__).ensures}
    assert used == set(RULES)
