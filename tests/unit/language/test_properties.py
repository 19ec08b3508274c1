"""What holds for any text whatever."""

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.language import Calendar, normalise, read_durations, read_party_size, read_times

_WORDS = [
    "今天",
    "明天",
    "周三",
    "下周五",
    "第8周",
    "12月3日",
    "3号",
    "上午",
    "下午",
    "晚上",
    "八点",
    "三点半",
    "25点",
    "第三节",
    "三四节",
    "到",
    "从",
    "和",
    "之前",
    "以后",
    "的",
    "，",
    "一点",
    "一下",
    "两小时",
    "内",
    "近",
    "三年",
    "2022年",
    "现在",
    "本月",
    "最后一个周五",
    "节",
    "点",
    "半",
    "一",
    "二",
    "十",
    "今晚",
    "12-3",
    "14:00",
    "tomorrow",
    "next",
    "Monday",
    "at",
    "3",
    "pm",
    "to",
    "from",
    "between",
    "and",
    "2",
    "4",
    "since",
    "2022",
    "half",
    "past",
    "in",
    "the",
    "morning",
    "week",
    "13",
    "second",
    "period",
    "'",
    "'",
    ",",
    "-",
    ":",
    "/",
    "元旦",
    "前",
    "后",
    "起",
    "99999999999",
    "last",
    "three",
    "years",
    "in",
    "3",
    "days",
    "before",
    "noon",
    "Dec",
    "32nd",
    "9999",
    "年",
    "10000",
    "个月",
    "后",
]
_texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_WORDS), max_size=12).map("".join),
                   st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join))  # fmt: skip


@given(text=_texts)
def test_spans_lie_inside_the_text_and_do_not_overlap(calendar: Calendar, now: datetime, text: str) -> None:
    reading = read_times(text, now=now, calendar=calendar)
    spans = sorted([e.span for e in reading.expressions] + [p.span for p in reading.problems])
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(text[slice(*e.span)] == e.text for e in reading.expressions)


@given(text=_texts)
def test_a_range_starts_before_it_ends_and_has_a_side(calendar: Calendar, now: datetime, text: str) -> None:
    for expression in read_times(text, now=now, calendar=calendar).expressions:
        start, end = expression.start, expression.end
        if start is not None and end is not None:
            assert start < end
        elif expression.kind != "duration":
            assert (start is None) != (end is None)
        assert expression.reading
        assert start is None or start.utcoffset() is not None


@given(text=_texts)
def test_sizes_and_lengths_are_positive_and_inside_the_text(calendar: Calendar, text: str) -> None:
    for size in read_party_size(text):
        assert 1 <= size.low <= size.high
        assert text[size.start : size.end] == size.text
    for duration in read_durations(text, calendar=calendar):
        assert 0 < duration.minutes <= duration.at_most
        assert text[duration.start : duration.end] == duration.text


@given(week=st.integers(min_value=1, max_value=20), day=st.integers(min_value=0, max_value=6))
def test_every_week_and_weekday_is_found(calendar: Calendar, now: datetime, week: int, day: int) -> None:
    (expression,) = read_times(f"第{week}周周{'一二三四五六日'[day]}", now=now, calendar=calendar).expressions
    assert expression.start is not None
    assert calendar.week_of(expression.start.date()) == week
    assert expression.start.weekday() == day


@given(first=st.integers(min_value=1, max_value=10), length=st.integers(min_value=1, max_value=9))
def test_every_range_of_periods_is_found(calendar: Calendar, now: datetime, first: int, length: int) -> None:
    last = min(10, first + length)
    if first == last:
        return
    (expression,) = read_times(f"明天{first}-{last}节", now=now, calendar=calendar).expressions
    assert expression.start is not None
    assert expression.end is not None
    assert (expression.start.time(), expression.end.time()) == calendar.period_span(first, last)


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "一",
        "十",
        "三点到",
        "明天",
        "a ",
        "one ",
        "2-",
        "12:",
        "from 2 to ",
        "第",
        "周一到",
        "1 year ",
        "the day after? ",
        "的",
        "从",
        " ",
        "'",
        "半个",
        "近",
        "之前",
    ],
)
def test_a_hostile_long_text_does_not_blow_up(calendar: Calendar, now: datetime, unit: str) -> None:
    text = unit * (50_000 // len(unit))
    read_times(text, now=now, calendar=calendar)
    read_party_size(text)
    read_durations(text, calendar=calendar)
    normalise(text)


def test_a_naive_now_is_refused(calendar: Calendar) -> None:
    with pytest.raises(ValueError, match="time zone"):
        read_times("明天", now=datetime(2026, 12, 1, 10), calendar=calendar)  # noqa: DTZ001
