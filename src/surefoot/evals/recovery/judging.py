"""The oracle: it looks at the world and at what was said, never at how it came about."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from surefoot.evals.recovery.scenarios import Scenario
from surefoot.evals.recovery.world import World

Verdict = Literal["success", "partial", "wrong"]
STOPPED = frozenset({"undone", "failed", "handed_over", "refused"})
"""How a run ends that says that it is not done."""


@dataclass(frozen=True)
class Claim:
    """An order that a run names: it stands, or (not ``certain``) it may stand."""

    kind: str
    fields: Mapping[str, Any]
    certain: bool = True

    def is_about(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record of the world is what this names."""
        given = {name: value for name, value in record.items() if name not in ("kind", "record_id")}
        return bool(record["kind"] == self.kind and given == dict(self.fields))


@dataclass(frozen=True)
class Told:
    """What a run said at its end: its status, and which orders stand or may stand.

    ``strategies`` counts what recovery chose; ``tokens`` what models used.
    """

    status: str
    claims: Collection[Claim] = ()
    strategies: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0


@dataclass(frozen=True)
class Judged:
    """One run, judged. ``lost`` is the time on the run's clock beyond its plan's own calls, in seconds."""

    scenario: str
    seed: int
    verdict: Verdict
    why: str
    told: Told
    duplicates: int
    undeclared: int
    extra_writes: int
    calls: int = 0
    faults: int = 0
    permanent: int = 0
    lost: float = 0.0


def judge(scenario: Scenario, seed: int, world: World, told: Told) -> Judged:
    """Judge one run.

    success: it says done, and each record of the goal exists once. partial: it says that it is not done, every order
    that stands is one that it names, and every one that it is certain of stands. wrong: anything else.
    """
    undeclared = [record for record in world.records if not any(claim.is_about(record) for claim in told.claims)]
    why = _wrong(scenario, world, told, undeclared)
    verdict: Verdict = "wrong" if why else "success" if told.status == "done" else "partial"
    return Judged(scenario.name, seed, verdict, why, told, world.twice(), len(undeclared), world.too_many())


def _wrong(scenario: Scenario, world: World, told: Told, undeclared: list[dict[str, Any]]) -> str:
    """Return what is wrong with what was said, or an empty text."""
    if told.status != "done" and told.status not in STOPPED:
        return f"it has not ended: {told.status}"
    if world.twice():
        return f"{world.twice()} effects exist twice"
    if not world.balanced():
        return "money or seats do not agree with what stands"
    missed = [wanted for wanted in scenario.goal if len(_matching(world, wanted)) != 1]
    if told.status == "done" and missed:
        return f"it says done, but {missed[0]} is not there once"
    if undeclared:
        return f"it says {told.status}, but {undeclared[0]['record_id']} stands and is not named"
    gone = [c for c in told.claims if c.certain and not any(c.is_about(record) for record in world.records)]
    if gone:
        return f"it says {told.status} and that {gone[0].kind} {dict(gone[0].fields)} stands, but it does not"
    return ""


def _matching(world: World, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    kinds = wanted.get("any") or [wanted["kind"]]
    fields = {name: value for name, value in wanted.items() if name not in ("any", "kind")}
    return [r for r in world.records if r["kind"] in kinds and fields.items() <= r.items()]
