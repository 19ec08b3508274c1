"""A branch that has lost its purpose is taken back; the rest of the run stands."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from surefoot.bootstrap import Settings, open_runner
from surefoot.evals.recovery.app import exam_app
from surefoot.evals.recovery.scenarios import Scenario
from surefoot.evals.recovery.world import TOOLS, World
from surefoot.persistence.database import sqlite_url
from surefoot.planning.planner import Proposal, Request
from surefoot.recovery.diagnose import made_only_for
from surefoot.runtime.runner import RunResult

WEATHER = {"id": "sit", "tool": "weather", "with": {"city": "F"}, "after": ["seat"]}


def steps(*, second_critical: bool = False) -> tuple[dict[str, Any], ...]:
    """A flight; beside it, optional: a seat, and a payment for the seat that the bank refuses."""
    seat = {"flight": "F", "seat": "1A"}
    return (
        {"id": "fly", "tool": "book_flight", "with": {"flight": "F", "passenger": "ann"}},
        {"id": "seat", "tool": "reserve_seat", "with": seat, "after": ["fly"], "critical": False},
        {"id": "pay", "tool": "pay", "with": {"order": "1A", "amount": 950}, "after": ["seat"],
         "critical": second_critical},
    )  # fmt: skip


class OnePlan:
    """Proposes one plan."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    async def propose(self, request: Request, systems: Any) -> Proposal:
        return Proposal(plan=self._scenario.plan())


async def played(scenario: Scenario, folder: Path) -> tuple[RunResult, World]:
    stage = scenario.stage(0)
    # The world's tools themselves, without the exam's faults.
    app = replace(exam_app({"ann": stage}), planner=OnePlan(scenario), tools=list(TOOLS))
    async with open_runner(app, Settings(database_url=sqlite_url(folder / "s.sqlite"))) as runner:
        result = await runner.start("go", user_id="ann", lang="en")
        while result.status == "waiting":
            assert result.pending is not None
            card = result.pending["card"]
            answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "confirm", "by": "ann"}
            result = await runner.resume(result.run_id, by="ann", answer=answer)
        return result, stage.world


async def test_a_seat_that_cannot_be_paid_for_is_given_back_and_the_flight_stands(tmp_path: Path) -> None:
    result, world = await played(Scenario("s", steps(), ()), tmp_path)
    assert result.status == "done"
    assert [record["kind"] for record in world.records] == ["book_flight"]
    seat = result.state["execution"]["steps"]["seat"]
    assert seat["status"] == "skipped"
    assert "taken back" in seat["notes"][-1]["en"]


async def test_a_critical_failure_still_takes_everything_back(tmp_path: Path) -> None:
    result, world = await played(Scenario("s", steps(second_critical=True), ()), tmp_path)
    assert result.status == "undone"
    assert world.records == []


@pytest.mark.parametrize(
    ("plan", "branch"), [(steps(), ("seat",)), ((*steps(), WEATHER), ())], ids=["only for it", "another waits"]
)
def test_only_optional_steps_that_serve_nothing_else_belong_to_the_branch(
    plan: tuple[dict[str, Any], ...], branch: tuple[str, ...]
) -> None:
    registry = exam_app({}).registry()
    assert made_only_for("pay", Scenario("s", plan, ()).plan(), registry, []) == branch
