"""A clock that moves only when told."""

from datetime import datetime, timedelta


class FakeClock:
    """Business and monotonic time move together with :meth:`advance`; sleeping advances it at once."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._monotonic = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        """Return the business time."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds moved so far."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Move both clocks."""
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds

    async def sleep(self, seconds: float) -> None:
        """Remember the wait and move on."""
        self.slept.append(seconds)
        self.advance(seconds)
