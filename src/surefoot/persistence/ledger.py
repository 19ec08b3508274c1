"""The effect ledger in SQL. Each method is one transaction, written as one plain function."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Float, bindparam, func, insert, or_, select, update

from surefoot.errors import ConsentRefused, IdentityConflict
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Begun, Effect, Intent
from surefoot.execution.protocol import MAY_EXIST, UNSETTLED, Event, State, Writer, advance
from surefoot.persistence.consents import spend_consent
from surefoot.persistence.controls import refuse_when_paused
from surefoot.persistence.database import Database
from surefoot.persistence.leases import check_fence
from surefoot.persistence.prepared import Prepared
from surefoot.persistence.schema import db_now, effect, effect_event

_FIELDS = [effect.c[name] for name in Effect.__dataclass_fields__]
_BY_ID = Prepared(select(*_FIELDS).where(effect.c.effect_id == bindparam("id")).with_for_update(), _FIELDS)
_NEWEST_OF_CALL = Prepared(
    select(*_FIELDS).where(effect.c.call_id == bindparam("call")).order_by(effect.c.seq.desc()).limit(1), _FIELDS
)
_COUNT_OF_CALL = Prepared(select(func.count()).where(effect.c.call_id == bindparam("call")))
_STANDING = Prepared(
    select(*_FIELDS)
    .where(effect.c.base == bindparam("base"), or_(*(effect.c.state == state.value for state in sorted(MAY_EXIST))))
    .order_by(effect.c.seq),
    _FIELDS,
)
_FAMILY = Prepared(
    select(effect.c.effect_id, effect.c.call_id, effect.c.state).where(effect.c.base == bindparam("base"))
)  # fmt: skip
_NEXT_SEQ = select(func.coalesce(func.max(effect.c.seq), 0) + 1).scalar_subquery()
_NEXT_COMMIT = select(func.coalesce(func.max(effect.c.commit_seq), 0) + 1).scalar_subquery()
_GIVEN = (
    "effect_id", "call_id", "run_id", "thread_id", "step_id", "user_id", "tool", "contract_version", "arguments",
    "args_hash", "base", "generation", "undo_on_failure", "undoes", "consent_id", "before", "epoch",
)  # fmt: skip
_INSERT = Prepared(
    insert(effect)
    .values(
        {name: bindparam(name) for name in _GIVEN}
        | {"state": State.INTENDED.value, "attempts": 1, "seq": _NEXT_SEQ, "created_at": db_now()}
        | {"deadline_at": db_now() + bindparam("timeout", type_=Float), "updated_at": db_now()}
    )
    .returning(effect.c.deadline_at)
)
_RESEND = Prepared(
    update(effect)
    .where(effect.c.effect_id == bindparam("id"))
    .values(
        state=bindparam("to"),
        epoch=bindparam("by"),
        attempts=effect.c.attempts + 1,
        deadline_at=db_now() + bindparam("timeout", type_=Float),
        updated_at=db_now(),
    )
    .returning(effect.c.deadline_at)
)
_MOVE = Prepared(
    update(effect)
    .where(effect.c.effect_id == bindparam("id"))
    .values(state=bindparam("to"), error=bindparam("why"), updated_at=db_now())
)
_COMMIT = Prepared(
    update(effect)
    .where(effect.c.effect_id == bindparam("id"))
    .values(
        state=State.COMMITTED.value,
        commit_seq=_NEXT_COMMIT,
        result=bindparam("what"),
        error=None,
        updated_at=db_now(),
    )
    .returning(effect.c.commit_seq)
)
_LOG = Prepared(
    insert(effect_event).values(
        effect_id=bindparam("id"),
        seq=select(func.coalesce(func.max(effect_event.c.seq), 0) + 1)
        .where(effect_event.c.effect_id == bindparam("id"))
        .scalar_subquery(),
        event=bindparam("event"),
        writer=bindparam("writer"),
        state=bindparam("state"),
        epoch=bindparam("epoch"),
        at=db_now(),
    )
)


class SqlLedger:
    """The ledger in the shared database; :class:`surefoot.execution.ledger.Ledger` says what each method promises."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, intent: Intent, *, lease: Lease) -> Begun:
        """Check the epoch, spend the consent and write the intent, all or nothing."""
        return await self._database.run(_begin, intent, lease)

    async def record(
        self,
        effect_id: str,
        event: Event,
        writer: Writer,
        *,
        result: dict[str, Any] | None = None,
        error: dict[str, Any] | None = None,
        lease: Lease | None = None,
        attempt: int | None = None,
    ) -> Effect:
        """Apply one event of the protocol's table."""
        return await self._database.run(_record, effect_id, event, writer, result, error, lease, attempt)

    async def get(self, effect_id: str) -> Effect:
        """Return one effect. Raises KeyError."""
        return await self._database.read(_get, effect_id)

    async def by_call(self, call_id: str) -> Effect | None:
        """Return the newest effect of a call."""
        return await self._database.read(_newest, call_id)

    async def same_request(self, base: str) -> list[Effect]:
        """Return the effects of one request that may exist in the world, oldest first."""
        return await self._database.read(_standing, base)

    async def of_run(self, run_id: str) -> list[Effect]:
        """Return a run's effects in the order of their intents."""
        return await self._many(effect.c.run_id == run_id)

    async def of_thread(self, thread_id: str) -> list[Effect]:
        """Return a thread's effects in the order of their intents."""
        return await self._many(effect.c.thread_id == thread_id)

    async def unsettled(self) -> list[Effect]:
        """Return every effect that is intended, unknown or compensating."""
        return await self._many(effect.c.state.in_(sorted(UNSETTLED)))

    async def all(self, *, limit: int = 100) -> list[Effect]:
        """Return the newest effects."""
        return await self._database.read(_rows, select(*_FIELDS).order_by(effect.c.seq.desc()).limit(limit))

    async def events_of(self, effect_id: str) -> list[dict[str, Any]]:
        """Return an effect's history: ``{"event", "writer", "state", "epoch", "at"}`` in order."""
        return await self._database.read(_events_of, effect_id)

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
        return await self._database.now()

    async def _many(self, *where: Any) -> list[Effect]:
        return await self._database.read(_rows, select(*_FIELDS).where(*where).order_by(effect.c.seq))


