"""The tables, one definition for SQLite and PostgreSQL. Every row has an epoch from the first day.

Times are seconds since 1970 on the database's clock (:class:`db_now`); expiry never trusts a worker's clock.
What people wrote, and what was sent and answered for them, is sealed at rest (:class:`SealedJSON`).
"""

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from surefoot.persistence.sealing import SealedJSON

metadata = MetaData()


class db_now(FunctionElement[float]):
    """The database's clock, in seconds since 1970."""

    type = Float()
    inherit_cache = True
    name = "db_now"


@compiles(db_now, "sqlite")
def _sqlite_now(element: Any, compiler: Any, **kw: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(db_now, "postgresql")
def _postgresql_now(element: Any, compiler: Any, **kw: Any) -> str:
    return "extract(epoch from clock_timestamp())"


run_lease = Table(
    "run_lease",
    metadata,
    Column("thread_id", String, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("run_id", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("expires_at", Float, nullable=False),
)

run = Table(
    "run",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("thread_id", String, nullable=False, index=True),
    Column("user_id", String, nullable=False, index=True),
    Column("app", String, nullable=False),
    Column("request", SealedJSON, nullable=False),
    Column("lang", String, nullable=False),
    Column("at", String),
    Column("options", SealedJSON, nullable=False),
    Column("status", String, nullable=False),
    Column("resumes", Integer, nullable=False),
    Column("answer", SealedJSON),
    Column("epoch", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
)

effect = Table(
    "effect",
    metadata,
    Column("effect_id", String, primary_key=True),
    Column("seq", Integer, nullable=False, unique=True),
    Column("call_id", String, nullable=False, index=True),
    Column("run_id", String, nullable=False, index=True),
    Column("thread_id", String, nullable=False),
    Column("step_id", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("contract_version", Integer, nullable=False),
    Column("arguments", SealedJSON, nullable=False),
    Column("args_hash", String, nullable=False),
    Column("base", String, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
    Column("deadline_at", Float, nullable=False),
    Column("undo_on_failure", Boolean, nullable=False),
    Column("commit_seq", Integer, unique=True),
    Column("result", SealedJSON),
    Column("error", SealedJSON),
    Column("before", SealedJSON),
    Column("undoes", String, ForeignKey("effect.effect_id")),
    Column("consent_id", String),
    Column("epoch", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
    UniqueConstraint("base", "generation", name="effect_request"),
)

effect_event = Table(
    "effect_event",
    metadata,
    Column("effect_id", String, ForeignKey("effect.effect_id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("event", String, nullable=False),
    Column("writer", String, nullable=False),
    Column("state", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

consent = Table(
    "consent",
    metadata,
    Column("consent_id", String, primary_key=True),
    Column("card_id", String, nullable=False, unique=True),
    Column("run_id", String, nullable=False, index=True),
    Column("call_id", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("args_hash", String, nullable=False),
    Column("contract_version", Integer, nullable=False),
    Column("plan_version", Integer, nullable=False),
    Column("via", String, nullable=False),
    Column("card", SealedJSON, nullable=False),
    Column("shown", String, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("decided_at", Float, nullable=False),
    Column("spent_at", Float),
    Column("spent_by", String),
    Column("epoch", Integer, nullable=False),
)

offer = Table(
    "offer",
    metadata,
    Column("card_id", String, primary_key=True),
    Column("call_id", String, nullable=False, index=True),
    Column("user_id", String, nullable=False),
    Column("content", String, nullable=False),
    Column("card", SealedJSON, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("epoch", Integer, nullable=False),
)
"""Cards that hosts without a state of their own have shown: the same card is shown again after a restart."""

run_event = Table(
    "run_event",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("data", SealedJSON, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

ticket = Table(
    "ticket",
    metadata,
    Column("ticket_id", String, primary_key=True),
    Column("run_id", String, nullable=False, index=True),
    Column("user_id", String, nullable=False),
    Column("status", String, nullable=False),
    Column("record", SealedJSON, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
)

control = Table(
    "control",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", String, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("updated_at", Float, nullable=False),
)

preference = Table(
    "preference",
    metadata,
    Column("user_id", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("item", SealedJSON, nullable=False),
    Column("expires_at", Float),
    Column("epoch", Integer, nullable=False),
    Column("updated_at", Float, nullable=False),
)

observation = Table(
    "observation",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("user_id", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("seen", SealedJSON, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
)

original = Table(
    "original",
    metadata,
    Column("user_id", String, primary_key=True),
    Column("digest", String, primary_key=True),
    Column("text", SealedJSON, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
)

Index("run_open", run.c.thread_id, run.c.status)
