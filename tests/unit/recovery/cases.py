"""Outcomes, contracts and cases for tests of the strategies."""

from typing import Any

from surefoot.contracts.envelope import failure, success
from surefoot.contracts.model import ToolContract
from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome, OutcomeKind
from surefoot.recovery.decisions import Case, History
from surefoot.recovery.policy import ALL
from surefoot.texts import Text

SORRY = Text("没有办成。", "It did not work.")
INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["topic"],
    "properties": {"topic": {"type": "string"}, "place": {"type": "string"}, "limit": {"type": "integer"}},
}


def read(**changes: Any) -> ToolContract:
    """Return the contract of a read."""
    raw = {"name": "find", "version": 1, "summary": {"zh": "查找", "en": "Find."}, "effect": "read", "permission": "p"}
    return ToolContract.model_validate({**raw, "input_schema": INPUT, **changes})


def write(**changes: Any) -> ToolContract:
    """Return the contract of a write."""
    more = {"effect": "write", "idempotency": {"key": ["topic"], "honoured": True}, "irreversible": True}
    return read(**{**more, **changes})


def ended(kind: OutcomeKind, code: ErrorCode = ErrorCode.TOOL_UNAVAILABLE, **details: Any) -> Outcome:
    """Return an outcome that is no success."""
    return Outcome(kind, "find", failure("find", code, SORRY, details=details))


def worked() -> Outcome:
    """Return a success."""
    return Outcome("ok", "find", success("find", {}, latency_ms=0.0))


def case(outcome: Outcome, contract: ToolContract | None = None, **history: Any) -> Case:
    """Return a case of a host that can do everything; all tries are used up unless said otherwise."""
    known = {"able": ALL, "tries": 99, "arguments": {"topic": "tea"}, **history}
    return Case(outcome, History(**known), contract or read())
