"""Time as a port: the wall clock of the business, a monotonic clock, and sleeping."""

import time
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """Where time comes from. Expiry of consents and leases uses the database's clock instead."""

    def now(self) -> datetime:
        """Return the business time, aware of its zone."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""

    async def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``."""


@dataclass(frozen=True)
class SystemClock:
    """The machine's clock in the given zone."""

    zone: tzinfo

    def now(self) -> datetime:
        """Return the machine's time in :attr:`zone`."""
        return datetime.now(self.zone)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait on the event loop."""
        import asyncio

        await asyncio.sleep(seconds)


@dataclass(frozen=True)
class StandingClock(SystemClock):
    """A business clock that stands at :attr:`at` (``--at``), while waiting stays real."""

    at: datetime

    def now(self) -> datetime:
        """Return the fixed business time."""
        return self.at


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock after which nothing new may start."""

    clock: Clock
    at: float

    @classmethod
    def after(cls, clock: Clock, seconds: float) -> "Deadline":
        """Return the deadline ``seconds`` from now."""
        return cls(clock, clock.monotonic() + seconds)

    def left(self) -> float:
        """Return the seconds left, never below zero."""
        return max(0.0, self.at - self.clock.monotonic())
