"""What every strategy is: a precondition, a decision, an action, a check that the error's effect is gone."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from surefoot.execution.call import Call
from surefoot.execution.door import Door, Session
from surefoot.execution.outcome import Outcome
from surefoot.recovery.decisions import Case, Decision, Phase
from surefoot.recovery.diagnose import Category
from surefoot.texts import Text

Told = Mapping[str, Any]
"""A decision as JSON, as it stands in the state."""


@dataclass(frozen=True)
class Site:
    """Where an action is carried out: the door, the run's session, and the call that failed.

    ``failed`` is the call's outcome; ``kept`` the last good answer to the same question, as data; ``labels`` name
    arguments for people.
    """

    door: Door
    session: Session
    call: Call
    failed: Outcome
    kept: Mapping[str, Any] | None = None
    labels: Mapping[str, Text] = field(default_factory=dict)

    def unchanged(self) -> Outcome:
        """Return the outcome as it was, without a raw reply: that one is not looked at a second time."""
        error = self.failed.envelope["error"]
        if error is None:
            return self.failed
        details = {key: value for key, value in error["details"].items() if key != "raw"}
        return replace(self.failed, envelope={**self.failed.envelope, "error": {**error, "details": details}})

    def name(self, argument: str) -> Text:
        """Return an argument's name for people."""
        return self.labels.get(argument, Text(argument, argument))


@dataclass(frozen=True)
class Adjustment:
    """How arguments differ from what the plan bound: fields dropped, fields set, and where the values come from."""

    drop: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    inferred: bool = False
    relaxed: int = 0
    why: Text | None = None


@dataclass(frozen=True)
class Change:
    """What an action did to its step, for the host to write into its record.

    ``outcome``: the answer it brought at once. Without one the step is made again, with what is changed here, or is
    left out (``skipped``). ``marks`` (stale, repaired, substituted, inferred, relaxed) stay on the step; ``note`` is
    the sentence for the answer.
    """

    outcome: Outcome | None = None
    asked_back: bool = False
    tool: str | None = None
    adjustment: Adjustment | None = None
    sources_again: bool = False
    skipped: bool = False
    marks: tuple[str, ...] = ()
    note: Text | None = None


class Strategy(ABC):
    """One way to go on after an outcome.

    ``cost`` is what it costs the person, in classes: 0 nothing, 1 time, 2 freshness or exactness, 3 a guess or a
    smaller result, 4 another choice to consent to, 5 their attention, 6 work that is lost, 7 somebody else's work.
    ``chance`` in (0, 1) is how likely it brings what was asked; it orders strategies of one class. ``limited``: never
    used twice for the same error when it did not help (retries and asking back have counters of their own).
    """

    name: ClassVar[str]
    label: ClassVar[Text]
    cost: ClassVar[int]
    chance: ClassVar[float]
    phases: ClassVar[frozenset[Phase]] = frozenset({"failed"})
    limited: ClassVar[bool] = True
    remains: ClassVar[bool] = False
    """Whether it is still allowed when time or number of recoveries is used up: settling and stopping are."""
    degrades: ClassVar[bool] = False
    """Whether the answer is then less than what was asked for."""

    @abstractmethod
    def applies(self, case: Case) -> bool:
        """Return whether the precondition holds. Pure."""

    @abstractmethod
    def decide(self, case: Case) -> Decision:
        """Return the decision for a case to which this applies. Pure."""

    def verify(self, category: Category, outcome: Outcome) -> bool:
        """Return whether the error's effect is gone. A clear answer of the business ends an error of the machinery."""
        if category in ("empty", "business"):
            return outcome.kind == "ok"
        return outcome.kind in ("ok", "empty", "refused")


class Acting(Strategy):
    """A strategy that recovery carries out itself. The others have a node of the graph: a question, undo, hand-over."""

    @abstractmethod
    async def carry_out(self, told: Told, site: Site) -> Change:
        """Do it and say what changed. Safe to do again after a crash."""
