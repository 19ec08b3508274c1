"""The saga: undo what a run committed and cannot keep, newest first, past an undo that fails.

Garcia-Molina and Salem, Sagas (1987). A compensator's call is an effect with an intent of its own; its consent
is the card of the effect that it takes back.
"""

from collections.abc import Collection
from dataclasses import dataclass

from surefoot.contracts.paths import is_path, look_up
from surefoot.errors import ErrorCode, IdentityConflict, ProtocolViolation, WritesPaused
from surefoot.execution.call import Call, digest
from surefoot.execution.door import Door, Session, recorded
from surefoot.execution.ledger import Effect
from surefoot.execution.outcome import Outcome, stopped
from surefoot.execution.protocol import Event, State, Writer
from surefoot.recovery.reconcile import reconcile
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text

BEFORE_UNDO = declare("saga.before_undo", "an effect is about to be taken back; no intent of the undo yet")
AFTER_UNDO = declare("saga.after_undo", "one effect was taken back, the next one was not looked at")
UNDO_TRIES = 4


@dataclass(frozen=True)
class Undone:
    """What became of one committed effect: compensated, or residue that a person must know about."""

    effect_id: str
    tool: str
    state: str
    arguments: dict[str, object]


async def undo_run(
    run_id: str, door: Door, session: Session, *, steps: Collection[str] | None = None
) -> list[Undone]:  # fmt: skip
    """Take back every committed effect of the run that asks for it (``on_failure: undo``), newest commit first.

    With ``steps`` only the effects of these steps: one branch of a plan is taken back, the others stand.
    Safe to run again after a crash: an undo that was under way goes on, one that is done is not repeated.

    Raises:
        Fenced: the lease was taken over.
    """
    effects = await _own(run_id, door, steps)
    committed = [e for e in effects if e.undo_on_failure and e.state in (State.COMMITTED, State.COMPENSATING)]
    for effect in newest_first(committed):
        reach(BEFORE_UNDO)
        try:
            await _undo(effect, door, session)
        except WritesPaused:
            # It stays committed and is reported as such; nothing older may be undone before it.
            break
        except (IdentityConflict, ProtocolViolation):
            # Somebody else is at it; it is reported as it stands, and the undo goes on past it.
            continue
        reach(AFTER_UNDO)
    left = [effect for effect in await _own(run_id, door, steps) if _concerned(effect)]
    return [Undone(e.effect_id, e.tool, e.state.value, dict(e.result or e.arguments)) for e in newest_first(left)]


async def _own(run_id: str, door: Door, steps: Collection[str] | None) -> list[Effect]:
    """Return the effects of the run, or of some of its steps, without the compensators' own."""
    effects = [effect for effect in await door.ledger.of_run(run_id) if effect.undoes is None]
    return effects if steps is None else [effect for effect in effects if effect.step_id in steps]


def _concerned(effect: Effect) -> bool:
    """Whether a person must hear of it: taken back, could not be, or should have been."""
    if effect.state is State.COMMITTED:
        return effect.undo_on_failure
    return effect.state in (State.COMPENSATED, State.RESIDUE, State.COMPENSATING)


def newest_first(effects: list[Effect]) -> list[Effect]:
    """Return effects in the reverse order of their commits."""
    return sorted(effects, key=lambda effect: effect.commit_seq or 0, reverse=True)


async def _undo(effect: Effect, door: Door, session: Session) -> None:
    call = compensating_call(effect, door)
    if call is None:
        await door.ledger.record(effect.effect_id, Event.UNDO_GIVEN_UP, Writer.WORKER, lease=session.lease)
        return
    outcome: Outcome | None = None
    for tried in range(UNDO_TRIES):
        if tried:
            policy = door.registry.contract(call.tool).execution_contract.retry_policy
            wait_ms = outcome.details.get("wait_ms", 0.0) if outcome else 0.0
            await door.clock.sleep(max(policy.delay_ms(tried, 0.0), wait_ms) / 1000)
        outcome = await _try(call, effect, door, session)
        if outcome.kind in ("ok", "refused", "empty"):
            return
    if outcome is not None and outcome.effect_state == State.NOT_SENT.value:
        await _give_up(effect, door, session)


async def _try(call: Call, effect: Effect, door: Door, session: Session) -> Outcome:
    known = await door.ledger.by_call(call.call_id)
    looks = await door.looks(call, session) if known is None else {}
    if looks is None:
        text = Text("现在无法查看原来的情况，所以没有动手。", "How things stand cannot be read now; nothing was sent.")
        return stopped(call.tool, "not_sent", ErrorCode.TOOL_UNAVAILABLE, text)
    intent = door.intent(call, args_hash=digest(call.arguments), undoes=effect.effect_id, before=looks or None)
    begun = await door.ledger.begin(intent, lease=session.lease)
    if begun.fresh:
        outcome = await door.send(begun.effect, session, reserve=True)
    else:
        outcome = recorded(begun.effect)
    if outcome.kind == "unknown":
        outcome = await reconcile(await door.ledger.get(begun.effect.effect_id), door, session)
    return outcome


async def _give_up(effect: Effect, door: Door, session: Session) -> None:
    try:
        await door.ledger.record(effect.effect_id, Event.UNDO_FAILED, Writer.WORKER, lease=session.lease)
    except ProtocolViolation:
        # A late result of the undo settled it between the last look and now.
        return


def compensating_call(effect: Effect, door: Door) -> Call | None:
    """Return the call that takes ``effect`` back, its arguments read from the recorded result; or ``None``."""
    contract = door.registry.contract(effect.tool)
    if contract.compensate is None:
        return None
    root = {"data": effect.result or {}, "arguments": effect.arguments, "before": effect.before or {}}
    try:
        arguments = {
            name: look_up(value, root) if is_path(value) else value
            for name, value in contract.compensate.arguments.items()
        }
    except KeyError:
        return None
    return Call(
        call_id=f"{effect.effect_id}/undo",
        run_id=effect.run_id,
        thread_id=effect.thread_id,
        step_id=effect.step_id,
        user_id=effect.user_id,
        tool=contract.compensate.tool,
        arguments=arguments,
    )
