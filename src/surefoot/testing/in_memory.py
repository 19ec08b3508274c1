"""Stores that live in memory: the same SQL on a database that is gone when it is closed.

One implementation serves both, so that what a test proves in memory holds on disk.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from surefoot.persistence.consents import SqlConsents
from surefoot.persistence.database import open_database
from surefoot.persistence.events import SqlEvents
from surefoot.persistence.leases import SqlLeases
from surefoot.persistence.ledger import SqlLedger
from surefoot.persistence.runs import SqlRuns
from surefoot.persistence.tickets import SqlTickets


@dataclass(frozen=True)
class Stores:
    """Every store over one database."""

    ledger: SqlLedger
    consents: SqlConsents
    leases: SqlLeases
    events: SqlEvents
    runs: SqlRuns
    tickets: SqlTickets


@asynccontextmanager
async def open_stores(url: str = "sqlite+aiosqlite:///:memory:") -> AsyncIterator[Stores]:
    """Open the stores of a URL; without one, in memory."""
    database = await open_database(url)
    try:
        yield Stores(
            SqlLedger(database),
            SqlConsents(database),
            SqlLeases(database, lambda owner: owner.startswith("dead")),
            SqlEvents(database),
            SqlRuns(database),
            SqlTickets(database),
        )
    finally:
        await database.close()
