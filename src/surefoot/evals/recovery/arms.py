"""The two arms: Surefoot's engine, and the same plan in a plain LangGraph graph without any recovery."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import StateGraph

from surefoot.bootstrap import Settings, open_runner
from surefoot.contracts.clock import Deadline, SystemClock
from surefoot.contracts.paths import look_up
from surefoot.contracts.tool import ToolContext
from surefoot.evals.recovery.app import exam_app
from surefoot.evals.recovery.faults import BlindFaults
from surefoot.evals.recovery.judging import Judged, Told, judge
from surefoot.evals.recovery.scenarios import Scenario, scenarios
from surefoot.evals.recovery.world import TOOLS, World
from surefoot.execution.breaker import Breaker
from surefoot.execution.protocol import MAY_EXIST
from surefoot.persistence.database import sqlite_url
from surefoot.runtime.runner import Runner, RunResult

WITHOUT = (
    "without-recovery: the same plans in a plain LangGraph graph; each tool function is called once, in plan order; "
    "the first error ends the run; what came back is reported as done, what raised as failed; no ledger, no retry, no "
    "asking back, no undo"
)
MAX_CARDS = 30


async def with_surefoot(names: list[str], seeds: range, folder: Path) -> list[Judged]:
    """Play every scenario with every seed on the real engine; the harness is a person who confirms every card."""
    worlds: dict[str, World] = {}
    faults, judged = BlindFaults(), []
    settings = Settings(database_url=sqlite_url(folder / "exam.sqlite"))
    async with open_runner(exam_app(worlds, faults), settings) as runner:
        for name in names:
            for seed in seeds:
                scenario, user = scenarios()[name], f"{name}-{seed}"
                worlds[user] = World(full=scenario.full)
                # No breaker carries anything from one run to the next.
                alone = replace(runner, door=replace(runner.door, breaker=Breaker(runner.clock)))
                began = time.perf_counter()
                result = await _confirmed(alone, await alone.start(name, user_id=user, lang="en"), user)
                told = await _told(alone, result, user, time.perf_counter() - began)
                judged.append(judge(scenario, seed, worlds[user], told, faults.struck[user]))
    return judged


async def _confirmed(runner: Runner, result: RunResult, user: str) -> RunResult:
    for _ in range(MAX_CARDS):
        if result.status != "waiting" or result.pending is None:
            return result
        card = result.pending.get("card")
        if card is None:
            answer: dict[str, Any] = {"choose": 1}
        else:
            answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "confirm", "by": user}
        result = await runner.resume(result.run_id, by=user, answer=answer)
    return result


async def _told(runner: Runner, result: RunResult, user: str, seconds: float) -> Told:
    """Gather what the run says stands: the ledger's committed, residue and unknown effects, as it would show them."""
    worlds: Mapping[str, World] = runner.systems
    standing: set[str] = set()
    for effect in await runner.door.ledger.of_run(result.run_id):
        if effect.undoes is not None or effect.state not in MAY_EXIST:
            continue
        if effect.result and "record_id" in effect.result:
            standing.add(str(effect.result["record_id"]))
        else:
            # Not known whether it happened: whatever has these arguments is named by it.
            standing |= {r["record_id"] for r in worlds[user].find(kind=effect.tool, **effect.arguments)}
    if result.status == "done":
        standing = {name for name in standing if _said_done(result, name)}
    used = Counter(str(item["kind"]) for item in result.state.get("reliability", {}).get("history", []))
    return Told(result.status == "done", frozenset(standing), seconds, used)


def _said_done(result: RunResult, record_id: str) -> bool:
    """Whether a run that says done also says this: a step that succeeded with it."""
    steps = result.state.get("execution", {}).get("steps", {}).values()
    return any(
        step["status"] == "success" and (step.get("output") or {}).get("data", {}).get("record_id") == record_id
        for step in steps
    )


class _Plain(TypedDict):
    at: int
    results: dict[str, Any]
    failed: bool


async def without_recovery(names: list[str], seeds: range, folder: Path) -> list[Judged]:
    """Play the same plans with the same faults and no recovery."""
    judged = []
    for name in names:
        for seed in seeds:
            scenario, user = scenarios()[name], f"{name}-{seed}"
            worlds, faults = {user: World(full=scenario.full)}, BlindFaults()
            began = time.perf_counter()
            ended = await _plain_graph(scenario, user, worlds, faults).ainvoke(
                {"at": 0, "results": {}, "failed": False}, {"recursion_limit": 50}
            )
            standing = frozenset(r["record_id"] for r in ended["results"].values() if "record_id" in r)
            told = Told(not ended["failed"], standing, time.perf_counter() - began)
            judged.append(judge(scenario, seed, worlds[user], told, faults.struck[user]))
    return judged


def _plain_graph(scenario: Scenario, user: str, worlds: dict[str, World], faults: BlindFaults) -> Any:
    tools = {tool.__name__: faults.wrap(tool) for tool in TOOLS}

    async def step(state: _Plain) -> dict[str, Any]:
        planned = scenario.steps[state["at"]]
        root = {name: {"data": data} for name, data in state["results"].items()}
        try:
            arguments = {name: _filled(value, root) for name, value in planned["with"].items()}
            data = await tools[planned["tool"]](**arguments, ctx=_context(user, worlds))
        except Exception:  # noqa: BLE001 - this arm reports every error as a failure, that is its setting
            return {"failed": True}
        return {"at": state["at"] + 1, "results": {**state["results"], planned["id"]: data}}

    builder = StateGraph(_Plain)
    builder.add_node("step", step)
    builder.set_entry_point("step")
    builder.add_conditional_edges(
        "step", lambda state: "__end__" if state["failed"] or state["at"] == len(scenario.steps) else "step"
    )
    return builder.compile()


def _filled(value: Any, root: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        step, _, path = value[1:].partition(".")
        return look_up(f"$.{step}.data.{path}", root)
    return value


def _context(user: str, worlds: dict[str, World]) -> ToolContext:
    from zoneinfo import ZoneInfo

    clock = SystemClock(ZoneInfo("Asia/Shanghai"))
    return ToolContext(
        user_id=user, run_id=user, call_id=user, now=clock.now(), deadline=Deadline.after(clock, 1.0), systems=worlds
    )
