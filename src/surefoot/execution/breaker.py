"""A circuit breaker per tool, in this process (Nygard, Release It!, 2007): closed, open, half open."""

from dataclasses import dataclass, field

from surefoot.contracts.clock import Clock


@dataclass
class Breaker:
    """Opens after ``threshold`` failures of the machinery in a row; lets one call through after ``cool_seconds``."""

    clock: Clock
    threshold: int = 5
    cool_seconds: float = 30.0
    _failures: dict[str, int] = field(default_factory=dict)
    _opened_at: dict[str, float] = field(default_factory=dict)

    def allows(self, tool: str) -> bool:
        """Return whether a call may start. After the cool-down one call is let through to probe."""
        opened = self._opened_at.get(tool)
        if opened is None:
            return True
        if self.clock.monotonic() - opened < self.cool_seconds:
            return False
        self._opened_at[tool] = self.clock.monotonic()
        return True

    def report(self, tool: str, *, worked: bool) -> None:
        """Count an outcome. A business refusal is a back end that works."""
        if worked:
            self._failures.pop(tool, None)
            self._opened_at.pop(tool, None)
            return
        self._failures[tool] = self._failures.get(tool, 0) + 1
        if self._failures[tool] >= self.threshold:
            self._opened_at.setdefault(tool, self.clock.monotonic())
