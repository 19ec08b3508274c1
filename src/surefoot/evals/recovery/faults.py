"""Blind faults: drawn per run, tool and call from the seed, the same for every arm; a fifth of them stay for ever."""

import functools
import random  # noqa: TID251 - a seeded generator per draw; nothing here is left to chance
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, get_args

from surefoot.contracts.tool import Tool, ToolContext
from surefoot.testing.faults import Fault, FaultKind, strike

RATE = 0.2
PERMANENT = 0.2
KINDS: tuple[FaultKind, ...] = tuple(kind for kind in get_args(FaultKind) if kind != "slow")
LASTING: tuple[FaultKind, ...] = ("not_sent", "before_commit_timeout", "error_5xx", "auth")
"""What a tool can suffer from for ever. A tool that does its work and never says so is a fault of one call."""


@dataclass
class BlindFaults:
    """Strikes calls of the worlds' tools; which run a call belongs to is its user."""

    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    lasting: dict[tuple[str, str], FaultKind] = field(default_factory=dict)
    struck: Counter[str] = field(default_factory=Counter)

    def wrap(self, tool: Tool) -> Tool:
        """Return the tool as the outside world would break it."""
        name = tool.__name__

        @functools.wraps(tool)
        async def unsafe(*, ctx: ToolContext, **arguments: Any) -> dict[str, Any]:
            kind = self._drawn(ctx.user_id, name)

            async def real() -> dict[str, Any]:
                return await tool(**arguments, ctx=ctx)

            if kind is None:
                return await real()
            self.struck[ctx.user_id] += 1
            return await strike(Fault(name, kind), real)

        return unsafe

    def _drawn(self, run: str, tool: str) -> FaultKind | None:
        self.calls[run, tool] += 1
        if (run, tool) in self.lasting:
            return self.lasting[run, tool]
        draw = random.Random(f"{run}/{tool}/{self.calls[run, tool]}")
        if draw.random() >= RATE:
            return None
        if draw.random() < PERMANENT:
            self.lasting[run, tool] = draw.choice(LASTING)
            return self.lasting[run, tool]
        return draw.choice(KINDS)
