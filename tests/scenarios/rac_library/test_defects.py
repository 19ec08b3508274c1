"""Four cases of undo. Each test says what is right; react-agent-compensation 0.2.0 fails it, Surefoot passes."""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from react_agent_compensation.core.exceptions import CriticalFailure
from react_agent_compensation.core.recovery_manager import RecoveryManager
from react_agent_compensation.langchain_adaptor import (
    CompensationMiddleware,
    RetryPolicy,
    wrap_tool_with_compensation,
)

from bank.app import CONTRACTS, QUICK, Bank, bank_tools, calling
from surefoot.middleware import SurefootMiddleware, sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

THREAD = {"configurable": {"thread_id": "t1"}}
ASK = {"messages": [("user", "go")]}
Play = Callable[[list[BaseTool], dict[str, str], dict[str, Any], list[AIMessage], Path], None]


def ours(
    tools: list[BaseTool], pairs: dict[str, str], contracts: dict[str, Any], script: list[AIMessage], folder: Path
) -> None:
    """create_agent with SurefootMiddleware."""
    surefoot = SurefootMiddleware(contracts=contracts, ledger=sqlite_ledger(folder / "s.sqlite"))
    model = ScriptedModel(script=[*script, AIMessage("over")])
    create_agent(model, tools, middleware=[surefoot], checkpointer=InMemorySaver()).invoke(ASK, THREAD)
    surefoot.close()


def library(
    tools: list[BaseTool], pairs: dict[str, str], contracts: dict[str, Any], script: list[AIMessage], folder: Path
) -> None:
    """create_agent over tools wrapped by the library, its retries without waiting; pairs and alternatives declared."""
    logging.getLogger("react_agent_compensation").setLevel(logging.CRITICAL)
    alternatives = {name: list(raw["fallbacks"]) for name, raw in contracts.items() if raw.get("fallbacks")}
    keep = CompensationMiddleware(
        # An empty compensator makes the library track and roll back on the failure of a tool that has no inverse.
        compensation_mapping={**pairs, "ship": pairs.get("ship", "")},
        tools=tools,
        alternative_map=alternatives,
        retry_policy=RetryPolicy(max_retries=3, initial_delay=0.001, jitter=False),
    )
    wrapped = [wrap_tool_with_compensation(tool, keep) for tool in tools]
    for tool in wrapped:
        tool.handle_tool_error = True
    model = ScriptedModel(script=[*script, AIMessage("over")])
    agent = create_agent(model, wrapped, checkpointer=InMemorySaver())
    for given in (ASK, None, None):
        try:
            agent.invoke(given, THREAD)
            return
        except Exception as error:  # noqa: BLE001 - what the library lets through must not end the comparison
            logging.getLogger(__name__).info("the library let it through: %s", error)


def both(reason: str) -> Any:
    """Run a test with both; the library's failure is expected, and noticed should it ever pass."""
    return pytest.mark.parametrize(
        "play", [pytest.param(library, marks=pytest.mark.xfail(strict=True, reason=reason)), ours]
    )


PAIRS = {"pay": "refund"}


@both("an outcome that is not known is logged as failed, and what failed is not rolled back")
def test_a_payment_whose_answer_was_lost_is_refunded_once_when_a_later_write_is_refused(
    play: Play, tmp_path: Path
) -> None:
    bank = Bank(faults={"pay": ["after_timeout"], "ship": ["refuse"] * 9})
    play(
        bank_tools(bank), PAIRS, CONTRACTS,
        [calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9")], tmp_path,
    )  # fmt: skip
    assert (bank.count("pay"), bank.count("refund")) == (1, 1)


def three_payments() -> list[AIMessage]:
    return [*(calling("pay", f"c{n}", invoice=f"I{n}", amount=n) for n in (1, 2, 3)), calling("ship", "c4", order="9")]


@both("independent actions are undone in the order in which they were made")
def test_independent_payments_are_refunded_newest_first(play: Play, tmp_path: Path) -> None:
    bank = Bank(faults={"ship": ["refuse"] * 9})
    play(bank_tools(bank), PAIRS, CONTRACTS, three_payments(), tmp_path)
    assert [what["payment_id"] for name, what in bank.done if name == "refund"] == ["P3", "P2", "P1"]


class StubbornBank(Bank):
    """Whichever payment is to be refunded first, that one it never refunds."""

    never: str = ""

    def refund(self, payment_id: str) -> dict[str, Any]:
        """Refund a payment."""
        self.never = self.never or payment_id
        if payment_id == self.never:
            raise ConnectionError("the line to this payment is down")
        return super().refund(payment_id)


def rolled_back_by_its_manager(
    tools: list[BaseTool], pairs: dict[str, str], contracts: dict[str, Any], script: list[AIMessage], folder: Path
) -> None:
    """The library's own manager: its LangChain wrapper hides a failing undo and calls it compensated."""
    by_name = {tool.name: tool for tool in tools}

    class Executor:
        def execute(self, action: str, params: dict[str, Any]) -> Any:
            return by_name[action].invoke(params)

    manager = RecoveryManager(pairs, action_executor=Executor())
    for message in script[:-1]:
        call = message.tool_calls[0]
        record = manager.record_action(call["name"], call["args"])
        manager.mark_completed(record.id, by_name[call["name"]].invoke(call["args"]))
    with suppress(CriticalFailure):
        manager.rollback()


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(
            rolled_back_by_its_manager,
            marks=pytest.mark.xfail(strict=True, reason="the first undo that fails ends the rollback"),
        ),
        ours,
    ],
)
def test_a_refund_that_fails_does_not_keep_the_others_from_being_made(play: Play, tmp_path: Path) -> None:
    bank = StubbornBank(faults={"ship": ["refuse"] * 9})
    play(bank_tools(bank), PAIRS, CONTRACTS, three_payments(), tmp_path)
    assert bank.count("refund") == 2


