"""Tickets in SQL."""

from sqlalchemy import insert, select, update

from surefoot.persistence.database import Database
from surefoot.persistence.schema import db_now, ticket
from surefoot.recovery.handover import Ticket


class SqlTickets:
    """Tickets in the shared database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, ticket_: Ticket) -> Ticket:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        found = await self.of_run(ticket_.run_id)
        if found is not None:
            await self.update(ticket_)
            return ticket_
        async with self._database.transaction() as connection:
            await connection.execute(
                insert(ticket).values(
                    ticket_id=ticket_.ticket_id,
                    run_id=ticket_.run_id,
                    user_id=ticket_.user_id,
                    status=ticket_.status,
                    record=ticket_.to_json(),
                    epoch=0,
                    created_at=db_now(),
                    updated_at=db_now(),
                )
            )
        return ticket_

    async def of_run(self, run_id: str) -> Ticket | None:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        async with self._database.transaction() as connection:
            record = (await connection.execute(select(ticket.c.record).where(ticket.c.run_id == run_id))).scalar()
        return Ticket(**record) if record else None

    async def update(self, ticket_: Ticket) -> None:
        """See :class:`surefoot.recovery.handover.Tickets`."""
        async with self._database.transaction() as connection:
            await connection.execute(
                update(ticket)
                .where(ticket.c.ticket_id == ticket_.ticket_id)
                .values(status=ticket_.status, record=ticket_.to_json(), updated_at=db_now())
            )
