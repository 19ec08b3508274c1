"""Bind: turn a step's bindings into arguments, deterministically, just before the step, with provenance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from surefoot.contracts.paths import look_up
from surefoot.planning.plan import Binding, Origin, Slot, Step
from surefoot.texts import Text


@dataclass(frozen=True)
class Chosen:
    """What a choice rule picked, and why."""

    value: Any
    why: Text
    origin: Origin = "rule"


@dataclass(frozen=True)
class Choosing:
    """What a choice rule may look at.

    ``results`` are result envelopes by step id; ``slots`` the request's slots; ``refused`` the argument sets
    that the back end already refused for this step (never choose one of them again).
    """

    step: Step
    results: Mapping[str, Mapping[str, Any]]
    slots: Mapping[str, Slot]
    refused: tuple[Mapping[str, Any], ...]
    now: datetime


Choice = Callable[[Choosing], Chosen | None]
"""A named, pure rule that picks one value; ``None`` when nothing is left to pick."""


@dataclass(frozen=True)
class Provenance:
    """Where one argument came from, for the card."""

    origin: Origin
    note: Text | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {"origin": self.origin, "note": self.note.to_json() if self.note else None}


@dataclass(frozen=True)
class Bound:
    """A step's arguments, each with its provenance."""

    arguments: dict[str, Any]
    provenance: dict[str, Provenance]


class Unbound(Exception):
    """An argument that cannot be bound; ``parameter`` and ``text`` say which and why."""

    def __init__(self, parameter: str, text: Text) -> None:
        self.parameter, self.text = parameter, text
        super().__init__(text.en)


def bind(step: Step, choosing: Choosing, choices: Mapping[str, Choice]) -> Bound:
    """Return the arguments of ``step``. A slot that was never filled is left out, for the schema to judge.

    Raises:
        Unbound: a path points at nothing, or a choice rule found nothing left to pick.
    """
    arguments: dict[str, Any] = {}
    provenance: dict[str, Provenance] = {}
    for name, binding in step.parameters.items():
        bound = _bind_one(name, binding, choosing, choices)
        if bound is not None:
            arguments[name], provenance[name] = bound
    return Bound(arguments, provenance)


def _bind_one(
    name: str, binding: Binding, choosing: Choosing, choices: Mapping[str, Choice]
) -> tuple[Any, Provenance] | None:
    note = Text.from_json(binding.note) if binding.note else None
    if binding.slot is not None:
        slot = choosing.slots.get(binding.slot)
        if slot is None:
            return None
        return slot.value, Provenance(slot.origin, Text.from_json(slot.note) if slot.note else note)
    if binding.choose is not None:
        chosen = choices[binding.choose](choosing)
        if chosen is None:
            raise Unbound(name, Text("没有剩下可以选的了。", "Nothing is left to choose from."))
        return chosen.value, Provenance(chosen.origin, chosen.why)
    if binding.path is not None and binding.step is not None:
        try:
            value = look_up(binding.path, choosing.results.get(binding.step, {}))
        except KeyError as missing:
            raise Unbound(
                name, Text(f"前一步的结果里没有“{name}”。", f"An earlier result holds no {name}.")
            ) from missing
        return value, Provenance("tool", note)
    return binding.literal, Provenance(binding.origin, note)