def _begin(connection: Connection, intent: Intent, lease: Lease) -> Begun:
    check_fence(connection, lease)
    last = _newest(connection, intent.call_id)
    if last is not None and last.state in MAY_EXIST:
        if (last.tool, last.args_hash) != (intent.tool, intent.args_hash):
            raise IdentityConflict(f"call {intent.call_id} stands in the ledger with other arguments")
        return Begun(last, fresh=False)
    refuse_when_paused(connection)
    same = last is not None and (last.tool, last.args_hash) == (intent.tool, intent.args_hash)
    if last is not None and same and last.state in (State.NOT_SENT, State.ABSENT):
        return Begun(_resend(connection, last, intent, lease), fresh=True)
    if last is not None and same and last.consent_id is not None and last.consent_id == intent.consent_id:
        return Begun(last, fresh=False)
    return Begun(_first(connection, intent, lease), fresh=True)


def _first(connection: Connection, intent: Intent, lease: Lease) -> Effect:
    family = _FAMILY.rows(connection, base=intent.base)
    generation = len(family) + 1
    ((tries,),) = _COUNT_OF_CALL.rows(connection, call=intent.call_id)
    effect_id = f"{intent.call_id}#{tries + 1}"
    shown = spend_consent(connection, intent, effect_id) if intent.consent_id else []
    _refuse_twins(intent, family, shown)
    values: dict[str, Any] = {
        "effect_id": effect_id,
        "call_id": intent.call_id,
        "run_id": intent.run_id,
        "thread_id": intent.thread_id,
        "step_id": intent.step_id,
        "user_id": intent.user_id,
        "tool": intent.tool,
        "contract_version": intent.contract_version,
        "arguments": intent.arguments,
        "args_hash": intent.args_hash,
        "base": intent.base,
        "generation": generation,
        "undo_on_failure": intent.undo_on_failure,
        "undoes": intent.undoes,
        "consent_id": intent.consent_id,
        "before": intent.before,
        "epoch": lease.epoch,
    }
    (deadline_at,) = _INSERT.rows(connection, **values, timeout=intent.timeout_seconds)[0]
    begun = Effect(**values, state=State.INTENDED, attempts=1, deadline_at=deadline_at)
    if intent.undoes is not None:
        _move(connection, _get(connection, intent.undoes), Event.UNDO_BEGUN, Writer.WORKER, lease.epoch)
    return begun


def _refuse_twins(intent: Intent, family: list[tuple[Any, ...]], shown: list[str]) -> None:
    twins = [(name, state) for name, call, state in family if state in MAY_EXIST and call != intent.call_id]
    for name, state in twins:
        if state != State.COMMITTED:
            raise IdentityConflict(f"the same request is still being settled as {name}")
    unseen = [name for name, _ in twins if name not in shown]
    if unseen and intent.undoes is None:
        raise ConsentRefused("changed", f"the same request was committed meanwhile as {unseen[0]}")


