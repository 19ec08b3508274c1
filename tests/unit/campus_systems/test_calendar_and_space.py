"""Weeks, intervals, lessons of a day, walking: the small certainties below the campus' tools."""

import itertools
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot_campus.hours import campus_closed, closures, openings
from surefoot_campus.intervals import Interval, earliest, intersect, longest, merge, overlap, subtract
from surefoot_campus.timetable import lessons_on, local, outside_term, week_of
from surefoot_campus.walking import building_of, minutes_between, zone_id
from surefoot_campus.weeks import parse_weeks

START = datetime(2026, 12, 1, tzinfo=UTC)
moments = st.integers(0, 600).map(lambda minute: START + timedelta(minutes=minute))
intervals = st.lists(st.tuples(moments, moments), max_size=8)


@pytest.mark.parametrize(
    ("text", "weeks"),
    [
        ("1-8周(双)", [2, 4, 6, 8]),
        ("1-3周(单),4-10周", [1, 3, *range(4, 11)]),
        ("4周,8-12周(单),14-16周", [4, 9, 11, 14, 15, 16]),
        ("4周,7周(单),8周(单),10-11周(双)", [4, 7, 10]),
        ("4-1周,7-9周(单)", [1, 2, 3, 4, 7, 9]),
        ("[2 12-16双]", [2, 12, 14, 16]),
        ("[4-10双]", [4, 6, 8, 10]),
        ("1,3-4,6-17", [1, 3, 4, *range(6, 18)]),
        ("2-9,11-13周", [*range(2, 10), 11, 12, 13]),
        ("第1周,3周,5周", [1, 3, 5]),
        ("1、3、5周", [1, 3, 5]),
        ("1，3，5周", [1, 3, 5]),
        ("３-５周", [3, 4, 5]),
        ("1－5周", [1, 2, 3, 4, 5]),
        ("1~5周", [1, 2, 3, 4, 5]),
        ("1至5周", [1, 2, 3, 4, 5]),
        ("1—5周", [1, 2, 3, 4, 5]),
        ("3-17周(每周)", list(range(3, 18))),
        ("全周", list(range(1, 19))),
        ("单周", list(range(1, 19, 2))),
        ("17周", [17]),
        ("{第5-17周|单周}", list(range(5, 18, 2))),
        ("2026-02-23~2026-07-05", None),
        ("未知", None),
        ("", None),
    ],
)
def test_week_strings_of_real_exports_are_read_and_unknown_ones_said(text: str, weeks: list[int] | None) -> None:
    assert parse_weeks(text, 18) == weeks


@given(st.text(alphabet="0123456789-,周(单双)、 第", max_size=20))
def test_a_week_string_never_yields_no_weeks_silently(text: str) -> None:
    weeks = parse_weeks(text, 18)
    assert weeks is None or (weeks == sorted(set(weeks)) and weeks and weeks[0] >= 1)


