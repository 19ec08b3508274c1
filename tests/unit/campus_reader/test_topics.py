"""Standing questions, and sentences that only look like one."""

import pytest


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("寒假从哪天开始放", "校历"),
        ("what week is it", "校历"),
        ("去新校区的车几点", "校车"),
        ("食堂晚上几点收摊", "食堂营业时间"),
        ("what time does the library open on weekends", "图书馆开放时间"),
        ("期末考试什么时候", "考试安排"),
        ("研讨间最多能提前几天预约", "预约规则"),
        ("how far in advance can I book a room?", "预约规则"),
        ("请假怎么请", "请假"),
        ("第三节课几点开始", "作息时间"),
    ],
)
def test_a_standing_question_is_known_by_its_topic(reads, text: str, topic: str) -> None:
    reading = reads(text)
    assert reading.tasks == ("static_answer",)
    assert reading.topic == topic
    assert reading.leftovers == ()


@pytest.mark.parametrize(
    "text",
    [
        "图书馆附近人少的食堂",
        "元旦前我有课吗",
        "去图书馆之前先吃个饭，推荐个食堂",
        "考试周前想订个自习室，明天三点到五点",
    ],
)
def test_the_name_of_a_topic_alone_is_no_standing_question(reads, text: str) -> None:
    assert reads(text).topic is None


def test_a_request_beside_a_standing_question_is_read_too(reads) -> None:
    reading = reads("寒假从哪天开始放，顺便帮我订个明天下午两点到三点的房间，两个人")
    assert reading.tasks == ("find_room", "book_room", "static_answer")
    assert (reading.value("start"), reading.value("date"), reading.topic) == ("14:00", "2026-12-02", "校历")


async def test_the_standing_answer_goes_with_the_plan(proposes) -> None:
    proposal = await proposes("寒假从哪天开始放，顺便帮我订个明天下午两点到三点的房间，两个人")
    assert [step.tool for step in proposal.plan.steps] == ["find_room", "book_room"]
    assert "2026-09-14" in proposal.slots["standing_answer"].value["zh"]


def test_a_remark_that_only_sounds_like_a_standing_question_is_none(reads) -> None:
    assert reads("成绩出来了想庆祝，推荐个食堂").tasks == ("recommend_canteen",)
