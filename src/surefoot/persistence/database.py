"""One database for ledger, consents, leases, events and runs; SQLite embedded, PostgreSQL at scale."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import AsyncAdaptedQueuePool, Connection, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from surefoot.errors import StorageUnavailable
from surefoot.persistence.schema import db_now

HEAD = "0001"
"""The migration this code needs; bumped together with a new file in ``migrations/versions``."""


class Database:
    """An engine and its transactions. A transaction takes SQLite's write lock at once (``BEGIN IMMEDIATE``)."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open one transaction; commit at the end, roll back on any exception.

        Raises:
            StorageUnavailable: the database is locked for too long, full, read-only or damaged.
        """
        try:
            async with self.engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise StorageUnavailable(f"the database refused: {error.orig}") from error

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
        async with self.transaction() as connection:
            return float((await connection.execute(select(db_now()))).scalar_one())

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()


async def open_database(url: str) -> Database:
    """Open the database and bring its tables up to date.

    Raises:
        StorageUnavailable: it cannot be opened, is no database of ours, or is newer than this program.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database and parsed.database != ":memory:":
        _check_folder(Path(parsed.database))
    engine = _sqlite(url) if parsed.get_backend_name() == "sqlite" else create_async_engine(url)
    database = Database(engine)
    try:
        async with database.transaction() as connection:
            await connection.run_sync(_migrate)
    except BaseException:
        await database.close()
        raise
    return database


def _check_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable(f"cannot make the folder {path.parent}: {error.strerror}") from error


def _sqlite(url: str) -> AsyncEngine:
    engine = create_async_engine(url, poolclass=AsyncAdaptedQueuePool, pool_size=1, max_overflow=0, pool_timeout=60)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _migrate(connection: Connection) -> None:
    if inspect(connection).has_table("alembic_version"):
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found == HEAD:
            return
        if found is not None and found > HEAD:
            raise StorageUnavailable(f"the database is at schema {found}, newer than this program ({HEAD}); upgrade it")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file."""
    return f"sqlite+aiosqlite:///{path}"
