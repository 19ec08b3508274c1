"""The table of runs: who asked what on which thread, and how it stands."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from surefoot.errors import InputInvalid, RunNotFound, ThreadBusy
from surefoot.execution.lease import Lease
from surefoot.persistence.database import Database
from surefoot.persistence.leases import check_fence
from surefoot.persistence.schema import db_now, run
from surefoot.texts import Text

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
            InputInvalid: the thread is another person's: what it remembers is theirs.
        """
        await self._database.run(_add, new)

    async def get(self, run_id: str) -> Run:
        """Return one run. Raises RunNotFound."""
        found = await self._database.read(_read, select(run).where(run.c.run_id == run_id))
        if not found:
            raise RunNotFound(f"there is no run {run_id}; `surefoot runs` lists them")
        return found[0]

    async def newest(self, *, limit: int = 20) -> list[Run]:
        """Return the newest runs."""
        return await self._database.read(_read, select(run).order_by(run.c.created_at.desc()).limit(limit))

    async def resumed(self, run_id: str, lease: Lease) -> None:
        """Count one resume, durably. Raises Fenced."""
        await self._database.run(_set, run_id, lease, {"status": "running", "resumes": run.c.resumes + 1})

    async def finish(
        self, run_id: str, lease: Lease, *, status: str, answer: list[dict[str, Any]] | None = None
    ) -> None:
        """Write how the run stands. Raises Fenced."""
        await self._database.run(_set, run_id, lease, {"status": status, "answer": answer})


def _add(connection: Connection, new: Run) -> None:
    others = select(run.c.run_id).where(run.c.thread_id == new.thread_id, run.c.user_id != new.user_id).limit(1)
    if connection.execute(others).scalar() is not None:
        raise InputInvalid(
            Text(
                f"对话 {new.thread_id} 是别人的，请另开一个。",
                f"Thread {new.thread_id} is another person's; begin one of your own.",
            )
        )
    query = select(run.c.run_id).where(run.c.thread_id == new.thread_id, run.c.status.in_(OPEN)).with_for_update()
    other = connection.execute(query).scalar()
    if other is not None:
        raise ThreadBusy(new.thread_id, other)
    connection.execute(
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


def _read(connection: Connection, query: Any) -> list[Run]:
    rows = connection.execute(query).mappings()
    return [Run(**{name: row[name] for name in Run.__dataclass_fields__}) for row in rows]


def _set(connection: Connection, run_id: str, lease: Lease, values: dict[str, Any]) -> None:
    check_fence(connection, lease)
    mine = run.c.run_id == run_id
    connection.execute(update(run).where(mine).values(**values, epoch=lease.epoch, updated_at=db_now()))
