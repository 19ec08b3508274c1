import pytest

from surefoot.language import Calendar, read_durations, read_party_size


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("六个人", 6, 6),
        ("我们四个", 4, 4),
        ("我和室友三个人", 3, 3),
        ("我和三个室友", 4, 4),
        ("5人", 5, 5),
        ("三四个人", 3, 4),
        ("5-6个人", 5, 6),
        ("十四个人", 14, 14),
        ("我们俩", 2, 2),
        ("就我一个", 1, 1),
        ("我们宿舍六个要一起复习", 6, 6),
        ("a group of 5", 5, 5),
        ("four of us", 4, 4),
        ("party of six", 6, 6),
        ("5-6 people", 5, 6),
        ("for 4 people", 4, 4),
        ("5 ppl", 5, 5),
        ("just me", 1, 1),
        ("a room for five tomorrow", 5, 5),
        ("a room for 2 from 1 to 2 pm", 2, 2),
        ("a room for five or six on Friday", 5, 6),
        ("with my 3 teammates", 4, 4),
        ("me and 4 friends", 5, 5),
        ("周六8人", 8, 8),
    ],
)
def test_a_count_of_people_is_read_as(text: str, low: int, high: int) -> None:
    (size,) = read_party_size(text)
    assert (size.low, size.high) == (low, high)
    assert size.ambiguous == (low != high)
    assert not size.capacity
    assert text[size.start : size.end] == size.text


@pytest.mark.parametrize("text", ["能坐八个人的", "四人间", "可容纳25人"])
def test_a_size_asked_of_the_room_is_a_capacity(text: str) -> None:
    assert [size.capacity for size in read_party_size(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "book it for five",
        "a room for 2 to 4 pm",
        "a room for 6pm",
        "looking for one quiet room",
        "for two study rooms",
        "for 3 or 4 hours",
        "for five thirty",
        "for 5 December",
        "一起吃饭",
        "看一下",
        "一个房间",
        "第三个人间",
        "我们四个小时后见",
        "三点",
        "B203",
        "别人",
        "人工",
    ],
)
def test_what_counts_nobody_is_not_read(text: str) -> None:
    assert [size for size in read_party_size(text) if not size.capacity] == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("两小时", 120),
        ("一个半小时", 90),
        ("两个半小时", 150),
        ("半小时", 30),
        ("半个钟头", 30),
        ("90分钟", 90),
        ("一个半钟头", 90),
        ("三刻钟", 45),
        ("一小时30分钟", 90),
        ("一小时30分", 90),
        ("两小时半", 150),
        ("大概2h", 120),
        ("两节课", 90),
        ("1.5h", 90),
        ("2 hours", 120),
        ("a 2-hour slot", 120),
        ("an hour and a half", 90),
        ("one and a half hours", 90),
        ("half an hour", 30),
        ("90 min", 90),
        ("two periods", 90),
        ("1 hour 30 minutes", 90),
    ],
)
def test_a_length_is_read_as(calendar: Calendar, text: str, minutes: int) -> None:
    (duration,) = read_durations(text, calendar=calendar)
    assert (duration.minutes, duration.at_most) == (minutes, minutes)
    assert text[duration.start : duration.end] == duration.text


@pytest.mark.parametrize(
    ("text", "low", "high"), [("一两个小时", 60, 120), ("2-3 hours", 120, 180), ("两三个小时", 120, 180)]
)
def test_a_range_of_lengths_keeps_both_ends(text: str, low: int, high: int) -> None:
    (duration,) = read_durations(text)
    assert (duration.minutes, duration.at_most) == (low, high)


@pytest.mark.parametrize("text", ["第二周", "周一", "三分之一", "Am I free", "半个月", "第三节课", "评分4.5分以上"])
def test_what_is_no_length_is_not_read(calendar: Calendar, text: str) -> None:
    assert read_durations(text, calendar=calendar) == ()


def test_periods_have_no_length_without_a_calendar() -> None:
    assert read_durations("两节课") == ()
