"""Retries, replays, timeouts and approvals: an effect exists once."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.types import Command, RetryPolicy, interrupt

from bank.app import Bank, bank_tools, calling
from scenarios.pains.agents import ASK, THREAD, agent_of, answers, side_by_side, surefoot_in, told
from surefoot.middleware import wrap_tools

PAY = calling("pay", "c1", invoice="17", amount=40)


def retrying() -> ToolRetryMiddleware:
    return ToolRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)


def test_01_stock_the_retry_middleware_charges_three_times_for_one_lost_answer() -> None:
    bank = Bank(faults={"pay": ["after_timeout"] * 3})
    result = agent_of(bank, PAY, AIMessage("?"), middleware=[retrying()]).invoke(ASK, THREAD)
    assert bank.count("pay") == 3
    assert answers(result)[0].status == "error"


def test_01_ours_charges_once_also_with_the_retry_middleware_before_it(tmp_path: Path) -> None:
    bank = Bank(faults={"pay": ["after_timeout"] * 3})
    surefoot = surefoot_in(tmp_path)
    result = agent_of(bank, PAY, AIMessage("ok"), middleware=[retrying(), surefoot]).invoke(ASK, THREAD)
    assert bank.count("pay") == 1
    assert told(answers(result)[0])["status"] == "ok"


def test_01_ours_behind_its_back_the_retry_middleware_still_charges_twice_so_surefoot_goes_last(tmp_path: Path) -> None:
    bank = Bank(faults={"pay": ["after_timeout"]})
    surefoot = surefoot_in(tmp_path)
    agent_of(bank, PAY, AIMessage("ok"), middleware=[surefoot, retrying()]).invoke(ASK, THREAD)
    assert bank.count("pay") == 2


class Shaky:
    """A note that fails the first time, beside whatever else runs in the same node."""

    def __init__(self) -> None:
        self.tries = 0

    def note(self, text: str) -> str:
        """Write a note."""
        self.tries += 1
        if self.tries == 1:
            raise ConnectionError("the first time fails")
        return text


def node_graph(tools: Any, message: AIMessage) -> Any:
    builder = StateGraph(MessagesState)
    builder.add_node("ask", lambda state: {"messages": [message]})
    builder.add_node("tools", tools, retry_policy=RetryPolicy(max_attempts=3, initial_interval=0, retry_on=Exception))
    builder.add_edge("__start__", "ask")
    builder.add_edge("ask", "tools")
    return builder.compile(checkpointer=InMemorySaver())


def pay_and_note() -> AIMessage:
    return side_by_side(("pay", "c1", {"invoice": "17", "amount": 40}), ("note", "c2", {"text": "x"}))


def test_02_stock_a_node_that_is_retried_pays_again() -> None:
    from langgraph.prebuilt import ToolNode

    bank, shaky = Bank(), Shaky()
    tools = [*bank_tools(bank, "pay"), StructuredTool.from_function(shaky.note)]
    node_graph(ToolNode(tools), pay_and_note()).invoke(ASK, THREAD)
    assert bank.count("pay") == 2


def test_02_ours_a_node_that_is_retried_gets_the_recorded_result(tmp_path: Path) -> None:
    bank, shaky = Bank(), Shaky()
    tools = [*bank_tools(bank), StructuredTool.from_function(shaky.note)]
    result = node_graph(wrap_tools(tools, surefoot_in(tmp_path)), pay_and_note()).invoke(ASK, THREAD)
    assert bank.count("pay") == 1
    assert [message.status for message in answers(result)] == ["success", "success"]


def test_03_stock_an_interrupt_in_a_loop_runs_the_body_again_for_every_answer() -> None:
    ran: list[int] = []

    def node(state: MessagesState) -> dict[str, Any]:
        for n in range(3):
            ran.append(n)
            interrupt(n)
        return {}

    builder = StateGraph(MessagesState)
    builder.add_node("node", node)
    builder.add_edge("__start__", "node")
    graph = builder.compile(checkpointer=InMemorySaver())
    graph.invoke(ASK, THREAD)
    for n in range(3):
        graph.invoke(Command(resume=n), THREAD)
    assert len(ran) > 3


def test_03_ours_three_cards_in_one_node_are_three_payments(tmp_path: Path) -> None:
    bank = Bank()
    surefoot = surefoot_in(tmp_path, pay={"approval": "required"})
    three = side_by_side(*(("pay", f"c{n}", {"invoice": f"I{n}", "amount": n}) for n in (1, 2, 3)))
    graph = node_graph(wrap_tools(bank_tools(bank), surefoot), three)
    graph.invoke(ASK, THREAD)
    for _ in range(9):
        pending = graph.get_state(THREAD).interrupts
        if not pending:
            break
        graph.invoke(Command(resume={i.id: confirmed(i.value["card"]) for i in pending}), THREAD)
    assert sorted(what["invoice"] for _, what in bank.done) == ["I1", "I2", "I3"]


def confirmed(card: dict[str, Any], decision: str = "confirm") -> dict[str, Any]:
    return {"card_id": card["card_id"], "nonce": card["nonce"], "decision": decision, "by": "ann"}


def asking_pay(bank: Bank) -> StructuredTool:
    """A tool that pays first and asks a person afterwards."""

    def pay(invoice: str, amount: int) -> Any:
        """Pay an invoice."""
        done = bank.pay(invoice, amount)
        interrupt("was that right?")
        return done

    return StructuredTool.from_function(pay)


def test_04_stock_an_effect_before_an_interrupt_happens_again_with_the_answer() -> None:
    bank = Bank()
    agent = agent_of(bank, PAY, AIMessage("ok"), tools=[asking_pay(bank)])
    agent.invoke(ASK, THREAD)
    agent.invoke(Command(resume=True), THREAD)
    assert bank.count("pay") == 2


def test_04_ours_an_effect_before_an_interrupt_is_found_and_not_repeated(tmp_path: Path) -> None:
    bank = Bank()
    others = [tool for tool in bank_tools(bank) if tool.name != "pay"]
    agent = agent_of(
        bank, PAY, AIMessage("ok"), tools=[asking_pay(bank), *others], middleware=[surefoot_in(tmp_path)]
    )  # fmt: skip
    assert agent.invoke(ASK, THREAD)["__interrupt__"][0].value == "was that right?"
    result = agent.invoke(Command(resume=True), THREAD)
    assert bank.count("pay") == 1
    assert told(answers(result)[0])["status"] == "ok"


def test_08_stock_an_approval_carries_nothing_that_binds_it_to_its_arguments() -> None:
    bank = Bank()
    approving = HumanInTheLoopMiddleware(interrupt_on={"pay": True})
    agent = agent_of(bank, PAY, AIMessage("ok"), middleware=[approving])
    asked = agent.invoke(ASK, THREAD)["__interrupt__"][0].value
    assert not {"nonce", "card_id", "args_hash", "expires_at"} & set(json.dumps(asked).split('"'))
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), THREAD)
    assert bank.count("pay") == 1


def test_08_ours_an_old_answer_is_good_for_nothing_on_a_later_turn_that_uses_the_same_call_id(tmp_path: Path) -> None:
    bank = Bank()
    other = calling("pay", "c1", invoice="18", amount=999)
    surefoot = surefoot_in(tmp_path, pay={"approval": "required"})
    agent = agent_of(bank, PAY, AIMessage("ok"), other, AIMessage("ok"), middleware=[surefoot])
    first = agent.invoke(ASK, THREAD)["__interrupt__"][0].value["card"]
    agent.invoke(Command(resume=confirmed(first)), THREAD)
    second = agent.invoke({"messages": [("user", "and 18")]}, THREAD)["__interrupt__"][0].value["card"]
    assert second["card_id"] != first["card_id"]
    still = agent.invoke(Command(resume=confirmed(first)), THREAD)
    assert still["__interrupt__"][0].value["card"]["arguments"]["amount"] == 999
    assert [what["invoice"] for _, what in bank.done] == ["17"]


def test_09_stock_while_a_tool_runs_nothing_durable_says_that_it_may_have_an_effect() -> None:
    saver, seen = InMemorySaver(), []

    class Watched(Bank):
        def pay(self, invoice: str, amount: int) -> Any:
            """Pay an invoice."""
            newest = saver.get_tuple(THREAD)
            seen.append(newest and [write for write in newest.pending_writes or [] if "pay" in str(write)])
            return super().pay(invoice, amount)

    agent_of(Watched(), PAY, AIMessage("ok"), checkpointer=saver).invoke(ASK, THREAD)
    assert seen == [[]]


def test_09_ours_the_intent_is_on_disk_before_the_tool_is_called(tmp_path: Path) -> None:
    seen: list[str] = []

    class Watched(Bank):
        def pay(self, invoice: str, amount: int) -> Any:
            """Pay an invoice."""
            with sqlite3.connect(tmp_path / "s.sqlite") as file:
                seen.extend(state for (state,) in file.execute("SELECT state FROM effect WHERE tool = 'pay'"))
            return super().pay(invoice, amount)

    agent_of(Watched(), PAY, AIMessage("ok"), middleware=[surefoot_in(tmp_path)]).invoke(ASK, THREAD)
    assert seen == ["intended"]


def test_10_stock_a_step_that_timed_out_has_its_effect_all_the_same() -> None:
    bank = Bank(faults={"pay": ["hang"]})
    agent = agent_of(bank, PAY, AIMessage("ok"))
    agent.step_timeout = 0.2
    with pytest.raises(TimeoutError):
        agent.invoke(ASK, THREAD)
    assert bank.count("pay") == 1


def test_10_ours_a_call_that_timed_out_is_asked_after_and_said_to_be_done(tmp_path: Path) -> None:
    bank = Bank(faults={"pay": ["hang"]})
    result = agent_of(bank, PAY, AIMessage("ok"), middleware=[surefoot_in(tmp_path)]).invoke(ASK, THREAD)
    assert bank.count("pay") == 1
    assert answers(result)[0].status == "success"
