"""Reconcile: ask the back end what became of an effect before anything is sent again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from surefoot.execution.door import Door, Session, recorded
from surefoot.execution.ledger import Effect
from surefoot.execution.outcome import Outcome
from surefoot.execution.protocol import Event, State, Writer
from surefoot.telemetry.crashpoint import declare, reach

BEFORE_VERDICT = declare("reconcile.before_verdict", "the back end has said what became of the effect; not written")


async def reconcile(effect: Effect, door: Door, session: Session, *, writer: Writer = Writer.WORKER) -> Outcome:
    """Settle one effect that may have been sent, as far as the back end can tell.

    An effect found ``intended`` is first written down as unknown. It becomes committed when it is found, and
    absent when it is not found and can no longer arrive: after its deadline plus ``settle_ms``, or at once where
    the back end honours our key, because the same key sent again cannot make a second one.

    Raises:
        Fenced: a worker whose lease was taken over.
    """
    lease = session.lease if writer is Writer.WORKER else None
    if effect.state is State.INTENDED:
        effect = await door.ledger.record(effect.effect_id, Event.LOST, writer, lease=lease)
    if effect.state is not State.UNKNOWN:
        return recorded(effect)
    contract = door.registry.contract(effect.tool)
    found = await door.ask_back(effect, session) if contract.reconcile else None
    reach(BEFORE_VERDICT)
    event, result, wait = await _verdict(effect, found, door)
    if event is None:
        return _still_unknown(recorded(await door.ledger.get(effect.effect_id)), wait)
    settled = await door.ledger.record(effect.effect_id, event, writer, result=result, lease=lease)
    return await door.verified(recorded(settled, reconciled=True), settled, session)


async def _verdict(
    effect: Effect, found: list[Mapping[str, Any]] | None, door: Door
) -> tuple[Event | None, dict[str, Any] | None, float]:
    """Return the event that the answer allows, the recorded result, and the seconds after which to ask again."""
    contract = door.registry.contract(effect.tool)
    honoured = contract.idempotency is not None and contract.idempotency.honoured
    if contract.reconcile is None:
        return (Event.FOUND_ABSENT if honoured else None), None, 0.0
    if found is None:
        return None, None, 0.0
    if bool(found) == (contract.reconcile.expect == "present"):
        return Event.FOUND_PRESENT, dict(found[0]) if found else dict(effect.arguments), 0.0
    wait = effect.deadline_at + contract.reconcile.settle_ms / 1000 - await door.ledger.now()
    if honoured or wait < 0:
        return Event.FOUND_ABSENT, None, 0.0
    return None, None, wait


def _still_unknown(outcome: Outcome, wait: float) -> Outcome:
    """Say when asking again can bring a verdict: not there yet, but a late commit is still possible."""
    error = outcome.envelope["error"]
    if outcome.kind != "unknown" or error is None or wait <= 0:
        return outcome
    details = {**error["details"], "wait_ms": round(wait * 1000) + 1}
    return replace(outcome, envelope={**outcome.envelope, "error": {**error, "details": details}})
