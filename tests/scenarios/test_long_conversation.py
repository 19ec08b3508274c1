"""Two hundred sentences on one thread: the model's input stays small, and nothing that was confirmed is lost."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from scenarios.campus_running import TUESDAY, campus
from surefoot.guardrails import Veil
from surefoot.llm.tokens import MESSAGE_TOKENS, estimate
from surefoot.memory import ModelInput, Summary, Turn, fit

INSTRUCTIONS = (
    "You read requests to a campus assistant and return a plan as JSON. Tools: find_room, book_room, "
    "recommend_canteen, query_schedule, list_bookings, cancel_booking. Never invent a value."
)
WISHES = (
    "要白板",
    "五个人",
    "改成六个人",
    "要安静一点的地方",
    "时间改成下午三点到五点",
    "换成后天",
    "最好在东区",
    "要投影",
)
ASIDE = ("先不管这个，中午吃啥", "回到刚才的房间", "记住我不吃辣", "你记得我的什么？", "图书馆几点关门？")


def sentences() -> list[str]:
    """Two hundred sentences: one request, then tweaks with other matters between them."""
    said = ["明天下午两点到四点找间研讨间，四个人"]
    while len(said) < 200:
        said.append(ASIDE[len(said) // 12 % len(ASIDE)] if len(said) % 12 == 0 else WISHES[len(said) % len(WISHES)])
    return said


def model_input(state: dict[str, Any], preferences: Any, question: str) -> ModelInput:
    """Return what a model would be given for the next sentence of this thread."""
    veil = Veil()
    turns = [
        Turn("assistant" if isinstance(message, AIMessage) else "person", veil.hide(str(message.content)))
        for message in state["messages"]
    ]
    summary = Summary.from_json(state["memory"].get("summary"))
    return fit(INSTRUCTIONS, summary, turns, veil.hide(question), preferences=preferences)


@pytest.mark.timeout(300)
async def test_two_hundred_sentences_keep_the_input_small_and_every_confirmed_constraint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREFOOT_MESSAGE_LIMIT", "1000/minute")
    async with campus(tmp_path, monkeypatch) as runner:
        dearest, held = 0, {}
        for number, text in enumerate(sentences()):
            at = TUESDAY + timedelta(seconds=number)
            result = await runner.start(text, user_id="student", lang="zh", at=at, thread_id="long")
            if result.pending is not None:
                result = await runner.cancel(result.run_id, by="student")
            shelf = await runner.preferences.shelf("student")
            made = model_input(dict(result.state), shelf.items, "我的手机号是13800138000，改成后天")
            assert made.tokens == sum(estimate(words) + MESSAGE_TOKENS for _, words in made.messages)
            dearest = max(dearest, made.tokens)
            held = Summary.from_json(result.state["memory"].get("summary")).constraints
            everything = "\n".join(words for _, words in made.messages)
            assert "13800138000" not in everything
            for name, item in held.items():
                if item.standing != "inferred":
                    value = ", ".join(map(str, item.value)) if isinstance(item.value, list) else str(item.value)
                    assert f"{name}: {value} ({item.standing})" in everything
            for key, item in shelf.items.items():
                assert f"prefers {key}: {', '.join(map(str, item.value))}" in everything
        assert 300 < dearest < 1200
        told = {name: item.value for name, item in held.items() if item.standing == "said"}
        assert (told["start"][:16], told["end"][:16]) == ("2026-12-03T15:00", "2026-12-03T17:00")
        assert (told["party_size"], told["zone"]) == (6, "东区")
        assert {"whiteboard", "projector"} <= set(told["equipment"])
        assert shelf.items["taste_not"].standing == "said"
