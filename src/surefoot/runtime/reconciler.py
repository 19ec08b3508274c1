"""Asking back for what nobody resumes: effects that are not settled and whose thread no living worker holds."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from surefoot.contracts.clock import Deadline, StandingClock
from surefoot.errors import ProtocolViolation, RunNotFound, StorageUnavailable
from surefoot.execution.budget import LoopDetector, RunBudget
from surefoot.execution.door import Session
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Effect
from surefoot.execution.protocol import UNSETTLED, Event, State, Writer
from surefoot.persistence.runs import OPEN, Run
from surefoot.recovery.handover import asked_back
from surefoot.recovery.reconcile import reconcile
from surefoot.runtime.operator import fresh
from surefoot.runtime.runner import Runner

GONE = (State.NOT_SENT, State.ABSENT)


@dataclass(frozen=True)
class Settled:
    """One effect that was looked at; equal states mean that the back end could not tell yet."""

    effect_id: str
    run_id: str
    tool: str
    before: State
    after: State

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {
            "effect_id": self.effect_id,
            "run_id": self.run_id,
            "tool": self.tool,
            "before": self.before.value,
            "after": self.after.value,
        }


async def reconcile_open(runner: Runner) -> list[Settled]:
    """Ask back for every unsettled effect of the runner's app that no living worker holds, and correct its tickets.

    Nothing is sent or sent again. Safe beside workers and beside itself: what somebody else settles meanwhile is
    reported as it stands.
    """
    found = [effect for effect in await runner.door.ledger.unsettled() if effect.tool in runner.registry]
    runs = await _runs_of(found, runner)
    ours = [effect for effect in found if effect.run_id in runs]
    held = {thread: await runner.leases.is_live(thread) for thread in {effect.thread_id for effect in ours}}
    free = [effect for effect in ours if not held[effect.thread_id]]
    for effect in free:
        if effect.state is not State.COMPENSATING:
            await _ask(effect, runs[effect.run_id], runner)
    for effect in free:
        if effect.state is State.COMPENSATING:
            await _close_undo(effect, runs[effect.run_id], runner)
    for run_id in dict.fromkeys(effect.run_id for effect in free):
        await _correct_ticket(runs[run_id], runner)
    return [await _settled(effect, runner) for effect in free]


async def _runs_of(effects: Iterable[Effect], runner: Runner) -> dict[str, Run]:
    """Return this app's runs among them. An effect of the middleware has no run here; its own host settles it."""
    found: dict[str, Run] = {}
    for run_id in {effect.run_id for effect in effects}:
        with suppress(RunNotFound):
            run = await runner.runs.get(run_id)
            if run.app == runner.app.name:
                found[run_id] = run
    return found


async def _ask(effect: Effect, run: Run, runner: Runner) -> None:
    try:
        await reconcile(effect, runner.door, _session(effect, run, runner), writer=Writer.RECONCILER)
    except ProtocolViolation:
        # A worker or a late result settled it between our question and our verdict; theirs stands.
        return


async def _close_undo(effect: Effect, run: Run, runner: Runner) -> None:
    """An undo that provably never happened, in a run that has ended, leaves its effect as residue for a person."""
    undos = [other for other in await runner.door.ledger.of_run(run.run_id) if other.undoes == effect.effect_id]
    if run.status in OPEN or not undos or undos[-1].state not in GONE:
        return
    try:
        await runner.door.ledger.record(effect.effect_id, Event.UNDO_FAILED, Writer.RECONCILER)
    except ProtocolViolation:
        return


def _session(effect: Effect, run: Run, runner: Runner) -> Session:
    """Return what a question needs; the lease is a placeholder, a reconciler writes under none."""
    at = datetime.fromisoformat(run.at) if run.at else None
    clock = StandingClock(runner.zone, at) if at else runner.clock
    return Session(
        user_id=effect.user_id,
        permissions=runner.app.permissions(effect.user_id),
        lease=Lease(effect.thread_id, effect.run_id, Writer.RECONCILER.value, effect.epoch),
        budget=RunBudget(runner.limits, Deadline.after(runner.clock, runner.limits.seconds)),
        loops=LoopDetector(),
        now=clock.now,
        systems=runner.systems,
    )


async def _correct_ticket(run: Run, runner: Runner) -> None:
    """Bring a run's ticket up to date; what an operator has taken or closed stays with the operator."""
    ticket = await runner.tickets.of_run(run.run_id)
    if ticket is None:
        return
    left = _for_a_person(await runner.door.ledger.of_run(run.run_id))
    now = await fresh(runner, ticket, run)
    await runner.tickets.change(ticket.ticket_id, lambda case, at: asked_back(case, now, at, left=left))


def _for_a_person(effects: Iterable[Effect]) -> bool:
    """Whether something is unknown, could not be undone, or was left half done."""
    own = [effect for effect in effects if effect.undoes is None]
    left = any(effect.state is State.COMMITTED and effect.undo_on_failure for effect in own)
    missing = any(effect.state in (State.ABSENT, State.NOT_SENT, State.REFUSED) for effect in own)
    return any(effect.state in UNSETTLED | {State.RESIDUE} for effect in own) or (left and missing)


async def _settled(effect: Effect, runner: Runner) -> Settled:
    now = await runner.door.ledger.get(effect.effect_id)
    return Settled(effect.effect_id, effect.run_id, effect.tool, effect.state, now.state)


async def keep_reconciling(
    runner: Runner, *, every_seconds: float, report: Callable[[Settled], None], rounds: int | None = None
) -> None:
    """Ask back again and again in the background, telling ``report`` what changed; for ever unless ``rounds``.

    A round in which the storage is unavailable is left out; the next one tries again.
    """
    done = 0
    while rounds is None or done < rounds:
        with suppress(StorageUnavailable):
            for one in await reconcile_open(runner):
                if one.before is not one.after:
                    report(one)
        done += 1
        await runner.clock.sleep(every_seconds)
