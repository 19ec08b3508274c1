"""The exam's scenarios: plans with goals, read from ``scenarios.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from surefoot.planning.plan import Binding, Plan, Step

READS = frozenset({"flights", "hotels", "fare", "fare_listed", "weather"})
FILE = Path(__file__).parent / "scenarios.yaml"


@dataclass(frozen=True)
class Scenario:
    """A plan, what must exist once when it is done, what is sold out, and whether the world can grant it at all."""

    name: str
    steps: tuple[Mapping[str, Any], ...]
    goal: tuple[Mapping[str, Any], ...]
    full: frozenset[str]
    possible: bool = True

    def plan(self) -> Plan:
        """Return the plan as the engine wants it."""
        title = {"zh": self.name, "en": self.name}
        return Plan(goal=title, steps=tuple(_step(step) for step in self.steps))


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
    if isinstance(value, str) and value.startswith("$"):
        step, _, path = value[1:].partition(".")
        return Binding(step=step, path=f"$.data.{path}")
    return Binding(literal=value)


@cache
def scenarios() -> Mapping[str, Scenario]:
    """Return the scenarios by name, in the file's order."""
    read = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {
        item["id"]: Scenario(
            item["id"],
            tuple(item["steps"]),
            tuple(item["goal"]),
            frozenset(item.get("full", ())),
            item.get("possible", True),
        )
        for item in read
    }  # fmt: skip
