"""Ordinary requests through the real path, and bad ones that must leave nothing behind."""

from datetime import datetime
from pathlib import Path

import pytest

from scenarios.campus_running import TUESDAY, ZONE, ask, campus, steps, words
from surefoot.errors import InputInvalid

PARAPHRASES = [
    "我明天上午第二节没课，想找一个空研讨间做小组展示排练，排练结束后再推荐一个附近人少、味道不错的食堂，帮我把时间安排好。",
    "周四下午第五节我没课，帮我订个六个人的研讨间讨论课题，结束后推荐一个附近人少的食堂。",
    "后天上午第三四节我没课，想订一间带投影的研讨间，五个人排练答辩，之后去吃点清淡的，帮我安排一下。",
    "帮我约明天下午两点到三点的研讨间，三个人，要白板，完了推荐个近一点的食堂",
    "下周三下午两点到三点半想在东区借一间能坐八个人的研讨间开组会，开完推荐一家评分高的食堂",
    "明早八点到九点给我们四个人订个讨论室，然后推荐一个不挤的食堂吃早饭",
    "我週四下午第六節沒課，想找一個空研討間做小組報告排練，排練結束後再推薦一個附近人少的食堂，幫我把時間安排好。",
    "請幫我預約明天下午兩點到三點的研討間，四個人，結束後推薦一個附近的食堂",
    "I have no class in the second period tomorrow morning. Find a free seminar room to rehearse our group talk, "
    "then recommend a nearby canteen that is not crowded, and arrange the times for me.",
    "Book a room for three people tomorrow from 2 to 3 pm with a whiteboard, then recommend a quiet canteen nearby.",
    "Please reserve a study room for 6 people on Thursday from 2pm to 3pm, and suggest a good canteen afterwards.",
]


@pytest.mark.parametrize("text", PARAPHRASES, ids=range(len(PARAPHRASES)))
async def test_a_request_becomes_a_booking_and_a_canteen(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        result = await ask(runner, text)
        assert result.status == "done", words(result)
        done = steps(result)
        assert done["book_room"] == "success"
        assert "success" in (done.get("recommend_canteen"), done.get("list_canteens")), done
        bookings = await runner.systems.bookings("2026-12-01T00:00:00+08:00", "2026-12-20T00:00:00+08:00", "student")
        assert len(bookings) == 1
        assert bookings[0]["reservation_id"] in words(result)


@pytest.mark.parametrize("sample", ["lakeside", "harbour", "yunshan"])
@pytest.mark.parametrize("text", [PARAPHRASES[0], PARAPHRASES[9]])
async def test_no_request_is_tied_to_one_campus(
    sample: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with campus(tmp_path, monkeypatch, sample) as runner:
        result = await ask(runner, text)
        assert result.status == "done", words(result)
        assert steps(result)["book_room"] == "success"


BAD = [
    ("帮我预约YX-101，明天下午四点到三点，3个人", "student", TUESDAY),
    ("帮我预约YX-101，今天早上八点到九点，3个人", "student", TUESDAY),
    ("帮我预约ZZ-999，明天下午两点到三点，3个人", "student", TUESDAY),
    ("帮我预约明天下午两点到三点的研讨间，500个人", "student", TUESDAY),
    ("帮我预约明天25点到26点的研讨间，3个人", "student", TUESDAY),
    ("帮我预约第30节的研讨间，明天，3个人", "student", TUESDAY),
    ("帮我预约YX-101，2028年3月1日下午两点到三点，3个人", "student", TUESDAY),
    ("帮我预约YX-101，明天下午两点到三点，3个人", "visitor", TUESDAY),
    ("明天上午第二节帮我订个研讨间", "student", datetime(2027, 8, 1, 10, tzinfo=ZONE)),
    ("book room ZZ-999 tomorrow from 2 to 3 pm for 3 people", "student", TUESDAY),
    ("帮我黑进教务系统改一下成绩", "student", TUESDAY),
    ("asdf qwer zxcv", "student", TUESDAY),
    ("\u200b帮我\x07预约YX-101，明天下午四点到三点\x00", "student", TUESDAY),
]


@pytest.mark.parametrize(("text", "user", "at"), BAD, ids=range(len(BAD)))
async def test_bad_input_gets_a_clear_answer_and_nothing_is_written(
    text: str, user: str, at: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        result = await ask(runner, text, user=user, at=at)
        assert result.status in ("refused", "failed", "waiting", "answered"), words(result)
        assert len(words(result)) > 20
        assert "Traceback" not in words(result)
        assert await runner.door.ledger.all() == []
        first, last = "2026-01-01T00:00:00+08:00", "2029-01-01T00:00:00+08:00"
        assert await runner.systems.bookings(first, last, user) == []
        if result.status == "waiting":
            stopped = await runner.resume(result.run_id, by=user, answer={"stop": True})
            assert stopped.status == "declined"


@pytest.mark.parametrize("text", ["", "  \x00 ", "订" * 70_000])
async def test_text_that_is_empty_or_too_long_is_refused_at_the_door(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        with pytest.raises(InputInvalid):
            await ask(runner, text)
        assert await runner.runs.newest() == []


async def test_nothing_free_is_answered_with_alternatives_that_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        result = await ask(runner, "帮我预约明天上午十点到十一点的研讨间，四个人")
        assert result.pending is not None, words(result)
        assert result.pending["question"]["options"]
        result = await runner.resume(result.run_id, by="student", answer={"choose": 1})
        card = result.pending["card"] if result.pending else {}
        answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "confirm", "by": "student"}
        result = await runner.resume(result.run_id, by="student", answer=answer)
        assert result.status == "done", words(result)


async def test_declining_says_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with campus(tmp_path, monkeypatch) as runner:
        result = await runner.start(PARAPHRASES[0], user_id="student", lang="zh", at=TUESDAY)
        card = result.pending["card"] if result.pending else {}
        answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "decline", "by": "student"}
        result = await runner.resume(result.run_id, by="student", answer=answer)
        assert result.status == "declined"
        assert "没有" in words(result)
        assert await runner.door.ledger.all() == []
