"""What operators look at without opening an app's systems: runs, events, tickets and the ledger."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from surefoot.bootstrap import encryption_key, load_settings
from surefoot.persistence.database import open_database, sqlite_path
from surefoot.persistence.events import SqlEvents
from surefoot.persistence.ledger import SqlLedger
from surefoot.persistence.runs import SqlRuns
from surefoot.persistence.tickets import SqlTickets

T = TypeVar("T")


@dataclass(frozen=True)
class Records:
    """The stores of one database, to read."""

    runs: SqlRuns
    events: SqlEvents
    tickets: SqlTickets
    ledger: SqlLedger


@asynccontextmanager
async def open_records() -> AsyncIterator[Records]:
    """Open the database of the settings. Raises SettingsInvalid, StorageUnavailable."""
    settings = load_settings()
    key = encryption_key(settings, sqlite_path(settings.database_url))
    database = await open_database(settings.database_url, key)
    try:
        yield Records(SqlRuns(database), SqlEvents(database), SqlTickets(database), SqlLedger(database))
    finally:
        await database.close()


def with_records(look: Callable[[Records], Awaitable[T]]) -> T:
    """Open the records, look, and close them again."""

    async def run() -> T:
        async with open_records() as records:
            return await look(records)

    return asyncio.run(run())
