"""Plan and Step: what a planner may emit, as typed, JSON-native data. The planner never executes."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Origin = Literal["said", "confirmed", "inferred", "tool", "rule"]
"""Where a value comes from. ``inferred`` is a guess and is shown as one on every card."""

BilingualText = dict[str, str]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Slot(_Value):
    """A value read from a person (or guessed for them), with its origin and a sentence about it."""

    value: Any
    origin: Origin = "said"
    note: BilingualText | None = None


class Binding(_Value):
    """Where a step's argument comes from: exactly one of literal, slot, step + path, or choose.

    ``path`` looks into the result envelope of ``step`` (``$.data.rooms[0].room_id``). ``choose`` names a choice
    rule of the app, which sees the results of the steps this step depends on.
    """

    literal: Any = None
    slot: str | None = None
    step: str | None = None
    path: str | None = None
    choose: str | None = None
    origin: Origin = "said"
    note: BilingualText | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> "Binding":
        given = [
            "literal" in self.model_fields_set,
            self.slot is not None,
            self.path is not None,
            self.choose is not None,
        ]
        if sum(given) != 1:
            raise ValueError("a binding has exactly one of literal, slot, path, choose")
        if (self.path is None) != (self.step is None):
            raise ValueError("a path needs the step it looks into")
        return self


class Step(_Value):
    """One task of a plan: a tool, where its arguments come from, and what it waits for."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")
    tool: str
    description: BilingualText
    depends_on: tuple[str, ...] = ()
    parameters: dict[str, Binding] = {}
    requires_confirmation: bool = False
    fallback: str | None = None
    critical: bool | None = None


class Plan(_Value):
    """Steps in a partial order. ``version`` rises with every replan; unfinished steps keep their ids."""

    version: int = 1
    goal: BilingualText
    steps: tuple[Step, ...]

    def step(self, step_id: str) -> Step:
        """Return one step. Raises KeyError for an unknown id."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise KeyError(step_id)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON-native data, unset fields left out."""
        return self.model_dump(mode="json", exclude_unset=True)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Plan":
        """Read what :meth:`to_json` wrote. Raises pydantic.ValidationError on anything else."""
        return cls.model_validate(data)
