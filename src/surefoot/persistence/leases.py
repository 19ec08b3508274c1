"""Leases in SQL: a claim is one row with a rising epoch."""

from collections.abc import Callable

from sqlalchemy import Connection, bindparam, insert, select, update

from surefoot.errors import Fenced, ThreadBusy
from surefoot.execution.lease import Lease
from surefoot.persistence.database import Database
from surefoot.persistence.prepared import Prepared
from surefoot.persistence.schema import db_now, run_lease

_EPOCH = Prepared(
    select(run_lease.c.epoch).where(run_lease.c.thread_id == bindparam("thread")).with_for_update(read=True)
)


class SqlLeases:
    """Leases in the shared database.

    ``owner_is_dead`` may prove that a lease's owner is gone (a process of this host that no longer runs), so
    that nobody waits for its expiry.
    """

    def __init__(self, database: Database, owner_is_dead: Callable[[str], bool]) -> None:
        self._database, self._owner_is_dead = database, owner_is_dead

    async def claim(self, thread_id: str, run_id: str, owner: str, *, ttl_seconds: float) -> Lease:
        """See :class:`surefoot.execution.lease.Leases`."""
        return await self._database.run(_claim, thread_id, run_id, owner, ttl_seconds, self._owner_is_dead)

    async def renew(self, lease: Lease, *, ttl_seconds: float) -> None:
        """See :class:`surefoot.execution.lease.Leases`."""
        await self._database.run(_renew, lease, ttl_seconds)

    async def release(self, lease: Lease) -> None:
        """See :class:`surefoot.execution.lease.Leases`."""
        await self._database.run(_release, lease)

    async def is_live(self, thread_id: str) -> bool:
        """Return whether a living worker holds the thread."""
        return await self._database.read(_is_live, thread_id, self._owner_is_dead)


def _claim(
    connection: Connection, thread_id: str, run_id: str, owner: str, ttl: float, is_dead: Callable[[str], bool]
) -> Lease:
    query = select(run_lease, db_now().label("now")).where(run_lease.c.thread_id == thread_id)
    row = connection.execute(query.with_for_update()).mappings().first()
    values = {"run_id": run_id, "owner": owner, "expires_at": db_now() + ttl}
    if row is None:
        connection.execute(insert(run_lease).values(thread_id=thread_id, epoch=1, **values))
        return Lease(thread_id, run_id, owner, 1)
    if row["expires_at"] > row["now"] and not is_dead(row["owner"]):
        raise ThreadBusy(thread_id, row["run_id"])
    epoch = row["epoch"] + 1
    mine = run_lease.c.thread_id == thread_id
    connection.execute(update(run_lease).where(mine).values(epoch=epoch, **values))
    return Lease(thread_id, run_id, owner, epoch)


def _renew(connection: Connection, lease: Lease, ttl: float) -> None:
    check_fence(connection, lease)
    mine = run_lease.c.thread_id == lease.thread_id
    connection.execute(update(run_lease).where(mine).values(expires_at=db_now() + ttl))


def _release(connection: Connection, lease: Lease) -> None:
    mine = (run_lease.c.thread_id == lease.thread_id) & (run_lease.c.epoch == lease.epoch)
    connection.execute(update(run_lease).where(mine).values(expires_at=0.0))


def _is_live(connection: Connection, thread_id: str, is_dead: Callable[[str], bool]) -> bool:
    query = select(run_lease.c.owner).where(run_lease.c.thread_id == thread_id, run_lease.c.expires_at > db_now())
    owner = connection.execute(query).scalar()
    return owner is not None and not is_dead(owner)


def check_fence(connection: Connection, lease: Lease) -> None:
    """Refuse to go on when the thread's epoch has moved. ``FOR SHARE`` holds off a takeover until commit.

    Raises:
        Fenced: another worker took over.
    """
    row = _EPOCH.first(connection, thread=lease.thread_id)
    epoch = row[0] if row else None
    if epoch != lease.epoch:
        raise Fenced(f"thread {lease.thread_id} is at epoch {epoch}, this worker holds {lease.epoch}")
