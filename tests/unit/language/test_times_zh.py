from collections.abc import Callable

import pytest

from surefoot.language import TimeReading

Bounds = Callable[[str], list[str]]
Reader = Callable[..., TimeReading]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("今天", "12-01..12-02"),
        ("明天", "12-02..12-03"),
        ("后天", "12-03..12-04"),
        ("大后天", "12-04..12-05"),
        ("昨天", "11-30..12-01"),
        ("周二", "12-01..12-02"),
        ("周一", "12-07..12-08"),
        ("星期五", "12-04..12-05"),
        ("礼拜天", "12-06..12-07"),
        ("这周五", "12-04..12-05"),
        ("本周一", "11-30..12-01"),
        ("下周三", "12-09..12-10"),
        ("下个星期三", "12-09..12-10"),
        ("下下周一", "12-14..12-15"),
        ("上周五", "11-27..11-28"),
        ("第8周周三", "11-04..11-05"),
        ("第十三周周四", "12-10..12-11"),
        ("第8周三", "11-04..11-05"),
        ("12月3日", "12-03..12-04"),
        ("十二月三号", "12-03..12-04"),
        ("12-3", "12-03..12-04"),
        ("12/3", "12-03..12-04"),
        ("2026-12-03", "12-03..12-04"),
        ("3号", "12-03..12-04"),
        ("周末", "12-05..12-07"),
        ("这周末", "12-05..12-07"),
        ("下周末", "12-12..12-14"),
        ("本周", "11-30..12-07"),
        ("下周", "12-07..12-14"),
        ("第14周", "12-14..12-21"),
        ("本月最后一个周五", "12-25..12-26"),
        ("元旦", "2027-01-01..2027-01-04"),
        ("三天后", "12-04..12-05"),
        ("两周内", "12-01..12-15"),
        ("近三年", "2024-01-01..2027-01-01"),
        ("近两年", "2025-01-01..2027-01-01"),
        ("去年", "2025-01-01..01-01"),
        ("今年", "01-01..2027-01-01"),
        ("2020年到2023年", "2020-01-01..2024-01-01"),
        ("2022年后", "2022-01-01.."),
        ("2022年以前", "..2022-01-01"),
        ("12月10日之前", "..12-10"),
        ("周一到周三", "12-07..12-10"),
        ("从明天到周五", "12-02..12-05"),
        ("12月28日到1月3日", "12-28..2027-01-04"),
        ("12月3日到5日", "12-03..12-06"),
        ("过去一年", "2025-12-01..12-01"),
        ("2020以后", "2020-01-01.."),
        ("周六日", "12-05..12-07"),
        ("寒假前", "..2027-01-25"),
    ],
)
def test_a_day_is_read_as(bounds: Bounds, text: str, told: str) -> None:
    assert bounds(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("明早八点", "12-02T08:00"),
        ("今晚", "12-01T18:00..12-01T22:00"),
        ("明天上午", "12-02T08:00..12-02T12:00"),
        ("后天中午", "12-03T11:30..12-03T13:30"),
        ("周四傍晚", "12-03T17:00..12-03T19:00"),
        ("明天八点", "12-02T08:00"),
        ("明天7点半", "12-02T07:30"),
        ("明天下午七点一刻", "12-02T19:15"),
        ("今天19:00", "12-01T19:00"),
        ("晚上七点", "12-01T19:00"),
        ("下午3点20", "12-01T15:20"),
        ("明天上午九点二十", "12-02T09:20"),
        ("明天十二点半", "12-02T12:30"),
        ("明天凌晨两点", "12-02T02:00"),
        ("七点半到九点", "12-01T19:30..12-01T21:00"),
        ("明天七点半到九点", "12-02T07:30..12-02T09:00"),
        ("下午两点到四点", "12-01T14:00..12-01T16:00"),
        ("从10点到12点", "12-01T10:00..12-01T12:00"),
        ("14:00-16:00", "12-01T14:00..12-01T16:00"),
        ("上午10点到1点", "12-01T10:00..12-01T13:00"),
        ("十一点到一点", "12-01T11:00..12-01T13:00"),
        ("晚上十点到凌晨两点", "12-01T22:00..12-02T02:00"),
        ("明天11点到14点之间", "12-02T11:00..12-02T14:00"),
        ("12:40之前", "..12-01T12:40"),
        ("下午三点以后", "12-01T15:00.."),
        ("自习到六点", "..12-01T18:00"),
        ("半小时后", "12-01T10:30"),
        ("两小时后", "12-01T12:00"),
        ("一个半小时后", "12-01T11:30"),
        ("现在", "12-01T10:00"),
        ("下周三下午三点到五点", "12-09T15:00..12-09T17:00"),
        ("三天后的下午三点", "12-04T15:00"),
        ("12月11号14点-17点", "12-11T14:00..12-11T17:00"),
        ("明天 2pm-4pm", "12-02T14:00..12-02T16:00"),
        ("最晚九点", "..12-01T21:00"),
        ("再过一个小时", "12-01T11:00"),
        ("后天晚八点到十点", "12-03T20:00..12-03T22:00"),
        ("明天早八", "12-02T08:00"),
        ("八点到十点", "12-01T20:00..12-01T22:00"),
        ("下午三点开始两小时", "12-01T15:00..12-01T17:00"),
        ("昨天5:00-6:00", "11-30T17:00..11-30T18:00"),
    ],
)
def test_a_clock_time_is_read_as(bounds: Bounds, text: str, told: str) -> None:
    assert bounds(text) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("明天第三节", "12-02T10:00..12-02T10:45"),
        ("明天三四节", "12-02T10:00..12-02T11:40"),
        ("明天第三四节", "12-02T10:00..12-02T11:40"),
        ("周五3-4节", "12-04T10:00..12-04T11:40"),
        ("下周三五六节", "12-09T14:00..12-09T15:40"),
        ("下周二一二节", "12-08T08:00..12-08T09:40"),
        ("明天晚上九、十节", "12-02T19:00..12-02T20:40"),
        ("第三节到第五节", "12-01T10:00..12-01T14:45"),
        ("明天第二大节", "12-02T10:00..12-02T11:40"),
        ("明天上午第二节", "12-02T08:55..12-02T09:40"),
        ("今天下午第二节", "12-01T14:55..12-01T15:40"),
        ("下午第六节", "12-01T14:55..12-01T15:40"),
        ("明天上午第二節", "12-02T08:55..12-02T09:40"),
        ("周五3-4节之后", "12-04T11:40.."),
        ("第三节之前", "..12-01T10:00"),
        ("第14周周一晚上第九节开始", "12-14T19:00.."),
    ],
)
def test_class_periods_are_read_through_the_calendar(bounds: Bounds, text: str, told: str) -> None:
    assert bounds(text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "我们一起去吧",
        "帮我看一下",
        "要一个房间",
        "大一点的",
        "近一点的食堂",
        "早一点",
        "B203",
        "学号2023011111",
        "三月一起去",
        "46级什么时候考",
        "请检查192.168.255.255",
        "电话888-000-9999",
        "十五块以内",
        "BK-1042",
        "3-4个人",
    ],
)
def test_what_names_no_time_is_not_read_as_one(bounds: Bounds, text: str) -> None:
    assert [told for told in bounds(text) if "T" in told] == []


