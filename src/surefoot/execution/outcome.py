"""The outcome of one attempt: what ``settle`` decides on and what the history tells, truthfully."""

from dataclasses import dataclass
from typing import Any, Literal

from surefoot.contracts.envelope import Envelope, failure
from surefoot.errors import ErrorCode
from surefoot.texts import Text

OutcomeKind = Literal["ok", "empty", "refused", "failed", "not_sent", "unknown"]


@dataclass(frozen=True)
class Outcome:
    """One attempt's end. ``effect_id`` and ``effect_state`` are set for writes that have a ledger entry.

    ``replayed`` marks a recorded outcome that was returned instead of a second call; ``reconciled`` one that
    was settled by asking the back end.
    """

    kind: OutcomeKind
    tool: str
    envelope: Envelope
    effect_id: str | None = None
    effect_state: str | None = None
    replayed: bool = False
    reconciled: bool = False

    @property
    def code(self) -> str | None:
        """The error's code, or ``None`` on success."""
        error = self.envelope["error"]
        return error["code"] if error else None

    @property
    def details(self) -> dict[str, Any]:
        """The error's details, or ``{}``."""
        error = self.envelope["error"]
        return error["details"] if error else {}


def stopped(tool: str, kind: OutcomeKind, code: ErrorCode, text: Text, **details: Any) -> Outcome:
    """Return an outcome for a call that the door itself did not let out."""
    return Outcome(kind, tool, failure(tool, code, text, details=details))
