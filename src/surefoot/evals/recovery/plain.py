"""The arm without recovery: the same plan in a plain LangGraph graph that calls each tool once, in plan order."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import StateGraph

from surefoot.contracts.clock import Deadline
from surefoot.contracts.paths import look_up
from surefoot.contracts.tool import ToolContext
from surefoot.evals.recovery.app import breakable
from surefoot.evals.recovery.judging import Claim, Judged, Told, judge
from surefoot.evals.recovery.measuring import measured
from surefoot.evals.recovery.scenarios import Scenario, Stage, cheapest, scenarios
from surefoot.evals.recovery.world import READS, TOOLS

WITHOUT = (
    "without-recovery: the same plans in a plain LangGraph graph; each tool function is called once, in plan order; "
    "the first error ends the run; a call that came back is reported as done with its arguments, whatever its reply "
    "holds, one that raised (a timeout too) as failed; no ledger, no keys, no retry, no asking back, no undo, no "
    "questions"
)
SECONDS = 3.0
"""The deadline of every call, as in most of the contracts."""


class _Plain(TypedDict):
    at: int
    results: dict[str, Any]
    did: list[Claim]
    failed: bool


async def without_recovery(names: list[str], seeds: range, folder: Path) -> list[Judged]:
    """Play the same plans with the same faults and no recovery."""
    return [await _played(scenarios()[name], seed) for name in names for seed in seeds]


async def _played(scenario: Scenario, seed: int) -> Judged:
    stage, user = scenario.stage(seed), f"{scenario.name}-{seed}"
    start: _Plain = {"at": 0, "results": {}, "did": [], "failed": False}
    ended = await _graph(scenario, user, stage).ainvoke(start, {"recursion_limit": 50})
    await stage.faults.land(whatever_comes=True)
    told = Told("failed" if ended["failed"] else "done", ended["did"])
    return measured(judge(scenario, seed, stage.world, told), stage)


def _graph(scenario: Scenario, user: str, stage: Stage) -> Any:
    tools = {tool.__name__: breakable(tool) for tool in TOOLS}

    async def step(state: _Plain) -> dict[str, Any]:
        planned = scenario.steps[state["at"]]
        tool = planned["tool"]
        try:
            arguments = {name: _filled(value, state["results"]) for name, value in planned["with"].items()}
            data = await tools[tool](**arguments, ctx=_context(user, stage))
        except Exception:  # noqa: BLE001 - this arm reports every error as a failure, that is its setting
            return {"failed": True}
        did = state["did"] if tool in READS else [*state["did"], Claim(tool, arguments)]
        return {"at": state["at"] + 1, "results": {**state["results"], planned["id"]: data}, "did": did}

    builder = StateGraph(_Plain)
    builder.add_node("step", step)
    builder.set_entry_point("step")
    builder.add_conditional_edges(
        "step", lambda state: "__end__" if state["failed"] or state["at"] == len(scenario.steps) else "step"
    )
    return builder.compile()


def _filled(value: Any, results: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return cheapest(results.values()) if "choose" in value else value.get("value", value.get("guess"))
    if isinstance(value, str) and value.startswith("$"):
        step, _, path = value[1:].partition(".")
        return look_up(f"$.{step}.data.{path}", {name: {"data": data} for name, data in results.items()})
    return value


def _context(user: str, stage: Stage) -> ToolContext:
    return ToolContext(
        user_id=user,
        run_id=user,
        call_id=user,
        now=stage.clock.now(),
        deadline=Deadline.after(stage.clock, SECONDS),
        systems={user: stage},
    )