def test_a_verb_keeps_its_own_xia(bounds: Bounds) -> None:
    assert bounds("规划一下周六") == ["12-05..12-06"]
    assert bounds("约一下下周六") == ["12-12..12-13"]


def test_an_unsure_xia_is_called_ambiguous(read: Reader) -> None:
    (expression,) = read("帮我看下周三的课").expressions
    assert expression.ambiguous == ("2026年12月2日（周三）",)


def test_a_clock_time_takes_the_day_said_before_it(bounds: Bounds, read: Reader) -> None:
    text = "明天不，后天，下午一点半到三点"
    assert bounds(text)[-1] == "12-03T13:30..12-03T15:00"
    assert read(text).expressions[-1].day == "carried"


def test_a_clock_time_takes_the_one_day_said_after_it(bounds: Bounds) -> None:
    assert bounds("三点到五点我有安排吗，今天")[0] == "12-01T15:00..12-01T17:00"


def test_a_clock_time_takes_the_part_of_the_day_said_before_it(bounds: Bounds) -> None:
    assert bounds("后天早上我想早起，八点去，学到十点")[1:] == ["12-03T08:00", "..12-03T10:00"]


def test_a_passed_reading_gives_way_to_a_later_one_today(bounds: Bounds, read: Reader) -> None:
    (expression,) = read("今天自习到九点半").expressions[1:] or read("今天九点半").expressions
    assert expression.ambiguous == ("09:30",)
    assert bounds("今天九点半") == ["12-01T21:30"]


