"""One payment, every fault, sync and async: charged once, told truly, undone once."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from bank.app import Bank, bank_tools, calling, contracts
from surefoot.agents.middleware import SurefootMiddleware
from surefoot.bootstrap import sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

THREAD = {"configurable": {"thread_id": "t1"}}
ASK = {"messages": [("user", "pay invoice 17 over 40 and ship order 9")]}


def agent_of(bank: Bank, folder: Path, *script: Any, **changes: Any) -> tuple[Any, SurefootMiddleware]:
    surefoot = SurefootMiddleware(contracts=contracts(**changes), ledger=sqlite_ledger(folder / "s.sqlite"))
    model = ScriptedModel(script=list(script))
    return create_agent(model, bank_tools(bank), middleware=[surefoot], checkpointer=InMemorySaver()), surefoot


def told(result: dict[str, Any]) -> list[ToolMessage]:
    return [message for message in result["messages"] if isinstance(message, ToolMessage)]


def run(agent: Any, how: str, given: Any = ASK) -> dict[str, Any]:
    if how == "sync":
        return agent.invoke(given, THREAD)  # type: ignore[no-any-return]
    return asyncio.run(agent.ainvoke(given, THREAD))


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("fault", ["", "before_timeout", "after_timeout", "5xx", "malformed", "hang"])
def test_a_payment_is_charged_once_and_said_to_be_done_whatever_the_fault(tmp_path: Path, how: str, fault: str) -> None:
    bank = Bank(faults={"pay": [fault]})
    agent, surefoot = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("done"))
    result = run(agent, how)
    assert bank.count("pay") == 1
    (message,) = told(result)
    assert message.status == "success"
    assert "P1" in str(message.content)
    surefoot.close()


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_payment_that_timed_out_after_commit_is_refunded_once_when_a_later_write_is_refused(
    tmp_path: Path, how: str
) -> None:
    bank = Bank(faults={"pay": ["after_timeout"], "ship": ["refuse"], "refund": ["after_timeout"]})
    agent, surefoot = agent_of(
        bank, tmp_path,
        calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9"), AIMessage("sorry"),
    )  # fmt: skip
    pay, ship = told(run(agent, how))
    assert json.loads(str(pay.content))["status"] == "ok"
    said = json.loads(str(ship.content))
    assert said["status"] == "refused"
    assert said["taken_back"] == [
        {"tool": "pay", "state": "compensated", "what": {"invoice": "17", "amount": 40, "payment_id": "P1"}}
    ]
    assert [name for name, _ in bank.done] == ["pay", "refund"]
    surefoot.close()


def test_a_write_that_never_gets_through_is_said_to_have_failed_and_nothing_stands(tmp_path: Path) -> None:
    bank = Bank(faults={"pay": ["before_timeout"] * 9})
    agent, surefoot = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("no"))
    (message,) = told(run(agent, "sync"))
    assert message.status == "error"
    assert json.loads(str(message.content))["status"] == "not_sent"
    assert bank.done == []
    assert bank.calls.count("pay") == 3
    surefoot.close()


def test_a_model_that_repeats_a_payment_in_the_same_words_pays_once_and_hears_so(tmp_path: Path) -> None:
    bank = Bank()
    agent, surefoot = agent_of(
        bank, tmp_path,
        calling("pay", "c1", invoice="17", amount=40), calling("pay", "c2", invoice="17", amount=40), AIMessage("ok"),
    )  # fmt: skip
    first, second = told(run(agent, "sync"))
    assert first.status == "success"
    assert "carried out before" in json.loads(str(second.content))["message"]
    assert bank.count("pay") == 1
    surefoot.close()


def test_abort_takes_back_what_the_last_turn_committed_newest_first(tmp_path: Path) -> None:
    bank = Bank()
    agent, surefoot = agent_of(
        bank, tmp_path,
        calling("pay", "c1", invoice="17", amount=40), calling("pay", "c2", invoice="18", amount=2), AIMessage("ok"),
    )  # fmt: skip
    run(agent, "sync")
    undone = surefoot.abort("t1")
    assert [(item.tool, item.state) for item in undone] == [("pay", "compensated"), ("pay", "compensated")]
    assert [what["payment_id"] for name, what in bank.done if name == "refund"] == ["P2", "P1"]
    assert surefoot.abort("t1") == undone
    assert bank.count("refund") == 2
    surefoot.close()


class DeafBank(Bank):
    """A bank that takes payments but cannot be asked about them."""

    deaf = True

    def find_payment(self, invoice: str, amount: int) -> list[dict[str, Any]]:
        """Find payments."""
        if self.deaf:
            raise ConnectionError("nobody answers")
        return super().find_payment(invoice, amount)


def test_what_a_former_process_left_unknown_is_asked_after_at_the_next_turn(tmp_path: Path) -> None:
    bank, saver = DeafBank(faults={"pay": ["after_timeout"]}), InMemorySaver()
    agent, surefoot = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("?"))
    agent.checkpointer = saver
    (message,) = told(run(agent, "sync"))
    said = json.loads(str(message.content))
    assert (said["status"], said["handed_over"][:2]) == ("unknown", "T-")
    surefoot.close()
    bank.deaf = False
    again, fresh = agent_of(bank, tmp_path, AIMessage("let me see"))
    again.checkpointer = saver
    run(again, "sync", {"messages": [("user", "was it paid?")]})
    with sqlite3.connect(tmp_path / "s.sqlite") as file:
        assert file.execute("SELECT state FROM effect").fetchall() == [("committed",)]
    assert bank.count("pay") == 1
    fresh.close()
