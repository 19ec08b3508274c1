"""The effect ledger in SQL."""

from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection

from surefoot.errors import ConsentRefused, IdentityConflict
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Begun, Effect, Intent
from surefoot.execution.protocol import MAY_EXIST, UNSETTLED, Event, State, Writer, advance
from surefoot.persistence.consents import spend_consent
from surefoot.persistence.database import Database
from surefoot.persistence.leases import check_fence
from surefoot.persistence.schema import db_now, effect, effect_event


class SqlLedger:
    """The ledger in the shared database; :class:`surefoot.execution.ledger.Ledger` says what each method promises."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, intent: Intent, *, lease: Lease) -> Begun:
        """Check the epoch, spend the consent and write the intent, all or nothing."""
        async with self._database.transaction() as connection:
            await check_fence(connection, lease)
            last = await _last(connection, effect.c.call_id == intent.call_id)
            if last is not None and last.state in MAY_EXIST:
                if last.args_hash != intent.args_hash:
                    raise IdentityConflict(f"call {intent.call_id} stands in the ledger with other arguments")
                return Begun(last, fresh=False)
            if last is not None and last.args_hash == intent.args_hash and last.state in (State.NOT_SENT, State.ABSENT):
                return Begun(await _resend(connection, last, intent, lease), fresh=True)
            return Begun(await _first(connection, intent, lease), fresh=True)

    async def record(
        self,
        effect_id: str,
        event: Event,
        writer: Writer,
        *,
        result: dict[str, Any] | None = None,
        error: dict[str, Any] | None = None,
        lease: Lease | None = None,
    ) -> Effect:
        """Apply one event of the protocol's table."""
        async with self._database.transaction() as connection:
            if lease is not None:
                await check_fence(connection, lease)
            before = await _get(connection, effect_id)
            state = advance(before.state, event, writer)
            changes = await _changes(connection, before, state, event, result, error)
            await connection.execute(update(effect).where(effect.c.effect_id == effect_id).values(**changes))
            await _log(connection, effect_id, event, writer, state, lease.epoch if lease else before.epoch)
            await _settle_original(connection, before, state, writer)
            return await _get(connection, effect_id)

    async def get(self, effect_id: str) -> Effect:
        """Return one effect. Raises KeyError."""
        async with self._database.transaction() as connection:
            return await _get(connection, effect_id)

    async def by_call(self, call_id: str) -> Effect | None:
        """Return the newest effect of a call."""
        async with self._database.transaction() as connection:
            return await _last(connection, effect.c.call_id == call_id)

    async def same_request(self, base: str) -> list[Effect]:
        """Return the effects of one request that may exist in the world, oldest first."""
        return await self._many(effect.c.base == base, effect.c.state.in_([state.value for state in MAY_EXIST]))

    async def of_run(self, run_id: str) -> list[Effect]:
        """Return a run's effects in the order of their intents."""
        return await self._many(effect.c.run_id == run_id)

    async def unsettled(self) -> list[Effect]:
        """Return every effect that is intended, unknown or compensating."""
        return await self._many(effect.c.state.in_([state.value for state in UNSETTLED]))

    async def all(self, *, limit: int = 100) -> list[Effect]:
        """Return the newest effects."""
        async with self._database.transaction() as connection:
            rows = await connection.execute(select(effect).order_by(effect.c.seq.desc()).limit(limit))
            return [_effect(row) for row in rows.mappings()]

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
        return await self._database.now()

    async def _many(self, *where: Any) -> list[Effect]:
        async with self._database.transaction() as connection:
            rows = await connection.execute(select(effect).where(*where).order_by(effect.c.seq))
            return [_effect(row) for row in rows.mappings()]


async def _first(connection: AsyncConnection, intent: Intent, lease: Lease) -> Effect:
    rows = await connection.execute(select(effect).where(effect.c.base == intent.base).order_by(effect.c.seq))
    family = [_effect(row) for row in rows.mappings()]
    generation = len(family) + 1
    effect_id = f"{intent.call_id}#{generation}"
    shown = await spend_consent(connection, intent, effect_id) if intent.consent_id else []
    _refuse_twins(intent, family, shown)
    seq = (await connection.execute(select(func.coalesce(func.max(effect.c.seq), 0) + 1))).scalar_one()
    await connection.execute(
        insert(effect).values(
            effect_id=effect_id,
            seq=seq,
            call_id=intent.call_id,
            run_id=intent.run_id,
            thread_id=intent.thread_id,
            step_id=intent.step_id,
            user_id=intent.user_id,
            tool=intent.tool,
            contract_version=intent.contract_version,
            arguments=intent.arguments,
            args_hash=intent.args_hash,
            base=intent.base,
            generation=generation,
            state=State.INTENDED.value,
            attempts=1,
            deadline_at=db_now() + intent.timeout_seconds,
            undo_on_failure=intent.undo_on_failure,
            undoes=intent.undoes,
            consent_id=intent.consent_id,
            epoch=lease.epoch,
            created_at=db_now(),
            updated_at=db_now(),
        )
    )
    if intent.undoes is not None:
        await _move(connection, intent.undoes, Event.UNDO_BEGUN, Writer.WORKER, lease.epoch)
    return await _get(connection, effect_id)


