"""Cards under create_agent: exact parameters, once, expiring, changed, declined, side by side, after a restart."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from bank.app import Bank, bank_tools, calling, contracts
from surefoot.agents.middleware import SurefootMiddleware
from surefoot.bootstrap import sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

THREAD = {"configurable": {"thread_id": "t1", "user_id": "ann"}}
ASK = {"messages": [("user", "pay invoice 17 over 40")]}
WITH_CARD = {"pay": {"approval": "required"}}


def agent_of(bank: Bank, folder: Path, *script: Any, saver: InMemorySaver | None = None, **changes: Any) -> Any:
    surefoot = SurefootMiddleware(contracts=contracts(**(changes or WITH_CARD)), ledger=sqlite_ledger(folder / "s"))
    return create_agent(
        ScriptedModel(script=list(script)),
        bank_tools(bank),
        middleware=[surefoot],
        checkpointer=saver or InMemorySaver(),
    )


def answer(card: dict[str, Any], decision: str, **more: Any) -> dict[str, Any]:
    return {"card_id": card["card_id"], "nonce": card["nonce"], "decision": decision, "by": "ann", **more}


def card_of(result: dict[str, Any], at: int = 0) -> dict[str, Any]:
    card: dict[str, Any] = result["__interrupt__"][at].value["card"]
    return card


def last_tool(result: dict[str, Any]) -> dict[str, Any]:
    message = [m for m in result["messages"] if isinstance(m, ToolMessage)][-1]
    told: dict[str, Any] = json.loads(str(message.content))
    return told


def test_a_payment_waits_for_its_card_and_happens_once_after_it(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("done"))
    card = card_of(agent.invoke(ASK, THREAD))
    assert bank.done == []
    assert card["arguments"] == {"invoice": "17", "amount": 40}
    assert card["undo"]["tool"] == "refund"
    assert {origin["origin"] for origin in card["provenance"].values()} == {"said"}
    agent.invoke(Command(resume=answer(card, "confirm")), THREAD)
    assert bank.count("pay") == 1


def test_a_value_that_stands_nowhere_in_the_conversation_is_shown_as_a_guess(tmp_path: Path) -> None:
    agent = agent_of(Bank(), tmp_path, calling("pay", "c1", invoice="99", amount=40), AIMessage("done"))
    card = card_of(agent.invoke(ASK, THREAD))
    assert card["provenance"]["invoice"]["origin"] == "inferred"
    assert card["provenance"]["amount"]["origin"] == "said"


def test_an_answer_that_belongs_to_another_card_or_person_pays_nothing_and_asks_again(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("done"))
    card = card_of(agent.invoke(ASK, THREAD))
    for wrong in ({"nonce": "made up"}, {"card_id": "card-of-another"}, {"by": "eve"}):
        result = agent.invoke(Command(resume=answer(card, "confirm") | wrong), THREAD)
        card = card_of(result)
        assert bank.done == []
    agent.invoke(Command(resume=answer(card, "confirm")), THREAD)
    assert bank.count("pay") == 1


def test_a_changed_amount_makes_a_new_card_and_the_model_is_told(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), AIMessage("done"))
    first = card_of(agent.invoke(ASK, THREAD))
    second = card_of(agent.invoke(Command(resume=answer(first, "change", changes={"amount": 4})), THREAD))
    assert second["card_id"] != first["card_id"]
    assert second["arguments"]["amount"] == 4
    result = agent.invoke(Command(resume=answer(second, "confirm")), THREAD)
    assert [what["amount"] for _, what in bank.done] == [4]
    assert "changed the arguments" in last_tool(result)["note"]


def test_declining_does_nothing_and_takes_back_what_the_turn_did_before(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(
        bank, tmp_path,
        calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9"), AIMessage("ok"),
        ship={"approval": "required"},
    )  # fmt: skip
    card = card_of(agent.invoke(ASK, THREAD))
    result = agent.invoke(Command(resume=answer(card, "decline")), THREAD)
    assert last_tool(result)["taken_back"][0]["state"] == "compensated"
    assert [name for name, _ in bank.done] == ["pay", "refund"]


def test_a_card_shown_before_a_restart_can_be_answered_after_it(tmp_path: Path) -> None:
    bank, saver = Bank(), InMemorySaver()
    agent = agent_of(bank, tmp_path, calling("pay", "c1", invoice="17", amount=40), saver=saver)
    card = card_of(agent.invoke(ASK, THREAD))
    again = agent_of(bank, tmp_path, AIMessage("done"), saver=saver)
    again.invoke(Command(resume=answer(card, "confirm")), THREAD)
    assert bank.count("pay") == 1


@pytest.mark.parametrize("first", [0, 1])
def test_two_cards_side_by_side_are_each_answered_by_their_own_answer(tmp_path: Path, first: int) -> None:
    bank = Bank()
    both = AIMessage("", tool_calls=[
        {"name": "pay", "args": {"invoice": "17", "amount": 40}, "id": "c1", "type": "tool_call"},
        {"name": "pay", "args": {"invoice": "18", "amount": 2}, "id": "c2", "type": "tool_call"},
    ])  # fmt: skip
    agent = agent_of(bank, tmp_path, both, AIMessage("done"))
    result = agent.invoke(ASK, THREAD)
    waiting = {interrupt.value["card"]["arguments"]["invoice"]: interrupt for interrupt in result["__interrupt__"]}
    chosen = waiting[["17", "18"][first]]
    # The answer to one card is handed to the other's interrupt: nothing may be paid for the wrong one.
    other = waiting[["18", "17"][first]]
    agent.invoke(Command(resume={other.id: answer(chosen.value["card"], "confirm")}), THREAD)
    assert {what["invoice"] for _, what in bank.done} <= {chosen.value["card"]["arguments"]["invoice"]}
    for _ in range(6):
        pending = agent.get_state(THREAD).interrupts
        if not pending:
            break
        agent.invoke(Command(resume={i.id: answer(i.value["card"], "confirm") for i in pending}), THREAD)
    assert sorted(what["invoice"] for _, what in bank.done) == ["17", "18"]
