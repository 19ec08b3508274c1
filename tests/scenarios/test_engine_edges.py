"""Where runs go wrong at the edges: odd answers, late truths, second choices, rules that cannot be asked."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shop.app import Backend, shop_app
from shop.running import buy, confirm, confirm_all, shop
from surefoot.bootstrap import Settings, open_runner
from surefoot.contracts import ToolContext, Violation
from surefoot.errors import ConsentRefused, NotWaiting
from surefoot.execution.protocol import Event, State, Writer
from surefoot.persistence.database import sqlite_url
from surefoot.runtime.reconciler import reconcile_open
from surefoot.testing.conformance import intent
from surefoot.testing.faults import Fault
from surefoot.testing.in_memory import open_stores


@pytest.mark.parametrize("change", [{"decision": "reject"}, {"decision": None}, {"surprise": 1}, {"changes": "all"}])
async def test_an_answer_that_is_no_clear_confirmation_confirms_nothing(tmp_path: Path, change: dict[str, Any]) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner)
        with pytest.raises((ConsentRefused, NotWaiting)):
            await runner.resume(result.run_id, by="ann", answer={**confirm(result), **change})
        assert backend.log == []
        assert (await runner.look(result.run_id)).status == "waiting"


async def test_somebody_else_neither_resumes_nor_cancels_a_run(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        result = await buy(runner)
        for action in (runner.resume(result.run_id, by="bob"), runner.cancel(result.run_id, by="bob")):
            with pytest.raises(ConsentRefused):
                await action


async def test_cancelling_takes_back_what_was_committed(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner, thread_id="t")
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        result = await runner.cancel(result.run_id, by="ann")
        assert result.status == "declined"
        assert backend.log == [("reserve", "tea"), ("release", "tea")]
        with pytest.raises(NotWaiting):
            await runner.cancel(result.run_id, by="ann")
        assert (await buy(runner, thread_id="t")).status == "waiting"


async def test_a_choice_after_a_refused_payment_goes_through_with_a_new_card(tmp_path: Path) -> None:
    """Two requests of one step: each effect has an id of its own."""
    async with open_stores() as stores:
        lease = await stores.leases.claim("t", "r", "worker", ttl_seconds=60)
        first = await stores.ledger.begin(intent(), lease=lease)
        await stores.ledger.record(first.effect.effect_id, Event.WAS_REFUSED, Writer.CALLER)
        second = await stores.ledger.begin(intent(args_hash="h2", base="pay:2", arguments={"order": 2}), lease=lease)
        assert second.fresh
        assert second.effect.effect_id != first.effect.effect_id


@pytest.mark.parametrize("late", [Event.PROVED_NOT_SENT, Event.WAS_REFUSED, Event.LOST])
async def test_the_late_end_of_an_older_try_says_nothing_about_the_newer_one(late: Event) -> None:
    async with open_stores() as stores:
        lease = await stores.leases.claim("t", "r", "worker", ttl_seconds=60)
        first = (await stores.ledger.begin(intent(), lease=lease)).effect
        await stores.ledger.record(first.effect_id, Event.LOST, Writer.CALLER, attempt=1)
        await stores.ledger.record(first.effect_id, Event.FOUND_ABSENT, Writer.RECONCILER)
        again = (await stores.ledger.begin(intent(), lease=lease)).effect
        assert again.attempts == 2
        assert (await stores.ledger.record(first.effect_id, late, Writer.CALLER, attempt=1)).state is State.INTENDED
        assert (
            await stores.ledger.record(first.effect_id, Event.LOST, Writer.CALLER, attempt=2)
        ).state is State.UNKNOWN
        done = await stores.ledger.record(first.effect_id, Event.SUCCEEDED, Writer.CALLER, attempt=1, result={})
        assert done.state is State.COMMITTED


async def allow_twice(arguments: Mapping[str, Any], data: Any, ctx: ToolContext) -> Violation | None:
    """Let the same article be paid twice."""
    return None


async def test_asking_back_never_takes_another_runs_record_for_ours(tmp_path: Path) -> None:
    """A first charge stands; the second one is lost before commit: it is sent again, not taken for done."""
    backend = Backend()
    app = shop_app(backend)
    app = replace(app, rules={**app.rules, "not_charged_yet": allow_twice})
    async with open_runner(app, Settings(database_url=sqlite_url(tmp_path / "s.sqlite"))) as runner:
        await confirm_all(runner, await buy(runner, "buy tea"))
        backend.orders = [order for order in backend.orders if order["kind"] == "charge"]
        lost = Fault("charge", "before_commit_timeout")
        tool = runner.registry["charge"]
        struck = {"left": 1}

        async def once(article: str, amount: int, *, ctx: ToolContext) -> dict[str, Any]:
            if struck["left"]:
                struck["left"] -= 1
                raise TimeoutError(lost.kind)
            return await tool.function(article=article, amount=amount, ctx=ctx)

        runner.registry._tools["charge"] = replace(tool, function=once)
        result = await confirm_all(runner, await buy(runner, "buy tea"))
        assert result.status == "done"
        assert backend.log.count(("charge", "tea")) == 2
        charged = [e.result["charge_id"] for e in await runner.door.ledger.all() if e.tool == "charge" and e.result]
        assert len(set(charged)) == 2


async def unreachable(arguments: Mapping[str, Any], data: Any, ctx: ToolContext) -> Violation | None:
    """A rule whose system does not answer."""
    raise TimeoutError("the rule's system does not answer")


async def test_a_rule_that_cannot_be_asked_undoes_the_run_instead_of_breaking_it(tmp_path: Path) -> None:
    backend = Backend()
    app = shop_app(backend)
    app = replace(app, rules={**app.rules, "not_charged_yet": unreachable})
    async with open_runner(app, Settings(database_url=sqlite_url(tmp_path / "s.sqlite"))) as runner:
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "undone"
        assert backend.log == [("reserve", "tea"), ("release", "tea")]
        assert "cannot be checked" in result.state["result"]["reason"]["en"]


async def test_a_ticket_stays_open_while_something_is_left_half_done(tmp_path: Path) -> None:
    backend = Backend()
    async with shop(tmp_path, backend, [Fault("charge", "before_commit_timeout", times=99)]) as (runner, _, __):
        result = await buy(runner)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        backend.reachable = False
        result = await confirm_all(runner, result)
        assert result.status == "handed_over"
        backend.reachable = True
        await asyncio.sleep(0.6)
        settled = await reconcile_open(runner)
        assert [one.after for one in settled] == [State.ABSENT]
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        assert ticket.status == "open"
        assert [item["tool"] for item in ticket.done] == ["reserve"]


async def test_two_users_requests_are_never_each_others_duplicates(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        await confirm_all(runner, await buy(runner))
        other = await buy(runner, user="bob")
        assert other.pending is not None
        assert other.pending["card"]["duplicates"] == []


async def test_tries_of_reads_are_not_forgotten_when_a_question_is_answered(tmp_path: Path) -> None:
    backend = Backend(sold_out={"coffee", "tea"})
    async with shop(tmp_path, backend, run_calls=3) as (runner, _, injector):
        result = await buy(runner, "buy coffee")
        for _ in range(6):
            if result.status != "waiting":
                break
            result = await runner.resume(result.run_id, by="ann", answer={"choose": 1})
        assert injector.calls["quote"] <= 3
        assert result.status == "failed"
