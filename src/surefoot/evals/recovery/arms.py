"""Surefoot's arm: each scenario on the real engine, each run on a clock and a world of its own."""

from collections import Counter
from pathlib import Path
from typing import Any

from langchain_core.callbacks import get_usage_metadata_callback

from surefoot.bootstrap import Settings, open_runner
from surefoot.evals.recovery.app import exam_app
from surefoot.evals.recovery.judging import Claim, Judged, Told, judge
from surefoot.evals.recovery.measuring import measured
from surefoot.evals.recovery.scenarios import Scenario, Stage, scenarios
from surefoot.evals.recovery.timing import on_clock
from surefoot.evals.recovery.world import READS
from surefoot.execution.protocol import MAY_EXIST, State
from surefoot.persistence.database import sqlite_url
from surefoot.recovery.policy import Recovery
from surefoot.runtime.runner import Runner, RunResult

MAX_CARDS = 30
STANDS = frozenset({State.COMMITTED, State.RESIDUE})
"""States that say that an effect is there; the others of ``MAY_EXIST`` say that it may be."""


async def with_surefoot(
    names: list[str], seeds: range, folder: Path, *, recovery: Recovery | None = None
) -> list[Judged]:  # fmt: skip
    """Play every scenario with every seed; the harness is a person who confirms every card and takes first options."""
    stages: dict[str, Stage] = {}
    settings = Settings(database_url=sqlite_url(folder / "exam.sqlite"))
    judged = []
    async with open_runner(exam_app(stages, recovery), settings) as runner:
        for scenario in (scenarios()[name] for name in names):
            for seed in seeds:
                user = f"{scenario.name}-{seed}"
                stages[user] = scenario.stage(seed)
                judged.append(await _played(runner, scenario, seed, stages[user]))
    return judged


async def _played(runner: Runner, scenario: Scenario, seed: int, stage: Stage) -> Judged:
    alone, user = on_clock(runner, stage.clock, stage.spread), f"{scenario.name}-{seed}"
    with get_usage_metadata_callback() as usage:
        try:
            result = await _confirmed(alone, await alone.start(scenario.name, user_id=user, lang="en"), user)
        except Exception as error:  # noqa: BLE001 - an engine that breaks down has failed this run, not the exam
            told = Told(f"broken down ({type(error).__name__}: {error})")
        else:
            models = sum(used["total_tokens"] for used in usage.usage_metadata.values())
            told = await _told(alone, result, models)
    await stage.faults.land(whatever_comes=True)
    return measured(judge(scenario, seed, stage.world, told), stage)


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


async def _told(runner: Runner, result: RunResult, models: int) -> Told:
    """Gather what the run says stands: a run that is done by its steps, any other by its ledger."""
    claims = _said_done(result) if result.status == "done" else await _declared(runner, result)
    events = await runner.events.of_run(result.run_id)
    chosen = Counter(str(event.data["kind"]) for event in events if event.kind == "decision")
    proposed = sum(int(event.data.get("tokens", 0)) for event in events if event.kind == "decision")
    # A proposer that reports its tokens may have used a model that was counted as well: the same ones.
    return Told(result.status, claims, chosen, max(models, proposed))


def _said_done(result: RunResult) -> list[Claim]:
    steps = result.state.get("execution", {}).get("steps", {}).values()
    return [Claim(s["tool"], s["input"]) for s in steps if s["status"] == "success" and s["tool"] not in READS]


async def _declared(runner: Runner, result: RunResult) -> list[Claim]:
    effects = [effect for effect in await runner.door.ledger.of_run(result.run_id) if effect.undoes is None]
    return [Claim(e.tool, e.arguments, certain=e.state in STANDS) for e in effects if e.state in MAY_EXIST]
