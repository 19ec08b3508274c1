from collections.abc import Callable

import pytest

from surefoot.language import TimeReading

Bounds = Callable[[str], list[str]]
Reader = Callable[..., TimeReading]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("today", "12-01..12-02"),
        ("tomorrow", "12-02..12-03"),
        ("the day after tomorrow", "12-03..12-04"),
        ("Wednesday", "12-02..12-03"),
        ("this Friday", "12-04..12-05"),
        ("next Wednesday", "12-09..12-10"),
        ("Dec 3", "12-03..12-04"),
        ("3 December", "12-03..12-04"),
        ("December 3rd", "12-03..12-04"),
        ("3rd of December", "12-03..12-04"),
        ("2026-12-03", "12-03..12-04"),
        ("12/3", "12-03..12-04"),
        ("week 13 Wednesday", "12-09..12-10"),
        ("Wednesday of week 13", "12-09..12-10"),
        ("this weekend", "12-05..12-07"),
        ("next week", "12-07..12-14"),
        ("since 2022", "2022-01-01.."),
        ("after 2022", "2023-01-01.."),
        ("before 2022", "..2022-01-01"),
        ("from 2020 to 2023", "2020-01-01..2024-01-01"),
        ("last three years", "2024-01-01..2027-01-01"),
        ("last 12 months", "2025-12-01..12-01"),
        ("in 3 days", "12-04..12-05"),
        ("Tuesday, Dec 8", "12-08..12-09"),
        ("two days after tomorrow", "12-04..12-05"),
        ("the week of December 9th", "12-07..12-14"),
        ("later this week", "12-01..12-07"),
        ("the last Friday of this month", "12-25..12-26"),
    ],
)
def test_a_day_is_read_as(bounds: Bounds, text: str, told: str) -> None:
    assert bounds(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tonight", "12-01T18:00..12-01T22:00"),
        ("tomorrow morning", "12-02T08:00..12-02T12:00"),
        ("at 3pm", "12-01T15:00"),
        ("tomorrow at 3:30 pm", "12-02T15:30"),
        ("15:00", "12-01T15:00"),
        ("tomorrow at half past seven", "12-02T07:30"),
        ("quarter to five", "12-01T16:45"),
        ("at noon", "12-01T12:00"),
        ("from 2 to 4 pm", "12-01T14:00..12-01T16:00"),
        ("from 10 to 2pm", "12-01T10:00..12-01T14:00"),
        ("tomorrow after 3", "12-02T15:00.."),
        ("before noon", "..12-01T12:00"),
        ("Wednesday between 2 and 4", "12-02T14:00..12-02T16:00"),
        ("between 2 and 4 on Wednesday", "12-02T14:00..12-02T16:00"),
        ("in half an hour", "12-01T10:30"),
        ("next Wednesday 2-4pm", "12-09T14:00..12-09T16:00"),
        ("2-4pm next Wednesday", "12-09T14:00..12-09T16:00"),
        ("tmr 1pm-2pm", "12-02T13:00..12-02T14:00"),
        ("tomorrow at 3", "12-02T15:00"),
        ("7 to 9 in the evening", "12-01T19:00..12-01T21:00"),
        ("tomorrow until 6pm", "..12-02T18:00"),
        ("tomorrow 3pm for 2 hours", "12-02T15:00..12-02T17:00"),
        ("2 hours from 3pm", "12-01T15:00..12-01T17:00"),
        ("meet at 3 tomorrow", "12-02T15:00"),
        ("between 10am and noon on Friday", "12-04T10:00..12-04T12:00"),
        ("room 4 tomorrow at 3", "12-02T15:00"),
        ("period 2", "12-01T08:55..12-01T09:40"),
        ("tomorrow periods 3-4", "12-02T10:00..12-02T11:40"),
        ("the 3rd and 4th period", "12-01T10:00..12-01T11:40"),
        ("tomorrow morning second period", "12-02T08:55..12-02T09:40"),
        ("tomorrow afternoon second period", "12-02T14:55..12-02T15:40"),
    ],
)
def test_a_clock_time_is_read_as(bounds: Bounds, text: str, told: str) -> None:
    assert bounds(text) == [told]


def test_an_afternoon_guess_is_exact_but_ambiguous(read: Reader) -> None:
    (expression,) = read("tomorrow after 3").expressions
    assert not expression.approx
    assert expression.ambiguous == ("03:00",)


@pytest.mark.parametrize(
    "text",
    [
        "the sun will set",
        "she may email you",
        "march on",
        "for 5-6 people",
        "order 2000 pieces",
        "ABC-12345-A1B2",
        "a second opinion",
        "Am I free",
        "one may ask",
        "up to date",
        "room for 4 people",
    ],
)
def test_what_names_no_time_is_not_read_as_one(bounds: Bounds, text: str) -> None:
    assert bounds(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tomorrow at 25:00", "HOUR_OUT_OF_RANGE"),
        ("week 40", "WEEK_UNKNOWN"),
        ("30th period", "PERIOD_UNKNOWN"),
        ("Feb 30", "DAY_OUT_OF_RANGE"),
        ("4pm to 2pm", "END_BEFORE_START"),
        ("Friday, Dec 3", "DATE_MISMATCH"),
    ],
)
def test_what_cannot_be_is_a_problem_and_not_a_guess(read: Reader, text: str, code: str) -> None:
    reading = read(text)
    assert reading.expressions == ()
    assert [problem.code for problem in reading.problems] == [code]


def test_the_day_after_follows_the_day_named_last(bounds: Bounds) -> None:
    assert bounds("room for tomorrow or maybe the day after?? book it") == ["12-02..12-03", "12-03..12-04"]