def minutes(spans: list[Interval]) -> set[datetime]:
    return {
        start + timedelta(minutes=n) for start, end in spans for n in range(int((end - start).total_seconds()) // 60)
    }


@given(intervals)
def test_merging_keeps_every_minute_and_leaves_gaps_between(spans: list[Interval]) -> None:
    merged = merge(spans)
    assert minutes(merged) == minutes([span for span in spans if span[0] < span[1]])
    assert all(left[1] < right[0] for left, right in itertools.pairwise(merged))


@given(intervals, intervals)
def test_subtracting_leaves_exactly_the_minutes_that_are_not_busy(
    windows: list[Interval], busy: list[Interval]
) -> None:
    real = [span for span in windows if span[0] < span[1]]
    taken = [span for span in busy if span[0] < span[1]]
    assert minutes(subtract(windows, busy)) == minutes(real) - minutes(taken)


@given(intervals, intervals)
def test_intersecting_leaves_exactly_the_common_minutes_whichever_comes_first(
    left: list[Interval], right: list[Interval]
) -> None:
    real = [[span for span in spans if span[0] < span[1]] for spans in (left, right)]
    shared = intersect(left, right)
    assert minutes(shared) == minutes(real[0]) & minutes(real[1])
    assert intersect(right, left) == shared


@given(intervals, intervals)
def test_what_is_left_and_what_is_shared_make_up_the_whole(windows: list[Interval], busy: list[Interval]) -> None:
    assert merge([*subtract(windows, busy), *intersect(windows, busy)]) == merge(windows)
    assert intersect(subtract(windows, busy), busy) == []


@given(intervals)
def test_the_longest_is_one_of_them_and_no_other_is_longer(spans: list[Interval]) -> None:
    free = merge(spans)
    best = longest(free)
    assert (best is None) == (not free)
    if best is not None:
        assert best in free
        assert all(end - start <= best[1] - best[0] for start, end in free)


@given(intervals, st.integers(1, 120))
def test_the_earliest_fit_lies_in_a_free_interval_and_none_is_earlier(spans: list[Interval], length: int) -> None:
    free = merge(spans)
    fit = earliest(free, timedelta(minutes=length))
    roomy = [span for span in free if span[1] - span[0] >= timedelta(minutes=length)]
    assert (fit is None) == (not roomy)
    if fit is not None:
        assert fit == (roomy[0][0], roomy[0][0] + timedelta(minutes=length))


def test_touching_intervals_do_not_overlap() -> None:
    a, b, c = START, START + timedelta(hours=1), START + timedelta(hours=2)
    assert not overlap((a, b), (b, c))
    assert overlap((a, c), (b, c))


PROFILE: dict[str, Any] = {
    "timezone": "Asia/Shanghai",
    "term": {"start": "2026-09-14", "weeks": 18},
    "periods": {"1": ["08:00", "08:45"], "2": ["08:55", "09:40"]},
    "holidays": {"国庆节": ["2026-10-01", "2026-10-07"]},
    "makeup": {"2026-10-10": "2026-10-06"},
    "walks": [["A", "B", 4.0], ["B", "A", 6.0], ["A", "C", 2.5]],
    "buildings": [
        {"id": "A", "lat": 31.0, "lon": 121.0},
        {"id": "B", "lat": 31.001, "lon": 121.0},
        {"id": "C", "lat": 31.002, "lon": 121.0},
    ],
}


def lesson(weekday: int, weeks: list[int] | None) -> dict[str, Any]:
    return {"course": "x", "weekday": weekday, "periods": [1, 2], "weeks": weeks, "building": "A", "room_id": "A-1"}


def test_the_week_turns_at_monday_midnight() -> None:
    assert week_of(PROFILE, date(2026, 12, 6)) == 12
    assert week_of(PROFILE, date(2026, 12, 7)) == 13
    assert week_of(PROFILE, date(2026, 9, 13)) is None


def test_a_holiday_has_no_lessons_and_a_makeup_day_those_of_another_day() -> None:
    tuesday = lesson(2, list(range(1, 19)))
    assert lessons_on(PROFILE, [tuesday], date(2026, 10, 6)) == []
    assert len(lessons_on(PROFILE, [tuesday], date(2026, 10, 10))) == 1


def test_odd_weeks_are_odd_and_unknown_weeks_are_busy() -> None:
    odd, unknown = lesson(3, [1, 3, 5, 7, 9, 11, 13]), lesson(3, None)
    assert lessons_on(PROFILE, [odd], date(2026, 12, 2)) == []
    assert len(lessons_on(PROFILE, [odd, unknown], date(2026, 12, 9))) == 2


def test_a_walk_is_measured_in_its_direction_and_else_estimated() -> None:
    assert minutes_between(PROFILE, "A", "B") == 4
    assert minutes_between(PROFILE, "B", "A") == 6
    assert minutes_between(PROFILE, "C", "A") == 3
    assert minutes_between(PROFILE, "B", "C") == 3
    assert minutes_between(PROFILE, "A", "A") == 0


def test_a_day_outside_the_term_is_answered_with_the_terms_dates() -> None:
    assert outside_term(PROFILE, date(2026, 9, 14), date(2027, 1, 17)) is None
    said = outside_term(PROFILE, date(2026, 12, 1), date(2027, 1, 18))
    assert said is not None
    assert said.en == "2027-01-18 lies outside this term (2026-09-14 to 2027-01-17)."
    assert "2026-09-14 至 2027-01-17" in said.zh


def test_a_moment_of_another_zone_is_told_in_campus_time() -> None:
    assert local(PROFILE, "2026-12-01T23:30:00Z").isoformat() == "2026-12-02T07:30:00+08:00"


NAMED: dict[str, Any] = {
    "zones": [{"id": "东区", "en": "east"}],
    "rooms": [{"room_id": "A-1", "name": {"zh": "一号间", "en": "Room One"}, "building": "A"}],
    "buildings": [
        {"id": "A", "name": {"zh": "图书馆东馆", "en": "Library East"}},
        {"id": "B", "name": {"zh": "图书馆", "en": "Library"}},
    ],
}


@pytest.mark.parametrize(
    ("place", "building"),
    [
        ("A-1", "A"), ("room one", "A"), ("图书馆", "B"), ("LIBRARY", "B"), ("图书馆东馆一楼", "A"), ("b", "B"),
        ("馆", None), ("月球", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_a_place_is_found_by_room_building_or_name_and_the_exact_name_wins(
    place: str | None, building: str | None
) -> None:
    assert building_of(NAMED, place) == building


def test_a_zone_is_known_by_its_id_and_its_english_name() -> None:
    assert [zone_id(NAMED, name) for name in ("东区", "East", "west", None)] == ["东区", "东区", None, None]


def hour(day: int, clock: str) -> datetime:
    return local(PROFILE, f"2026-12-0{day}T{clock}:00+08:00")


def test_a_room_that_closes_after_midnight_is_open_in_the_night_that_began_the_day_before() -> None:
    room = {"opens": "20:00", "closes": "25:30"}
    night = (hour(3, "00:30"), hour(3, "01:30"))
    assert subtract([night], openings(PROFILE, room, night)) == []
    assert subtract([(hour(2, "23:00"), hour(3, "01:00"))], openings(PROFILE, room, night)) == []
    later = (hour(3, "01:00"), hour(3, "02:00"))
    assert subtract([later], openings(PROFILE, room, later)) == [(hour(3, "01:30"), hour(3, "02:00"))]


def test_a_closure_without_a_building_closes_them_all_and_maintenance_closes_none() -> None:
    day = {"start": "2026-12-02T00:00", "end": "2026-12-03T00:00", "zh": "停电", "en": "no power"}
    window = (hour(2, "10:00"), hour(2, "11:00"))

    def profile(**notice: str) -> dict[str, Any]:
        return {**PROFILE, "notices": [{**day, **notice}]}

    def closed(of: dict[str, Any]) -> list[str]:
        return [building for building in ("A", "B") if list(closures(of, building))]

    assert closed(profile(kind="closed")) == ["A", "B"]
    assert closed(profile(kind="closed", building="B")) == ["B"]
    assert closed(profile(kind="maintenance")) == []
    whole = campus_closed(profile(kind="closed"), window)
    assert whole is not None
    assert "12月02日 00:00 至 12月03日 00:00 全校不开放（停电）" in whole.zh
    assert campus_closed(profile(kind="closed", building="B"), window) is None
    assert campus_closed(profile(kind="closed"), (hour(3, "00:00"), hour(3, "01:00"))) is None
