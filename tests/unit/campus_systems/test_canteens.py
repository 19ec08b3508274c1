"""Canteens: forecast crowding at arrival, hard filters, reasons in words, and what to do when none is open."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot_campus.crowding import UNKNOWN, forecast, usual
from surefoot_campus.tools.canteens import list_canteens, recommend_canteen
from unit.campus_systems.conftest import NOW, Context, at

TODAY = "2026-12-01"
PROFILE = {"crowding": [["C1", "10:00", "12:00", 0.4], ["C1", "12:00", "13:00", 0.9]]}


async def canteens(ctx: Context, arrive: str, **wishes: Any) -> dict[str, dict[str, Any]]:
    found = await recommend_canteen(arrive, ctx=ctx(), **wishes)
    return {canteen["canteen_id"]: canteen for canteen in found["canteens"]}


async def test_crowding_is_that_of_the_moment_of_arrival_not_of_leaving(ctx: Context) -> None:
    found = await canteens(ctx, at("11:25"), near="SC-305")
    assert found["C3"]["walk_min"] == 2
    assert (found["C3"]["arrive"], found["C3"]["crowding"]) == (at("11:27"), 0.2)
    later = await canteens(ctx, at("11:29"), near="SC-305")
    assert (later["C3"]["arrive"], later["C3"]["crowding"]) == (at("11:31"), 0.8)


async def test_the_score_is_the_sum_of_its_contributions_and_each_is_said(ctx: Context) -> None:
    found = await canteens(ctx, at("12:00"), near="LIB", taste=["粤菜"], crowd="low")
    scores = [canteen["score"] for canteen in found.values()]
    assert scores == sorted(scores, reverse=True)
    for canteen in found.values():
        assert set(canteen["contributions"]) == {"crowd", "distance", "taste", "rating", "price"}
        assert canteen["score"] == pytest.approx(sum(canteen["contributions"].values()))
        assert len(canteen["reasons"]) >= 4
    assert {"zh": "有粤菜", "en": "serves 粤菜"} in found["C2"]["reasons"]


async def test_who_wants_it_quiet_gets_a_quieter_canteen_first(ctx: Context) -> None:
    usual_order = list((await canteens(ctx, at("11:40"), near="JX")).values())
    quiet_order = list((await canteens(ctx, at("11:40"), near="JX", crowd="low")).values())
    assert quiet_order[0]["crowding"] <= usual_order[0]["crowding"]
    assert quiet_order[0]["crowding"] == min(canteen["crowding"] for canteen in quiet_order)


async def test_a_few_high_ratings_weigh_less_than_many(ctx: Context) -> None:
    found = await canteens(ctx, at("12:00"))
    few, many = found["C5"], found["C4"]  # 4.6 by 150, 4.5 by 520
    assert few["rating"] > many["rating"]
    assert few["contributions"]["rating"] < many["contributions"]["rating"]


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ({"diet": ["清真"]}, {"C4"}),
        ({"diet": ["素食"]}, {"C3", "C5"}),
        ({"zone": "南区"}, {"C3", "C4"}),
        ({"zone": "north"}, {"C2"}),
        ({"price_max": 15}, {"C1"}),
        ({"near": "LIB", "max_walk_min": 5}, {"C2"}),
    ],
)
async def test_filters_leave_only_what_fits(ctx: Context, wishes: dict[str, Any], expected: set[str]) -> None:
    assert set(await canteens(ctx, at("12:00"), **wishes)) == expected


async def test_a_canteen_that_serves_only_what_is_not_wanted_is_left_out(ctx: Context) -> None:
    found = await canteens(ctx, at("12:00"), zone="西区", taste_not=["清淡"])
    assert set(found) == {"C5"}
    with pytest.raises(BusinessEmpty):
        await canteens(ctx, at("12:00"), zone="西区", taste_not=["清淡", "素菜"])


async def test_closed_canteens_and_those_about_to_close_are_not_offered(ctx: Context) -> None:
    assert set(await canteens(ctx, at("15:00"))) == {"C3"}
    assert "C1" in await canteens(ctx, at("13:15"))
    assert "C1" not in await canteens(ctx, at("13:25"))


async def test_none_open_offers_when_one_that_fits_opens_and_never_another_diet(ctx: Context) -> None:
    with pytest.raises(BusinessEmpty) as empty:
        await recommend_canteen(at("15:00"), diet=["清真"], ctx=ctx())
    assert empty.value.text.zh == "15:00 没有符合要求的清真食堂在营业。"
    assert empty.value.details["alternatives"] == [
        {
            "label": {"zh": "16:30 有食堂开门", "en": "canteens open at 16:30"},
            "changes": {"meal_start": at("16:30")},
        }
    ]


async def test_late_at_night_the_next_opening_is_tomorrow(ctx: Context) -> None:
    with pytest.raises(BusinessEmpty) as empty:
        await recommend_canteen(at("23:00"), diet=["清真"], ctx=ctx())
    [offer] = empty.value.details["alternatives"]
    assert offer["changes"] == {"meal_start": at("07:00", "2026-12-03")}
    assert offer["label"]["zh"] == "12月03日 07:00 有食堂开门"


@pytest.mark.parametrize(
    ("wishes", "changes"),
    [
        ({"price_max": 3}, {"price_max": None}),
        ({"near": "TW", "max_walk_min": 1}, {"max_walk_min": None}),
        ({"zone": "西区", "diet": ["清真"]}, {"zone": None}),
    ],
)
async def test_a_wish_that_stands_in_the_way_is_offered_to_be_dropped(
    ctx: Context, wishes: dict[str, Any], changes: dict[str, Any]
) -> None:
    with pytest.raises(BusinessEmpty) as empty:
        await recommend_canteen(at("12:00"), ctx=ctx(), **wishes)
    assert changes in [offer["changes"] for offer in empty.value.details["alternatives"]]


@pytest.mark.parametrize(
    ("wishes", "en"),
    [
        ({"arrive": at("12:00"), "zone": "moon"}, "there are east, south, west, north"),
        ({"arrive": at("12:00"), "near": "moon base"}, "no place called 'moon base'"),
        ({"arrive": at("12:00", "2027-01-01")}, "The whole campus is closed"),
    ],
)
async def test_a_place_or_day_that_cannot_be_is_refused(ctx: Context, wishes: dict[str, Any], en: str) -> None:
    with pytest.raises(BusinessRefused) as refused:
        await recommend_canteen(ctx=ctx(), **wishes)
    assert en in refused.value.text.en


async def test_an_old_head_count_is_said_and_not_used(ctx: Context) -> None:
    found = await canteens(ctx, at("10:05", TODAY))
    said = " ".join(reason["zh"] for reason in found["C3"]["reasons"])
    assert "最近一次实时人流是 09:20 的（40 分钟前），已经过时" in said
    assert found["C3"]["crowding"] == 0.2


async def test_without_head_counts_the_usual_is_taken_and_that_is_said(ctx: Context) -> None:
    found = await list_canteens(at("12:00"), near="LIB", ctx=ctx())
    for canteen in found["canteens"]:
        assert any("没有实时人流数据" in reason["zh"] for reason in canteen["reasons"])
        assert 0 <= canteen["crowding"] <= 1


def count(minutes_ago: int, level: float = 0.7) -> list[dict[str, Any]]:
    return [{"canteen_id": "C1", "level": level, "at": (NOW - timedelta(minutes=minutes_ago)).isoformat()}]


def there(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


@pytest.mark.parametrize(("minutes", "level"), [(0, 0.7), (30, 0.55), (59, 0.4), (60, 0.4), (130, 0.9)])
def test_a_fresh_head_count_shifts_the_forecast_and_fades_within_an_hour(minutes: int, level: float) -> None:
    found = forecast(PROFILE, count(0), "C1", there=there(minutes), now=NOW)
    assert found.level == pytest.approx(level, abs=0.01)
    assert found.note is None


@pytest.mark.parametrize(("age", "told"), [(15, False), (16, True), (60 * 5, True), (60 * 24 * 3, True)])
def test_a_head_count_older_than_a_quarter_of_an_hour_is_said_to_be_old(age: int, told: bool) -> None:
    found = forecast(PROFILE, count(age), "C1", there=there(5), now=NOW)
    assert (found.note is not None) == told


def test_a_head_count_is_not_mentioned_for_a_meal_that_it_says_nothing_about() -> None:
    assert forecast(PROFILE, count(40), "C1", there=there(60 * 26), now=NOW).note is None
    assert forecast(PROFILE, count(40), "C2", there=there(5), now=NOW).note is None


def test_a_forecast_stays_between_empty_and_full_and_knows_that_it_does_not_know() -> None:
    assert forecast(PROFILE, count(0, 1.0), "C1", there=there(0), now=NOW).level == 1.0
    assert forecast(PROFILE, count(0, 0.0), "C1", there=there(0), now=NOW).level == 0.0
    assert usual(PROFILE, "C9", NOW) == UNKNOWN
