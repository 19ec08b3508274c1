"""Switches for operators, in the shared database, so that one command reaches every process."""

from sqlalchemy import Connection, delete, insert, select

from surefoot.errors import WritesPaused
from surefoot.persistence.database import Database
from surefoot.persistence.prepared import Prepared
from surefoot.persistence.schema import control, db_now

WRITES = "writes"
_PAUSED = Prepared(select(control.c.value).where(control.c.name == WRITES))


class Controls:
    """The switch that pauses all writes, undo among them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def pause_writes(self, why: str) -> None:
        """Let no new intent through, in any process, until :meth:`allow_writes`."""
        await self._database.run(_pause, why)

    async def allow_writes(self) -> None:
        """Let intents through again."""
        await self._database.run(_allow)

    async def writes_paused(self) -> str | None:
        """Return why writes are paused, or ``None``."""
        return await self._database.read(_why)


def _allow(connection: Connection) -> None:
    connection.execute(delete(control).where(control.c.name == WRITES))


def _pause(connection: Connection, why: str) -> None:
    _allow(connection)
    connection.execute(insert(control).values(name=WRITES, value=why, epoch=0, updated_at=db_now()))


def _why(connection: Connection) -> str | None:
    row = _PAUSED.first(connection)
    return str(row[0]) if row else None


def refuse_when_paused(connection: Connection) -> None:
    """Stop an intent inside its transaction. Raises WritesPaused."""
    why = _why(connection)
    if why is not None:
        raise WritesPaused(f"all writes are paused: {why}")
