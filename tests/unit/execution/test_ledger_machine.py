"""The ledger under fire: attempts, lost and late answers, crashes, takeovers, reconciles, undos, in any order.

Hypothesis drives the real door, ledger, reconciler and saga against a back end that counts what really happens.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from surefoot.errors import Fenced
from surefoot.execution.protocol import TABLE, Event, State
from surefoot.telemetry.crashpoint import declared
from surefoot.testing.faults import Fault
from surefoot.testing.in_memory import Stores, make_stores
from unit.execution.ledger_world import ARTICLES, UNDO_OF, Killed, World, dying_at, stale

pytestmark = pytest.mark.timeout(1500)

RUNS = int(os.environ.get("SUREFOOT_LEDGER_RUNS", "2000"))
FAULTS = ["not_sent", "before_commit_timeout", "after_commit_timeout", "error_5xx", "after_commit_5xx", "malformed"]
POINTS = [point for point in sorted(declared()) if point.startswith(("attempt.", "reconcile.", "saga."))]

tools = st.sampled_from(["reserve", "charge"])
articles = st.sampled_from(ARTICLES)
faults = st.sampled_from([None, None, *FAULTS, "slow"])
points = st.sampled_from([None, None, None, *POINTS])
HONOURED = {"reserve", "release", "refund"}


@cache
def shared_stores() -> tuple[asyncio.AbstractEventLoop, Stores]:
    """One loop and one database for all runs; each run starts with empty tables."""
    loop = asyncio.new_event_loop()
    stores = loop.run_until_complete(make_stores())
    return loop, stores


@pytest.fixture(autouse=True, scope="module")
def closed_in_the_end() -> Iterator[None]:
    yield
    if shared_stores.cache_info().currsize:
        loop, stores = shared_stores()
        loop.run_until_complete(stores.close())
        loop.close()
        shared_stores.cache_clear()


class LedgerMachine(RuleBasedStateMachine):
    """One run on one thread; whatever happens, an effect exists once or not at all, and the ledger says which."""

    @initialize()
    def begin(self) -> None:
        self.loop, stores = shared_stores()
        self.wait(stores.clear())
        self.world = World(stores)
        self.wait(self.world.start())
        self.attempts: Counter[str] = Counter()

    def wait(self, action: Any) -> Any:
        return self.loop.run_until_complete(action)

    def survive(self, action: Any, point: str | None) -> None:
        """Run an action; if the process dies in it, a new worker takes over."""
        with dying_at(point):
            try:
                self.wait(action)
            except Killed:
                died = True
            else:
                died = False
        if died:
            self.world.drop_late()
            self.wait(self.world.take_over())

    @rule(tool=tools, article=articles, fault=faults, point=points)
    def attempt(self, tool: str, article: str, fault: Any, point: str | None) -> None:
        if fault is not None:
            self.world.strikes[tool] = Fault(tool, fault)
        # A back end without keys must not commit after it was asked: its late calls end before the question.
        self.world.drop_late("" if tool in HONOURED else tool)
        self.survive(self.world.attempt(tool, article, self.world.session), point)
        self.world.strikes.clear()

    @precondition(lambda self: self.world.late)
    @rule()
    def a_late_call_gets_through(self) -> None:
        _, gate = self.world.late.pop(0)
        gate.set()
        self.wait(asyncio.sleep(0.005))

    @rule(fault=st.sampled_from([None, *FAULTS]), point=points)
    def undo_the_run(self, fault: Any, point: str | None) -> None:
        self.world.drop_late()
        self.wait(self.world.reconcile_all())
        standing = self.wait(self.world.stores.ledger.of_run("r"))
        committed = [e for e in standing if e.undoes is None and e.state is State.COMMITTED]
        newest_first = [
            (UNDO_OF[e.tool], e.arguments["article"]) for e in sorted(committed, key=lambda e: -(e.commit_seq or 0))
        ]
        pending = [e for e in standing if e.undoes is None and e.state is State.COMPENSATING]
        before = len(self.world.backend.log)
        if fault is not None:
            self.world.strikes["release"] = Fault("release", fault)
            self.world.strikes["refund"] = Fault("refund", fault)
        self.survive(self.world.undo(), point)
        self.world.strikes.clear()
        undone = self.world.backend.log[before:]
        if point is None and not pending:
            assert undone == newest_first

    @rule()
    def another_worker_takes_over(self) -> None:
        self.world.drop_late()
        old = self.world.session
        self.wait(self.world.take_over())
        self.fenced(old)

    @rule(behind=st.integers(1, 3))
    def a_worker_that_was_paused_wakes_up(self, behind: int) -> None:
        self.fenced(stale(self.world.session, self.world.lease.epoch - behind))

    def fenced(self, session: Any) -> None:
        before = (len(self.world.backend.log), self.wait(self.world.stores.ledger.of_run("r")))
        for article in ARTICLES:
            known = self.wait(self.world.stores.ledger.by_call(f"r/reserve_{article}"))
            if known is None or known.state in (State.NOT_SENT, State.ABSENT, State.REFUSED, State.COMPENSATED):
                try:
                    self.wait(self.world.attempt("reserve", article, session))
                except Fenced:
                    continue
                raise AssertionError("a replaced worker was let through")
        assert before == (len(self.world.backend.log), self.wait(self.world.stores.ledger.of_run("r")))

    @rule()
    def the_back_end_is_reachable_and_the_run_is_resumed(self) -> None:
        self.world.drop_late()
        self.wait(asyncio.sleep(0.012))
        self.wait(self.world.reconcile_all())
        effects = self.wait(self.world.stores.ledger.of_run("r"))
        own = [effect for effect in effects if effect.undoes is None]
        assert not [effect for effect in own if effect.state in (State.INTENDED, State.UNKNOWN)]
        told = Counter((e.tool, e.arguments["article"]) for e in own if e.state is State.COMMITTED)
        open_ = {(e.tool, e.arguments["article"]) for e in own if e.state is State.COMPENSATING}
        there = self.world.living()
        assert {key: n for key, n in there.items() if key not in open_} == dict(told)

    @invariant()
    def each_effect_exists_at_most_once(self) -> None:
        if hasattr(self, "world"):
            assert all(count == 1 for count in self.world.living().values())

    @invariant()
    def an_undo_happens_at_most_once_per_effect(self) -> None:
        if hasattr(self, "world"):
            log = Counter(self.world.backend.log)
            for (action, article), count in log.items():
                if action in UNDO_OF:
                    assert log[UNDO_OF[action], article] <= count

    @invariant()
    def a_consent_carries_one_effect(self) -> None:
        if hasattr(self, "world"):
            used = [e.consent_id for e in self.wait(self.world.stores.ledger.of_run("r")) if e.consent_id]
            assert len(used) == len(set(used))

    @invariant()
    def tries_are_never_forgotten(self) -> None:
        if hasattr(self, "world"):
            now: Counter[str] = Counter()
            for effect in self.wait(self.world.stores.ledger.of_run("r")):
                now[f"{effect.tool} {effect.args_hash}"] += effect.attempts
            assert all(now[key] >= count for key, count in self.attempts.items())
            self.attempts = now

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.drop_late()
            self.wait(self.world.end())


TestLedger = LedgerMachine.TestCase
TestLedger.settings = settings(
    max_examples=RUNS, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_every_row_of_the_table_is_reachable_from_intended() -> None:
    reached = {State.INTENDED}
    for _ in TABLE:
        reached |= {row.to for (state, _event), row in TABLE.items() if state in reached}
    assert reached == set(State)


def test_every_event_has_a_row_and_every_row_says_why() -> None:
    assert {event for _, event in TABLE} == set(Event)
    assert all(row.why and row.writers for row in TABLE.values())
