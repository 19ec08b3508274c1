"""A write that nothing can be asked about by key: what stood before is looked at, compared, and put back."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver

from bank.app import QUICK, calling
from surefoot.agents.middleware import SurefootMiddleware
from surefoot.bootstrap import sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

USER = {
    "type": "object",
    "additionalProperties": False,
    "required": ["user"],
    "properties": {"user": {"type": "string"}},
}
MOVE = {"type": "object", "additionalProperties": False, "required": ["user", "street"],
        "properties": {"user": {"type": "string"}, "street": {"type": "string"}}}  # fmt: skip
CONTRACTS: dict[str, Any] = {
    "profile": {"version": 1, "summary": "Read a profile.", "effect": "read", "permission": "p", "input_schema": USER,
                "execution_contract": QUICK},
    "move": {"version": 1, "summary": "Change the address.", "effect": "write", "permission": "p", "approval": "never",
             "input_schema": MOVE, "execution_contract": QUICK, "idempotency": {"key": ["user", "street"]},
             "output_contract": {"required_fields": ["street"]},
             "before": {"old": {"tool": "profile", "arguments": {"user": "$.arguments.user"}}},
             "reconcile": {"changed": ["old"]},
             "compensate": {"tool": "move",
                            "arguments": {"user": "$.arguments.user", "street": "$.before.old.street"}}},
}  # fmt: skip
THREAD = {"configurable": {"thread_id": "t1"}}


class Register:
    """People and where they live; it knows nothing of keys."""

    def __init__(self, *faults: str) -> None:
        self.street, self.moves, self.faults, self.readable = "Old Road 1", 0, list(faults), True

    def profile(self, user: str) -> dict[str, str]:
        """Read a profile."""
        if not self.readable:
            raise TimeoutError("no answer")
        return {"user": user, "street": self.street}

    def move(self, user: str, street: str) -> Any:
        """Change the address."""
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "before":
            raise TimeoutError("no answer")
        self.street, self.moves = street, self.moves + 1
        if fault == "after":
            raise TimeoutError("no answer")
        return '{"user": "an' if fault == "malformed" else {"user": user, "street": street}


def agent_of(register: Register, folder: Path) -> tuple[Any, SurefootMiddleware]:
    surefoot = SurefootMiddleware(contracts=CONTRACTS, ledger=sqlite_ledger(folder / "s.sqlite"))
    model = ScriptedModel(script=[calling("move", "c1", user="ann", street="New Road 2"), AIMessage("done")])
    tools = [StructuredTool.from_function(register.profile), StructuredTool.from_function(register.move)]
    return create_agent(model, tools, middleware=[surefoot], checkpointer=InMemorySaver()), surefoot


@pytest.mark.parametrize("fault", ["", "before", "after", "malformed"])
def test_the_write_happens_once_and_is_told_truly_because_what_is_seen_has_changed(tmp_path: Path, fault: str) -> None:
    register = Register(fault)
    agent, surefoot = agent_of(register, tmp_path)
    result = agent.invoke({"messages": [("user", "I live in New Road 2 now")]}, THREAD)
    (message,) = [m for m in result["messages"] if isinstance(m, ToolMessage)]
    assert (register.street, register.moves, message.status) == ("New Road 2", 1, "success")
    surefoot.close()


@pytest.mark.parametrize("faults", [[], ["after"], ["", "before"], ["", "after"], ["", "malformed"]])
def test_undo_puts_back_what_was_seen_before_whatever_strikes_the_undo(tmp_path: Path, faults: list[str]) -> None:
    register = Register(*faults)
    agent, surefoot = agent_of(register, tmp_path)
    agent.invoke({"messages": [("user", "I live in New Road 2 now")]}, THREAD)
    assert [item.state for item in surefoot.abort("t1")] == ["compensated"]
    assert (register.street, register.moves) == ("Old Road 1", 2)
    surefoot.close()


def test_what_cannot_be_looked_at_before_is_not_sent(tmp_path: Path) -> None:
    register = Register()
    register.readable = False
    agent, surefoot = agent_of(register, tmp_path)
    result = agent.invoke({"messages": [("user", "I live in New Road 2 now")]}, THREAD)
    (message,) = [m for m in result["messages"] if isinstance(m, ToolMessage)]
    assert json.loads(str(message.content))["status"] == "not_sent"
    assert register.moves == 0
    surefoot.close()
