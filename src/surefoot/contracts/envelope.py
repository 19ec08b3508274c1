"""The one shape of every tool result: ``{"status", "data", "error", "metadata"}``."""

from typing import Any, Literal, TypedDict

from surefoot.errors import ErrorCode
from surefoot.texts import Text


class EnvelopeError(TypedDict):
    """What went wrong: a code of the closed set, a sentence in both languages, and details."""

    code: str
    message: dict[str, str]
    details: dict[str, Any]


class Envelope(TypedDict):
    """A tool result. ``data`` is ``{}`` on error and ``error`` is ``None`` on success."""

    status: Literal["success", "error"]
    data: dict[str, Any]
    error: EnvelopeError | None
    metadata: dict[str, Any]


def success(tool: str, data: dict[str, Any], *, latency_ms: float) -> Envelope:
    """Wrap the data of a call that worked. ``latency_ms`` is wall time in milliseconds."""
    metadata = {"tool_name": tool, "latency_ms": round(latency_ms, 3)}
    return {"status": "success", "data": data, "error": None, "metadata": metadata}


def failure(
    tool: str, code: ErrorCode, text: Text, *, latency_ms: float = 0.0, details: dict[str, Any] | None = None
) -> Envelope:
    """Wrap a failed call. ``details`` is JSON-native and may carry alternatives."""
    return {
        "status": "error",
        "data": {},
        "error": {"code": code.value, "message": text.to_json(), "details": details or {}},
        "metadata": {"tool_name": tool, "latency_ms": round(latency_ms, 3)},
    }
