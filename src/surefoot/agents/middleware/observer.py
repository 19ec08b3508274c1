"""A callback-only observer, for agents that allow nothing else. It promises telemetry, and nothing more."""

from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from surefoot.telemetry.events import Events


class SurefootObserver(BaseCallbackHandler):
    """Writes each tool call's start, end and error as an event of the run ``run_id``.

    It sees calls after the fact: it can neither stop nor repair nor undo one. Arguments and results stay out of the
    events, only their sizes and the error's class are told.
    """

    def __init__(self, events: Events, run_id: str) -> None:
        self._events, self._run_id = events, run_id

    def on_tool_start(self, serialized: dict[str, Any], input_str: str, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool was called."""
        name = (serialized or {}).get("name", "unknown")
        self._tell("tool_start", run_id, tool=name, input_chars=len(input_str))

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool came back."""
        status = getattr(output, "status", "success")
        self._tell("tool_end", run_id, status=status, output_chars=len(str(getattr(output, "content", output))))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool raised."""
        self._tell("tool_error", run_id, error=type(error).__name__)

    def _tell(self, kind: str, call: UUID, **data: Any) -> None:
        self._events.emit(self._run_id, kind, {"call": str(call), **data})
