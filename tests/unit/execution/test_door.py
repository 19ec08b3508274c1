"""The door itself: what it lets out, what it stops, what it records."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from shop.app import Backend, shop_app
from surefoot.contracts import Deadline, StandingClock
from surefoot.errors import ConsentRefused
from surefoot.execution import (
    Breaker,
    Call,
    Door,
    Invoker,
    Limits,
    LoopDetector,
    Ready,
    Refused,
    RunBudget,
    Session,
)
from surefoot.execution.consent import Reply
from surefoot.execution.protocol import State
from surefoot.testing.faults import Fault, FaultInjector
from surefoot.testing.in_memory import open_stores

NOW = datetime(2026, 12, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


@asynccontextmanager
async def door(
    *faults: Fault, limits: Limits | None = None
) -> AsyncIterator[tuple[Door, Session, Backend, FaultInjector]]:
    """A door on the shop, with a session of ann's on thread t."""
    backend, injector = Backend(), FaultInjector(faults)
    app = injector.wrap(shop_app(backend))
    clock = StandingClock(NOW.tzinfo, NOW)  # type: ignore[arg-type]
    limits = limits or Limits()
    async with open_stores() as stores:
        made = Door(
            registry=app.registry(),
            ledger=stores.ledger,
            consents=stores.consents,
            rules=app.rules,
            fees=app.fees,
            clock=clock,
            breaker=Breaker(clock),
            invoker=Invoker(clock),
            new_id=_ids(),
        )
        lease = await stores.leases.claim("t", "r", "worker", ttl_seconds=60)
        budget = RunBudget(limits, Deadline.after(clock, limits.seconds), Counter())
        yield made, Session("ann", {"shop"}, lease, budget, LoopDetector(), clock.now, backend), backend, injector
        await made.invoker.drain(1.0)


def _ids() -> Any:
    counter = iter(range(1000))
    return lambda prefix: f"{prefix}-{next(counter)}"


def call(tool: str, step: str = "s", **arguments: Any) -> Call:
    return Call(f"r/{step}", "r", "t", step, "ann", tool, arguments)


async def go(made: Door, session: Session, which: Call) -> Any:
    """Prepare, consent where a card asks for it, attempt."""
    ready = await made.prepare(which, session)
    assert isinstance(ready, Ready)
    consent_id = None
    if ready.card is not None:
        reply = Reply(ready.card.card_id, ready.card.nonce, "confirm", "ann")
        consent_id = await made.consents.grant(ready.card, reply)
    return await made.attempt(ready, session, consent_id=consent_id)


async def test_prepare_writes_nothing_and_says_everything_on_the_card() -> None:
    async with door() as (made, session, backend, _):
        ready = await made.prepare(call("charge", article="tea", amount=5), session)
        assert isinstance(ready, Ready)
        assert ready.card is not None
        assert ready.card.arguments == {"article": "tea", "amount": 5}
        assert ready.card.fee is not None
        assert ready.card.fee["amount"] == "5"
        assert ready.card.undo == {"tool": "refund", "arguments": {"charge_id": "$.data.charge_id"}}
        assert backend.log == []
        assert await made.ledger.all() == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"article": "tea"}, "amount is missing"),
        ({"article": "tea", "amount": "5"}, '"5" is not a whole number'),
        ({"article": "", "amount": 5}, "is too short; characters at least: 1"),
        ({"article": "tea", "amount": 5, "tip": 1}, "there is no such field: tip"),
        ({"article": "tea", "amount": 501}, "At most 500"),
    ],
)
async def test_input_that_breaks_the_contract_is_refused_in_words(arguments: dict[str, Any], words: str) -> None:
    async with door() as (made, session, _, injector):
        refused = await made.prepare(call("charge", **arguments), session)
        assert isinstance(refused, Refused)
        assert words in refused.text.en
        assert injector.calls == {}


async def test_a_write_without_consent_does_not_go_out() -> None:
    async with door() as (made, session, backend, _):
        ready = await made.prepare(call("reserve", article="tea"), session)
        assert isinstance(ready, Ready)
        outcome = await made.attempt(ready, session)
        assert outcome.code == "APPROVAL_MISSING"
        with pytest.raises(ConsentRefused):
            await made.attempt(ready, session, consent_id="consent-invented")
        assert backend.log == []


