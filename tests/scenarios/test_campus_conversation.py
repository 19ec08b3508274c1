"""Several sentences on one thread of the running campus: what was said holds, what was done is not done again."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from scenarios.campus_running import TUESDAY, campus, steps, words
from surefoot.errors import InputInvalid
from surefoot.execution.protocol import State
from surefoot.memory import Summary
from surefoot.runtime.runner import Runner, RunResult


async def say(runner: Runner, text: str, *, thread: str = "t", user: str = "student", minutes: int = 0) -> RunResult:
    """Say one more sentence on the thread and confirm each card."""
    lang = "zh" if any(char >= "\u4e00" for char in text) else "en"
    at = TUESDAY + timedelta(minutes=minutes)
    result = await runner.start(text, user_id=user, lang=lang, at=at, thread_id=thread)
    while result.pending is not None and result.pending["kind"] == "card":
        card = result.pending["card"]
        answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "confirm"}
        result = await runner.resume(result.run_id, by=user, answer=answer)
    return result


def slots(result: RunResult) -> dict[str, Any]:
    return {name: slot["value"] for name, slot in result.state["planning"]["slots"].items()}


async def standing(runner: Runner) -> list[tuple[str, str]]:
    """Return each booking that stands, as room and start."""
    effects = await runner.door.ledger.all()
    cancelled = {e.arguments["reservation_id"] for e in effects if e.tool == "cancel_booking"}
    made = [e for e in effects if e.tool == "book_room" and e.state is State.COMMITTED]
    return [
        (e.result["room_id"], e.arguments["start"][:16])
        for e in made
        if e.result and e.result["reservation_id"] not in cancelled
    ]


async def test_constraints_are_carried_and_corrected_over_sentences(tmp_path: Path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        first = await say(runner, "明天下午两点到四点想找间研讨间")
        assert steps(first) == {"find_room": "success"}
        second = await say(runner, "五个人，要白板", minutes=1)
        found = slots(second)
        assert (found["start"][:16], found["party_size"], found["equipment"]) == ("2026-12-02T14:00", 5, ["whiteboard"])
        third = await say(runner, "算了，改成后天", minutes=2)
        assert slots(third)["start"][:16] == "2026-12-03T14:00"
        assert slots(third)["party_size"] == 5
        fourth = await say(runner, "就订这个吧", minutes=3)
        assert steps(fourth)["book_room"] == "success"
        assert [start for _, start in await standing(runner)] == ["2026-12-03T14:00"]


async def test_a_changed_day_after_booking_moves_the_booking_and_makes_no_second_one(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "帮我订明天下午两点到四点的研讨间，四个人")
        assert [start for _, start in await standing(runner)] == ["2026-12-02T14:00"]
        moved = await say(runner, "改到后天吧", minutes=1)
        assert moved.status == "done", words(moved)
        assert steps(moved) == {"find_room": "success", "book_room": "success", "cancel_booking": "success"}
        assert [start for _, start in await standing(runner)] == ["2026-12-03T14:00"]


async def test_a_meal_after_booking_stands_on_it_and_books_nothing(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        booked = await say(runner, "帮我订明天下午四点到六点的研讨间，四个人")
        room = next(room for room, _ in await standing(runner))
        meal = await say(runner, "然后推荐个食堂，清真的", minutes=1)
        assert steps(meal) == {"recommend_canteen": "success"}, words(meal)
        record = next(iter(meal.state["execution"]["steps"].values()))
        assert (record["input"]["arrive"][:16], record["input"]["near"]) == ("2026-12-02T18:00", room)
        assert len(await standing(runner)) == 1
        assert booked.status == meal.status == "done"


async def test_the_booking_just_made_can_be_cancelled_by_pointing_at_it(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "帮我订明天晚上七点到八点的研讨间，两个人", thread="other")
        await say(runner, "帮我订后天下午两点到四点的研讨间，四个人", minutes=1)
        gone = await say(runner, "取消刚才那个", minutes=2)
        assert steps(gone) == {"cancel_booking": "success"}, words(gone)
        assert [start for _, start in await standing(runner)] == ["2026-12-02T19:00"]


async def test_a_new_task_leaves_the_old_constraints_behind_and_they_can_be_resumed(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "明天下午两点到四点找间研讨间，六个人")
        meal = await say(runner, "先不管这个，中午吃啥", minutes=1)
        assert steps(meal) == {"recommend_canteen": "success"}
        assert "party_size" not in Summary.from_json(meal.state["memory"]["summary"]).constraints
        back = await say(runner, "回到刚才的房间，订了吧", minutes=2)
        assert steps(back)["book_room"] == "success"
        assert slots(back)["party_size"] == 6


async def test_a_guess_on_a_confirmed_card_becomes_confirmed(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        result = await say(runner, "我们小组明天下午两点到四点要订一间研讨间")
        held = Summary.from_json(result.state["memory"]["summary"]).constraints
        assert result.state["planning"]["slots"]["party_size"]["origin"] == "inferred"
        assert (held["party_size"].value, held["party_size"].standing) == (4, "confirmed")
        assert held["start"].standing == "said"


async def test_what_was_asked_to_be_remembered_fills_a_later_thread_and_can_be_forgotten(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        noted = await say(runner, "记住，我只吃清真，不吃辣", thread="a")
        assert noted.status == "answered"
        assert "清真" in words(noted)
        meal = await say(runner, "中午推荐个食堂", thread="b", minutes=1)
        assert slots(meal)["diet"] == ["清真"]
        assert "按您记下的偏好" in str(meal.state["planning"]["slots"]["diet"])
        told = await say(runner, "你记得我的什么？", thread="b", minutes=2)
        assert "清真" in words(told)
        other = await say(runner, "中午推荐个食堂", thread="c", user="visitor", minutes=2)
        assert "diet" not in slots(other)
        gone = await say(runner, "删掉我的口味偏好", thread="b", minutes=3)
        assert "已删除" in words(gone)
        again = await say(runner, "中午推荐个食堂", thread="d", minutes=4)
        assert "diet" not in slots(again)


async def test_talking_about_preferences_does_not_lose_the_task_at_hand(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "明天下午两点到四点找间研讨间，六个人")
        await say(runner, "记住我不吃辣", minutes=1)
        later = await say(runner, "改成后天", minutes=2)
        assert slots(later)["start"][:16] == "2026-12-03T14:00"
        assert slots(later)["party_size"] == 6


async def test_another_person_cannot_go_on_with_my_thread(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "明天下午两点到四点找间研讨间，六个人")
        with pytest.raises(InputInvalid, match="another person"):
            await say(runner, "五个人", user="somebody", minutes=1)
        later = await say(runner, "改成后天", minutes=2)
        assert slots(later)["party_size"] == 6


async def test_a_habit_orders_equal_rooms_only_with_permission_and_is_told_as_the_reason(tmp_path, monkeypatch) -> None:
    wish = "帮我订{day}晚上七点到八点的研讨间，两个人"
    async with campus(tmp_path, monkeypatch) as runner:
        first = await say(runner, wish.format(day="明天"), thread="a")
        usual = first.state["execution"]["steps"]["booking"]["output"]["data"]["zone"]
        assert await runner.behaviour.observed("student") == []
        await runner.behaviour.permit("student", allowed=True)
        rooms = first.state["execution"]["steps"]["rooms"]["output"]["data"]["rooms"]
        other = next(room["zone"] for room in rooms if room["zone"] != usual and room["start"] == rooms[0]["start"])
        for day in ("后天", "大后天"):
            await say(runner, wish.format(day=day).replace("研讨间", f"{other}研讨间"), thread=day, minutes=1)
        assert {seen.choice for seen in await runner.behaviour.observed("student", "zone")} == {other}
        again = await say(runner, wish.format(day="下周一"), thread="b", minutes=2)
        booked = again.state["execution"]["steps"]["booking"]
        assert booked["output"]["data"]["zone"] == other
        assert "您常选的区域" in str(booked["provenance"]["room_id"])
        await runner.behaviour.permit("student", allowed=False)
        plain = await say(runner, wish.format(day="下周三"), thread="c", minutes=3)
        assert plain.state["execution"]["steps"]["booking"]["output"]["data"]["zone"] == usual
        assert await runner.behaviour.observed("student") == []


async def test_after_a_move_the_conversation_goes_on_from_the_moved_booking(tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "帮我找明天晚上六点到七点的研讨间，五个人")
        await say(runner, "订这个", minutes=1)
        await say(runner, "改到后天", minutes=2)
        meal = await say(runner, "然后吃个晚饭，清真的", minutes=3)
        assert steps(meal) == {"recommend_canteen": "success"}, words(meal)
        quieter = await say(runner, "人少的", minutes=4)
        assert steps(quieter) == {"recommend_canteen": "success"}, words(quieter)
        again = await say(runner, "房间再改到大后天", minutes=5)
        assert steps(again)["cancel_booking"] == "success", words(again)
        assert [start for _, start in await standing(runner)] == ["2026-12-04T18:00"]
        gone = await say(runner, "取消刚才那个预约", minutes=6)
        assert steps(gone) == {"cancel_booking": "success"}, words(gone)
        assert await standing(runner) == []


@pytest.mark.parametrize(
    "sentence",
    ["再订一间后天下午两点到四点的，三个人", "帮我订后天下午两点到四点的研讨间，三个人", "再帮我订一间，后天同一时间"],
)
async def test_one_more_booking_leaves_the_first_one_alone(sentence, tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "帮我订明天下午两点到四点的研讨间，四个人")
        more = await say(runner, sentence, minutes=1)
        assert "cancel_booking" not in steps(more), words(more)
        starts = sorted(start for _, start in await standing(runner))
        assert starts[0] == "2026-12-02T14:00"
        assert more.pending is not None or starts == ["2026-12-02T14:00", "2026-12-03T14:00"], words(more)


@pytest.mark.parametrize("words_said", ["好的，谢谢", "ok", "就这样吧"])
async def test_a_sentence_that_asks_for_nothing_new_books_nothing(words_said, tmp_path, monkeypatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        await say(runner, "帮我订明天下午两点到四点的研讨间，四个人")
        thanks = await say(runner, words_said, minutes=1)
        assert steps(thanks) == {}, words(thanks)
        assert thanks.status in ("answered", "refused")
        assert len(await standing(runner)) == 1
        moved = await say(runner, "改到后天吧", minutes=2)
        assert [start for _, start in await standing(runner)] == ["2026-12-03T14:00"], words(moved)
