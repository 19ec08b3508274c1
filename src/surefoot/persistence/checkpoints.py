"""Checkpoints: LangGraph's SQLite saver with a strict serialiser, in the same file as the ledger."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

ALLOWED_TYPES: tuple[tuple[str, ...], ...] = ()
"""Types of ours that a checkpoint may hold besides LangGraph's own: none. State is JSON-native."""


def strict_serializer() -> JsonPlusSerializer:
    """Return a serialiser that loads nothing but JSON-native values and LangChain's messages."""
    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=ALLOWED_TYPES)


@asynccontextmanager
async def sqlite_checkpointer(path: Path | None) -> AsyncIterator[AsyncSqliteSaver]:
    """Open the saver on its own connection, in memory without a path.

    ``synchronous=NORMAL`` suffices: a power loss may cost steps, never effects.
    """
    async with aiosqlite.connect(path or ":memory:") as connection:
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=NORMAL"):
            await connection.execute(f"PRAGMA {pragma}")
        saver = AsyncSqliteSaver(connection, serde=strict_serializer())
        await saver.setup()
        yield saver