async def test_a_replay_of_the_same_call_returns_the_recorded_outcome() -> None:
    async with door() as (made, session, backend, _):
        first = await go(made, session, call("reserve", article="tea"))
        ready = await made.prepare(call("reserve", article="tea"), session)
        assert isinstance(ready, Ready)
        again = await made.attempt(ready, session, consent_id="whatever")
        assert again.replayed
        assert again.envelope["data"] == first.envelope["data"]
        assert backend.log == [("reserve", "tea")]


async def test_a_late_result_of_a_call_that_timed_out_is_still_recorded() -> None:
    async with door(Fault("reserve", "slow", seconds=0.8)) as (made, session, _, __):
        outcome = await go(made, session, call("reserve", article="tea"))
        assert (outcome.kind, outcome.code) == ("unknown", "TOOL_TIMEOUT")
        await asyncio.sleep(0.6)
        effect = await made.ledger.by_call("r/s")
        assert effect is not None
        assert effect.state is State.COMMITTED


async def test_a_call_cancelled_on_its_way_is_not_forgotten() -> None:
    async with door(Fault("reserve", "slow", seconds=0.2)) as (made, session, backend, __):
        task = asyncio.create_task(go(made, session, call("reserve", article="tea")))
        await asyncio.sleep(0.15)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.3)
        effect = await made.ledger.by_call("r/s")
        assert effect is not None
        assert effect.state is State.COMMITTED
        assert backend.log == [("reserve", "tea")]


async def test_the_same_read_three_times_without_news_is_a_loop() -> None:
    async with door() as (made, session, _, injector):
        session.budget.attempts = Forgetful()
        for step in ("a", "b"):
            assert (await go(made, session, call("greet", step))).kind == "ok"
        assert (await go(made, session, call("greet", "c"))).code == "LOOP_DETECTED"
        assert injector.calls["greet"] == 2


async def test_two_calls_taking_turns_without_news_are_a_loop() -> None:
    async with door() as (made, session, _, __):
        session.budget.attempts = Forgetful()
        for step, to in (("a", "x"), ("b", "y"), ("c", "x")):
            assert (await go(made, session, call("greet", step, to=to))).kind == "ok"
        assert (await go(made, session, call("greet", "d", to="y"))).code == "LOOP_DETECTED"


class Forgetful(Counter[Any]):
    """A budget that forgets, so that only the loop detector can stop the calls."""

    def __getitem__(self, key: Any) -> int:
        return 0


async def test_alternating_calls_cannot_reset_the_budget() -> None:
    faults = [Fault("greet", "error_5xx", times=99)]
    async with door(*faults, limits=Limits(attempts_per_call=3)) as (made, session, _, injector):
        codes = [
            (await go(made, session, call("greet", f"s{n}", to="ab"[n % 2]))).code for n in range(10)
        ]  # fmt: skip
        assert injector.calls["greet"] <= 6
        assert {"BUDGET_SPENT", "LOOP_DETECTED", "BREAKER_OPEN"} & set(codes[6:])


async def test_a_run_makes_no_more_calls_than_its_limit() -> None:
    async with door(limits=Limits(calls=2)) as (made, session, _, __):
        outcomes = [await go(made, session, call("quote", f"s{n}", article="x" * (n + 1))) for n in range(3)]
        assert [outcome.code for outcome in outcomes] == [None, None, "BUDGET_SPENT"]


async def test_a_tool_that_keeps_failing_is_left_alone_for_a_while() -> None:
    async with door(Fault("greet", "error_5xx", times=99)) as (made, session, _, injector):
        codes = [(await go(made, session, call("greet", f"s{n}", to=f"p{n}"))).code for n in range(7)]
        assert codes == ["TOOL_UNAVAILABLE"] * 5 + ["BREAKER_OPEN"] * 2
        assert injector.calls["greet"] == 5


async def test_a_read_whose_answer_breaks_its_contract_is_a_fault_of_the_tool() -> None:
    async with door(Fault("quote", "malformed")) as (made, session, _, __):
        outcome = await go(made, session, call("quote", article="tea"))
        assert (outcome.kind, outcome.code) == ("failed", "TOOL_OUTPUT_INVALID")
        assert "'price' is a required property" in outcome.details["problems"][0]
