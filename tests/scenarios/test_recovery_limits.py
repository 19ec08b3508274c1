"""Where recovery stops: history, deadline, counts; and what a model may say about it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scenarios.recovering import ask, changed_shop, step, strategies
from shop.running import confirm, confirm_all
from surefoot.contracts import ToolContext, Violation
from surefoot.planning.plan import Binding
from surefoot.planning.planner import Proposal
from surefoot.recovery.diagnose import ErrorRecord
from surefoot.recovery.policy import Recovery
from surefoot.recovery.proposals import Suggestion
from surefoot.testing.faults import Fault
from surefoot.texts import Text


async def test_a_repair_that_the_rules_after_refuse_is_no_answer_and_is_not_tried_twice(tmp_path: Path) -> None:
    async def quote(article: str, *, ctx: ToolContext) -> Any:
        return {"result": {"price": 30, "article": article}}

    async def too_dear(arguments: Any, data: Any, ctx: ToolContext) -> Any:
        return Violation("too_dear", Text("不对。", "That cannot be."))

    contracts = {"quote": {"ensures": ["too_dear"]}}
    async with changed_shop(
        tmp_path, step("quote", article="tea"), tools=[quote], contracts=contracts, rules={"too_dear": too_dear}
    ) as (runner, _, __):
        result = await ask(runner)
        assert strategies(result) == [("repair", False), ("again", False), ("again", False), ("other", True)]
        assert result.state["execution"]["steps"]["quote"]["tool"] == "quote_from_list"


async def test_the_same_question_is_not_asked_again_when_its_answer_changed_nothing(tmp_path: Path) -> None:
    plan = step("wrap", article="tea", paper=Binding(slot="paper"))
    async with changed_shop(tmp_path, plan) as (runner, shelf, _):
        runner.app.planner.propose = deaf(runner.app.planner.plan)  # type: ignore[attr-defined, method-assign]
        first = await ask(runner)
        asked = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        again = await runner.resume(first.run_id, by="ann", answer={"text": "red"})
        result = await confirm_all(runner, again)
        assert asked.pending is not None
        assert asked.pending["kind"] == "question"
        assert (result.status, shelf.log) == ("failed", [])
        assert strategies(result) == [("ask", False), ("undo", None)]


def deaf(plan: Any) -> Any:
    """Return how a planner proposes that takes no answer."""

    async def propose(request: Any, systems: Any) -> Any:
        return Proposal(plan=plan)

    return propose


async def test_reads_that_fail_side_by_side_are_each_recovered_by_their_own_history(tmp_path: Path) -> None:
    steps = (
        step("quote", article="tea"),
        step("quote", name="second", article="milk"),
        step("search", article="tea"),
        step("greet", after=["quote", "second", "search"]),
    )
    faults = [Fault("quote", "error_5xx", times=2)]
    async with changed_shop(tmp_path, *steps, faults=faults) as (runner, _, injector):
        result = await ask(runner)
        assert result.status == "done"
        assert injector.calls["quote"] == 4
        assert strategies(result) == [("again", True), ("again", True)]
        assert [one["step"] for one in result.state["reliability"]["history"]] == ["quote", "second"]


async def test_after_the_deadline_only_stopping_remains(tmp_path: Path) -> None:
    faults = [Fault("quote", "error_5xx", times=9)]
    recovery = Recovery(seconds=0.0)
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults, recovery=recovery) as (
        runner,
        _,
        injector,
    ):
        result = await ask(runner)
        assert (result.status, injector.calls["quote"]) == ("failed", 1)
        assert strategies(result) == [("undo", None)]


async def test_the_number_of_recoveries_of_a_step_is_limited(tmp_path: Path) -> None:
    contracts = {"quote": {"execution_contract": {"retry_policy": {"max_retries": 10, "initial_ms": 0}}}}
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        contracts=contracts,
        faults=[Fault("quote", "error_5xx", times=99)],
        recovery=Recovery(per_step=2),
    ) as (runner, _, injector):
        result = await ask(runner)
        assert (result.status, injector.calls["quote"]) == ("failed", 3)
        assert [name for name, _ in strategies(result)] == ["again", "again", "undo"]


async def test_time_spent_on_recovering_is_counted_and_survives_in_the_state(tmp_path: Path) -> None:
    contracts = {"quote": {"execution_contract": {"retry_policy": {"max_retries": 2, "initial_ms": 20}}}}
    faults = [Fault("quote", "error_5xx")]
    async with changed_shop(tmp_path, step("quote", article="tea"), contracts=contracts, faults=faults) as (
        runner,
        _,
        __,
    ):
        result = await ask(runner)
        assert result.state["reliability"]["recovery_ms"] >= 20


def proposer(text: str, tokens: int = 0) -> Any:
    """Return a proposer that always says the same, and what it was asked."""
    asked: list[tuple[ErrorRecord, Sequence[str]]] = []

    async def propose(error: ErrorRecord, applicable: Sequence[str]) -> Suggestion:
        asked.append((error, applicable))
        return Suggestion(text, tokens)

    return propose, asked


async def test_a_model_may_choose_among_the_strategies_that_apply_and_its_tokens_are_counted(tmp_path: Path) -> None:
    propose, asked = proposer('{"strategy": "other", "why": "it is down today"}', 42)
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        faults=[Fault("quote", "error_5xx", times=9)],
        recovery=Recovery(proposer=propose),
    ) as (runner, _, injector):
        result = await ask(runner)
        assert (result.status, injector.calls["quote"]) == ("done", 1)
        assert strategies(result) == [("other", True)]
        assert list(asked[0][1]) == ["again", "other", "undo"]
        assert asked[0][0].category == "network"
        assert result.state["reliability"]["proposals"] == {"asked": 1, "taken": 1, "tokens": 42}


@pytest.mark.parametrize("text", ["I would try again", '{"strategy": "infer", "why": "x"}', '{"strategy": "other"}'])
async def test_what_a_model_says_otherwise_leaves_the_default(tmp_path: Path, text: str) -> None:
    propose, _ = proposer(text, 5)
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        faults=[Fault("quote", "error_5xx")],
        recovery=Recovery(proposer=propose),
    ) as (runner, _, __):
        result = await ask(runner)
        assert result.status == "done"
        assert strategies(result) == [("again", True)]
        assert result.state["reliability"]["proposals"] == {"asked": 1, "taken": 0, "tokens": 5}


async def test_a_model_is_never_asked_about_a_write_of_which_nobody_knows(tmp_path: Path) -> None:
    propose, asked = proposer('{"strategy": "again", "why": "send it once more"}')
    async with changed_shop(
        tmp_path,
        step("charge", article="tea", amount=30),
        faults=[Fault("charge", "after_commit_timeout")],
        recovery=Recovery(proposer=propose),
    ) as (runner, shelf, _):
        result = await confirm_all(runner, await ask(runner))
        assert (result.status, shelf.log, asked) == ("done", [("charge", "tea")], [])


async def test_without_a_proposer_no_token_is_spent(tmp_path: Path) -> None:
    faults = [Fault("quote", "error_5xx", times=9)]
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults) as (runner, _, __):
        assert "proposals" not in (await ask(runner)).state["reliability"]
