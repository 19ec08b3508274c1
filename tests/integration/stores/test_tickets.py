"""Tickets on disk: a decision and its run in one transaction, old records, and what erasure leaves."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from surefoot.errors import Fenced, ThreadBusy, TicketNotFound
from surefoot.persistence.database import sqlite_url
from surefoot.persistence.runs import Run
from surefoot.persistence.schema import ticket
from surefoot.recovery.handover import Ticket, write_ticket
from surefoot.testing.in_memory import Stores, open_stores

DECISION = {"id": "T-r/1", "then": "undo"}


def case(run_id: str) -> Ticket:
    return write_ticket(run_id, "ann", "buy tea", {"zh": "不清楚", "en": "not known"}, [])


async def add_run(stores: Stores, run_id: str, *, status: str = "handed_over") -> None:
    run = Run(run_id, "t", "ann", "shop", "buy tea", "en", None, {})
    lease = await stores.leases.claim("t", run_id, "me", ttl_seconds=60)
    await stores.runs.add(run)
    await stores.runs.finish(run_id, lease, status=status)
    await stores.leases.release(lease)


async def test_a_decision_sets_its_run_running_and_is_kept_with_the_ticket(tmp_path: Path) -> None:
    async with open_stores(sqlite_url(tmp_path / "s.sqlite")) as stores:
        await add_run(stores, "r")
        await stores.tickets.open(case("r"))
        lease = await stores.leases.claim("t", "r", "me", ttl_seconds=60)
        decided = await stores.tickets.decide("T-r", DECISION, "olga", lease=lease)
        assert (decided.decision, decided.claimed_by) == (DECISION, "olga")
        assert (await stores.runs.get("r")).status == "running"
        again = await stores.tickets.decide("T-r", DECISION, "olga", lease=lease)
        assert [entry["what"] for entry in again.history] == ["opened", "claimed", "decided"]


async def test_while_another_run_waits_on_the_thread_nothing_is_decided(tmp_path: Path) -> None:
    async with open_stores(sqlite_url(tmp_path / "s.sqlite")) as stores:
        await add_run(stores, "r")
        opened = await stores.tickets.open(case("r"))
        await add_run(stores, "r2", status="waiting")
        lease = await stores.leases.claim("t", "r", "me", ttl_seconds=60)
        with pytest.raises(ThreadBusy) as busy:
            await stores.tickets.decide("T-r", DECISION, "olga", lease=lease)
        assert busy.value.run_id == "r2"
        assert await stores.tickets.get("T-r") == opened
        assert (await stores.runs.get("r")).status == "handed_over"


async def test_a_replaced_worker_decides_nothing(tmp_path: Path) -> None:
    async with open_stores(sqlite_url(tmp_path / "s.sqlite")) as stores:
        await add_run(stores, "r")
        opened = await stores.tickets.open(case("r"))
        lease = await stores.leases.claim("t", "r", "me", ttl_seconds=60)
        with pytest.raises(Fenced):
            await stores.tickets.decide("T-r", DECISION, "olga", lease=replace(lease, epoch=lease.epoch - 1))
        assert await stores.tickets.get("T-r") == opened


async def test_fields_that_a_later_version_may_add_do_not_break_this_one(tmp_path: Path) -> None:
    async with open_stores(sqlite_url(tmp_path / "s.sqlite")) as stores:
        opened = await stores.tickets.open(case("r"))
        later = {**opened.to_json(), "from_the_future": 1}
        await stores.database.run(lambda connection: connection.execute(update(ticket).values(record=later)))
        assert await stores.tickets.get("T-r") == opened


async def test_an_erased_ticket_is_gone_from_the_queue_and_cannot_be_claimed(tmp_path: Path) -> None:
    async with open_stores(sqlite_url(tmp_path / "s.sqlite")) as stores:
        await stores.tickets.open(case("r"))
        await stores.database.run(lambda connection: connection.execute(update(ticket).values(record={})))
        assert await stores.tickets.queue() == []
        assert await stores.tickets.of_run("r") is None
        with pytest.raises(TicketNotFound):
            await stores.tickets.claim("T-r", "olga")
