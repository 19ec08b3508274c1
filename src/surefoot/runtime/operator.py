"""An operator's decision on a ticket, carried out: what was found out is written down, and the run goes on with it.

The decision is durable before anything else happens, and it is in the run's checkpoint once the run was entered with
it. So a process that dies anywhere in between loses nothing: resolving the ticket again goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from langgraph.types import Overwrite

from surefoot.agents.deps import plan_of
from surefoot.errors import InputInvalid, TicketClosed
from surefoot.execution.lease import Lease, Leases
from surefoot.execution.ledger import Effect, Ledger
from surefoot.execution.protocol import MAY_EXIST, State
from surefoot.persistence.runs import OPEN, Run
from surefoot.recovery.handover import (
    RESOLVED,
    Ticket,
    Tickets,
    came_back,
    refreshed,
    remaining,
    resolved,
    write_ticket,
)
from surefoot.runtime.entering import Entry, entry_for
from surefoot.runtime.runner import LEASE_SECONDS, Runner, RunResult, Watch
from surefoot.runtime.verdicts import foreseen, plan_writes, write_verdicts
from surefoot.texts import Text

Then = Literal["finish", "continue", "undo"]
HALF_UNDONE = (State.COMPENSATING, State.RESIDUE)
MAX_NOTE = 4000


@dataclass(frozen=True)
class Wish:
    """What an operator asks for. ``verdicts`` by effect id: ``present`` or ``absent``; ``results`` of present ones."""

    by: str
    then: Then
    verdicts: Mapping[str, str]
    results: Mapping[str, Mapping[str, Any]]
    note: str

    def is_the_same_as(self, decision: Mapping[str, Any]) -> bool:
        """Whether a stored decision asks for the same; who says it again, and in which words, does not matter."""
        told = {"then": self.then, "verdicts": dict(self.verdicts), "results": _plain(self.results)}
        return told == {name: decision.get(name) for name in told}


@dataclass(frozen=True)
class Resolved:
    """The ticket and the run after an operator's decision was carried out."""

    ticket: Ticket
    run: RunResult


async def resolve(
    runner: Runner,
    ticket_id: str,
    *,
    by: str,
    verdicts: Mapping[str, str] | None = None,
    results: Mapping[str, Mapping[str, Any]] | None = None,
    then: Then = "finish",
    note: str = "",
    watch: Watch | None = None,
) -> Resolved:
    """Claim a ticket, write down what the operator found out, and let its run go on.

    ``verdicts`` say of effects whether they are in the world: ``present`` or ``absent``; ``results`` give what a
    present one had answered. Then ``finish`` closes the run as it stands, with the operator's words in the answer;
    ``undo`` takes back what stands; ``continue`` goes on with the plan: what is present is done, what is not there
    is done again under a new card, what is still unknown is asked after again.
    Resolving once more in the same way changes nothing, or goes on where a process died.

    Raises:
        TicketNotFound, TicketTaken, TicketClosed.
        InputInvalid: a verdict or a result does not fit, the run cannot go on in that way, or another decision on
            this ticket is being carried out.
        ThreadBusy: another run holds the thread. Fenced: this process was replaced.
    """
    wish = _wish(by, then, verdicts or {}, results or {}, note)
    ticket = await runner.tickets.get(ticket_id)
    run = await runner.runs.get(ticket.run_id)
    if run.app != runner.app.name:
        raise _invalid(f"工单 {ticket_id} 属于应用 {run.app}。", f"Ticket {ticket_id} belongs to the app {run.app}.")
    if ticket.status == RESOLVED and ticket.decision is not None:
        if not wish.is_the_same_as(ticket.decision):
            raise TicketClosed(ticket_id, str(ticket.closed_by))
        return Resolved(ticket, await runner.look(run.run_id))
    if ticket.decision is None:
        # Said before anything is claimed: a mistyped id must change nothing.
        await _decision(runner, ticket, run, wish)
    ticket = await runner.tickets.claim(ticket_id, by)
    return await _carry_out(runner, ticket, run.run_id, wish, watch)


async def _carry_out(runner: Runner, ticket: Ticket, run_id: str, wish: Wish, watch: Watch | None) -> Resolved:
    run = await runner.runs.get(run_id)
    lease = await runner.leases.claim(run.thread_id, run_id, runner.owner(), ttl_seconds=LEASE_SECONDS)
    try:
        run, ticket = await runner.runs.get(run_id), await runner.tickets.get(ticket.ticket_id)
        rests = run.status not in OPEN
        if not await _was_entered(runner, ticket, run, wish):
            rests = rests and run.status != "handed_over"
            await (_refuse_verdicts(run, wish) if rests else _enter(runner, ticket, run, wish, lease))
    except BaseException:
        await runner.leases.release(lease)
        raise
    if rests:
        # An earlier process had let it run to its end, or the person cancelled it meanwhile.
        await runner.leases.release(lease)
        result = await runner.look(run_id)
    else:
        result = await runner.go_on(run, lease, None, watch)
    return Resolved(await _close(runner, ticket, run, wish, result), result)


