"""Asking back for what nobody resumes: what it settles, what it leaves alone, what becomes of the ticket."""

from pathlib import Path

from shop.app import Backend
from shop.running import buy, confirm_all, shop
from surefoot.execution.protocol import State
from surefoot.runtime.reconciler import reconcile_open
from surefoot.testing.faults import Fault

SILENT = Fault("find_order", "before_commit_timeout", times=99)


async def test_a_found_effect_is_committed_and_the_ticket_resolved(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=[Fault("charge", "after_commit_timeout"), SILENT]) as (runner, backend, injector):
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "handed_over"
        injector.faults = ()
        (settled,) = await reconcile_open(runner)
        assert (settled.tool, settled.before, settled.after) == ("charge", State.UNKNOWN, State.COMMITTED)
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        assert (ticket.status, ticket.unknown) == ("resolved", [])
        assert [item["tool"] for item in ticket.done] == ["reserve", "charge"]
        assert backend.log.count(("charge", "tea")) == 1
        assert await reconcile_open(runner) == []


async def test_while_the_back_end_is_silent_nothing_changes(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=[Fault("charge", "after_commit_timeout"), SILENT]) as (runner, _, __):
        result = await confirm_all(runner, await buy(runner))
        (settled,) = await reconcile_open(runner)
        assert (settled.before, settled.after) == (State.UNKNOWN, State.UNKNOWN)
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        assert ticket.status == "open"


async def test_a_thread_that_a_living_worker_holds_is_left_alone(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=[Fault("charge", "after_commit_timeout"), SILENT]) as (runner, _, injector):
        await confirm_all(runner, await buy(runner, thread_id="t"))
        injector.faults = ()
        lease = await runner.leases.claim("t", "r-other", "elsewhere", ttl_seconds=60)
        assert await reconcile_open(runner) == []
        await runner.leases.release(lease)
        assert len(await reconcile_open(runner)) == 1


async def test_an_undo_that_was_done_settles_the_effect_it_took_back(tmp_path: Path) -> None:
    faults = [Fault("release", "after_commit_timeout", times=99), SILENT]
    async with shop(tmp_path, Backend(), faults) as (runner, backend, injector):
        result = await confirm_all(runner, await buy(runner, "buy cursed"))
        assert result.status == "handed_over"
        injector.faults = ()
        settled = {one.tool: (one.before, one.after) for one in await reconcile_open(runner)}
        assert settled == {
            "reserve": (State.COMPENSATING, State.COMPENSATED),
            "release": (State.UNKNOWN, State.COMMITTED),
        }
        assert backend.log == [("reserve", "cursed"), ("release", "cursed")]
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        assert ticket.status == "resolved"


async def test_an_undo_that_never_happened_leaves_residue_for_a_person(tmp_path: Path) -> None:
    faults = [Fault("release", "before_commit_timeout", times=99), SILENT]
    async with shop(tmp_path, Backend(), faults) as (runner, backend, injector):
        result = await confirm_all(runner, await buy(runner, "buy cursed"))
        assert result.status == "handed_over"
        injector.faults = ()
        settled = {one.tool: (one.before, one.after) for one in await reconcile_open(runner)}
        assert settled == {
            "reserve": (State.COMPENSATING, State.RESIDUE),
            "release": (State.UNKNOWN, State.ABSENT),
        }
        assert backend.log == [("reserve", "cursed")]
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        assert (ticket.status, ticket.unknown) == ("open", [])
        assert [item["tool"] for item in ticket.residue] == ["reserve"]
