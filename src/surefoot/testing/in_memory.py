"""Stores that live in memory: the same SQL on a database that is gone when it is closed.

One implementation serves both, so that what a test proves in memory holds on disk.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import Connection

from surefoot.persistence.consents import SqlConsents
from surefoot.persistence.database import Database, open_database
from surefoot.persistence.events import SqlEvents
from surefoot.persistence.leases import SqlLeases
from surefoot.persistence.ledger import SqlLedger
from surefoot.persistence.memory import SqlBehaviour, SqlOriginals, SqlPreferences
from surefoot.persistence.runs import SqlRuns
from surefoot.persistence.schema import metadata
from surefoot.persistence.tickets import SqlTickets

MEMORY = "sqlite:///:memory:"
TEST_KEY = b"a key that is not secret at all."


@dataclass(frozen=True)
class Stores:
    """Every store over one database."""

    ledger: SqlLedger
    consents: SqlConsents
    leases: SqlLeases
    events: SqlEvents
    runs: SqlRuns
    tickets: SqlTickets
    preferences: SqlPreferences
    behaviour: SqlBehaviour
    originals: SqlOriginals
    database: Database

    async def clear(self) -> None:
        """Empty every table."""
        await self.database.run(_clear)

    async def close(self) -> None:
        """Close the database."""
        await self.database.close()


def _clear(connection: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        connection.execute(table.delete())


async def make_stores(url: str = MEMORY) -> Stores:
    """Open the stores of a URL; without one, in memory. The caller closes them."""
    database = await open_database(url, TEST_KEY)
    return Stores(
        SqlLedger(database),
        SqlConsents(database),
        SqlLeases(database, lambda owner: owner.startswith("dead")),
        SqlEvents(database),
        SqlRuns(database),
        SqlTickets(database),
        SqlPreferences(database),
        SqlBehaviour(database),
        SqlOriginals(database),
        database,
    )


@asynccontextmanager
async def open_stores(url: str = MEMORY) -> AsyncIterator[Stores]:
    """Open the stores of a URL for the length of a block."""
    stores = await make_stores(url)
    try:
        yield stores
    finally:
        await stores.close()
