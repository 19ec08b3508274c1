"""What an endpoint can do: answer, stream, call a tool, follow a schema; each tried once, each told in words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from surefoot.llm.calling import Caller
from surefoot.llm.failures import ModelFailed
from surefoot.llm.structured import Mode, ask_structured

SCHEMA: dict[str, Any] = {
    "title": "colour",
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "number"],
    "properties": {"name": {"type": "string"}, "number": {"type": "integer"}},
}
ASK = "The colour is blue and its number is 7."
TOOL = {
    "type": "function",
    "function": {
        "name": "get_time",
        "description": "Return the time in a city.",
        "parameters": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}},
    },
}


@dataclass(frozen=True, slots=True)
class Ability:
    """One thing that was tried: its name, whether it worked, and what was seen."""

    name: str
    works: bool
    seen: str


async def probe(model: BaseChatModel, make_caller: Callable[[], Caller] = Caller) -> list[Ability]:
    """Try each ability once; what an endpoint cannot do is a finding and no error.

    When it cannot be reached at all, the first finding says so and the others are not tried.
    """
    first = await _tried("answers", lambda: _answers(model, make_caller()))
    if not first.works:
        return [first]
    tries: tuple[tuple[str, Callable[[], Awaitable[str]]], ...] = (
        ("streams", lambda: _streams(model, make_caller())),
        ("tells tokens", lambda: _tells_tokens(model, make_caller())),
        ("calls tools", lambda: _calls_tools(model, make_caller())),
        ("object by tool call", lambda: _object(model, make_caller(), "tool")),
        ("object by json_schema", lambda: _object(model, make_caller(), "json_schema")),
        ("object in words", lambda: _object(model, make_caller(), "text")),
    )
    return [first, *[await _tried(name, attempt) for name, attempt in tries]]


async def _tried(name: str, attempt: Callable[[], Awaitable[str]]) -> Ability:
    try:
        return Ability(name, True, await attempt())
    except ModelFailed as failed:
        return Ability(name, False, f"{failed.kind}: {failed.detail}"[:200])


async def _answers(model: BaseChatModel, caller: Caller) -> str:
    answer = await caller.ask(model, [HumanMessage("Say hello.")])
    if not answer.text:
        raise ModelFailed("malformed", "the answer is empty")
    return answer.text[:60]


async def _streams(model: BaseChatModel, caller: Caller) -> str:
    pieces: list[str] = []
    await caller.ask(model, [HumanMessage("Count from one to five in words.")], on_token=pieces.append)
    if len(pieces) < 2:
        raise ModelFailed("malformed", f"the answer came in {len(pieces)} piece")
    return f"{len(pieces)} pieces"


async def _tells_tokens(model: BaseChatModel, caller: Caller) -> str:
    await caller.ask(model, [HumanMessage("Say hello.")])
    usage = caller.meter.usage
    if usage.estimated:
        raise ModelFailed("malformed", "no usage in the answer; tokens are estimated from above")
    return f"{usage.input_tokens} in, {usage.output_tokens} out"


async def _calls_tools(model: BaseChatModel, caller: Caller) -> str:
    answer = await caller.ask(model.bind_tools([TOOL]), [HumanMessage("What time is it in Oslo? Use the tool.")])
    named = [call["name"] for call in answer.tool_calls]
    if named != ["get_time"]:
        raise ModelFailed("malformed", f"called {named or 'nothing'}")
    return f"get_time({answer.tool_calls[0]['args']})"


async def _object(model: BaseChatModel, caller: Caller, mode: Mode) -> str:
    got = await ask_structured(caller, model, [HumanMessage(ASK)], SCHEMA, attempts=2, mode=mode)
    return f"valid after {got.attempts}" + (", put right" if got.repaired else "")
