"""LangChain's tools as the door's functions: how they are called, and what their replies mean."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from surefoot.contracts.loader import SourceMap, load_contracts, read_contract
from surefoot.contracts.registry import Registry
from surefoot.contracts.tool import Tool, ToolContext
from surefoot.errors import BusinessRefused, ErrorCode, NotSent, ToolError
from surefoot.texts import Text

Reply = ToolMessage | Command[Any]
Invoke = Callable[[dict[str, Any]], Awaitable[Reply]]
"""Runs the tool that the model called, with these arguments, through whatever the host has put around it."""


class Paused(BaseException):
    """A tool asked for an interrupt of its own. Not an error: it must pass the door untouched."""

    def __init__(self, bubble: GraphBubbleUp) -> None:
        super().__init__(str(bubble))
        self.bubble = bubble


@dataclass
class Host:
    """How tools are reached during one tool call of the model.

    The call itself goes through ``invoke``, so that the host's injected arguments and context are there. Every other
    tool (asking back, a fallback, a compensator) is called by its own ``ainvoke``; it cannot need injected state.
    """

    call_id: str
    tool: str
    invoke: Invoke | None
    tools: Mapping[str, BaseTool]
    reply: Reply | None = field(default=None)


def registry_of(contracts: Path | str | Mapping[str, Any]) -> Registry:
    """Return the registry of a folder of YAML files, or of raw contracts by name.

    Raises:
        ContractError: a contract that is refused, with file and line where it has them.
    """
    if isinstance(contracts, Mapping):
        read = {
            name: read_contract({"name": name, **raw}, SourceMap(name, {(): 1}), name)
            for name, raw in contracts.items()
        }
    else:
        read = load_contracts(Path(contracts))
    return Registry.pair(read, {name: _function(name) for name in read})


def _function(name: str) -> Tool:
    async def call(*, ctx: ToolContext, **arguments: Any) -> dict[str, Any]:
        host: Host = ctx.systems
        try:
            if host.invoke is not None and (ctx.call_id, name) == (host.call_id, host.tool):
                host.reply = await host.invoke(arguments)
                return read_reply(host.reply, host.tools.get(name))
            tool = host.tools.get(name)
            if tool is None:
                raise NotSent(f"the tool {name!r} was not handed to Surefoot; give it in tools=[...]")
            made = await tool.ainvoke({"name": name, "args": arguments, "id": ctx.call_id, "type": "tool_call"})
            return read_reply(made, tool)
        except GraphBubbleUp as bubble:
            raise Paused(bubble) from bubble
        except ToolException as said:
            # LangChain's own word for "the tool answers: no". Everything else is machinery.
            raise BusinessRefused(Text(str(said), str(said))) from said

    call.__name__ = name
    return call


def read_reply(reply: Any, tool: BaseTool | None) -> dict[str, Any]:
    """Return the data in a tool's reply: a JSON object as it is, anything else under ``result``.

    Raises:
        BusinessRefused: the tool declares its own errors (``handle_tool_error``) and this is one.
        ToolError: an error message whose cause cannot be told.
    """
    message = message_of(reply)
    if message is None:
        return {"result": None if isinstance(reply, Command) else reply}
    text = message.text if isinstance(message.content, list) else str(message.content)
    if message.status == "error":
        if tool is not None and tool.handle_tool_error:
            raise BusinessRefused(Text(text, text))
        raise ToolError(ErrorCode.TOOL_UNAVAILABLE, text)
    return _parsed(text)


def message_of(reply: Any) -> ToolMessage | None:
    """Return the tool message in a reply, also in a Command's update."""
    if isinstance(reply, ToolMessage):
        return reply
    if isinstance(reply, Command) and isinstance(reply.update, dict):
        found = [message for message in reply.update.get("messages", []) if isinstance(message, ToolMessage)]
        return found[0] if found else None
    return None


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {"result": text}
    return value if isinstance(value, dict) else {"result": value}
