"""The oracle: it looks at the world and at what was said, never at how it came about."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from surefoot.evals.recovery.scenarios import Scenario
from surefoot.evals.recovery.world import World

Verdict = Literal["success", "partial", "wrong"]


@dataclass(frozen=True)
class Told:
    """What a run said at its end: whether it is done, and which records stand (or may stand) in the world."""

    done: bool
    standing: Collection[str]
    seconds: float = 0.0
    strategies: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True)
class Judged:
    """One run, judged."""

    scenario: str
    seed: int
    verdict: Verdict
    why: str
    duplicates: int
    undeclared: int
    told: Told
    faults: int


def judge(scenario: Scenario, seed: int, world: World, told: Told, faults: int) -> Judged:
    """Judge one run.

    success: it says done, and each record of the goal exists once. partial: it does not say done, and every record
    that exists is one that it names as standing or unknown. wrong: anything else.
    """
    duplicates = sum(count - 1 for count in Counter(_content(record) for record in world.records).values())
    undeclared = [record for record in world.records if record["record_id"] not in told.standing]
    missed = [wanted for wanted in scenario.goal if len(_matching(world, wanted)) != 1]
    verdict: Verdict = "partial"
    why = ""
    if duplicates:
        verdict, why = "wrong", f"{duplicates} effects exist twice"
    elif told.done and missed:
        verdict, why = "wrong", f"it says done, but {missed[0]} is not there once"
    elif undeclared:
        verdict, why = "wrong", f"{undeclared[0]['record_id']} stands and is not named"
    elif told.done:
        verdict = "success"
    return Judged(scenario.name, seed, verdict, why, duplicates, len(undeclared), told, faults)


def _content(record: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((name, value) for name, value in record.items() if name != "record_id"))


def _matching(world: World, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    kinds = wanted.get("any") or [wanted["kind"]]
    fields = {name: value for name, value in wanted.items() if name not in ("any", "kind")}
    return [r for r in world.records if r["kind"] in kinds and fields.items() <= r.items()]