def _resend(connection: Connection, last: Effect, intent: Intent, lease: Lease) -> Effect:
    state = advance(last.state, Event.RESEND, Writer.WORKER)
    values = {"id": last.effect_id, "to": state.value, "by": lease.epoch, "timeout": intent.timeout_seconds}
    (deadline_at,) = _RESEND.rows(connection, **values)[0]
    sent = replace(last, state=state, epoch=lease.epoch, attempts=last.attempts + 1, deadline_at=deadline_at)
    _log(connection, last.effect_id, Event.RESEND, Writer.WORKER, state, lease.epoch)
    return sent


def _record(
    connection: Connection,
    effect_id: str,
    event: Event,
    writer: Writer,
    result: dict[str, Any] | None,
    error: dict[str, Any] | None,
    lease: Lease | None,
    attempt: int | None,
) -> Effect:
    if lease is not None:
        check_fence(connection, lease)
    before = _get(connection, effect_id)
    if attempt is not None and attempt < before.attempts and event is not Event.SUCCEEDED:
        return before
    epoch = lease.epoch if lease else before.epoch
    after = _move(connection, before, event, writer, epoch, result=result, error=error)
    if before.undoes is not None and after.state is not before.state:
        _settle_original(connection, before.undoes, after.state, writer, epoch)
    return after


def _move(
    connection: Connection,
    before: Effect,
    event: Event,
    writer: Writer,
    epoch: int,
    *,
    result: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
) -> Effect:
    state = advance(before.state, event, writer)
    if state is State.COMMITTED and before.state is not State.COMMITTED:
        (commit_seq,) = _COMMIT.rows(connection, id=before.effect_id, what=result)[0]
        after = replace(before, state=state, commit_seq=commit_seq, result=result, error=None)
    else:
        after = replace(before, state=state, error=error or before.error)
        _MOVE.rows(connection, id=before.effect_id, to=state.value, why=after.error)
    _log(connection, before.effect_id, event, writer, state, epoch)
    return after


def _settle_original(connection: Connection, effect_id: str, undo: State, writer: Writer, epoch: int) -> None:
    """A compensator's end settles the effect it takes back, in the same transaction."""
    original = _get(connection, effect_id)
    said_by = Writer.WORKER if writer is Writer.CALLER else writer
    if undo is State.COMMITTED and original.state in (State.COMPENSATING, State.RESIDUE):
        late = Writer.RECONCILER if original.state is State.RESIDUE else said_by
        _move(connection, original, Event.UNDO_DONE, late, epoch)
    elif undo is State.REFUSED and original.state is State.COMPENSATING:
        _move(connection, original, Event.UNDO_FAILED, said_by, epoch)


def _log(connection: Connection, effect_id: str, event: Event, writer: Writer, state: State, epoch: int) -> None:
    values = {"id": effect_id, "event": event.value, "writer": writer.value, "state": state.value, "epoch": epoch}
    _LOG.rows(connection, **values)


def _get(connection: Connection, effect_id: str) -> Effect:
    row = _BY_ID.first(connection, id=effect_id)
    if row is None:
        raise KeyError(effect_id)
    return _effect(row)


def _newest(connection: Connection, call_id: str) -> Effect | None:
    row = _NEWEST_OF_CALL.first(connection, call=call_id)
    return _effect(row) if row is not None else None


def _standing(connection: Connection, base: str) -> list[Effect]:
    return [_effect(row) for row in _STANDING.rows(connection, base=base)]


def _rows(connection: Connection, query: Any) -> list[Effect]:
    return [_effect(row) for row in connection.execute(query)]


def _events_of(connection: Connection, effect_id: str) -> list[dict[str, Any]]:
    columns = [effect_event.c[name] for name in ("event", "writer", "state", "epoch", "at")]
    query = select(*columns).where(effect_event.c.effect_id == effect_id).order_by(effect_event.c.seq)
    return [dict(row) for row in connection.execute(query).mappings()]


_STATE_AT = list(Effect.__dataclass_fields__).index("state")
_UNDO_AT = list(Effect.__dataclass_fields__).index("undo_on_failure")


def _effect(row: Sequence[Any]) -> Effect:
    values = list(row)
    values[_STATE_AT] = State(values[_STATE_AT])
    values[_UNDO_AT] = bool(values[_UNDO_AT])
    return Effect(*values)
