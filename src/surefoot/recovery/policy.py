"""Policy: which strategies apply to a case, the cheapest first; deterministic."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from surefoot.recovery.decisions import Case
from surefoot.recovery.proposals import Proposer
from surefoot.recovery.strategies import (
    Acting,
    Asking,
    AskingBack,
    FallingBack,
    HandingOver,
    Inferring,
    Relaxing,
    Repairing,
    Replanning,
    Retrying,
    Skipping,
    Strategy,
    Undoing,
    UsingCached,
)

STRATEGIES: tuple[Strategy, ...] = (
    AskingBack(),
    Repairing(),
    Retrying(),
    UsingCached(),
    FallingBack(),
    Relaxing(),
    Inferring(),
    Skipping(),
    Replanning(),
    Asking(),
    Undoing(),
    HandingOver(),
)
"""In the order in which they are preferred; a test holds it against their costs and chances."""

ALL: frozenset[str] = frozenset(strategy.name for strategy in STRATEGIES)


@dataclass(frozen=True)
class Recovery:
    """How far recovery may go in one run, and who may propose strategies (nobody, unless an app says so).

    ``seconds`` is the time that recovering may take, waiting for people not counted. ``per_step``, ``per_tool`` and
    ``per_run`` limit how many strategies are carried out. After either only stopping remains.
    """

    seconds: float = 120.0
    per_step: int = 16
    per_tool: int = 24
    per_run: int = 40
    proposer: Proposer | None = None
    proposer_seconds: float = 10.0

    def is_late(self, reliability: Mapping[str, Any], *, tool: str, step: str) -> bool:
        """Return whether time or number is used up, by what the state has counted."""
        counts = reliability.get("counts", {})
        steps, tools = counts.get("steps", {}), counts.get("tools", {})
        return bool(
            reliability.get("recovery_ms", 0.0) >= self.seconds * 1000
            or steps.get(step, 0) >= self.per_step
            or tools.get(tool, 0) >= self.per_tool
            or sum(steps.values()) >= self.per_run
        )


def candidates(case: Case) -> list[Strategy]:
    """Return the strategies whose preconditions hold, cheapest first, then likeliest. Never empty for a failed case."""
    found = [strategy for strategy in STRATEGIES if _comes_into_question(strategy, case) and strategy.applies(case)]
    return sorted(found, key=lambda strategy: (strategy.cost, -strategy.chance))


def _comes_into_question(strategy: Strategy, case: Case) -> bool:
    history = case.history
    if strategy.name not in history.able or case.phase not in strategy.phases:
        return False
    if history.late and not strategy.remains:
        return False
    return not (strategy.limited and strategy.name in history.useless)


def worth_asking(found: list[Strategy]) -> bool:
    """Return whether a proposer has anything to choose: two ways or more that go on with the attempt."""
    return sum(not strategy.remains for strategy in found) > 1


def named(name: str) -> Strategy:
    """Return a strategy by its name. Raises KeyError."""
    return {strategy.name: strategy for strategy in STRATEGIES}[name]


def acting(name: str) -> Acting:
    """Return a strategy that recovery carries out itself. Raises KeyError for one that it does not."""
    found = named(name)
    if not isinstance(found, Acting):
        raise KeyError(name)
    return found
