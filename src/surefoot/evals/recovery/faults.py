"""Blind faults: drawn per run, tool and call from the seed, the same for every arm; a fifth of them stay for ever."""

import random  # noqa: TID251 - a seeded generator per draw; nothing here is left to chance
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from surefoot.contracts.tool import Tool, ToolContext
from surefoot.errors import BusinessEmpty, ToolError
from surefoot.evals.recovery.world import ASKED_BACK, READS
from surefoot.testing.clock import FakeClock
from surefoot.testing.faults import Fault, FaultKind, strike
from surefoot.texts import Text

Kind = FaultKind | Literal["empty", "late_commit"]
"""``empty``: the business answers that there is nothing, and does nothing. ``late_commit``: no answer within the
deadline, and it is done only after it."""

RATE = 0.2
PERMANENT = 0.2
KINDS: tuple[Kind, ...] = (*get_args(FaultKind), "empty", "late_commit")
LASTING: tuple[Kind, ...] = ("not_sent", "before_commit_timeout", "error_5xx", "rate_limited", "auth", "refused")
"""What a tool can suffer from for ever: it never works again. Each of them does nothing."""

CALL_SECONDS = 0.1
"""What a call takes on the run's clock."""

LATE_SECONDS = 0.4
"""How long after its deadline a write may still be done: less than the contracts' ``settle_ms``."""

Real = Callable[[], Awaitable[dict[str, Any]]]


@dataclass
class BlindFaults:
    """Strikes the calls of one run, and counts on the run's clock what the run costs beyond its plan's own calls."""

    run: str
    planned: Collection[str]
    clock: FakeClock
    calls: Counter[str] = field(default_factory=Counter)
    seen: set[tuple[str, str]] = field(default_factory=set)
    lasting: dict[str, Kind] = field(default_factory=dict)
    struck: Counter[Kind] = field(default_factory=Counter)
    late: list[tuple[float, Real]] = field(default_factory=list)

    async def call(self, tool: Tool, arguments: Mapping[str, Any], ctx: ToolContext) -> dict[str, Any]:
        """Make one call as the outside world would break it.

        Raises:
            ToolError, NotSent, TimeoutError: what the tool's client would see.
        """
        name = tool.__name__

        async def real() -> dict[str, Any]:
            return await tool(**arguments, ctx=ctx)

        self.seen.add((name, repr(sorted(arguments.items()))))
        self.clock.advance(CALL_SECONDS)
        await self.land()
        kind, draw = self.drawn(name)
        if kind is None:
            return await real()
        self.struck[kind] += 1
        return await self._strike(name, kind, draw, real, ctx.deadline.left())

    async def _strike(self, name: str, kind: Kind, draw: random.Random, real: Real, left: float) -> dict[str, Any]:
        if kind == "empty":
            raise BusinessEmpty(Text("对方说什么也没有（注入）。", "The other side has nothing (injected)."))
        if kind == "malformed":
            data = await real()
            return {"reply": data} if draw.random() < 0.5 else {}
        if kind == "slow":
            self.clock.advance(left * draw.uniform(0.3, 0.9))
            return await real()
        if kind in ("before_commit_timeout", "after_commit_timeout", "late_commit"):
            self.clock.advance(left)
        if kind == "late_commit":
            if name not in READS:
                self.late.append((self.clock.monotonic() + draw.uniform(0, LATE_SECONDS), real))
            raise TimeoutError("no answer in time (injected)")
        return await strike(Fault(name, kind), real)

    def drawn(self, tool: str) -> tuple[Kind | None, random.Random]:
        """Return what befalls the tool's next call, and the generator for its details."""
        self.calls[tool] += 1
        draw = random.Random(f"{self.run}/{tool}/{self.calls[tool]}")
        if tool in self.lasting:
            return self.lasting[tool], draw
        if draw.random() >= RATE:
            return None, draw
        if draw.random() < PERMANENT:
            self.lasting[tool] = draw.choice(LASTING)
            return self.lasting[tool], draw
        # A back end that says "there is none" about what is there lies; no client can find that out by asking it.
        kinds = [kind for kind in KINDS if kind != "empty" or tool not in ASKED_BACK]
        return draw.choice(kinds), draw

    async def land(self, *, whatever_comes: bool = False) -> None:
        """Let the late writes happen whose time has come, or all of them."""
        now = self.clock.monotonic()
        due = [real for at, real in self.late if whatever_comes or at <= now]
        self.late = [] if whatever_comes else [(at, real) for at, real in self.late if at > now]
        for real in due:
            # The back end refuses a late one as it would any other; nobody is there to hear it.
            with suppress(ToolError):
                await real()

    def lost_seconds(self) -> float:
        """Return the time on the run's clock beyond one ordinary call per planned call."""
        ordinary = sum(tool in self.planned for tool, _ in self.seen) * CALL_SECONDS
        return self.clock.monotonic() - ordinary
