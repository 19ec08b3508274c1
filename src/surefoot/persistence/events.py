"""Run events in SQL, written in batches."""

from collections import defaultdict
from typing import Any

from sqlalchemy import func, insert, select

from surefoot.persistence.database import Database
from surefoot.persistence.schema import db_now, run_event
from surefoot.telemetry.events import RunEvent


class SqlEvents:
    """Events in the shared database; :meth:`emit` only remembers, :meth:`flush` writes one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._taken: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)

    def emit(self, run_id: str, kind: str, data: dict[str, Any]) -> None:
        """See :class:`surefoot.telemetry.events.Events`."""
        self._taken[run_id].append((kind, data))

    async def flush(self) -> None:
        """See :class:`surefoot.telemetry.events.Events`."""
        taken, self._taken = self._taken, defaultdict(list)
        if not taken:
            return
        async with self._database.transaction() as connection:
            for run_id, events in taken.items():
                newest = select(func.coalesce(func.max(run_event.c.seq), 0)).where(run_event.c.run_id == run_id)
                last = (await connection.execute(newest)).scalar_one()
                now = (await connection.execute(select(db_now()))).scalar_one()
                rows = [
                    {"run_id": run_id, "seq": last + n, "kind": kind, "data": data, "epoch": 0, "at": now}
                    for n, (kind, data) in enumerate(events, 1)
                ]
                await connection.execute(insert(run_event), rows)

    async def of_run(self, run_id: str, *, after: int = 0) -> list[RunEvent]:
        """See :class:`surefoot.telemetry.events.Events`."""
        async with self._database.transaction() as connection:
            query = select(run_event).where(run_event.c.run_id == run_id, run_event.c.seq > after)
            rows = await connection.execute(query.order_by(run_event.c.seq))
            return [RunEvent(row["run_id"], row["seq"], row["kind"], row["data"], row["at"]) for row in rows.mappings()]
