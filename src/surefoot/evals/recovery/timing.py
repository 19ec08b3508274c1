"""One clock per run that moves only when told: waits cost no time, and a slow machine changes no verdict."""

from dataclasses import dataclass, field, replace
from typing import Any

from surefoot.contracts.clock import Clock
from surefoot.execution.breaker import Breaker
from surefoot.execution.invoke import Invoker
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Begun, Effect, Intent, Ledger
from surefoot.execution.protocol import Event, Writer
from surefoot.runtime.runner import Runner

EPOCH = 1_800_000_000.0


@dataclass
class LedgerOnClock:
    """A run's view of the real ledger in which deadlines pass on the run's clock instead of the database's."""

    ledger: Ledger
    clock: Clock
    deadlines: dict[str, float] = field(default_factory=dict)

    def _seen(self, effect: Effect) -> Effect:
        return replace(effect, deadline_at=self.deadlines.get(effect.effect_id, effect.deadline_at))

    async def begin(self, intent: Intent, *, lease: Lease) -> Begun:
        """See :class:`surefoot.execution.ledger.Ledger`; a fresh try has a fresh deadline."""
        begun = await self.ledger.begin(intent, lease=lease)
        if begun.fresh:
            self.deadlines[begun.effect.effect_id] = await self.now() + intent.timeout_seconds
        return replace(begun, effect=self._seen(begun.effect))

    async def record(
        self,
        effect_id: str,
        event: Event,
        writer: Writer,
        *,
        result: dict[str, Any] | None = None,
        error: dict[str, Any] | None = None,
        lease: Lease | None = None,
        attempt: int | None = None,
    ) -> Effect:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        told = await self.ledger.record(
            effect_id, event, writer, result=result, error=error, lease=lease, attempt=attempt
        )  # fmt: skip
        return self._seen(told)

    async def get(self, effect_id: str) -> Effect:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return self._seen(await self.ledger.get(effect_id))

    async def by_call(self, call_id: str) -> Effect | None:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        effect = await self.ledger.by_call(call_id)
        return None if effect is None else self._seen(effect)

    async def same_request(self, base: str) -> list[Effect]:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return [self._seen(effect) for effect in await self.ledger.same_request(base)]

    async def of_run(self, run_id: str) -> list[Effect]:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return [self._seen(effect) for effect in await self.ledger.of_run(run_id)]

    async def of_thread(self, thread_id: str) -> list[Effect]:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return [self._seen(effect) for effect in await self.ledger.of_thread(thread_id)]

    async def unsettled(self) -> list[Effect]:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return [self._seen(effect) for effect in await self.ledger.unsettled()]

    async def all(self, *, limit: int = 100) -> list[Effect]:
        """See :class:`surefoot.execution.ledger.Ledger`."""
        return [self._seen(effect) for effect in await self.ledger.all(limit=limit)]

    async def now(self) -> float:
        """Return the run's clock in the ledger's unit."""
        return EPOCH + self.clock.monotonic()


def on_clock(runner: Runner, clock: Clock, spread: float) -> Runner:
    """Return the runner for one run on its own clock; ``spread`` in [0, 1) is its jitter.

    The breaker is new: nothing carries over from one run to the next.
    """
    door = replace(
        runner.door,
        clock=clock,
        breaker=Breaker(clock),
        invoker=Invoker(clock),
        ledger=LedgerOnClock(runner.door.ledger, clock),
    )
    return replace(runner, clock=clock, door=door, spread=lambda: spread)
