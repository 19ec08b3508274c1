"""Decisions: what may be done about an outcome, what is known of the past, and the case that a strategy judges."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from surefoot.contracts.model import ToolContract
from surefoot.execution.outcome import Outcome
from surefoot.planning.planner import Question
from surefoot.recovery.diagnose import Category, categorise
from surefoot.texts import Text


@dataclass(frozen=True)
class Done:
    """The step is settled."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True)
class AskBack:
    """Ask the back end what became of an unknown effect, after ``delay_ms``."""

    kind: ClassVar[str] = "ask_back"
    delay_ms: float


@dataclass(frozen=True)
class Repair:
    """Use the reply itself, put in order; ``how`` names what had to be done to it."""

    kind: ClassVar[str] = "repair"
    how: tuple[str, ...]


@dataclass(frozen=True)
class Again:
    """Make one more try after ``delay_ms``."""

    kind: ClassVar[str] = "again"
    delay_ms: float


@dataclass(frozen=True)
class Cached:
    """Use the last good answer to the same question, given at ``as_of`` (ISO 8601)."""

    kind: ClassVar[str] = "cached"
    as_of: str


@dataclass(frozen=True)
class Other:
    """Use the declared fallback tool."""

    kind: ClassVar[str] = "other"
    tool: str


@dataclass(frozen=True)
class Relax:
    """Ask a wider or a narrower question, as the contract declares; ``applied`` counts the changes that then hold."""

    kind: ClassVar[str] = "relax"
    direction: Literal["widen", "narrow"]
    applied: int


@dataclass(frozen=True)
class Infer:
    """Go on with declared values where some are missing, marked as guesses."""

    kind: ClassVar[str] = "infer"
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Replan:
    """Do the steps again that this step's arguments came from, without what was refused."""

    kind: ClassVar[str] = "replan"


@dataclass(frozen=True)
class Ask:
    """Ask the person one exact question."""

    kind: ClassVar[str] = "ask"
    question: Question


@dataclass(frozen=True)
class Skip:
    """Leave a step out that the plan can do without; the answer says so."""

    kind: ClassVar[str] = "skip"
    why: Text


@dataclass(frozen=True)
class Undo:
    """Take back what was committed, and stop."""

    kind: ClassVar[str] = "undo"
    why: Text


@dataclass(frozen=True)
class HandOver:
    """Give the case to a person with everything that is known."""

    kind: ClassVar[str] = "hand_over"
    why: Text


Decision = Done | AskBack | Repair | Again | Cached | Other | Relax | Infer | Replan | Ask | Skip | Undo | HandOver


def told(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON-native data."""
    values = {field.name: getattr(decision, field.name) for field in fields(decision)}
    plain = {name: value.to_json() if hasattr(value, "to_json") else value for name, value in values.items()}
    return {"kind": decision.kind, **{name: list(v) if isinstance(v, tuple) else v for name, v in plain.items()}}


EVERY_HOST: frozenset[str] = frozenset(
    {"ask_back", "again", "other", "replan", "ask", "skip", "undo", "hand_over"}
)  # fmt: skip
"""Strategies that every host carries out. The others need a host that keeps a record of each step."""


@dataclass(frozen=True)
class History:
    """What was tried for this step before, from durable records, and what the host can offer."""

    tries: int = 1
    asked_back: int = 0
    replans: int = 0
    fell_back: tuple[str, ...] = ()
    chosen: bool = False
    """Whether the step's arguments came from earlier steps, so that another choice is possible."""
    critical: bool = True
    spread: float = field(default=0.0)
    """Jitter in [0, 1), injected."""
    able: frozenset[str] = EVERY_HOST
    """Names of the strategies that the host can carry out."""
    useless: frozenset[str] = frozenset()
    """Strategies that were used for this very error and did not help."""
    late: bool = False
    """Whether the run's time or number of recoveries is used up: only stopping remains."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the call, as far as they could be bound."""
    relaxed: int = 0
    """How many of the contract's wider (or narrower) questions were asked."""
    kept: str | None = None
    """When the last good answer to the same question was given, where one is kept and young enough."""
    fallbacks: tuple[str, ...] = ()
    """Fallbacks of the tool that the plan names, where the call at hand is already one of them."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """By parameter: what a person could be asked about it."""
    proposed: str | None = None
    """The strategy a model proposed; taken only where it applies."""


Phase = Literal["unknown", "standing", "failed"]
"""``unknown``: a write may have happened. ``standing``: it has, and does not hold up. ``failed``: it has not."""


@dataclass(frozen=True)
class Case:
    """One outcome with all that a strategy's precondition may look at. Pure data."""

    outcome: Outcome
    history: History
    contract: ToolContract

    @property
    def phase(self) -> Phase:
        """Which strategies can come into question at all."""
        if self.outcome.kind == "unknown":
            return "unknown"
        return "standing" if self.outcome.effect_state == "committed" else "failed"

    @property
    def category(self) -> Category:
        """What kind of error it is."""
        return categorise(self.outcome)

    @property
    def machinery(self) -> bool:
        """Whether the machinery failed, rather than the business said no."""
        return self.outcome.kind in ("failed", "not_sent")

    @property
    def broken_source(self) -> bool:
        """Whether this source cannot answer, although another one might."""
        shut = not self.contract.is_write and self.category in ("auth", "not_found")
        return self.machinery or shut

    @property
    def missing(self) -> str | None:
        """The argument that is missing or unusable, where that is what went wrong."""
        named = self.outcome.details.get("parameter") or self.outcome.details.get("field")
        if named is not None:
            return str(named)
        if self.outcome.code != "TOOL_INPUT_INVALID":
            return None
        without = [name for name in self.contract.parameters if name not in self.history.arguments]
        known = {*self.contract.required, *self.contract.infer, *self.history.questions}
        return next((name for name in without if name in known), None)

    @property
    def reason(self) -> Text:
        """Why it failed, in words."""
        error = self.outcome.envelope["error"]
        return Text.from_json(error["message"]) if error else Text("这一步没有完成。", "This step was not done.")
