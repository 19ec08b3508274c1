"""The main job: timetable, room, booking, canteen, from one sentence, however it is put."""

import pytest

from surefoot.planning.planner import Proposal

MAIN = (
    "我明天上午第二节没课，想找一个空研讨间做小组展示排练，排练结束后再推荐一个附近人少、味道不错的食堂，"
    "帮我把时间安排好。"
)
CHAIN = ["query_schedule", "find_room", "book_room", "recommend_canteen"]
PARAPHRASES = [
    ("后天下午第五六节我没课，帮我订一间六人的研讨间排练，练完推荐个人少的食堂", "2026-12-03T14:00", 6),
    ("周五第三节我空着，四个人要过一遍pre，借间带投影的讨论室，之后找个不挤的食堂吃饭", "2026-12-04T10:00", 4),
    (
        "I have no class tomorrow in period 2. Book a seminar room for our group of 5 "
        "and then recommend a canteen nearby that is not crowded.",
        "2026-12-02T08:55", 5,
    ),
    (
        "我明天上午第二節沒課，想找一間空研討室做小組報告排練，排練結束後再推薦一個附近人少的食堂，幫我把時間安排好。",
        "2026-12-02T08:55", 4,
    ),
    ("後天第三四節沒課，幫我訂東區的討論室，八個人，結束後吃粵菜", "2026-12-03T10:00", 8),
    ("下周一第七八节没课，我们五个人要讨论大作业，在南区帮我约间研讨间，完了推荐个清真食堂", "2026-12-07T16:00", 5),
    ("明天晚上九、十节没课，帮我预约一间自习室，就我一个人，之后推荐个夜宵", "2026-12-02T19:00", 1),
    ("看看我周四上午有没有课，没课的话十点到十一点订个三人的小房间，然后去吃面", "2026-12-03T10:00", 3),
    (
        "I'm free on Friday between 2 and 4. Please reserve a room with a whiteboard for 7 people, "
        "then find us a vegetarian dinner.",
        "2026-12-04T14:00", 7,
    ),
    ("第13周周三第一二节没课，想找研讨间开组会，会后推荐个吃饭的地方，人少味道好，都帮我安排好", "2026-12-09T08:00", 4),
]  # fmt: skip


async def test_the_main_sentence_becomes_four_steps_in_a_chain(proposes) -> None:
    plan = (await proposes(MAIN)).plan
    assert [step.tool for step in plan.steps] == CHAIN
    assert [step.depends_on for step in plan.steps] == [(), ("schedule",), ("rooms",), ("booking",)]
    booking, meal = plan.step("booking"), plan.step("meal")
    assert booking.requires_confirmation
    assert {name: b.choose for name, b in booking.parameters.items() if b.choose} == {
        "room_id": "best_room", "start": "best_room_start", "end": "best_room_end",
    }  # fmt: skip
    assert (meal.parameters["arrive"].path, meal.parameters["near"].path) == ("$.data.end", "$.data.room_id")


async def test_the_window_is_the_period_that_was_named(proposes) -> None:
    slots = (await proposes(MAIN)).slots
    assert slots["start"].value == "2026-12-02T08:55:00+08:00"
    assert slots["end"].value == "2026-12-02T09:40:00+08:00"
    assert slots["start"].origin == slots["date"].origin == slots["crowd"].origin == "said"


async def test_what_the_main_sentence_does_not_say_is_marked_as_a_guess_with_a_reason(proposes) -> None:
    slots = (await proposes(MAIN)).slots
    for name, value in (("party_size", 4), ("duration_min", 45)):
        assert (slots[name].value, slots[name].origin) == (value, "inferred")
        assert slots[name].note["zh"]
        assert slots[name].note["en"]


@pytest.mark.parametrize(("text", "start", "people"), PARAPHRASES)
async def test_other_days_sizes_zones_languages_and_scripts_give_the_same_plan(
    proposes, text: str, start: str, people: int
) -> None:
    proposal: Proposal = await proposes(text)
    assert proposal.plan, proposal
    assert [step.tool for step in proposal.plan.steps] == CHAIN
    assert proposal.slots["start"].value.startswith(start)
    assert proposal.slots["party_size"].value == people


async def test_a_meal_that_comes_first_is_planned_first(proposes) -> None:
    plan = (await proposes("今晚七点到九点找个自习室，刷题之前想先吃个晚饭")).plan
    assert [step.tool for step in plan.steps] == ["recommend_canteen", "find_room"]
    assert "near" not in plan.step("meal").parameters


async def test_a_zone_said_of_the_meal_does_not_bind_the_room(proposes) -> None:
    proposal = await proposes("明天三四节订一间研讨间，六个人，结束去东区吃川菜")
    assert "zone" not in proposal.plan.step("rooms").parameters
    assert proposal.slots["meal_zone"].value == "东区"
    assert proposal.plan.step("meal").parameters["zone"].slot == "meal_zone"


async def test_several_days_give_one_search_for_each(proposes) -> None:
    plan = (await proposes("下周一到周三每天晚上七点到九点帮我找自习室，一个人")).plan
    assert [step.parameters["start"].literal[:10] for step in plan.steps] == ["2026-12-07", "2026-12-08", "2026-12-09"]


async def test_after_the_last_class_the_start_comes_from_the_timetable(proposes) -> None:
    plan = (await proposes("我明天几点下课？下课以后帮我找个自习室")).plan
    assert plan.step("rooms").parameters["start"].choose == "after_last_class"
    assert plan.step("rooms").depends_on == ("schedule",)
