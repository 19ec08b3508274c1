"""Leases in SQL: a claim is one row with a rising epoch."""

from collections.abc import Callable

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from surefoot.errors import Fenced, ThreadBusy
from surefoot.execution.lease import Lease
from surefoot.persistence.database import Database
from surefoot.persistence.schema import db_now, run_lease


class SqlLeases:
    """Leases in the shared database.

    ``owner_is_dead`` may prove that a lease's owner is gone (a process of this host that no longer runs), so
    that nobody waits for its expiry.
    """

    def __init__(self, database: Database, owner_is_dead: Callable[[str], bool]) -> None:
        self._database, self._owner_is_dead = database, owner_is_dead

    async def claim(self, thread_id: str, run_id: str, owner: str, *, ttl_seconds: float) -> Lease:
        """See :class:`surefoot.execution.lease.Leases`."""
        async with self._database.transaction() as connection:
            query = select(run_lease, db_now().label("now")).where(run_lease.c.thread_id == thread_id)
            row = (await connection.execute(query.with_for_update())).mappings().first()
            if row is None:
                await connection.execute(
                    insert(run_lease).values(
                        thread_id=thread_id, epoch=1, run_id=run_id, owner=owner, expires_at=db_now() + ttl_seconds
                    )
                )
                return Lease(thread_id, run_id, owner, 1)
            if row["expires_at"] > row["now"] and not self._owner_is_dead(row["owner"]):
                raise ThreadBusy(thread_id, row["run_id"])
            epoch = row["epoch"] + 1
            await connection.execute(
                update(run_lease)
                .where(run_lease.c.thread_id == thread_id)
                .values(epoch=epoch, run_id=run_id, owner=owner, expires_at=db_now() + ttl_seconds)
            )
            return Lease(thread_id, run_id, owner, epoch)

    async def renew(self, lease: Lease, *, ttl_seconds: float) -> None:
        """See :class:`surefoot.execution.lease.Leases`."""
        async with self._database.transaction() as connection:
            await check_fence(connection, lease)
            await connection.execute(
                update(run_lease)
                .where(run_lease.c.thread_id == lease.thread_id)
                .values(expires_at=db_now() + ttl_seconds)
            )

    async def release(self, lease: Lease) -> None:
        """See :class:`surefoot.execution.lease.Leases`."""
        async with self._database.transaction() as connection:
            await connection.execute(
                update(run_lease)
                .where(run_lease.c.thread_id == lease.thread_id, run_lease.c.epoch == lease.epoch)
                .values(expires_at=0.0)
            )


async def check_fence(connection: AsyncConnection, lease: Lease) -> None:
    """Refuse to go on when the thread's epoch has moved. ``FOR SHARE`` holds off a takeover until commit.

    Raises:
        Fenced: another worker took over.
    """
    query = select(run_lease.c.epoch).where(run_lease.c.thread_id == lease.thread_id).with_for_update(read=True)
    epoch = (await connection.execute(query)).scalar_one_or_none()
    if epoch != lease.epoch:
        raise Fenced(f"thread {lease.thread_id} is at epoch {epoch}, this worker holds {lease.epoch}")
