"""The table of runs: who asked what on which thread, and how it stands."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update

from surefoot.errors import RunNotFound, ThreadBusy
from surefoot.execution.lease import Lease
from surefoot.persistence.database import Database
from surefoot.persistence.leases import check_fence
from surefoot.persistence.schema import db_now, run

OPEN = ("running", "waiting")


@dataclass(frozen=True)
class Run:
    """One run. ``at`` is the fixed business time of ``--at`` (ISO 8601) or ``None``."""

    run_id: str
    thread_id: str
    user_id: str
    app: str
    request: str
    lang: str
    at: str | None
    options: dict[str, Any]
    status: str = "running"
    resumes: int = 0
    answer: list[dict[str, Any]] | None = None
    created_at: float = 0.0
    updated_at: float = 0.0


class SqlRuns:
    """Runs in the shared database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, new: Run) -> None:
        """Write a new run.

        Raises:
            ThreadBusy: the thread has a run that is running or waiting.
        """
        async with self._database.transaction() as connection:
            query = (
                select(run.c.run_id).where(run.c.thread_id == new.thread_id, run.c.status.in_(OPEN)).with_for_update()
            )
            other = (await connection.execute(query)).scalar()
            if other is not None:
                raise ThreadBusy(new.thread_id, other)
            await connection.execute(
                insert(run).values(
                    run_id=new.run_id,
                    thread_id=new.thread_id,
                    user_id=new.user_id,
                    app=new.app,
                    request=new.request,
                    lang=new.lang,
                    at=new.at,
                    options=new.options,
                    status=new.status,
                    resumes=0,
                    epoch=0,
                    created_at=db_now(),
                    updated_at=db_now(),
                )
            )

    async def get(self, run_id: str) -> Run:
        """Return one run. Raises RunNotFound."""
        async with self._database.transaction() as connection:
            row = (await connection.execute(select(run).where(run.c.run_id == run_id))).mappings().first()
        if row is None:
            raise RunNotFound(f"there is no run {run_id}; `surefoot runs` lists them")
        return Run(**{name: row[name] for name in Run.__dataclass_fields__})

    async def newest(self, *, limit: int = 20) -> list[Run]:
        """Return the newest runs."""
        async with self._database.transaction() as connection:
            rows = await connection.execute(select(run).order_by(run.c.created_at.desc()).limit(limit))
            return [Run(**{name: row[name] for name in Run.__dataclass_fields__}) for row in rows.mappings()]

    async def resumed(self, run_id: str, lease: Lease) -> int:
        """Count one resume, durably, and return how many there were."""
        return int(await self._set(run_id, lease, status="running", resumes=run.c.resumes + 1))

    async def finish(
        self, run_id: str, lease: Lease, *, status: str, answer: list[dict[str, Any]] | None = None
    ) -> None:
        """Write how the run stands. Raises Fenced."""
        await self._set(run_id, lease, status=status, answer=answer)

    async def _set(self, run_id: str, lease: Lease, **values: Any) -> int:
        async with self._database.transaction() as connection:
            await check_fence(connection, lease)
            await connection.execute(
                update(run).where(run.c.run_id == run_id).values(**values, epoch=lease.epoch, updated_at=db_now())
            )
            return int((await connection.execute(select(run.c.resumes).where(run.c.run_id == run_id))).scalar_one())
