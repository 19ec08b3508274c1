"""Opening a database: fresh, again, newer than the program, not ours, not writable."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from langgraph.checkpoint.base import empty_checkpoint
from sqlalchemy import create_engine

from surefoot.errors import StorageUnavailable
from surefoot.persistence.checkpoints import sqlite_checkpointer, strict_serializer
from surefoot.persistence.database import open_database, sqlite_url
from surefoot.persistence.schema import metadata
from surefoot.testing.in_memory import TEST_KEY


async def test_the_migrations_make_exactly_the_tables_of_the_schema(tmp_path: Path) -> None:
    database = await open_database(sqlite_url(tmp_path / "new" / "s.sqlite"), TEST_KEY)
    await database.close()
    engine = create_engine(sqlite_url(tmp_path / "new" / "s.sqlite"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
    engine.dispose()


async def test_many_processes_may_open_a_fresh_file_at_once(tmp_path: Path) -> None:
    opened = await asyncio.gather(*(open_database(sqlite_url(tmp_path / "s.sqlite"), TEST_KEY) for _ in range(4)))
    for database in opened:
        await database.close()


async def test_a_database_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    await (await open_database(sqlite_url(path), TEST_KEY)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StorageUnavailable, match="newer than this program"):
        await open_database(sqlite_url(path), TEST_KEY)


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.write_text("these are my notes, not a database\n" * 100)
    with pytest.raises(StorageUnavailable, match="not a database"):
        await open_database(sqlite_url(path), TEST_KEY)
    assert path.read_text().startswith("these are my notes")


async def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageUnavailable, match="cannot make the folder"):
        await open_database(sqlite_url(tmp_path / "file" / "s.sqlite"), TEST_KEY)


class Mine:
    """A class of ours that must never be built from a checkpoint."""


async def test_a_checkpoint_is_read_back_without_building_any_type_of_ours(tmp_path: Path) -> None:
    serializer = strict_serializer()
    kind, data = serializer.dumps_typed({"a": [1, "x", None, {"b": 2.5}]})
    assert serializer.loads_typed((kind, data)) == {"a": [1, "x", None, {"b": 2.5}]}
    with pytest.raises(TypeError):
        serializer.dumps_typed({"a": Mine()})
    async with sqlite_checkpointer(tmp_path / "c.sqlite", TEST_KEY) as saver:
        config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        await saver.aput(config, empty_checkpoint(), {}, {})  # type: ignore[arg-type]
        assert await saver.aget(config) is not None  # type: ignore[arg-type]
