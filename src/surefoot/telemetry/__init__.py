"""What happened: events of a run, and named points where a test may kill the process."""

from surefoot.telemetry.events import Events, RunEvent

__all__ = ["Events", "RunEvent"]
