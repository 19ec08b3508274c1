"""Hand-over: a ticket that tells a person what was asked, done, unknown, undone and left, and how to undo it by hand.

A ticket changes only through the pure functions of this module; a store applies one of them in one transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Protocol

from surefoot.errors import InputInvalid, TicketClosed, TicketTaken
from surefoot.execution.door import Door
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Effect
from surefoot.execution.protocol import MAY_EXIST, State
from surefoot.planning.plan import Plan
from surefoot.recovery.saga import compensating_call
from surefoot.texts import Text

OPEN, CLAIMED, RESOLVED = "open", "claimed", "resolved"
STATUSES = (OPEN, CLAIMED, RESOLVED)
THE_RUN, THE_RECONCILER = "the run", "the reconciler"
"""Who opens tickets, and who closes one when asking back has settled everything."""

MAX_NAME = 200


@dataclass(frozen=True)
class Ticket:
    """One case for a person.

    ``done``, ``unknown``, ``undone`` and ``residue`` hold JSON-native summaries of effects: effect_id, tool, state,
    arguments, result. ``remains`` are steps of the plan that were not done: step, tool, description, status.
    ``by_hand`` says, in the order in which to do it, how each effect that stands or may stand is taken back:
    effect_id, tool, state, and ``undo``, which is ``"irreversible"`` or the compensator's tool and its exact arguments
    (``None`` while they depend on a result that is not known). ``history`` says who did what when: at (seconds on
    the database's clock), by, what (opened, claimed, released, decided, came_back, note, resolved), note.
    ``decision`` is an operator's decision that is being carried out, or the last one once it was.
    """

    ticket_id: str
    run_id: str
    user_id: str
    reason: dict[str, str]
    request: str
    done: list[dict[str, Any]] = field(default_factory=list)
    unknown: list[dict[str, Any]] = field(default_factory=list)
    undone: list[dict[str, Any]] = field(default_factory=list)
    residue: list[dict[str, Any]] = field(default_factory=list)
    status: str = OPEN
    remains: list[dict[str, Any]] = field(default_factory=list)
    by_hand: list[dict[str, Any]] = field(default_factory=list)
    claimed_by: str | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    decision: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Ticket":
        """Read what :meth:`to_json` of this or an older version wrote."""
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})

    @property
    def closed_by(self) -> str | None:
        """Who resolved it, as far as it is on record; ``None`` while it is not resolved."""
        said = [entry["by"] for entry in self.history if entry["what"] == RESOLVED]
        return said[-1] if said and self.status == RESOLVED else None


Change = Callable[[Ticket, float], Ticket]
"""``(ticket, seconds on the database's clock)`` -> the ticket as it is from now on."""


class Tickets(Protocol):
    """Where tickets live. Each method is one transaction."""

    async def open(self, ticket: Ticket) -> Ticket:
        """Store a ticket, one per run; the second time its lists are brought up to date, and a resolved one reopens."""

    async def of_run(self, run_id: str) -> Ticket | None:
        """Return a run's ticket."""

    async def get(self, ticket_id: str) -> Ticket:
        """Return one ticket. Raises TicketNotFound."""

    async def queue(self, status: str | None = None) -> list[Ticket]:
        """Return the tickets of one status, or without one those that wait for a person; oldest first."""

    async def claim(self, ticket_id: str, by: str) -> Ticket:
        """Take a ticket; of many who try at once one wins. Claiming what one has already changes nothing.

        Raises:
            TicketTaken: another operator has it.
            TicketNotFound, TicketClosed.
        """

    async def release(self, ticket_id: str, by: str, *, force: bool = False) -> Ticket:
        """Give a ticket back to the queue; with ``force`` also one that somebody else has.

        Raises:
            TicketTaken: another operator has it.
            TicketNotFound, TicketClosed.
        """

    async def resolve(self, ticket_id: str, by: str, note: str) -> Ticket:
        """Close a ticket that is open or ``by``'s own. Closing a closed one changes nothing.

        Raises:
            TicketTaken: another operator has it.
            TicketNotFound.
        """

    async def decide(self, ticket_id: str, decision: dict[str, Any], by: str, *, lease: Lease | None) -> Ticket:
        """Write an operator's decision and, under a lease, set the ticket's run running again, all or nothing.

        Raises:
            ThreadBusy: the thread has another run that is running or waiting.
            Fenced: the lease was taken over.
            TicketTaken: another operator has it.
            TicketNotFound, TicketClosed.
        """

    async def change(self, ticket_id: str, how: Change) -> Ticket:
        """Apply a pure function to a ticket. Raises TicketNotFound and what ``how`` raises; then nothing changes."""


def write_ticket(
    run_id: str,
    user_id: str,
    request: str,
    reason: dict[str, str],
    effects: list[Effect],
    *,
    status: str = OPEN,
    door: Door | None = None,
    remains: Sequence[dict[str, Any]] = (),
) -> Ticket:
    """Sort a run's effects into what is done, unknown, undone and residue; with a door, say how each is taken back."""
    own = [effect for effect in effects if effect.undoes is None]

    def those(*states: State) -> list[dict[str, Any]]:
        return [_summary(effect) for effect in own if effect.state in states]

    return Ticket(
        ticket_id=f"T-{run_id}",
        run_id=run_id,
        user_id=user_id,
        reason=reason,
        request=request,
        done=those(State.COMMITTED),
        unknown=those(State.UNKNOWN, State.INTENDED, State.COMPENSATING),
        undone=those(State.COMPENSATED),
        residue=those(State.RESIDUE),
        status=status,
        remains=list(remains),
        by_hand=[_by_hand(effect, door) for effect in _standing(own)] if door is not None else [],
    )


def _summary(effect: Effect) -> dict[str, Any]:
    return {
        "effect_id": effect.effect_id,
        "tool": effect.tool,
        "state": effect.state.value,
        "arguments": effect.arguments,
        "result": effect.result,
    }


def _standing(own: list[Effect]) -> list[Effect]:
    """Return what stands or may stand, in the order in which to undo it: what may have come last comes first."""
    there = [effect for effect in own if effect.state in MAY_EXIST]
    return sorted(there, key=lambda effect: -(effect.commit_seq or float("inf")))


def _by_hand(effect: Effect, door: Door) -> dict[str, Any]:
    told = {"effect_id": effect.effect_id, "tool": effect.tool, "state": effect.state.value}
    if effect.tool not in door.registry:
        return {**told, "undo": {"tool": None, "arguments": None}}
    compensate = door.registry.contract(effect.tool).compensate
    if compensate is None:
        return {**told, "undo": "irreversible"}
    call = compensating_call(effect, door)
    return {**told, "undo": {"tool": compensate.tool, "arguments": call.arguments if call is not None else None}}


def remaining(
    plan: Plan | None, steps: Mapping[str, Mapping[str, Any]], effects: Sequence[Effect]
) -> list[dict[str, Any]]:
    """Return the steps of a plan that were not done and were not left out; one that was taken back is not done."""
    states = {effect.step_id: effect.state for effect in effects if effect.undoes is None}
    found = []
    for step in plan.steps if plan is not None else ():
        record, state = steps.get(step.id, {}), states.get(step.id)
        status = record.get("status", "pending")
        if state in MAY_EXIST or (status in ("success", "dry_run", "skipped") and state is not State.COMPENSATED):
            continue
        status = state.value if state is not None else status
        told = {"step": step.id, "tool": record.get("tool", step.tool), "status": status}
        found.append({**told, "description": dict(step.description)})
    return found


def claimed(ticket: Ticket, by: str, at: float) -> Ticket:
    """Give the ticket to ``by``. What only the reconciler has closed may be taken up. Raises as ``Tickets.claim``."""
    name = _name(by)
    if ticket.status == CLAIMED:
        return _mine(ticket, name)
    if ticket.closed_by not in (None, THE_RECONCILER):
        raise TicketClosed(ticket.ticket_id, str(ticket.closed_by))
    return _entered(ticket, CLAIMED, name, at, status=CLAIMED, claimed_by=name)


def released(ticket: Ticket, by: str, at: float, *, force: bool = False) -> Ticket:
    """Put the ticket back. A decision that was begun stays with it. Raises as ``Tickets.release``."""
    name = _name(by)
    if ticket.status == RESOLVED:
        raise TicketClosed(ticket.ticket_id, str(ticket.closed_by or THE_RECONCILER))
    if ticket.status == OPEN:
        return ticket
    if not force:
        _mine(ticket, name)
    return _entered(ticket, "released", name, at, status=OPEN, claimed_by=None)


def decided(ticket: Ticket, decision: dict[str, Any], by: str, at: float) -> Ticket:
    """Keep what an operator decided; it is numbered, so that carrying it out can be told from an earlier one."""
    mine = claimed(ticket, by, at)
    if mine.decision == decision:
        return mine
    return _entered(mine, "decided", _name(by), at, note=str(decision.get("then", "")), decision=decision)


def resolved(ticket: Ticket, by: str, at: float, note: str) -> Ticket:
    """Close the ticket. Raises as ``Tickets.resolve``."""
    name = _name(by)
    if ticket.status == RESOLVED:
        return ticket
    if ticket.status == CLAIMED:
        _mine(ticket, name)
    return _entered(ticket, RESOLVED, name, at, note=note, status=RESOLVED)


def came_back(ticket: Ticket, by: str, at: float) -> Ticket:
    """The run went on and was handed over again: the decision is over, the operator keeps the case."""
    if ticket.decision is None:
        return ticket
    return _entered(ticket, "came_back", _name(by), at, decision=None)


def met_again(ticket: Ticket, fresh: Ticket, at: float) -> Ticket:
    """A run that is handed over again: the lists are new; what was resolved is open again."""
    now = refreshed(ticket, fresh)
    if ticket.status != RESOLVED:
        return now
    return _entered(now, "opened", THE_RUN, at, status=OPEN, claimed_by=None, decision=None)


def first_met(ticket: Ticket, at: float) -> Ticket:
    """A ticket as it is stored first."""
    return _entered(ticket, "opened", THE_RUN, at)


def refreshed(ticket: Ticket, fresh: Ticket) -> Ticket:
    """Return the ticket with the lists and the reason of ``fresh``; who has it and what was said stays."""
    lists = ("done", "unknown", "undone", "residue", "remains", "by_hand", "reason", "request")
    return replace(ticket, **{name: getattr(fresh, name) for name in lists})


def asked_back(ticket: Ticket, fresh: Ticket, at: float, *, left: bool) -> Ticket:
    """Bring the lists up to date after asking back; close or reopen what no operator has touched.

    ``left`` says whether something is still for a person.
    """
    now = refreshed(ticket, fresh)
    if ticket.status == OPEN and not left:
        return _entered(now, RESOLVED, THE_RECONCILER, at, status=RESOLVED)
    if ticket.status == RESOLVED and left and ticket.closed_by in (None, THE_RECONCILER):
        return _entered(now, "opened", THE_RECONCILER, at, status=OPEN)
    return now


def _mine(ticket: Ticket, by: str) -> Ticket:
    if ticket.claimed_by != by:
        raise TicketTaken(ticket.ticket_id, str(ticket.claimed_by))
    return ticket


def _name(by: str) -> str:
    name = " ".join(by.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise InputInvalid(Text("请用 --as 说明您是谁。", "Say who you are; a name of up to 200 characters."))
    return name


def _entered(ticket: Ticket, what: str, by: str, at: float, *, note: str = "", **changes: Any) -> Ticket:
    entry = {"at": at, "by": by, "what": what, "note": note}
    return replace(ticket, history=[*ticket.history, entry], **changes)
