"""What happened in a run, as a numbered list of events. The port; the store is in surefoot.persistence."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class RunEvent:
    """One event. ``seq`` rises by one within a run; ``at`` is seconds since 1970 when it was emitted."""

    run_id: str
    seq: int
    kind: str
    data: dict[str, Any]
    at: float


class Events(Protocol):
    """Where events go. They are telemetry: a crash may lose the last ones, the ledger loses nothing."""

    def emit(self, run_id: str, kind: str, data: dict[str, Any]) -> None:
        """Take one event; cheap, never blocks, never raises."""

    async def flush(self) -> None:
        """Write what was taken."""

    async def of_run(self, run_id: str, *, after: int = 0) -> list[RunEvent]:
        """Return a run's events with ``seq`` above ``after``, in order."""
