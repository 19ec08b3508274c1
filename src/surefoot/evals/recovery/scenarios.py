"""The exam's scenarios: plans with goals, read from YAML files, and the stage that each run is played on."""

import random  # noqa: TID251 - seeded by the run's name
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from surefoot.evals.recovery.faults import BlindFaults
from surefoot.evals.recovery.world import PURSE, READS, World
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot.testing.clock import FakeClock

FILES = tuple(Path(__file__).parent / name for name in ("scenarios.yaml", "scenarios_of_choice.yaml"))
MORNING = datetime(2026, 12, 1, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Stage:
    """What one run is played on: a world, a clock and faults of its own."""

    world: World
    clock: FakeClock
    faults: BlindFaults
    spread: float


@dataclass(frozen=True)
class Scenario:
    """A plan, what must exist once when it is done, how the world is set, and whether it can grant it at all."""

    name: str
    steps: tuple[Mapping[str, Any], ...]
    goal: tuple[Mapping[str, Any], ...]
    full: frozenset[str] = frozenset()
    possible: bool = True
    instead: Mapping[str, str] = field(default_factory=dict)
    purse: int = PURSE
    stock: Mapping[str, int] = field(default_factory=dict)

    def plan(self) -> Plan:
        """Return the plan as the engine wants it."""
        title = {"zh": self.name, "en": self.name}
        return Plan(goal=title, steps=tuple(_step(step) for step in self.steps))

    def slots(self) -> dict[str, Slot]:
        """Return what was said, by slot."""
        said = [value for step in self.steps for value in step["with"].values() if _is_slot(value)]
        return {value["slot"]: Slot(value=value["value"]) for value in said}

    def stage(self, seed: int) -> Stage:
        """Return a fresh stage; the same seed brings the same faults."""
        run, clock = f"{self.name}-{seed}", FakeClock(MORNING)
        world = World(full=self.full, instead=self.instead, purse=self.purse, stock=self.stock)
        faults = BlindFaults(run, {step["tool"] for step in self.steps}, clock)
        return Stage(world, clock, faults, random.Random(f"{run}/spread").random())


def cheapest(results: Iterable[Mapping[str, Any]], gone: Iterable[Any] = ()) -> str | None:
    """Return the cheapest flight among the options of some results that is not ``gone``."""
    options = [option for data in results for option in data.get("options", []) if option["flight"] not in set(gone)]
    return str(min(options, key=lambda option: option["price"])["flight"]) if options else None


def _is_slot(value: Any) -> bool:
    return isinstance(value, dict) and "slot" in value


def _step(step: Mapping[str, Any]) -> Step:
    name = {"zh": step["tool"], "en": step["tool"]}
    given: dict[str, Any] = {
        "id": step["id"],
        "tool": step["tool"],
        "description": name,
        "depends_on": tuple(step.get("after", ())),
        "requires_confirmation": step["tool"] not in READS,
        "parameters": {name: _binding(value) for name, value in step["with"].items()},
    }
    if "critical" in step:
        given["critical"] = step["critical"]
    return Step(**given)


def _binding(value: Any) -> Binding:
    if _is_slot(value):
        return Binding(slot=value["slot"])
    if isinstance(value, dict) and "guess" in value:
        return Binding(literal=value["guess"], origin="inferred")
    if isinstance(value, dict):
        return Binding(choose=value["choose"])
    if isinstance(value, str) and value.startswith("$"):
        step, _, path = value[1:].partition(".")
        return Binding(step=step, path=f"$.data.{path}")
    return Binding(literal=value)


@cache
def scenarios() -> Mapping[str, Scenario]:
    """Return the scenarios by name, in the files' order."""
    read = [item for file in FILES for item in yaml.safe_load(file.read_text(encoding="utf-8"))]
    return {item["id"]: _scenario(item) for item in read}


def _scenario(item: Mapping[str, Any]) -> Scenario:
    return Scenario(
        name=item["id"],
        steps=tuple(item["steps"]),
        goal=tuple(item["goal"]),
        full=frozenset(item.get("full", ())),
        possible=item.get("possible", True),
        instead=item.get("instead", {}),
        purse=item.get("purse", PURSE),
        stock=item.get("stock", {}),
    )
