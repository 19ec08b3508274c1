"""Histories and loops: every call has one truthful answer, and no turn goes on for ever."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphRecursionError
from langgraph.types import Command
from pydantic import BaseModel

from bank.app import Bank, calling
from scenarios.pains.agents import ASK, THREAD, agent_of, answers, side_by_side, surefoot_in, told
from scenarios.pains.test_effects import confirmed
from surefoot.agents.middleware.history import unanswered

PAY = calling("pay", "c1", invoice="17", amount=40)
TWO = side_by_side(("pay", "c1", {"invoice": "17", "amount": 40}), ("ship", "c2", {"order": "9"}))
MORE: Any = {"messages": [("user", "what happened?")]}


def shape(messages: list[Any]) -> list[str]:
    return [type(message).__name__ for message in messages]


def test_05_stock_a_failing_sibling_takes_the_other_calls_answer_with_it() -> None:
    bank = Bank(faults={"ship": ["before_timeout"]})
    agent = agent_of(bank, TWO, AIMessage("?"))
    with pytest.raises(TimeoutError):
        agent.invoke(ASK, THREAD)
    messages = agent.invoke(MORE, THREAD)["messages"]
    assert bank.count("pay") == 1
    assert shape(messages)[:3] == ["HumanMessage", "AIMessage", "HumanMessage"]


def test_05_ours_every_call_of_a_batch_has_its_answer(tmp_path: Path) -> None:
    bank = Bank(faults={"ship": ["refuse"]})
    surefoot = surefoot_in(tmp_path, ship={"critical": False})
    result = agent_of(bank, TWO, AIMessage("?"), middleware=[surefoot]).invoke(ASK, THREAD)
    assert {message.tool_call_id: message.status for message in answers(result)} == {"c1": "success", "c2": "error"}


def test_06_stock_a_call_cut_off_stays_unanswered_and_is_sent_to_the_model_like_that() -> None:
    bank = Bank()
    agent = agent_of(bank, PAY, AIMessage("?"))
    with pytest.raises(GraphRecursionError):
        agent.invoke(ASK, THREAD | {"recursion_limit": 1})
    assert unanswered(agent.invoke(MORE, THREAD)["messages"])


def test_06_ours_a_call_cut_off_is_answered_before_the_model_is_called_again(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(bank, PAY, AIMessage("?"), middleware=[surefoot_in(tmp_path)])
    with pytest.raises(GraphRecursionError):
        agent.invoke(ASK, THREAD | {"recursion_limit": 2})
    messages = agent.invoke(MORE, THREAD)["messages"]
    assert not unanswered(messages)
    assert shape(messages) == ["HumanMessage", "AIMessage", "ToolMessage", "HumanMessage", "AIMessage"]
    assert told(messages[2])["status"] == "not_sent"
    assert bank.done == []


def test_06_ours_a_call_whose_effect_is_on_record_is_answered_with_it(tmp_path: Path) -> None:
    bank = Bank(faults={"pay": ["after_timeout"]})
    surefoot = surefoot_in(tmp_path)
    agent = agent_of(bank, PAY, AIMessage("?"), middleware=[surefoot])
    agent.invoke(ASK, THREAD)
    kept = agent.get_state(THREAD).values["messages"]
    without = [message for message in kept if not isinstance(message, ToolMessage)][:2]
    fresh = agent_of(bank, AIMessage("paid"), middleware=[surefoot])
    messages = fresh.invoke({"messages": [*without, HumanMessage("and?")]}, THREAD)["messages"]
    assert told(messages[2])["data"]["payment_id"] == "P1"
    assert bank.count("pay") == 1


def test_06_ours_nothing_is_written_over_an_interrupt_that_waits(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(
        bank, PAY, AIMessage("ok"), middleware=[surefoot_in(tmp_path, pay={"approval": "required"})]
    )  # fmt: skip
    card = agent.invoke(ASK, THREAD)["__interrupt__"][0].value["card"]
    assert shape(agent.get_state(THREAD).values["messages"]) == ["HumanMessage", "AIMessage"]
    agent.invoke(Command(resume=confirmed(card)), THREAD)
    assert bank.count("pay") == 1


def bad_call() -> AIMessage:
    broken = {
        "name": "pay",
        "args": '{"invoice": "17", "amo',
        "id": "c1",
        "error": "cut off",
        "type": "invalid_tool_call",
    }
    return AIMessage("", invalid_tool_calls=[broken])


def test_06_stock_a_call_that_cannot_be_read_ends_the_turn_without_a_word() -> None:
    result = agent_of(Bank(), bad_call()).invoke(ASK, THREAD)
    assert result["messages"][-1].content == ""


def test_06_ours_a_call_that_cannot_be_read_is_answered_and_the_model_tries_again(tmp_path: Path) -> None:
    bank = Bank()
    agent = agent_of(bank, bad_call(), PAY, AIMessage("done"), middleware=[surefoot_in(tmp_path)])
    result = agent.invoke(ASK, THREAD)
    assert "not readable" in str(answers(result)[0].content)
    assert bank.count("pay") == 1


def test_06_ours_a_model_that_only_makes_unreadable_calls_is_stopped_with_a_sentence(tmp_path: Path) -> None:
    result = agent_of(Bank(), *(bad_call() for _ in range(9)), middleware=[surefoot_in(tmp_path)]).invoke(ASK, THREAD)
    assert "cannot be read" in result["messages"][-1].content


def test_14_stock_the_same_failing_call_is_made_until_the_limit() -> None:
    from langchain_core.tools import StructuredTool, ToolException

    bank, made = Bank(), []

    def ship(order: str) -> str:
        """Ship an order."""
        made.append(order)
        raise ToolException("no")

    tool = StructuredTool.from_function(ship, handle_tool_error=True)
    script = [calling("ship", f"c{n}", order="9") for n in range(40)]
    with pytest.raises(GraphRecursionError):
        agent_of(bank, *script, tools=[tool]).invoke(ASK, THREAD | {"recursion_limit": 30})
    assert len(made) > 10


def test_14_ours_a_repeated_call_is_refused_and_the_turn_ends_with_a_sentence(tmp_path: Path) -> None:
    bank = Bank(faults={"ship": ["refuse"] * 99})
    script = [calling("ship", f"c{n}", order="9") for n in range(40)]
    result = agent_of(bank, *script, middleware=[surefoot_in(tmp_path)]).invoke(ASK, THREAD)
    assert "kept repeating" in result["messages"][-1].content
    assert bank.calls.count("ship") <= 3


def test_11_stock_two_calls_that_take_turns_are_made_for_ever() -> None:
    bank = Bank()
    script = [calling("find_payment", f"c{n}", invoice=str(n % 2), amount=1) for n in range(40)]
    with pytest.raises(GraphRecursionError):
        agent_of(bank, *script).invoke(ASK, THREAD | {"recursion_limit": 30})
    assert bank.calls.count("find_payment") > 10


def test_11_ours_two_calls_that_take_turns_reset_nothing_and_the_turn_ends(tmp_path: Path) -> None:
    bank = Bank()
    script = [calling("find_payment", f"c{n}", invoice=str(n % 2), amount=1) for n in range(40)]
    result = agent_of(bank, *script, middleware=[surefoot_in(tmp_path)]).invoke(ASK, THREAD)
    assert "kept repeating" in result["messages"][-1].content
    assert bank.calls.count("find_payment") <= 4


class Answer(BaseModel):
    """The final answer."""

    total: int


def answer_and_pay(total: Any) -> AIMessage:
    return side_by_side(("Answer", "a1", {"total": total}), ("pay", "c1", {"invoice": "17", "amount": 40}))


def formatted(bank: Bank, *script: Any, **more: Any) -> Any:
    from langchain.agents.structured_output import ToolStrategy

    return agent_of(bank, *script, response_format=ToolStrategy(Answer), **more)


def test_12_stock_an_invalid_answer_beside_a_tool_call_ends_the_turn_without_an_answer() -> None:
    bank = Bank()
    result = formatted(bank, answer_and_pay("many")).invoke(ASK, THREAD)
    assert result.get("structured_response") is None
    assert bank.count("pay") == 1


def test_12_ours_the_model_is_asked_again_for_the_answer_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    bank = Bank()
    final = side_by_side(("Answer", "a2", {"total": 40}))
    agent = formatted(bank, answer_and_pay("many"), final, middleware=[surefoot_in(tmp_path)])
    result = agent.invoke(ASK, THREAD)
    assert result["structured_response"] == Answer(total=40)
    assert bank.count("pay") == 1
