"""Long-term behaviour: what a person tends to choose, kept only with their permission, and the weights it gives."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

HALF_LIFE_DAYS = 60.0
KEPT = 500
"""How many observations of one kind are looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Someone chose ``choice`` among things of one ``kind`` at ``at`` (aware). ``liked``: they kept to it."""

    kind: str
    choice: str
    at: datetime
    liked: bool = True


class Behaviour(Protocol):
    """Where observations live. Without permission nothing is written and nothing is told."""

    async def permit(self, user_id: str, *, allowed: bool) -> None:
        """Give or take back the permission; taking it back forgets everything that was observed."""

    async def permitted(self, user_id: str) -> bool:
        """Return whether the person has agreed; without a word from them the answer is no."""

    async def observe(self, user_id: str, seen: Observation) -> bool:
        """Keep one observation; return whether it was kept."""

    async def observed(self, user_id: str, kind: str | None = None) -> list[Observation]:
        """Return the newest ``KEPT`` observations, newest first; none without permission."""

    async def forget(self, user_id: str) -> int:
        """Forget all observations; return how many there were."""


def weights(seen: Iterable[Observation], now: datetime) -> dict[str, float]:
    """Return how much each choice is liked, in (0, 1): 0.5 says nothing either way.

    A Beta(1, 1) mean over observations that fade with a half-life of ``HALF_LIFE_DAYS``; few observations move it
    little. It orders what is otherwise equal, and never overrules what a person says.
    """
    liked: defaultdict[str, float] = defaultdict(float)
    total: defaultdict[str, float] = defaultdict(float)
    for one in seen:
        age = max(0.0, (now - one.at).total_seconds() / 86400)
        share = 0.5 ** (age / HALF_LIFE_DAYS)
        total[one.choice] += share
        liked[one.choice] += share if one.liked else 0.0
    return {choice: (liked[choice] + 1) / (total[choice] + 2) for choice in total}
