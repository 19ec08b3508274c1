"""Tickets in SQL."""

from sqlalchemy import Connection, insert, select, update

from surefoot.persistence.database import Database
from surefoot.persistence.schema import db_now, ticket
from surefoot.recovery.handover import Ticket


class SqlTickets:
    """Tickets in the shared database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, case: Ticket) -> Ticket:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        return await self._database.run(_open, case)

    async def of_run(self, run_id: str) -> Ticket | None:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        return await self._database.read(_of_run, run_id)

    async def update(self, case: Ticket) -> None:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        await self._database.run(_update, case)


def _open(connection: Connection, case: Ticket) -> Ticket:
    if _of_run(connection, case.run_id) is not None:
        _update(connection, case)
        return case
    connection.execute(
        insert(ticket).values(
            ticket_id=case.ticket_id,
            run_id=case.run_id,
            user_id=case.user_id,
            status=case.status,
            record=case.to_json(),
            epoch=0,
            created_at=db_now(),
            updated_at=db_now(),
        )
    )
    return case


def _of_run(connection: Connection, run_id: str) -> Ticket | None:
    record = connection.execute(select(ticket.c.record).where(ticket.c.run_id == run_id)).scalar()
    return Ticket(**record) if record else None


def _update(connection: Connection, case: Ticket) -> None:
    mine = ticket.c.ticket_id == case.ticket_id
    connection.execute(
        update(ticket).where(mine).values(status=case.status, record=case.to_json(), updated_at=db_now())
    )
