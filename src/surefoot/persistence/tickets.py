"""Tickets in SQL. Each change reads, decides and writes in one transaction, so that of two operators one wins."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from surefoot.errors import ThreadBusy, TicketNotFound
from surefoot.execution.lease import Lease
from surefoot.persistence.database import Database, read_clock
from surefoot.persistence.leases import check_fence
from surefoot.persistence.runs import OPEN as OPEN_RUNS
from surefoot.persistence.schema import db_now, run, ticket
from surefoot.recovery.handover import (
    RESOLVED,
    THE_RUN,
    Change,
    Ticket,
    claimed,
    decided,
    first_met,
    met_again,
    released,
    resolved,
)


class SqlTickets:
    """Tickets in the shared database; :class:`surefoot.recovery.handover.Tickets` says what each method promises."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, case: Ticket) -> Ticket:
        """Store a ticket, one per run; the second time its lists are brought up to date."""
        return await self._database.run(_open, case)

    async def of_run(self, run_id: str) -> Ticket | None:
        """Return a run's ticket."""
        return await self._database.read(_of_run, run_id)

    async def get(self, ticket_id: str) -> Ticket:
        """Return one ticket. Raises TicketNotFound."""
        return await self._database.read(_get, ticket_id)

    async def queue(self, status: str | None = None) -> list[Ticket]:
        """Return the tickets of one status, or without one those that wait for a person; oldest first."""
        return await self._database.read(_queue, status)

    async def claim(self, ticket_id: str, by: str) -> Ticket:
        """Take a ticket. Raises TicketTaken, TicketNotFound, TicketClosed."""
        return await self.change(ticket_id, lambda case, at: claimed(case, by, at))

    async def release(self, ticket_id: str, by: str, *, force: bool = False) -> Ticket:
        """Give a ticket back. Raises TicketTaken, TicketNotFound, TicketClosed."""
        return await self.change(ticket_id, lambda case, at: released(case, by, at, force=force))

    async def resolve(self, ticket_id: str, by: str, note: str) -> Ticket:
        """Close a ticket. Raises TicketTaken, TicketNotFound."""
        return await self.change(ticket_id, lambda case, at: resolved(case, by, at, note))

    async def decide(self, ticket_id: str, decision: dict[str, Any], by: str, *, lease: Lease | None) -> Ticket:
        """Write a decision and set the run running. Raises ThreadBusy, Fenced and as :meth:`claim`."""
        return await self._database.run(_decide, ticket_id, decision, by, lease)

    async def change(self, ticket_id: str, how: Change) -> Ticket:
        """Apply a pure function to a ticket in one transaction. Raises TicketNotFound and what ``how`` raises."""
        return await self._database.run(_change, ticket_id, how)


def _open(connection: Connection, case: Ticket) -> Ticket:
    found = _row(connection, select(ticket).where(ticket.c.run_id == case.run_id).with_for_update())
    at = read_clock(connection)
    if found is not None:
        return _write(connection, met_again(_ticket(found), case, at))
    new = first_met(case, at)
    connection.execute(
        insert(ticket).values(
            ticket_id=new.ticket_id,
            run_id=new.run_id,
            user_id=new.user_id,
            status=new.status,
            record=new.to_json(),
            epoch=0,
            created_at=db_now(),
            updated_at=db_now(),
        )
    )
    return new


def _of_run(connection: Connection, run_id: str) -> Ticket | None:
    found = _row(connection, select(ticket).where(ticket.c.run_id == run_id))
    return _ticket(found) if found is not None else None


def _get(connection: Connection, ticket_id: str) -> Ticket:
    found = _row(connection, select(ticket).where(ticket.c.ticket_id == ticket_id))
    if found is None:
        raise TicketNotFound(ticket_id)
    return _ticket(found)


def _queue(connection: Connection, status: str | None) -> list[Ticket]:
    wanted = ticket.c.status != RESOLVED if status is None else ticket.c.status == status
    query = select(ticket).where(wanted).order_by(ticket.c.created_at, ticket.c.ticket_id)
    return [_ticket(dict(row)) for row in connection.execute(query).mappings() if row["record"]]


def _change(connection: Connection, ticket_id: str, how: Change) -> Ticket:
    found = _row(connection, select(ticket).where(ticket.c.ticket_id == ticket_id).with_for_update())
    if found is None:
        raise TicketNotFound(ticket_id)
    before = _ticket(found)
    after = how(before, read_clock(connection))
    return _write(connection, after) if after != before else before


def _decide(
    connection: Connection, ticket_id: str, decision: dict[str, Any], by: str, lease: Lease | None
) -> Ticket:  # fmt: skip
    after = _change(connection, ticket_id, lambda case, at: decided(case, decision, by, at))
    if lease is None:
        return after
    check_fence(connection, lease)
    others = select(run.c.run_id).where(
        run.c.thread_id == lease.thread_id, run.c.run_id != after.run_id, run.c.status.in_(OPEN_RUNS)
    )
    other = connection.execute(others.with_for_update()).scalar()
    if other is not None:
        raise ThreadBusy(lease.thread_id, other)
    running = {"status": "running", "epoch": lease.epoch, "updated_at": db_now()}
    connection.execute(update(run).where(run.c.run_id == after.run_id).values(running))
    return after


def _row(connection: Connection, query: Select[Any]) -> Mapping[str, Any] | None:
    """Return a ticket's row; one whose values were erased is gone for everybody but the audit."""
    row = connection.execute(query).mappings().first()
    return dict(row) if row is not None and row["record"] else None


def _ticket(row: Mapping[str, Any]) -> Ticket:
    """Read a stored ticket; one of a version that kept no history begins with when it was opened."""
    record = row["record"]
    if not record.get("history"):
        record = {**record, "history": [{"at": row["created_at"], "by": THE_RUN, "what": "opened", "note": ""}]}
    return Ticket.from_json(record)


def _write(connection: Connection, case: Ticket) -> Ticket:
    mine = ticket.c.ticket_id == case.ticket_id
    connection.execute(
        update(ticket).where(mine).values(status=case.status, record=case.to_json(), updated_at=db_now())
    )
    return case
