"""Spans that name their whole, holidays, lengths with a bound, eras: in English and Chinese, from our own sentences.

The clock stands at Tuesday 1 December 2026, ten in the morning.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from surefoot.language import Calendar, read_times
from surefoot.language.holidays_en import easter

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 12, 1, 10, tzinfo=ZONE)
TERM = Calendar(date(2026, 9, 14), 18, ())
NO_TERM = Calendar(date(2026, 9, 14), 0, ())


def one(text: str, calendar: Calendar = TERM):
    found = read_times(text, now=NOW, calendar=calendar)
    assert len(found.expressions) == 1, [e.text for e in found.expressions]
    return found.expressions[0]


def days(text: str, calendar: Calendar = TERM) -> tuple[str, str]:
    found = one(text, calendar)
    return (f"{found.start:%F}" if found.start else "", f"{found.end:%F}" if found.end else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("papers of the 4 past weeks", ("2026-11-03", "2026-12-01")),
        ("sales in the last two quarters", ("2026-04-01", "2026-10-01")),
        ("plans for the next decade", ("2030-01-01", "2040-01-01")),
        ("music of the nineties", ("1990-01-01", "2000-01-01")),
        ("art of the 19th century", ("1800-01-01", "1900-01-01")),
        ("budget for 2025 H2", ("2025-07-01", "2026-01-01")),
        ("the second half of next year", ("2027-07-01", "2028-01-01")),
        ("results of the third quarter of 2024", ("2024-07-01", "2024-10-01")),
        ("the first two weeks of March 2027", ("2027-03-01", "2027-03-15")),
        ("the last three months of 2025", ("2025-10-01", "2026-01-01")),
        ("what happened in nineteen eighty four", ("1984-01-01", "1985-01-01")),
        ("numbers for the year to date", ("2026-01-01", "2026-12-01")),
        ("free this working week", ("2026-11-30", "2026-12-05")),
        ("see you Friday two weeks from now", ("2026-12-18", "2026-12-19")),
        ("back on Sun the 13th", ("2026-12-13", "2026-12-14")),
        ("on the 18th day of next month", ("2027-01-18", "2027-01-19")),
        ("leave for 5 days, from tomorrow", ("2026-12-02", "2026-12-07")),
        ("the day after Friday", ("2026-12-05", "2026-12-06")),
        ("two Sundays from now", ("2026-12-13", "2026-12-14")),
        ("on the 2nd of next month", ("2027-01-02", "2027-01-03")),
        ("去年的前10天", ("2025-01-01", "2025-01-11")),
        ("2027年最后两个月", ("2027-11-01", "2028-01-01")),
        ("2027年第二周", ("2027-01-11", "2027-01-18")),
        ("乾隆六年", ("1741-01-01", "1742-01-01")),
        ("康熙五十年三月", ("1711-03-01", "1711-04-01")),
    ],
)
def test_a_span_is_read_as_these_days(text, expected):
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see you on Christmas Eve", "2026-12-24"),
        ("on New Year's Day 2028", "2028-01-01"),
        ("next Halloween", "2027-10-31"),
        ("last Thanksgiving", "2026-11-26"),
        ("on Black Friday 2025", "2025-11-28"),
        ("next Easter", "2027-03-28"),
        ("on Labor Day", "2027-09-06"),
    ],
)
def test_a_holiday_has_its_day(text, expected):
    assert days(text)[0] == expected


def test_a_holiday_of_the_calendar_comes_before_the_common_one():
    own = Calendar(date(2026, 9, 14), 18, (), holidays={"Labor Day": (date(2027, 5, 1), date(2027, 5, 5))})
    assert days("off on Labor Day", own) == ("2027-05-01", "2027-05-06")


@pytest.mark.parametrize(("year", "expected"), [(1818, (3, 22)), (1943, (4, 25)), (2000, (4, 23)), (2038, (4, 25))])
def test_easter_falls_where_the_tables_say(year, expected):
    assert (easter(year).month, easter(year).day) == expected


def test_without_a_term_a_numbered_week_is_one_of_the_year():
    assert days("numbers for week 10", NO_TERM) == ("2026-03-02", "2026-03-09")
    assert days("plan week 10", TERM) == ("2026-11-16", "2026-11-23")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("it took more than 4 days", 4 * 1440),
        ("less than 90 minutes", 90),
        ("a ½ hour call", 30),
        ("several hours", 180),
        ("it shouldn't last two hours", 120),
        ("we need another week", 7 * 1440),
        ("out for the whole day", 1440),
        ("a trip of 10D", 10 * 1440),
        ("还剩3天", 3 * 1440),
    ],
)
def test_a_length_is_so_many_minutes(text, minutes):
    found = one(text)
    assert (found.kind, found.minutes) == ("duration", minutes)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("late afternoon tomorrow", "2026-12-02T16:00", "2026-12-02T18:00"),
        ("early in the morning on Friday", "2026-12-04T08:00", "2026-12-04T10:00"),
        ("between 0930-1130 tomorrow", "2026-12-02T09:30", "2026-12-02T11:30"),
        ("from 2pm till tomorrow 4:30pm", "2026-12-01T14:00", "2026-12-02T16:30"),
        ("at 340pm", "2026-12-01T15:40", ""),
        ("at 8 at night", "2026-12-01T20:00", ""),
        ("three twenty-five in the afternoon", "2026-12-01T15:25", ""),
        ("around 11ish", "2026-12-01T11:00", ""),
        ("今天14点到明天9点", "2026-12-01T14:00", "2026-12-02T09:00"),
        ("from now until 20 min later", "2026-12-01T10:00", "2026-12-01T10:20"),
    ],
)
def test_a_stretch_of_hours(text, start, end):
    found = one(text)
    assert f"{found.start:%FT%H:%M}" == start
    assert (f"{found.end:%FT%H:%M}" if found.end else "") == end


@pytest.mark.parametrize("text", ["done by the end of today", "end of today", "by EOD"])
def test_the_end_of_a_day_is_its_last_second(text):
    found = one(text)
    assert (found.start or found.end).strftime("%FT%T") == "2026-12-01T23:59:59"


@pytest.mark.parametrize(
    "text",
    [
        "every Monday at 9",
        "we meet on Tuesdays at 9am",
        "Friday mornings",
        "a second opinion",
        "3D printing",
        "any day",
    ],
)
def test_what_happens_again_and_again_or_is_no_time_gives_no_day(text):
    assert read_times(text, now=NOW, calendar=TERM).expressions == ()


@pytest.mark.parametrize("text", ["近三年", "the next two days", "data from last week", "in the 5 past years"])
def test_what_can_be_meant_in_two_ways_says_so(text):
    assert one(text).ambiguous


def test_a_range_from_now_to_a_day_ends_with_that_day():
    assert days("from now until December 20th") == ("2026-12-01", "2026-12-21")


def test_a_dash_between_two_items_of_a_list_is_no_range():
    found = read_times("Race - 3pm - this week", now=NOW, calendar=TERM).expressions
    assert [(e.text, e.kind) for e in found] == [("3pm", "time"), ("this week", "daterange")]
