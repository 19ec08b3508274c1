"""What is missing is asked for, one thing at a time; what is impossible is said; a guess is never asked as a fact."""

import pytest


async def test_a_booking_without_a_day_is_asked_for_its_day_with_options(proposes) -> None:
    question = (await proposes("帮我订个房间")).question
    assert question.slot == "date"
    assert question.options[0].changes == {"date": "2026-12-01"}


async def test_a_booking_without_a_start_is_asked_for_it_unless_the_choice_is_ours(proposes) -> None:
    question = (await proposes("明天下午订个研讨间，四个人，两小时")).question
    assert question.slot == "start"
    assert question.options[0].changes == {"start": "14:00"}
    assert (await proposes("明天下午随便订个研讨间，四个人，两小时")).plan


async def test_answers_are_carried_into_the_plan(proposes) -> None:
    proposal = await proposes("帮我订个房间", replies=(("date", "后天吧"), ("start", "下午三点，六个人")))
    assert proposal.slots["start"].value == "2026-12-03T15:00:00+08:00"
    assert proposal.slots["party_size"].value == 6


async def test_a_picked_option_overrides_the_text(proposes) -> None:
    text = "明天下午两点到四点订个研讨间，四个人"
    proposal = await proposes(text, start="2026-12-02T16:00:00+08:00", end="2026-12-02T18:00:00+08:00")
    assert proposal.slots["start"].value == "2026-12-02T16:00:00+08:00"
    assert proposal.slots["end"].value == "2026-12-02T18:00:00+08:00"


async def test_a_picked_none_drops_a_wish(proposes) -> None:
    proposal = await proposes("明天下午两点到四点订个东区的研讨间，四个人，要电视", zone=None, equipment=[])
    assert "zone" not in proposal.slots
    assert proposal.slots["equipment"].value == []


async def test_a_reply_that_says_nothing_is_asked_again_and_says_so(proposes) -> None:
    question = (await proposes("帮我订个房间", replies=(("date", "嗯嗯"),))).question
    assert question.slot == "date"
    assert question.text.zh.startswith("没有看懂")


async def test_a_canteen_nearby_asks_near_what(proposes) -> None:
    assert (await proposes("附近有啥吃的")).question.slot == "near"
    assert (await proposes("附近有啥吃的", replies=(("near", "图书馆"),))).slots["meal_near"].value == "图书馆"


async def test_an_open_head_count_is_asked_not_guessed(proposes) -> None:
    proposal = await proposes("明天三点到五点订个房间，人数还不确定")
    assert proposal.question.slot == "party_size"
    assert (await proposes("明天三点到五点订个房间，人数还不确定", replies=(("party_size", "七个"),))).slots[
        "party_size"
    ].value == 7


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("明天25点订个房间", "没有25点"),
        ("明天下午四点到三点订个房间", "结束时间早于开始时间"),
        ("明天第15节订个研讨间", "没有第15节"),
    ],
)
async def test_an_impossible_time_is_said_to_be_one_and_asked_for_again(proposes, text: str, why: str) -> None:
    proposal = await proposes(text)
    assert proposal.plan is None
    assert proposal.question.slot == "start"
    assert why in proposal.question.text.zh
    answered = await proposes(text, replies=(("start", "下午两点到四点"),))
    assert answered.slots["start"].value == "2026-12-02T14:00:00+08:00"
    assert (await proposes(text, replies=(("start", "嗯嗯"),))).question.text.zh.startswith("没有看懂")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("昨天下午三点到四点订个房间", "已经过去"),
        ("今天上午八点到九点订个房间", "已经过去"),
        ("2027年3月1日下午三点到四点订个房间", "不在本学期"),
        ("给我约周三的，12月3号，两点到四点", "对不上"),
    ],
)
async def test_a_day_that_cannot_be_is_asked_for_again(proposes, text: str, why: str) -> None:
    proposal = await proposes(text)
    assert proposal.plan is None
    assert proposal.question.slot == "date"
    assert why in proposal.question.text.zh


@pytest.mark.parametrize("text", ["", "。。。", "asdf qwer", "帮我写首诗", "你好"])
async def test_what_cannot_be_read_is_refused_and_says_what_can_be_done(proposes, text: str) -> None:
    proposal = await proposes(text)
    assert proposal.plan is proposal.question is None
    assert "我能帮您" in proposal.refusal.zh
    assert "study rooms" in proposal.refusal.en


async def test_a_search_guesses_openly_too(proposes) -> None:
    slots = (await proposes("明天有空的自习室吗")).slots
    assert {name for name, slot in slots.items() if slot.origin == "inferred"} >= {"start", "end", "duration_min"}
