"""Checkpoints: LangGraph's SQLite saver with a strict, sealed serialiser and a fence, in the ledger's own file."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from surefoot.errors import Fenced
from surefoot.execution.lease import Lease
from surefoot.persistence.sealing import Sealer

ALLOWED_TYPES: tuple[tuple[str, ...], ...] = ()
"""Types of ours that a checkpoint may hold besides LangGraph's own: none. State is JSON-native."""

_FENCE = """
CREATE TEMP TRIGGER fence_{table} BEFORE INSERT ON main.{table}
WHEN surefoot_epoch(NEW.thread_id) IS NOT (SELECT epoch FROM main.run_lease WHERE thread_id = NEW.thread_id)
BEGIN SELECT RAISE(ABORT, 'surefoot: fenced'); END
"""


class FencedSaver(AsyncSqliteSaver):
    """Writes a checkpoint only under the thread's current epoch.

    The check is a trigger of this connection, so it happens in the very statement that writes: between looking
    and writing nobody can take the thread over. :meth:`hold` says which epoch this process has for a thread.
    """

    def __init__(self, connection: aiosqlite.Connection, serde: EncryptedSerializer) -> None:
        super().__init__(connection, serde=serde)
        self._epochs: dict[str, int] = {}

    async def raise_fence(self) -> None:
        """Put the triggers in place; they live as long as the connection."""
        await self.conn.create_function("surefoot_epoch", 1, self._epochs.get)
        tables = await self.conn.execute_fetchall("SELECT 1 FROM sqlite_master WHERE name = 'run_lease'")
        if list(tables):
            for table in ("checkpoints", "writes"):
                await self.conn.execute(_FENCE.format(table=table))

    def hold(self, lease: Lease) -> None:
        """Write this thread's checkpoints under the lease's epoch."""
        self._epochs[lease.thread_id] = lease.epoch

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint. Raises Fenced when the thread was taken over."""
        try:
            return await super().aput(config, checkpoint, metadata, new_versions)
        except sqlite3.IntegrityError as error:
            raise await self._fenced(error) from error

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store a task's writes. Raises Fenced when the thread was taken over."""
        try:
            await super().aput_writes(config, writes, task_id, task_path)
        except sqlite3.IntegrityError as error:
            raise await self._fenced(error) from error

    async def _fenced(self, error: sqlite3.IntegrityError) -> BaseException:
        await self.conn.rollback()
        return Fenced(str(error)) if "surefoot: fenced" in str(error) else error


def strict_serializer() -> JsonPlusSerializer:
    """Return a serialiser that loads nothing but JSON-native values and LangChain's messages."""
    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=ALLOWED_TYPES)


@asynccontextmanager
async def sqlite_checkpointer(path: Path | None, key: bytes) -> AsyncIterator[FencedSaver]:
    """Open the saver on its own connection, in memory without a path. Values are sealed with ``key``.

    ``synchronous=NORMAL`` suffices: a power loss may cost steps, never effects.
    """
    async with aiosqlite.connect(path or ":memory:") as connection:
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=NORMAL"):
            await connection.execute(f"PRAGMA {pragma}")
        saver = FencedSaver(connection, EncryptedSerializer(Sealer(key), strict_serializer()))
        await saver.setup()
        await saver.raise_fence()
        yield saver