async def _refuse_verdicts(run: Run, wish: Wish) -> None:
    """A run that ended in another way meanwhile takes no more verdicts; its ticket is closed without any."""
    if wish.verdicts:
        raise _invalid(
            f"任务 {run.run_id} 已另行结束（{run.status}）；请查看后不带结论地结案。",
            f"Run {run.run_id} has ended meanwhile ({run.status}); look at it, then resolve without verdicts.",
        )


async def _was_entered(runner: Runner, ticket: Ticket, run: Run, wish: Wish) -> bool:
    """Whether an earlier process had let the run in with the decision that stands on the ticket."""
    decision = ticket.decision
    if decision is None:
        return False
    marked = (await last_state(runner, run)).get("result", {}).get("operator") or {}
    if marked.get("id") != decision["id"]:
        return False
    if not wish.is_the_same_as(decision):
        told = decision["then"]
        raise _invalid(
            f"工单 {ticket.ticket_id} 上的决定（{told}）正在执行，请用同样的参数继续。",
            f"The decision on ticket {ticket.ticket_id} ({told}) is being carried out; repeat it as it was made.",
        )
    return True


async def _enter(runner: Runner, ticket: Ticket, run: Run, wish: Wish, lease: Lease) -> None:
    """Make the decision durable, write the verdicts, and put the run where it goes on from."""
    decision = ticket.decision
    if decision is None or not wish.is_the_same_as(decision):
        decision = await _decision(runner, ticket, run, wish)
    await runner.tickets.decide(ticket.ticket_id, decision, wish.by, lease=lease)
    try:
        await write_verdicts(decision["writes"], runner.door.ledger)
    except InputInvalid:
        # The world moved on between the decision and now: it is the operator's again, and the run rests as before.
        await runner.runs.finish(run.run_id, lease, status="handed_over", answer=run.answer)
        await runner.tickets.change(ticket.ticket_id, lambda case, at: came_back(case, wish.by, at))
        raise
    told = {"ticket_id": ticket.ticket_id, "by": wish.by, "then": wish.then, "verdicts": dict(wish.verdicts)}
    runner.events.emit(run.run_id, "operator", told)
    runner.hold(lease)
    entry = await _entry(runner, ticket, run, decision, lease)
    update = {name: Overwrite(value) for name, value in entry.domains.items()}
    await runner.graph.aupdate_state(runner.config(run), update, as_node=entry.node)


async def _entry(runner: Runner, ticket: Ticket, run: Run, decision: Mapping[str, Any], lease: Lease) -> Entry:
    state = await last_state(runner, run)
    effects = await runner.door.ledger.of_run(run.run_id)
    deps = await runner.deps(run, lease)
    case = replace(await fresh(runner, ticket, run), status=RESOLVED, decision=None)
    return await entry_for(decision, state, effects, deps, case)


async def _decision(runner: Runner, ticket: Ticket, run: Run, wish: Wish) -> dict[str, Any]:
    """Return the decision as it is stored. Raises InputInvalid when it cannot be carried out as things stand."""
    effects = await runner.door.ledger.of_run(run.run_id)
    state = await last_state(runner, run)
    if run.status == "waiting":
        raise _invalid(
            f"任务 {run.run_id} 正在等本人答复，工单用不着处理。",
            f"Run {run.run_id} waits for the person's answer; there is nothing to resolve.",
        )
    if not state:
        raise _invalid(
            f"任务 {run.run_id} 的进度已不在，不能恢复。",
            f"The checkpoint of run {run.run_id} is gone; it cannot go on.",
        )
    undo_next = wish.then == "undo"
    writes = plan_writes(effects, wish.verdicts, wish.results, runner.registry, undo_next=undo_next)
    if wish.then == "continue":
        _refuse_to_continue(state, foreseen(effects, writes), effects)
    return _as_json(wish, ticket, writes)


def _as_json(wish: Wish, ticket: Ticket, writes: list[dict[str, Any]]) -> dict[str, Any]:
    number = 1 + sum(entry["what"] == "decided" for entry in ticket.history)
    return {
        "id": f"{ticket.ticket_id}/{number}",
        "by": wish.by,
        "then": wish.then,
        "verdicts": dict(wish.verdicts),
        "results": _plain(wish.results),
        "note": wish.note,
        "writes": writes,
    }


def _refuse_to_continue(state: Mapping[str, Any], foreseen_states: Mapping[str, State], effects: list[Effect]) -> None:
    half = [e.effect_id for e in effects if e.undoes is None and foreseen_states[e.effect_id] in HALF_UNDONE]
    if half:
        names = ", ".join(half)
        raise _invalid(
            f"{names} 撤销到一半，不能继续；请说明它是否还在，或选择撤销、结束。",
            f"{names} is half undone, so the plan cannot go on; say that it is absent, or undo or finish.",
        )
    if state["result"].get("was") == "declined":
        raise _invalid(
            "本人已选择不办，不能替他继续；请选择撤销或结束。",
            "The person declined this; it cannot go on. Undo or finish.",
        )
    plan, steps = plan_of(state), state["execution"].get("steps", {})
    if plan is None or any(step.id not in steps for step in plan.steps):
        raise _invalid(
            "这个任务没有可以继续的计划；请选择撤销或结束。", "There is no plan to go on with. Undo or finish."
        )