class Firms:
    """Two firms that rent cars; the first one is out of order. Each takes back only its own."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def rent_a(self, car: str) -> dict[str, str]:
        """Rent from the first firm."""
        raise ConnectionRefusedError("out of order")

    def rent_b(self, car: str) -> dict[str, str]:
        """Rent from the second firm."""
        self.done.append("rent_b")
        return {"contract_id": f"B-{car}"}

    def return_a(self, contract_id: str) -> dict[str, str]:
        """Give a car back to the first firm."""
        self.done.append("return_a")
        return {"contract_id": contract_id}

    def return_b(self, contract_id: str) -> dict[str, str]:
        """Give a car back to the second firm."""
        self.done.append("return_b")
        return {"contract_id": contract_id}

    def rented(self, contract_id: str = "", car: str = "") -> list[dict[str, str]]:
        """Look up what is rented."""
        return []

    def ship(self, order: str) -> dict[str, str]:
        """Ship an order."""
        raise ToolException("the desk says no")


def firm_contracts() -> dict[str, Any]:
    def text(*names: str) -> dict[str, Any]:
        properties = {name: {"type": "string"} for name in names}
        return {"type": "object", "additionalProperties": False, "properties": properties}

    write: dict[str, Any] = {"version": 1, "effect": "write", "permission": "cars", "approval": "never",
                             "execution_contract": QUICK}  # fmt: skip
    asked = {"tool": "rented", "records": "$.data.result"}
    described = {"data_schema": {"properties": {"contract_id": {"type": "string"}}}}
    found: dict[str, Any] = {}
    for firm in ("a", "b"):
        found[f"rent_{firm}"] = write | {
            "summary": "Rent.", "input_schema": text("car") | {"required": ["car"]}, "output_contract": described,
            "idempotency": {"key": ["car"]}, "reconcile": asked | {"match": ["car"]},
            "compensate": {"tool": f"return_{firm}", "arguments": {"contract_id": "$.data.contract_id"}},
        }  # fmt: skip
        found[f"return_{firm}"] = write | {
            "summary": "Give back.", "input_schema": text("contract_id") | {"required": ["contract_id"]},
            "irreversible": True, "idempotency": {"key": ["contract_id"]},
            "reconcile": asked | {"match": ["contract_id"]},
        }  # fmt: skip
    found["rent_a"]["fallbacks"] = ["rent_b"]
    found["rented"] = {"version": 1, "summary": "Look up.", "effect": "read", "permission": "cars",
                       "input_schema": text("contract_id", "car")}  # fmt: skip
    found["ship"] = {**CONTRACTS["ship"], "reconcile": None, "idempotency": {"key": ["order"], "honoured": True}}
    return found


@both("what an alternative did is not taken back by its own compensator")
def test_what_a_fallback_did_is_taken_back_by_the_fallbacks_own_compensator(play: Play, tmp_path: Path) -> None:
    firms = Firms()
    tools: list[BaseTool] = [
        StructuredTool.from_function(getattr(firms, name))
        for name in ("rent_a", "rent_b", "return_a", "return_b", "rented", "ship")
    ]
    pairs = {"rent_a": "return_a", "rent_b": "return_b"}
    play(tools, pairs, firm_contracts(), [calling("rent_a", "c1", car="X"), calling("ship", "c2", order="9")], tmp_path)
    assert firms.done == ["rent_b", "return_b"]
