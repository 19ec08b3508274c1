from dataclasses import replace
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.language import Calendar, ImpossibleTime, Period


def test_a_day_knows_its_week_and_a_day_outside_the_term_has_none(calendar: Calendar) -> None:
    assert calendar.week_of(date(2026, 12, 1)) == 12
    assert calendar.week_of(date(2026, 9, 13)) is None
    assert calendar.week_of(date(2027, 3, 1)) is None


@given(week=st.integers(min_value=1, max_value=20), day=st.integers(min_value=0, max_value=6))
def test_every_day_of_a_week_belongs_to_it(calendar: Calendar, week: int, day: int) -> None:
    monday = calendar.monday(week)
    assert monday.weekday() == 0
    assert calendar.week_of(date.fromordinal(monday.toordinal() + day)) == week


@pytest.mark.parametrize("week", [0, 21, -1])
def test_a_week_outside_the_term_is_impossible(calendar: Calendar, week: int) -> None:
    with pytest.raises(ImpossibleTime, match="no week"):
        calendar.monday(week)


def test_periods_span_from_the_first_start_to_the_last_end(calendar: Calendar) -> None:
    assert calendar.period_span(3, 4) == (time(10), time(11, 40))


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 11), (4, 3)])
def test_a_period_that_does_not_exist_is_impossible(calendar: Calendar, first: int, last: int) -> None:
    with pytest.raises(ImpossibleTime):
        calendar.period_span(first, last)


def test_a_part_of_the_day_can_be_moved(calendar: Calendar) -> None:
    late = replace(calendar, day_parts={"evening": (time(19), time(23))})
    assert late.part("evening") == (time(19), time(23))
    assert late.part("morning") == (time(8), time(12))


def test_a_makeup_day_follows_the_day_it_stands_for_and_a_holiday_follows_none(calendar: Calendar) -> None:
    assert calendar.timetable_day(date(2026, 12, 26)) == date(2027, 1, 1)
    assert calendar.timetable_day(date(2027, 1, 2)) is None
    assert calendar.timetable_day(date(2026, 12, 2)) == date(2026, 12, 2)


def test_a_term_that_does_not_begin_on_a_monday_is_refused() -> None:
    with pytest.raises(ValueError, match="Monday"):
        Calendar(date(2026, 9, 15), 20, ())


def test_periods_out_of_order_are_refused() -> None:
    late, early = Period(1, time(9), time(10)), Period(2, time(8), time(9))
    with pytest.raises(ValueError, match="follow"):
        Calendar(date(2026, 9, 14), 20, (late, early))
