"""Agents for these cases: the stock one, and the same one with the middleware."""

import json
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from bank.app import Bank, bank_tools, contracts
from surefoot.middleware import SurefootMiddleware, sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

THREAD: Any = {"configurable": {"thread_id": "t1", "user_id": "ann"}}
ASK: Any = {"messages": [("user", "pay invoice 17 over 40")]}


def surefoot_in(folder: Path, **changes: Any) -> SurefootMiddleware:
    """Return the middleware over the bank's contracts, its ledger in ``folder``."""
    return SurefootMiddleware(
        contracts=contracts(**changes), ledger=sqlite_ledger(folder / "s.sqlite"), pass_through=["note", "Answer"]
    )


def agent_of(bank: Bank, *script: Any, middleware: Any = (), tools: Any = None, **more: Any) -> Any:
    """Return a create_agent agent with a scripted model."""
    saver = more.pop("checkpointer", None) or InMemorySaver()
    model = ScriptedModel(script=list(script))
    return create_agent(model, tools or bank_tools(bank), middleware=list(middleware), checkpointer=saver, **more)


def answers(result: dict[str, Any]) -> list[ToolMessage]:
    """Return the tool messages of a result."""
    return [message for message in result["messages"] if isinstance(message, ToolMessage)]


def told(message: ToolMessage) -> dict[str, Any]:
    """Return what one of our messages says."""
    said: dict[str, Any] = json.loads(str(message.content))
    return said


def side_by_side(*calls: tuple[str, str, dict[str, Any]]) -> AIMessage:
    """Return one answer of the model with several calls."""
    made = [{"name": name, "args": args, "id": call_id, "type": "tool_call"} for name, call_id, args in calls]
    return AIMessage("", tool_calls=made)