def _refuse_twins(intent: Intent, family: list[Effect], shown: list[str]) -> None:
    twins = [twin for twin in family if twin.state in MAY_EXIST and twin.call_id != intent.call_id]
    for twin in twins:
        if twin.state is not State.COMMITTED:
            raise IdentityConflict(f"the same request is still being settled as {twin.effect_id}")
    unseen = [twin for twin in twins if twin.effect_id not in shown]
    if unseen and intent.undoes is None:
        raise ConsentRefused("changed", f"the same request was committed meanwhile as {unseen[0].effect_id}")


async def _resend(connection: AsyncConnection, last: Effect, intent: Intent, lease: Lease) -> Effect:
    state = advance(last.state, Event.RESEND, Writer.WORKER)
    values = {
        "state": state.value,
        "attempts": last.attempts + 1,
        "epoch": lease.epoch,
        "deadline_at": db_now() + intent.timeout_seconds,
        "updated_at": db_now(),
    }
    await connection.execute(update(effect).where(effect.c.effect_id == last.effect_id).values(**values))
    await _log(connection, last.effect_id, Event.RESEND, Writer.WORKER, state, lease.epoch)
    return await _get(connection, last.effect_id)


async def _changes(
    connection: AsyncConnection,
    before: Effect,
    state: State,
    event: Event,
    result: dict[str, Any] | None,
    error: dict[str, Any] | None,
) -> dict[str, Any]:
    changes: dict[str, Any] = {"state": state.value, "updated_at": db_now()}
    if state is State.COMMITTED and before.state is not State.COMMITTED:
        newest = select(func.coalesce(func.max(effect.c.commit_seq), 0) + 1)
        changes |= {"commit_seq": (await connection.execute(newest)).scalar_one(), "result": result, "error": None}
    elif error is not None and state is not State.COMMITTED:
        changes["error"] = error
    return changes


async def _settle_original(connection: AsyncConnection, undo: Effect, state: State, writer: Writer) -> None:
    """A compensator's end settles the effect it takes back, in the same transaction."""
    if undo.undoes is None or undo.state is state:
        return
    said_by = Writer.WORKER if writer is Writer.CALLER else writer
    if state is State.COMMITTED:
        await _move(connection, undo.undoes, Event.UNDO_DONE, said_by, undo.epoch)
    elif state is State.REFUSED:
        await _move(connection, undo.undoes, Event.UNDO_FAILED, said_by, undo.epoch)


async def _move(connection: AsyncConnection, effect_id: str, event: Event, writer: Writer, epoch: int) -> None:
    before = await _get(connection, effect_id)
    if event is Event.UNDO_DONE and before.state is State.RESIDUE:
        writer = Writer.RECONCILER
    if before.state is State.COMPENSATED:
        return
    state = advance(before.state, event, writer)
    values = {"state": state.value, "updated_at": db_now()}
    await connection.execute(update(effect).where(effect.c.effect_id == effect_id).values(**values))
    await _log(connection, effect_id, event, writer, state, epoch)


async def _log(
    connection: AsyncConnection, effect_id: str, event: Event, writer: Writer, state: State, epoch: int
) -> None:
    following = select(func.coalesce(func.max(effect_event.c.seq), 0) + 1).where(effect_event.c.effect_id == effect_id)
    await connection.execute(
        insert(effect_event).values(
            effect_id=effect_id,
            seq=following.scalar_subquery(),
            event=event.value,
            writer=writer.value,
            state=state.value,
            epoch=epoch,
            at=db_now(),
        )
    )


async def _get(connection: AsyncConnection, effect_id: str) -> Effect:
    query = select(effect).where(effect.c.effect_id == effect_id).with_for_update()
    row = (await connection.execute(query)).mappings().first()
    if row is None:
        raise KeyError(effect_id)
    return _effect(row)


async def _last(connection: AsyncConnection, where: Any) -> Effect | None:
    query = select(effect).where(where).order_by(effect.c.seq.desc()).limit(1).with_for_update()
    row = (await connection.execute(query)).mappings().first()
    return _effect(row) if row is not None else None


def _effect(row: RowMapping) -> Effect:
    fields = {name: row[name] for name in Effect.__dataclass_fields__}
    return Effect(**{**fields, "state": State(row["state"])})