async def _close(runner: Runner, ticket: Ticket, run: Run, wish: Wish, result: RunResult) -> Ticket:
    """Bring the ticket up to date: resolved, or back with the operator when the run was handed over again."""
    now = await fresh(runner, await runner.tickets.get(ticket.ticket_id), run)
    back = result.status == "handed_over" and wish.then != "finish"

    def closed(case: Ticket, at: float) -> Ticket:
        case = refreshed(case, now)
        return came_back(case, wish.by, at) if back else resolved(case, wish.by, at, wish.note)

    case = await runner.tickets.change(ticket.ticket_id, closed)
    runner.events.emit(run.run_id, "ticket", {"ticket_id": case.ticket_id, "status": case.status, "by": wish.by})
    await runner.events.flush()
    return case


async def fresh(runner: Runner, ticket: Ticket, run: Run) -> Ticket:
    """Return a new ticket of the run as the ledger and the run's last checkpoint tell it now."""
    effects, state = await runner.door.ledger.of_run(run.run_id), await last_state(runner, run)
    left = ticket.remains
    if state.get("planning"):
        left = remaining(plan_of(state), state["execution"].get("steps", {}), effects)
    return write_ticket(
        run.run_id, ticket.user_id, ticket.request, ticket.reason, effects, door=runner.door, remains=left
    )  # fmt: skip


async def last_state(runner: Runner, run: Run) -> dict[str, Any]:
    """Return the newest checkpointed state of a run, even when its thread has gone on with another; ``{}`` if gone."""
    state, _ = await runner.checkpointed(run)
    if state:
        return state
    async for snapshot in runner.graph.aget_state_history(runner.config(run)):
        if snapshot.values.get("session", {}).get("run_id") == run.run_id:
            return snapshot.values
    return {}


async def resolve_without_run(
    tickets: Tickets,
    ledger: Ledger,
    leases: Leases,
    ticket_id: str,
    *,
    by: str,
    verdicts: Mapping[str, str] | None = None,
    results: Mapping[str, Mapping[str, Any]] | None = None,
    note: str = "",
) -> Ticket:
    """Close a ticket whose run belongs to another host (``SurefootMiddleware``): write the verdicts, nothing goes on.

    Raises:
        TicketNotFound, TicketTaken, TicketClosed.
        InputInvalid: a verdict does not fit, or a living worker still holds the thread.
    """
    wish = _wish(by, "finish", verdicts or {}, results or {}, note)
    ticket = await tickets.get(ticket_id)
    if ticket.status == RESOLVED and ticket.decision is not None:
        if not wish.is_the_same_as(ticket.decision):
            raise TicketClosed(ticket_id, str(ticket.closed_by))
        return ticket
    effects = await ledger.of_run(ticket.run_id)
    for thread_id in {effect.thread_id for effect in effects}:
        if await leases.is_live(thread_id):
            raise _invalid(
                f"会话 {thread_id} 还在进行，请稍后再试。", f"Thread {thread_id} is at work; try again later."
            )
    decision = ticket.decision
    if decision is None or not wish.is_the_same_as(decision):
        decision = _as_json(wish, ticket, plan_writes(effects, wish.verdicts, wish.results, None))
    await tickets.decide(ticket_id, decision, by, lease=None)
    await write_verdicts(decision["writes"], ledger)
    effects = await ledger.of_run(ticket.run_id)
    standing = {effect.effect_id for effect in effects if effect.state in MAY_EXIST}
    now = write_ticket(
        ticket.run_id, ticket.user_id, ticket.request, ticket.reason, effects, remains=ticket.remains
    )  # fmt: skip
    now = replace(now, by_hand=[item for item in ticket.by_hand if item["effect_id"] in standing])
    return await tickets.change(ticket_id, lambda case, at: resolved(refreshed(case, now), by, at, note))


def _wish(
    by: str, then: str, verdicts: Mapping[str, str], results: Mapping[str, Mapping[str, Any]], note: str
) -> Wish:  # fmt: skip
    if then not in ("finish", "continue", "undo"):
        raise _invalid(f"不认识“{then}”：finish、continue 或 undo。", f"{then!r} is not finish, continue or undo.")
    said = note.strip()
    if len(said) > MAX_NOTE:
        raise _invalid(f"说明最多 {MAX_NOTE} 个字。", f"A note has at most {MAX_NOTE} characters.")
    return Wish(by, cast(Then, then), verdicts, results, said)


def _plain(results: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {effect_id: dict(result) for effect_id, result in results.items()}


def _invalid(zh: str, en: str) -> InputInvalid:
    return InputInvalid(Text(zh, en))
