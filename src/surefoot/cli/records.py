"""What operators need without opening an app's systems: runs, events, tickets, the ledger, switches, erasure."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from surefoot.bootstrap import encryption_key, load_settings
from surefoot.persistence.checkpoints import sqlite_checkpointer
from surefoot.persistence.controls import Controls
from surefoot.persistence.database import Database, open_database, sqlite_path
from surefoot.persistence.events import SqlEvents
from surefoot.persistence.ledger import SqlLedger
from surefoot.persistence.memory import SqlBehaviour, SqlPreferences
from surefoot.persistence.privacy import Erased, audit, erase_user
from surefoot.persistence.runs import SqlRuns
from surefoot.persistence.tickets import SqlTickets

T = TypeVar("T")


@dataclass(frozen=True)
class Records:
    """The stores of one database, for operators."""

    database: Database
    key: bytes
    runs: SqlRuns
    events: SqlEvents
    tickets: SqlTickets
    ledger: SqlLedger
    controls: Controls
    preferences: SqlPreferences
    behaviour: SqlBehaviour

    async def erase(self, user_id: str, pseudonym: str) -> Erased:
        """Erase one person's values. Raises InputInvalid while something of theirs is not over."""
        async with sqlite_checkpointer(sqlite_path(load_settings().database_url), self.key) as saver:
            return await erase_user(self.database, saver, user_id, pseudonym)

    async def audit(self) -> list[dict[str, Any]]:
        """Return the skeleton of everything that was done."""
        return await audit(self.database)


@asynccontextmanager
async def open_records() -> AsyncIterator[Records]:
    """Open the database of the settings. Raises SettingsInvalid, StorageUnavailable."""
    settings = load_settings()
    key = encryption_key(settings, sqlite_path(settings.database_url))
    database = await open_database(settings.database_url, key)
    try:
        yield Records(
            database,
            key,
            SqlRuns(database),
            SqlEvents(database),
            SqlTickets(database),
            SqlLedger(database),
            Controls(database),
            SqlPreferences(database),
            SqlBehaviour(database),
        )
    finally:
        await database.close()


def with_records(look: Callable[[Records], Awaitable[T]]) -> T:
    """Open the records, look, and close them again."""

    async def run() -> T:
        async with open_records() as records:
            return await look(records)

    return asyncio.run(run())
