"""App: what an application hands to the core. Answer: what the core hands to a person."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from surefoot.contracts.registry import Registry
from surefoot.contracts.tool import FeeRule, Rule, Tool
from surefoot.guardrails.guard import Guard
from surefoot.planning.binding import Choice
from surefoot.planning.plan import Plan, Slot
from surefoot.planning.planner import Planner
from surefoot.recovery.policy import Recovery
from surefoot.texts import Text


@dataclass(frozen=True)
class Block:
    """One block of an answer: text, table, timeline, map or notice; ``data`` is JSON-native.

    text ``{"text"}``; notice ``{"level": info|warning|error, "text"}``; table ``{"title", "columns", "rows"}``;
    timeline ``{"items": [{"start", "end", "title", "detail"}]}`` with local ISO times; map ``{"points"}``.
    """

    kind: Literal["text", "table", "timeline", "map", "notice"]
    data: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {"kind": self.kind, **self.data}


Answer = list[Block]


@dataclass(frozen=True)
class RunView:
    """What composing and validating may look at.

    ``steps`` are step records by id (see agents.state). ``status`` is done, declined, refused, undone, handed_over,
    failed, answered or dry_run. ``result`` holds ``reason`` ({zh, en}), ``undone`` (list of {effect_id, tool, state,
    arguments}), ``verdict`` and ``findings`` where there are any.
    """

    request: str
    lang: str
    now: datetime
    plan: Plan | None
    steps: Mapping[str, Mapping[str, Any]]
    slots: Mapping[str, Slot]
    status: str
    ticket: Mapping[str, Any] | None = None
    result: Mapping[str, Any] = field(default_factory=dict)

    def data(self, step_id: str) -> dict[str, Any] | None:
        """Return the data of a step that succeeded, else ``None``."""
        record = self.steps.get(step_id, {})
        if record.get("status") != "success":
            return None
        data: dict[str, Any] = record["output"]["data"]
        return data

    def by_tool(self, tool: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Return ``(step id, record)`` of every step of ``tool``, in plan order."""
        steps = self.plan.steps if self.plan else ()
        return [(step.id, self.steps[step.id]) for step in steps if step.tool == tool and step.id in self.steps]


@dataclass(frozen=True)
class Finding:
    """Something only the whole plan shows (a clash between steps, the goal missed)."""

    code: str
    text: Text
    steps: tuple[str, ...] = ()
    fatal: bool = True


class Compose(Protocol):
    """Turns a finished run into an answer in the person's language."""

    def __call__(self, view: RunView) -> Answer:
        """Return the answer's blocks."""


Validate = Callable[[RunView], Sequence[Finding]]
Observe = Callable[[RunView], Sequence[tuple[str, str]]]
"""What a finished run shows of a person's habits, as (kind, choice): kept only with their permission."""

ReadEdit = Callable[[str, Mapping[str, Any], datetime], Mapping[str, Any] | Text]
"""``(words, arguments on the card, now)`` -> changed arguments, or a sentence saying what was not understood."""


@dataclass(frozen=True)
class App:
    """An application: contracts and functions, rules, a planner, guards, and how it answers.

    ``open`` yields the app's systems (clients of its back ends) for the life of a process.
    ``permissions`` returns the permission names of a user. ``labels`` name arguments on cards for people.
    ``recovery`` limits recovery, and names the model that may propose strategies, if any.
    """

    name: str
    title: Text
    timezone: str
    contracts: Path
    tools: Sequence[Tool]
    planner: Planner
    open: Callable[[], AbstractAsyncContextManager[Any]]
    permissions: Callable[[str], frozenset[str]]
    compose: Compose
    rules: Mapping[str, Rule] = field(default_factory=dict)
    fees: Mapping[str, FeeRule] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    guards: Sequence[Guard] = ()
    validators: Sequence[Validate] = ()
    labels: Mapping[str, Text] = field(default_factory=dict)
    read_edit: ReadEdit | None = None
    observe: Observe | None = None
    recovery: Recovery = field(default_factory=Recovery)

    def registry(self) -> Registry:
        """Load and check the contracts. Raises ContractError with file and line."""
        return Registry.load(self.contracts, self.tools, rules=self.rules, fees=self.fees)
