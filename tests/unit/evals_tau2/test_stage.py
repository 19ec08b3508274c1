"""The harness itself: faults do what they say, once; scores tell apart what a runner says and what happened."""

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException

from surefoot.evals.tau2.domain import Action, Task
from surefoot.evals.tau2.scoring import happened, told_success, unreadable
from surefoot.evals.tau2.stage import BackendUnavailable, Fault, Stage, States, cells, committed, play_gold
from unit.evals_tau2.bank import bank, look, open_account, pay, rename

TASK = [look(), pay(30), rename("fun")]


def staged(fault: Fault, at: int = 1) -> Stage:
    domain = bank(TASK)
    stage = Stage(domain, domain.tasks[0], fault, at)
    stage.advance(at)
    return stage


@pytest.mark.parametrize("fault", [Fault.BEFORE_TIMEOUT, Fault.AFTER_TIMEOUT])
def test_a_timeout_is_raised_before_or_after_the_environment_has_done_it(fault: Fault) -> None:
    stage = staged(fault)
    with pytest.raises(TimeoutError):
        stage.call("pay", {"account_id": "a1", "amount": 30})
    assert stage.environment.tools.db.accounts["a1"].balance == (70 if fault.commits else 100)


def test_a_5xx_carries_its_status_and_nothing_was_done() -> None:
    stage = staged(Fault.BEFORE_5XX)
    with pytest.raises(BackendUnavailable) as raised:
        stage.call("pay", {"account_id": "a1", "amount": 30})
    assert raised.value.status_code == 503
    assert stage.environment.tools.db.accounts["a1"].balance == 100


def test_a_malformed_reply_is_half_of_what_the_environment_said_after_doing_it() -> None:
    stage = staged(Fault.AFTER_MALFORMED)
    half = stage.call("pay", {"account_id": "a1", "amount": 30})
    whole = stage.executions[-1].reply
    assert stage.environment.tools.db.accounts["a1"].balance == 70
    assert half == whole[: len(whole) // 2]


def test_a_fault_strikes_its_write_once_and_nothing_else() -> None:
    stage = staged(Fault.BEFORE_TIMEOUT)
    stage.call("get_account", {"account_id": "a1"})
    stage.call("pay", {"account_id": "a2", "amount": 1})
    with pytest.raises(TimeoutError):
        stage.call("pay", {"account_id": "a1", "amount": 30})
    stage.call("pay", {"account_id": "a1", "amount": 30})
    stage.advance(2)
    stage.call("rename", {"account_id": "a1", "label": "fun"})
    assert [done.name for done in stage.executions] == ["get_account", "pay", "pay", "rename"]


def test_a_refusal_of_the_environment_is_raised_as_a_declared_refusal() -> None:
    stage = Stage(bank(TASK), bank(TASK).tasks[0])
    with pytest.raises(ToolException, match="Not enough money"):
        stage.call("pay", {"account_id": "a1", "amount": 3000})


def test_every_write_is_a_cell_for_every_fault_and_no_read_is() -> None:
    domain = bank(TASK)
    found = [(cell.position, cell.fault) for cell in cells(domain, domain.tasks[0])]
    assert found == [(position, fault) for position in (1, 2) for fault in Fault]


def test_gold_counts_only_writes_that_the_environment_carried_out() -> None:
    domain = bank([pay(3000), pay(30), open_account()])
    gold = play_gold(domain, domain.tasks[0], States())
    assert sorted(name for name, _ in gold.commits.elements()) == ["open_account", "pay"]


def test_what_the_person_does_comes_in_its_place_once_and_is_never_faulted() -> None:
    domain = bank()
    by_person = Action("rename", {"account_id": "a1", "label": "mine"}, requestor="user")
    stage = Stage(domain, Task("t", (look(), by_person, pay(30))))
    stage.advance(0)
    assert stage.environment.tools.db.accounts["a1"].label is None
    stage.advance(1)
    assert stage.environment.tools.db.accounts["a1"].label == "mine"
    stage.environment.tools.db.accounts["a1"].label = "later"
    stage.advance(1)
    assert stage.environment.tools.db.accounts["a1"].label == "later"


def test_states_are_named_by_the_environments_own_hash() -> None:
    stage = staged(Fault.BEFORE_5XX)
    states = States()
    assert states.of(stage.environment) == f"{stage.environment.get_db_hash()} None"
    stage.call("rename", {"account_id": "a1", "label": "x"})
    assert states.of(stage.environment) == f"{stage.environment.get_db_hash()} None"


@pytest.mark.parametrize(
    ("content", "status", "told"),
    [
        ("{}", "success", True),
        ("{}", "error", False),
        ("Error: no", "success", False),
        ("words\n[COMPENSATION TRIGGERED]\nmore", "success", False),
    ],
)
def test_told_is_read_from_the_status_and_from_words_of_failure(content: str, status: str, told: bool) -> None:
    answer = ToolMessage(content, tool_call_id="call_1", status=status)
    assert told_success([answer, ToolMessage("{}", tool_call_id="call_2")], 1) is told


def test_a_call_without_an_answer_counts_as_reported_failed() -> None:
    assert not told_success([ToolMessage("{}", tool_call_id="call_0")], 1)


@pytest.mark.parametrize(("content", "lost"), [('{"a": 1}', False), ('{"a": 1', True), ("<object at 0x1>", True)])
def test_a_success_is_readable_when_it_is_json(content: str, lost: bool) -> None:
    answer = ToolMessage(content, tool_call_id="call_1")
    assert unreadable([answer], staged(Fault.BEFORE_5XX), 1) is lost


def test_a_success_is_readable_when_it_is_the_environments_own_text() -> None:
    stage = staged(Fault.BEFORE_5XX)
    words = stage.call("chat", {"words": "hello"})
    assert not unreadable([ToolMessage(words, tool_call_id="call_1")], stage, 1)


def test_a_write_happened_when_the_environment_accepted_it_at_its_own_position() -> None:
    stage = staged(Fault.BEFORE_5XX)
    assert not happened(stage, 1)
    stage.fault = None
    stage.call("pay", {"account_id": "a1", "amount": 30})
    assert happened(stage, 1)
    assert not happened(stage, 2)
    assert committed(stage.executions).total() == 1
