"""One database for ledger, consents, leases, events and runs; SQLite embedded, PostgreSQL at scale.

A transaction is one plain function that runs in a thread of the database: one hop per transaction, and nothing
that is cancelled on the event loop can leave a transaction half done.
"""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from surefoot.errors import StorageUnavailable
from surefoot.persistence.lane import Lane
from surefoot.persistence.prepared import Prepared, driver
from surefoot.persistence.schema import db_now
from surefoot.persistence.sealing import Sealer, seal_with

HEAD = "0003"
"""The migration this code needs; bumped together with a new file in ``migrations/versions``."""

BUSY_SECONDS = 30
"""How long a writer waits for others before it gives up."""

CLOCK_SECONDS = 60.0

P = ParamSpec("P")
T = TypeVar("T")


class Database:
    """An engine, one connection, and the thread that its transactions run in.

    A writing transaction takes SQLite's write lock at once (``BEGIN IMMEDIATE``): it waits before it has done
    anything, and never fails half way for another writer's sake.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._clock: tuple[float, float] | None = None
        self._lane = Lane("surefoot-db")

    async def run(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work(connection, ...)`` as one transaction: committed at its end, rolled back on any exception.

        Raises:
            StorageUnavailable: the database is locked for too long, full, read-only or damaged.
        """
        return await self._lane.run(lambda: self._transaction(work, "BEGIN IMMEDIATE", *args, **kwargs))

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work`` on one consistent snapshot; it must not write. In SQLite it waits for no writer.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        return await self._lane.run(lambda: self._transaction(work, "BEGIN", *args, **kwargs))

    def _transaction(
        self, work: Callable[Concatenate[Connection, P], T], begin: str, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        connection = self._connection or self._connect()
        try:
            raw = driver(connection)
            raw.execute(begin)
            try:
                result = work(connection, *args, **kwargs)
                raw.execute("COMMIT")
            except BaseException:
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
                raise
        except (DBAPIError, sqlite3.Error) as error:
            raise StorageUnavailable(f"the database refused: {getattr(error, 'orig', error)}") from error
        return result

    def _connect(self) -> Connection:
        """Open the one connection of the database's thread. SQLAlchemy leaves transactions to us on it."""
        try:
            self._connection = self._engine.connect()
        except DBAPIError as error:
            raise StorageUnavailable(f"the database cannot be opened: {error.orig}") from error
        return self._connection

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970.

        Asked once a minute and carried on with the monotonic clock; what must not be wrong (spending a consent,
        taking a lease) compares inside its own transaction.
        """
        if self._clock is None or time.monotonic() - self._clock[0] > CLOCK_SECONDS:
            before = time.monotonic()
            self._clock = (before, await self.read(read_clock))
        asked, answer = self._clock
        return answer + time.monotonic() - asked

    async def close(self) -> None:
        """Close the connection and the thread."""
        await self._lane.run(self._close)
        self._lane.close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


_CLOCK = Prepared(select(db_now()))


def read_clock(connection: Connection) -> float:
    """Return the database's clock inside a transaction."""
    return float(_CLOCK.rows(connection)[0][0])


async def open_database(url: str, key: bytes) -> Database:
    """Open the database and bring its tables up to date. ``key`` (32 bytes) seals private values at rest.

    Raises:
        StorageUnavailable: it cannot be opened, is no database of ours, or is newer than this program.
    """
    path = sqlite_path(url)
    if path is not None:
        _check_folder(path)
    engine = _engine(url)
    seal_with(engine.dialect, Sealer(key))
    database = Database(engine)
    try:
        if not await database.read(_is_current):
            await database.run(_migrate)
    except BaseException:
        await database.close()
        raise
    return database


def sqlite_path(url: str) -> Path | None:
    """Return the file of an SQLite URL, or ``None`` when there is none (in memory, or another database)."""
    parsed = make_url(url)
    name = parsed.database or ":memory:"
    if parsed.get_backend_name() != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file."""
    return f"sqlite:///{path}"


def _check_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable(f"cannot make the folder {path.parent}: {error.strerror}") from error


def _engine(url: str) -> Engine:
    engine = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0, isolation_level="AUTOCOMMIT")

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _is_current(connection: Connection) -> bool:
    """Return whether the tables are those of this program."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if found is not None and found > HEAD:
        raise StorageUnavailable(f"the database is at schema {found}, newer than this program ({HEAD}); upgrade it")
    return bool(found == HEAD)


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
