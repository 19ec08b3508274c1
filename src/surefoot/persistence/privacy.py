"""Erasure of one person's values that keeps the skeleton of what was done, and the audit export."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update

from surefoot.errors import InputInvalid
from surefoot.execution.protocol import UNSETTLED
from surefoot.persistence.checkpoints import FencedSaver
from surefoot.persistence.database import Database
from surefoot.persistence.runs import OPEN
from surefoot.persistence.schema import (
    consent,
    effect,
    effect_event,
    observation,
    offer,
    original,
    preference,
    run,
    run_event,
    ticket,
)
from surefoot.texts import Text

SKELETON: dict[Table, tuple[str, ...]] = {
    run: ("run_id", "thread_id", "user_id", "app", "status", "resumes", "created_at", "updated_at"),
    effect: (
        "effect_id", "seq", "run_id", "step_id", "user_id", "tool", "contract_version", "state", "attempts",
        "commit_seq", "undoes", "consent_id", "created_at", "updated_at",
    ),
    consent: (
        "consent_id", "run_id", "user_id", "tool", "contract_version", "via", "decided_at", "spent_at", "spent_by",
    ),
    effect_event: ("effect_id", "seq", "event", "writer", "state", "epoch", "at"),
    ticket: ("ticket_id", "run_id", "user_id", "status", "created_at", "updated_at"),
}  # fmt: skip
"""What an audit may show: who did what when and how it ended, never the values."""


@dataclass(frozen=True)
class Erased:
    """How many rows lost their values, and under which name the skeleton goes on."""

    pseudonym: str
    runs: int
    effects: int


async def erase_user(database: Database, saver: FencedSaver, user_id: str, pseudonym: str) -> Erased:
    """Take every private value of one person out of ledger, consents, events, tickets, runs, memory and checkpoints.

    The skeleton (which tool, which state, when, with whose consent) stays under ``pseudonym``.

    Raises:
        InputInvalid: the person has a run that is not over, or an effect that is not settled.
    """
    threads, erased = await database.run(_erase, user_id, pseudonym)
    for thread_id in threads:
        await saver.adelete_thread(thread_id)
    await database.run(_forget_pages)
    return erased


def _erase(connection: Connection, user_id: str, pseudonym: str) -> tuple[list[str], Erased]:
    _refuse_open(connection, user_id)
    runs = connection.execute(select(run.c.run_id, run.c.thread_id).where(run.c.user_id == user_id)).all()
    ids = [row.run_id for row in runs]
    values: dict[str, Any] = {
        "user_id": pseudonym,
        "arguments": {},
        "result": None,
        "error": None,
        "before": None,
        "args_hash": "erased",
    }
    values["base"] = "erased:" + effect.c.effect_id
    effects = connection.execute(update(effect).where(effect.c.user_id == user_id).values(**values)).rowcount
    connection.execute(
        update(consent).where(consent.c.user_id == user_id).values(user_id=pseudonym, args_hash="erased", card={})
    )
    for table in (offer, preference, observation, original):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    connection.execute(update(run_event).where(run_event.c.run_id.in_(ids)).values(data={}))
    connection.execute(update(ticket).where(ticket.c.run_id.in_(ids)).values(user_id=pseudonym, record={}))
    connection.execute(
        update(run).where(run.c.user_id == user_id).values(user_id=pseudonym, request="", answer=None, options={})
    )
    return sorted({row.thread_id for row in runs}), Erased(pseudonym, len(ids), effects)


def _refuse_open(connection: Connection, user_id: str) -> None:
    open_runs = connection.execute(
        select(run.c.run_id).where(run.c.user_id == user_id, run.c.status.in_(OPEN))
    ).scalars().all()  # fmt: skip
    unsettled = connection.execute(
        select(effect.c.effect_id).where(effect.c.user_id == user_id, effect.c.state.in_(sorted(UNSETTLED)))
    ).scalars().all()  # fmt: skip
    if open_runs or unsettled:
        names = ", ".join([*open_runs, *unsettled])
        raise InputInvalid(
            Text(
                f"还有没有结束的事，先处理完再删除：{names}",
                f"These are not over yet; settle them before erasing: {names}",
            )
        )


def _forget_pages(connection: Connection) -> None:
    """Overwrite what SQLite keeps of deleted rows in free pages and in the write-ahead log."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def audit(database: Database) -> list[dict[str, Any]]:
    """Return the skeleton of everything that was done, oldest first per kind, as JSON-native rows with ``kind``."""
    return await database.read(lambda connection: list(_audit(connection)))


def _audit(connection: Connection) -> Iterator[dict[str, Any]]:
    for table, columns in SKELETON.items():
        for row in connection.execute(select(*(table.c[name] for name in columns))).mappings():
            yield {"kind": table.name, **row}
