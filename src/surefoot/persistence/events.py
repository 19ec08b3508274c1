"""Run events in SQL, written in batches."""

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, func, insert, select

from surefoot.persistence.database import Database
from surefoot.persistence.schema import run_event
from surefoot.telemetry.events import RunEvent

Taken = dict[str, list[tuple[float, str, dict[str, Any]]]]


class SqlEvents:
    """Events in the shared database; :meth:`emit` only remembers, :meth:`flush` writes one transaction."""

    def __init__(self, database: Database, wall: Callable[[], float] = time.time) -> None:
        self._database, self._wall = database, wall
        self._taken: Taken = defaultdict(list)

    def emit(self, run_id: str, kind: str, data: dict[str, Any]) -> None:
        """See :class:`surefoot.telemetry.events.Events`."""
        self._taken[run_id].append((self._wall(), kind, data))

    async def flush(self) -> None:
        """See :class:`surefoot.telemetry.events.Events`."""
        taken, self._taken = self._taken, defaultdict(list)
        if taken:
            await self._database.run(_write, taken)

    async def of_run(self, run_id: str, *, after: int = 0) -> list[RunEvent]:
        """See :class:`surefoot.telemetry.events.Events`."""
        return await self._database.read(_of_run, run_id, after)


def _write(connection: Connection, taken: Taken) -> None:
    for run_id, events in taken.items():
        newest = select(func.coalesce(func.max(run_event.c.seq), 0)).where(run_event.c.run_id == run_id)
        last = connection.execute(newest).scalar_one()
        rows = [
            {"run_id": run_id, "seq": last + n, "kind": kind, "data": data, "epoch": 0, "at": at}
            for n, (at, kind, data) in enumerate(events, 1)
        ]
        connection.execute(insert(run_event), rows)


def _of_run(connection: Connection, run_id: str, after: int) -> list[RunEvent]:
    query = select(run_event).where(run_event.c.run_id == run_id, run_event.c.seq > after).order_by(run_event.c.seq)
    rows = connection.execute(query).mappings()
    return [RunEvent(row["run_id"], row["seq"], row["kind"], row["data"], row["at"]) for row in rows]
