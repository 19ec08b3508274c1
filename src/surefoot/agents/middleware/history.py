"""Repairing what the model is shown: calls without an answer, and calls that nobody can read.

A provider refuses a history in which a tool call has no answer. The answer that is put in says what the ledger knows.
Nothing is repaired while an interrupt waits: the model is not called then.
"""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall, ToolMessage

MAX_MALFORMED = 3
"""How many unreadable calls in a row the model may make before the turn ends."""

MAX_STOPPED = 3
"""How many calls in a row may be stopped by loop detector or budget before the turn ends."""

STOPS = frozenset({"LOOP_DETECTED", "BUDGET_SPENT"})


def unanswered(messages: list[AnyMessage]) -> list[tuple[AIMessage, ToolCall]]:
    """Return each tool call that has no answer before the next message of model or person."""
    found: list[tuple[AIMessage, ToolCall]] = []
    for at, message in enumerate(messages):
        if isinstance(message, AIMessage) and message.tool_calls:
            answered = {answer.tool_call_id for answer in _answers(messages, at)}
            found += [(message, call) for call in message.tool_calls if call["id"] not in answered]
    return found


def with_answers(messages: list[AnyMessage], answers: list[ToolMessage]) -> list[AnyMessage]:
    """Return the messages with each answer behind the call that it belongs to."""
    left = {answer.tool_call_id: answer for answer in answers}
    repaired: list[AnyMessage] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        repaired.append(message)
        given = _answers(messages, at) if isinstance(message, AIMessage) else []
        repaired += given
        at += 1 + len(given)
        if isinstance(message, AIMessage):
            have = {answer.tool_call_id for answer in given}
            repaired += [left[str(c["id"])] for c in message.tool_calls if c["id"] not in have and c["id"] in left]
    return repaired


def _answers(messages: list[AnyMessage], at: int) -> list[ToolMessage]:
    answers: list[ToolMessage] = []
    for message in messages[at + 1 :]:
        if not isinstance(message, ToolMessage):
            break
        answers.append(message)
    return answers


def promoted(message: AIMessage, new_id: Callable[[str], str]) -> tuple[AIMessage, list[ToolMessage]]:
    """Turn calls that could not be read into calls that are answered at once: nothing was done.

    Left as they are they would end the agent's loop without a word (langchain#33504).
    """
    calls, answers = list(message.tool_calls), []
    for bad in message.invalid_tool_calls:
        call: ToolCall = {"name": bad["name"] or "unreadable", "args": {}, "id": bad["id"] or new_id("call"),
                          "type": "tool_call"}  # fmt: skip
        calls.append(call)
        why = f"The arguments of this call are not readable ({bad['error'] or 'not JSON'}). Nothing was done."
        answers.append(
            ToolMessage(
                content=f"{why} Call the tool again with one valid JSON object.",
                name=call["name"],
                tool_call_id=str(call["id"]),
                status="error",
                artifact={"surefoot": {"kind": "malformed", "code": "TOOL_INPUT_INVALID"}},
            )
        )
    return message.model_copy(update={"tool_calls": calls, "invalid_tool_calls": []}), answers


def trailing(messages: list[AnyMessage], matches: Callable[[dict[str, Any]], bool]) -> int:
    """Return how many of this turn's last tool messages, without a gap, carry facts that match."""
    count = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, ToolMessage):
            artifact = message.artifact if isinstance(message.artifact, dict) else {}
            if not matches(artifact.get("surefoot", {})):
                break
            count += 1
    return count
