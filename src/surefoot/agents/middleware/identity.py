"""Who calls, in which conversation, and under which name a tool call is known for ever."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from surefoot.planning.binding import Provenance
from surefoot.texts import Text

GUESSED = Text("模型给出的值，对话里没有出现过", "given by the model; it stands nowhere in the conversation")


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation: the saga. It begins with a person's message and closes with the answer."""

    thread_id: str
    run_id: str
    user_id: str
    request: str


def messages_of(state: Any) -> list[AnyMessage]:
    """Return the messages in a graph's state, whatever its shape."""
    if isinstance(state, list):
        return state
    found = state.get("messages", []) if isinstance(state, Mapping) else getattr(state, "messages", [])
    return list(found)


def turn_of(messages: list[AnyMessage], config: Mapping[str, Any]) -> Turn:
    """Return the turn that the last message belongs to. Its name is that of the person's last message.

    ``configurable`` gives ``thread_id`` and ``user_id``; a graph without a checkpointer has no thread, then the
    conversation is named by its first message.
    """
    given = config.get("configurable", {})
    first = str(messages[0].id) if messages else "empty"
    thread_id = str(given.get("thread_id") or f"once-{first}")
    asked = next((m for m in reversed(messages) if isinstance(m, HumanMessage)), None)
    name = str(asked.id) if asked is not None else first
    return Turn(
        thread_id=thread_id,
        run_id=f"{thread_id}/{name}",
        user_id=str(given.get("user_id") or "local"),
        request=asked.text if asked is not None else "",
    )


def call_id_of(messages: list[AnyMessage], thread_id: str, tool_call_id: str | None) -> str:
    """Return ``thread/message/tool call``: a tool call's id alone is not unique, local models use one again."""
    asked_by = next(
        (m for m in reversed(messages) if isinstance(m, AIMessage) and _has(m, tool_call_id)),
        None,
    )
    return f"{thread_id}/{asked_by.id if asked_by is not None else 'unknown'}/{tool_call_id}"


def _has(message: AIMessage, tool_call_id: str | None) -> bool:
    return any(call["id"] == tool_call_id for call in message.tool_calls)


def origins(arguments: Mapping[str, Any], messages: list[AnyMessage]) -> dict[str, Provenance]:
    """Return where each value comes from, as far as the conversation shows: said, from a tool, or the model's guess."""
    said = " ".join(message.text for message in messages if isinstance(message, HumanMessage))
    seen = " ".join(message.text for message in messages if isinstance(message, ToolMessage))
    return {name: _origin(value, said, seen) for name, value in arguments.items()}


def _origin(value: Any, said: str, seen: str) -> Provenance:
    words = str(value).strip()
    if isinstance(value, str | int | float) and not isinstance(value, bool) and words:
        if words in said:
            return Provenance("said")
        if words in seen:
            return Provenance("tool")
    return Provenance("inferred", GUESSED)
