"""The doubles that ship: the scripted model, the fake clock."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from pydantic import BaseModel

from surefoot.testing.clock import FakeClock
from surefoot.testing.scripted_model import ScriptedModel


class Room(BaseModel):
    """A room."""

    name: str


@tool
def look(place: str) -> str:
    """Look at a place."""
    return place


def calling(tool_name: str, /, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool_name, "args": args, "id": "c1"}])


def test_the_model_plays_its_script_and_remembers_its_calls() -> None:
    model = ScriptedModel(script=[AIMessage("one"), lambda messages: AIMessage(messages[-1].content + "!")])
    assert model.invoke("hello").content == "one"
    assert model.invoke("again").content == "again!"
    assert [call[-1].content for call in model.calls] == ["hello", "again"]
    model.assert_finished()


def test_an_unexpected_call_fails() -> None:
    with pytest.raises(AssertionError, match="unexpected call 1"):
        ScriptedModel(script=[]).invoke("hello")


def test_steps_that_were_never_used_fail() -> None:
    with pytest.raises(AssertionError, match="1 of 1 scripted steps were never used"):
        ScriptedModel(script=[AIMessage("x")]).assert_finished()


def test_a_scripted_error_is_raised() -> None:
    with pytest.raises(ConnectionError):
        ScriptedModel(script=[ConnectionError("down")]).invoke("hello")


def test_tools_can_be_bound() -> None:
    model = ScriptedModel(script=[calling("look", place="here")])
    answer = model.bind_tools([look], tool_choice="any").invoke("where?")
    assert answer.tool_calls[0]["args"] == {"place": "here"}
    assert model.bound[0]["tools"][0]["function"]["name"] == "look"


def test_structured_output_comes_from_a_scripted_tool_call() -> None:
    model = ScriptedModel(script=[calling("Room", name="A-301")])
    assert model.with_structured_output(Room).invoke("which room?") == Room(name="A-301")


async def test_the_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock(datetime(2026, 12, 1, tzinfo=UTC))
    await clock.sleep(90)
    assert (clock.now().minute, clock.monotonic(), clock.slept) == (1, 90.0, [90])
