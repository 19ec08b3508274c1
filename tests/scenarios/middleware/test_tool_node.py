"""The door under a bare ToolNode, an observer that only watches, and tools that have no contract."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph

from bank.app import Bank, bank_tools, calling, contracts
from surefoot.errors import ContractError, RunNotFound
from surefoot.middleware import SurefootMiddleware, SurefootObserver, sqlite_ledger, wrap_tools
from surefoot.telemetry.events import RunEvent
from surefoot.testing.scripted_model import ScriptedModel

THREAD = {"configurable": {"thread_id": "t1"}}
ASK = {"messages": [("user", "pay invoice 17 over 40")]}


def middleware(folder: Path, **more: Any) -> SurefootMiddleware:
    return SurefootMiddleware(contracts=contracts(), ledger=sqlite_ledger(folder / "s.sqlite"), **more)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_bare_tool_node_charges_once_when_the_answer_is_lost(tmp_path: Path, how: str) -> None:
    bank = Bank(faults={"pay": ["after_timeout"]})
    surefoot = middleware(tmp_path)
    builder = StateGraph(MessagesState)
    builder.add_node("ask", lambda state: {"messages": [calling("pay", "c1", invoice="17", amount=40)]})
    builder.add_node("tools", wrap_tools(bank_tools(bank), surefoot))
    builder.add_edge("__start__", "ask")
    builder.add_edge("ask", "tools")
    graph = builder.compile(checkpointer=InMemorySaver())
    result = graph.invoke(ASK, THREAD) if how == "sync" else asyncio.run(graph.ainvoke(ASK, THREAD))
    message = result["messages"][-1]
    assert isinstance(message, ToolMessage)
    assert json.loads(str(message.content))["status"] == "ok"
    assert message.artifact["surefoot"]["reconciled"] is True
    assert bank.count("pay") == 1
    surefoot.close()


def test_a_tool_without_a_contract_is_refused_before_the_model_is_called(tmp_path: Path) -> None:
    def wipe() -> str:
        """Delete everything."""
        return "gone"

    model = ScriptedModel(script=[])
    tools = [*bank_tools(Bank()), StructuredTool.from_function(wipe)]
    with pytest.raises(ContractError, match="'wipe' has no contract"):
        create_agent(model, tools, middleware=[middleware(tmp_path)]).invoke(ASK)
    with pytest.raises(ContractError, match="'wipe' has no contract"):
        wrap_tools(tools, middleware(tmp_path))
    assert model.calls == []


def test_a_tool_that_passes_through_is_left_alone(tmp_path: Path) -> None:
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    model = ScriptedModel(script=[calling("add", "c1", a=1, b=2), AIMessage("3")])
    surefoot = middleware(tmp_path, pass_through=["add"])
    result = create_agent(model, [StructuredTool.from_function(add)], middleware=[surefoot]).invoke(ASK)
    assert [m.content for m in result["messages"] if isinstance(m, ToolMessage)] == ["3"]


def test_a_compensator_that_the_model_never_sees_is_used_all_the_same(tmp_path: Path) -> None:
    bank = Bank(faults={"ship": ["refuse"]})
    hidden = bank_tools(bank, "refund", "find_payment", "find_refund", "find_shipment")
    surefoot = middleware(tmp_path, tools=hidden)
    script = [calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9"), AIMessage("sorry")]
    model = ScriptedModel(script=script)
    create_agent(model, bank_tools(bank, "pay", "ship"), middleware=[surefoot]).invoke(ASK)
    assert [name for name, _ in bank.done] == ["pay", "refund"]
    assert {tool["function"]["name"] for tool in model.bound[0]["tools"]} == {"pay", "ship"}
    surefoot.close()


def test_a_missing_compensator_leaves_residue_that_is_said_and_handed_over(tmp_path: Path) -> None:
    bank = Bank(faults={"ship": ["refuse"]})
    surefoot = middleware(tmp_path, tools=bank_tools(bank, "find_payment", "find_shipment"))
    script = [calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9"), AIMessage("sorry")]
    agent = create_agent(ScriptedModel(script=script), bank_tools(bank, "pay", "ship"), middleware=[surefoot])
    last = [m for m in agent.invoke(ASK, THREAD)["messages"] if isinstance(m, ToolMessage)][-1]
    told = json.loads(str(last.content))
    assert told["taken_back"][0]["state"] in ("residue", "compensating")
    assert told["handed_over"].startswith("T-")
    assert [name for name, _ in bank.done] == ["pay"]
    surefoot.close()


def test_aborting_a_thread_that_wrote_nothing_says_so(tmp_path: Path) -> None:
    surefoot = middleware(tmp_path)
    with pytest.raises(RunNotFound):
        surefoot.abort("nobody")
    surefoot.close()


class Kept:
    """Events in a list."""

    def __init__(self) -> None:
        self.kinds: list[tuple[str, dict[str, Any]]] = []

    def emit(self, run_id: str, kind: str, data: dict[str, Any]) -> None:
        self.kinds.append((kind, data))

    async def flush(self) -> None:
        return None

    async def of_run(self, run_id: str, *, after: int = 0) -> list[RunEvent]:
        return []


def test_an_observer_sees_calls_and_errors_and_writes_down_no_values() -> None:
    bank, events = Bank(faults={"pay": ["", "before_timeout"]}), Kept()
    script = [calling("pay", "c1", invoice="17", amount=40), calling("pay", "c2", invoice="secret", amount=1)]
    agent = create_agent(ScriptedModel(script=script), bank_tools(bank, "pay"))
    with pytest.raises(TimeoutError):
        agent.invoke(ASK, {"callbacks": [SurefootObserver(events, "r1")]})
    assert [kind for kind, _ in events.kinds] == ["tool_start", "tool_end", "tool_start", "tool_error"]
    assert events.kinds[-1][1]["error"] == "TimeoutError"
    assert "secret" not in str(events.kinds)