def test_an_afternoon_guess_is_marked_ambiguous(read: Reader) -> None:
    (expression,) = read("明天一点半").expressions
    assert expression.start is not None
    assert expression.start.hour == 13
    assert expression.ambiguous == ("01:30",)
    assert read("明天下午一点半").expressions[0].ambiguous == ()


def test_a_part_of_the_day_is_approximate_and_a_clock_is_not(read: Reader) -> None:
    assert read("明天下午").expressions[0].approx
    assert not read("明天下午三点").expressions[0].approx


def test_a_time_of_several_days_is_told_of_the_first_that_is_not_past(read: Reader) -> None:
    week, part = read("这周下午").expressions
    assert week.kind == "daterange"
    assert part.day == "each"
    assert part.start is not None
    assert part.start.date().isoformat() == "2026-12-01"


def test_a_time_about_an_hour_is_approximate(read: Reader) -> None:
    assert [read(text).expressions[0].approx for text in ("明天大概三点", "明天三点左右")] == [True, True]


def test_moving_a_booking_names_two_points(bounds: Bounds) -> None:
    assert bounds("我后天那个从三点挪到四点行吗")[1:] == ["12-03T15:00", "12-03T16:00"]


def test_yesterday_is_past_and_tomorrow_is_not(read: Reader) -> None:
    assert read("昨天").expressions[0].past
    assert not read("明天").expressions[0].past


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("明天25点", "HOUR_OUT_OF_RANGE"),
        ("13月5日", "MONTH_OUT_OF_RANGE"),
        ("2月30日", "DAY_OUT_OF_RANGE"),
        ("第30节", "PERIOD_UNKNOWN"),
        ("第40周周一", "WEEK_UNKNOWN"),
        ("下午四点到下午两点", "END_BEFORE_START"),
        ("16:00-14:00", "END_BEFORE_START"),
        ("明天下午5:70", "MINUTE_OUT_OF_RANGE"),
        ("上午第七节", "PERIOD_NOT_IN_PART"),
        ("周三的，12月3号", "DATE_MISMATCH"),
        ("第9大节", "PERIOD_UNKNOWN"),
    ],
)
def test_what_cannot_be_is_a_problem_and_not_a_guess(read: Reader, text: str, code: str) -> None:
    reading = read(text)
    assert reading.expressions == ()
    (problem,) = reading.problems
    assert problem.code == code
    assert problem.zh
    assert problem.en


def test_spans_point_into_the_text_as_it_was_given(read: Reader) -> None:
    text = "ＯＫ，　明天\u200b上午第二節 見"
    (expression,) = read(text).expressions
    assert text[slice(*expression.span)] == expression.text == "明天\u200b上午第二節"


def test_a_reading_says_in_words_how_it_was_read(read: Reader) -> None:
    assert read("明天三四节").expressions[0].reading == "2026年12月2日（周三）10:00到11:40。"
    assert read("tomorrow 3pm").expressions[0].reading == "Wed 2 Dec 2026 15:00."
