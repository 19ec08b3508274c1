"""A small world for the ledger's state machine: the shop's tools behind the real door, in memory, with crashes.

A crash is an exception that nothing catches, raised at a named point instead of a SIGKILL; what the process
held in memory is then dropped, and a new worker takes the thread over with the next epoch.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

from shop.app import Backend, shop_app
from surefoot.contracts import Deadline, Registry, SystemClock
from surefoot.contracts.registry import BoundTool
from surefoot.errors import ConsentRefused
from surefoot.execution import Breaker, Call, Door, Invoker, Limits, LoopDetector, Ready, RunBudget, Session
from surefoot.execution.consent import Reply
from surefoot.execution.protocol import State
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.saga import undo_run
from surefoot.telemetry import crashpoint
from surefoot.testing.faults import Fault, strike
from surefoot.testing.in_memory import Stores

ZONE = ZoneInfo("Asia/Shanghai")
ARTICLES = ("tea", "cake", "milk")
UNDO_OF = {"reserve": "release", "charge": "refund"}


class Killed(BaseException):
    """The process died here."""


@contextmanager
def dying_at(point: str | None) -> Iterator[None]:
    """Let the process die at a point."""
    if point is None:
        yield
        return

    def die(name: str) -> None:
        raise Killed(name)

    crashpoint._reached.clear()
    with patch.object(crashpoint, "_die", die), patch.dict("os.environ", {"SUREFOOT_CRASH_AT": point}):
        yield


@dataclass
class World:
    """The stores, the back end, and the worker that holds the thread."""

    stores: Stores
    backend: Backend = field(default_factory=Backend)
    strikes: dict[str, Fault] = field(default_factory=dict)
    late: list[tuple[str, asyncio.Event]] = field(default_factory=list)
    cards: int = 0

    def __post_init__(self) -> None:
        app = shop_app(self.backend)
        plain = shop_registry()
        self.registry = Registry({name: self._bound(plain[name]) for name in plain.names()})
        self.app = app

    def _bound(self, tool: BoundTool) -> BoundTool:
        """The tool with a deadline of milliseconds, so that a lost answer costs no time, and faults on demand."""
        policy = replace_retry(tool.contract.execution_contract, timeout_ms=10)
        contract = tool.contract.model_copy(update={"execution_contract": policy})
        name = contract.name

        async def struck(*args: Any, **kwargs: Any) -> dict[str, Any]:
            fault = self.strikes.pop(name, None)

            async def real() -> dict[str, Any]:
                return await tool.function(*args, **kwargs)

            if fault is not None and fault.kind == "slow":
                gate = asyncio.Event()
                self.late.append((name, gate))
                await gate.wait()
                return await real()
            return await real() if fault is None else await strike(fault, real)

        return BoundTool(contract, struck, tool.input, tool.output)

    async def start(self) -> None:
        """Bring up the first worker."""
        await self.take_over()

    async def take_over(self) -> None:
        """A new worker takes the thread; whatever the old one still runs is dropped by the world."""
        clock = SystemClock(ZONE)
        if hasattr(self, "door"):
            await self.door.invoker.drain(0.0)
        self.lease = await self.stores.leases.claim("t", "r", "dead soon", ttl_seconds=60)
        self.door = Door(
            registry=self.registry,
            ledger=self.stores.ledger,
            consents=self.stores.consents,
            rules=self.app.rules,
            fees=self.app.fees,
            clock=clock,
            breaker=Breaker(clock, threshold=10_000),
            invoker=Invoker(clock),
            new_id=self._new_id,
        )
        self.session = Session(
            user_id="ann",
            permissions=frozenset({"shop"}),
            lease=self.lease,
            budget=RunBudget(Limits(10_000, 10_000), Deadline.after(clock, 600), Counter()),
            loops=LoopDetector(),
            now=lambda: datetime.now(ZONE),
            systems=self.backend,
        )

    def _new_id(self, prefix: str) -> str:
        self.cards += 1
        return f"{prefix}-{self.cards}"

    def call(self, tool: str, article: str) -> Call:
        """Return the one call of a tool for an article in this run."""
        arguments: dict[str, Any] = {"article": article} if tool == "reserve" else {"article": article, "amount": 5}
        return Call(f"r/{tool}_{article}", "r", "t", f"{tool}_{article}", "ann", tool, arguments)

    async def attempt(self, tool: str, article: str, session: Session) -> str:
        """Do what the graph does for one write: settle what is open first, else card, consent, attempt."""
        call = self.call(tool, article)
        known = await self.stores.ledger.by_call(call.call_id)
        if known is not None and known.state in (State.INTENDED, State.UNKNOWN):
            return (await reconcile(known, self.door, session)).kind
        ready = await self.door.prepare(call, session)
        if not isinstance(ready, Ready):
            return "refused"
        assert ready.card is not None
        card = ready.card
        consent_id = await self.stores.consents.grant(card, Reply(card.card_id, card.nonce, "confirm", "ann"))
        try:
            return (await self.door.attempt(ready, session, consent_id=consent_id)).kind
        except ConsentRefused as refused:
            return refused.reason

    async def reconcile_all(self) -> None:
        """Ask back for everything that is open, as a resume does."""
        for effect in await self.stores.ledger.of_run("r"):
            if effect.undoes is None and effect.state in (State.INTENDED, State.UNKNOWN):
                await reconcile(effect, self.door, self.session)

    async def undo(self) -> None:
        """Undo the run."""
        await undo_run("r", self.door, self.session)

    def drop_late(self, name: str | None = None) -> None:
        """Late calls that have not got through can no longer get through."""
        self.late = [(tool, gate) for tool, gate in self.late if name is not None and tool != name]

    async def end(self) -> None:
        """Let the last worker go."""
        self.drop_late()
        await self.door.invoker.drain(0.0)

    def living(self) -> Counter[tuple[str, str]]:
        """Return how often each order stands in the world."""
        return Counter((order["kind"], order["article"]) for order in self.backend.orders)


@cache
def shop_registry() -> Registry:
    """The shop's contracts, read once."""
    return shop_app(Backend()).registry()


def replace_retry(execution: Any, *, timeout_ms: int) -> Any:
    """Return the execution contract with this timeout and no waits."""
    policy = execution.retry_policy.model_copy(update={"initial_ms": 0, "jitter": False})
    return execution.model_copy(update={"timeout_ms": timeout_ms, "retry_policy": policy})


def stale(session: Session, epoch: int) -> Session:
    """Return the session of a worker that held an older epoch."""
    return replace(session, lease=replace(session.lease, epoch=epoch))
