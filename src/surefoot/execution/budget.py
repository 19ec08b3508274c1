"""Run-wide budgets and the loop detector: no run loops, and alternating two calls resets nothing."""

from collections import Counter
from dataclasses import dataclass, field

from surefoot.contracts.clock import Deadline


@dataclass(frozen=True)
class Limits:
    """How much one run may use."""

    attempts_per_call: int = 6
    calls: int = 60
    seconds: float = 300.0


@dataclass
class RunBudget:
    """What a run has used, in this process. Rebuilt at resume from durable rows; state holds a copy to show.

    ``attempts`` counts tries per ``(tool, arguments hash)`` over the whole run.
    """

    limits: Limits
    deadline: Deadline
    attempts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def charge(self, tool: str, args_hash: str) -> str | None:
        """Count one try. Return why it must not start, or ``None``."""
        if self.attempts.total() >= self.limits.calls:
            return f"the run has made {self.limits.calls} calls"
        if self.attempts[tool, args_hash] >= self.limits.attempts_per_call:
            return f"{tool} was tried {self.limits.attempts_per_call} times with the same arguments"
        if self.deadline.left() <= 0:
            return f"the run has used its {self.limits.seconds:.0f} seconds"
        self.attempts[tool, args_hash] += 1
        return None


@dataclass
class LoopDetector:
    """Finds calls that repeat without new information: the same three times in a row, or A B A B.

    Only the first try of each call counts; retries are settle's and have limits of their own.
    """

    _seen: list[tuple[str, str, str]] = field(default_factory=list)
    _calls: set[str] = field(default_factory=set)

    def is_new(self, call_id: str) -> bool:
        """Return whether this call is seen for the first time; a retry of it is not."""
        if call_id in self._calls:
            return False
        self._calls.add(call_id)
        return True

    def repeats(self, tool: str, args_hash: str) -> bool:
        """Return whether calling this now would go on with a loop."""
        tail = [(name, args) for name, args, _ in self._seen[-3:]]
        now = (tool, args_hash)
        same = tail[-2:] == [now, now] and self._same_result(-2, -1)
        alternating = len(tail) == 3 and tail[1] == now and tail[0] == tail[2] != now and self._same_result(-3, -1)
        return same or alternating

    def saw(self, tool: str, args_hash: str, result_hash: str) -> None:
        """Remember a finished call and what it brought."""
        self._seen.append((tool, args_hash, result_hash))

    def refused(self, tool: str, args_hash: str) -> None:
        """Remember a call that was not let out: it would have gone on with the loop, so the next one does too."""
        before = [result for name, args, result in self._seen if (name, args) == (tool, args_hash)]
        self._seen.append((tool, args_hash, before[-1] if before else ""))

    def _same_result(self, first: int, second: int) -> bool:
        return self._seen[first][2] == self._seen[second][2]
