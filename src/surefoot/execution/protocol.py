"""The effect protocol: which event may move an effect from which state to which, and who may write it.

This table is the one place that says so. The ledgers apply it, ARCHITECTURE.md prints it, and the property
test of the ledger is generated from it.
"""

from dataclasses import dataclass
from enum import StrEnum

from surefoot.errors import ProtocolViolation


class State(StrEnum):
    """Where an effect stands. ``intended`` means "may have been sent": found after a crash it is unknown."""

    INTENDED = "intended"
    NOT_SENT = "not_sent"
    COMMITTED = "committed"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    ABSENT = "absent"
    COMPENSATING = "compensating"
    COMPENSATED = "compensated"
    RESIDUE = "residue"


class Event(StrEnum):
    """What can be said about an effect."""

    RESEND = "resend"
    SUCCEEDED = "succeeded"
    WAS_REFUSED = "was_refused"
    PROVED_NOT_SENT = "proved_not_sent"
    LOST = "lost"
    FOUND_PRESENT = "found_present"
    FOUND_ABSENT = "found_absent"
    FOUND_GONE = "found_gone"
    UNDO_BEGUN = "undo_begun"
    UNDO_DONE = "undo_done"
    UNDO_FAILED = "undo_failed"
    UNDO_GIVEN_UP = "undo_given_up"


class Writer(StrEnum):
    """Who says it.

    ``worker`` holds the thread's lease at the current epoch. ``caller`` made the very call and reports its
    outcome, a fact that is accepted at any epoch. ``reconciler`` asked the back end. ``operator`` is a person.
    """

    WORKER = "worker"
    CALLER = "caller"
    RECONCILER = "reconciler"
    OPERATOR = "operator"


@dataclass(frozen=True)
class Transition:
    """One row of the table. ``to`` equal to the old state means: accepted, nothing changes."""

    to: State
    writers: frozenset[Writer]
    why: str


def _row(to: State, why: str, *writers: Writer) -> Transition:
    return Transition(to, frozenset(writers), why)


_W, _C, _R, _O = Writer.WORKER, Writer.CALLER, Writer.RECONCILER, Writer.OPERATOR

TABLE: dict[tuple[State, Event], Transition] = {
    (State.INTENDED, Event.SUCCEEDED): _row(State.COMMITTED, "the call came back and its result is in order", _C),
    (State.INTENDED, Event.WAS_REFUSED): _row(State.REFUSED, "the back end understood and said no", _C),
    (State.INTENDED, Event.PROVED_NOT_SENT): _row(State.NOT_SENT, "the transport proves that nothing left", _C),
    (State.INTENDED, Event.LOST): _row(State.UNKNOWN, "timeout, broken reply, or found after a crash", _C, _W, _R),
    (State.NOT_SENT, Event.RESEND): _row(State.INTENDED, "the same request again, under the same key", _W),
    (State.NOT_SENT, Event.SUCCEEDED): _row(State.COMMITTED, "a late result is a fact", _C),
    (State.UNKNOWN, Event.SUCCEEDED): _row(State.COMMITTED, "a late result is a fact", _C),
    (State.UNKNOWN, Event.WAS_REFUSED): _row(State.REFUSED, "a late refusal is a fact", _C),
    (State.UNKNOWN, Event.LOST): _row(State.UNKNOWN, "still unknown", _C, _W, _R),
    (State.UNKNOWN, Event.FOUND_PRESENT): _row(State.COMMITTED, "asked back: it is there", _W, _R, _O),
    (State.UNKNOWN, Event.FOUND_ABSENT): _row(State.ABSENT, "asked back after the deadline: not there", _W, _R, _O),
    (State.ABSENT, Event.RESEND): _row(State.INTENDED, "the same request again, under the same key", _W),
    (State.ABSENT, Event.SUCCEEDED): _row(State.COMMITTED, "a late result is a fact", _C),
    (State.ABSENT, Event.WAS_REFUSED): _row(State.REFUSED, "a late refusal is a fact", _C),
    (State.COMMITTED, Event.SUCCEEDED): _row(State.COMMITTED, "said twice", _C),
    (State.COMMITTED, Event.FOUND_PRESENT): _row(State.COMMITTED, "known already", _W, _R, _O),
    (State.COMMITTED, Event.FOUND_GONE): _row(State.COMPENSATED, "asked back: it was taken back elsewhere", _R, _O),
    (State.COMMITTED, Event.LOST): _row(State.COMMITTED, "a late loss changes no fact", _C, _W, _R),
    (State.COMMITTED, Event.WAS_REFUSED): _row(State.COMMITTED, "a second try met the first one's effect", _C),
    (State.COMMITTED, Event.PROVED_NOT_SENT): _row(State.COMMITTED, "an earlier try had got through", _C),
    (State.REFUSED, Event.WAS_REFUSED): _row(State.REFUSED, "said twice", _C),
    (State.REFUSED, Event.SUCCEEDED): _row(State.COMMITTED, "an earlier try had got through", _C),
    (State.REFUSED, Event.LOST): _row(State.REFUSED, "a late loss changes no fact", _C),
    (State.UNKNOWN, Event.PROVED_NOT_SENT): _row(State.NOT_SENT, "late proof that nothing left", _C),
    (State.ABSENT, Event.LOST): _row(State.ABSENT, "a late loss changes no fact", _C),
    (State.ABSENT, Event.PROVED_NOT_SENT): _row(State.ABSENT, "known already", _C),
    (State.COMMITTED, Event.UNDO_BEGUN): _row(State.COMPENSATING, "the compensator's intent is written", _W),
    (State.COMPENSATING, Event.UNDO_BEGUN): _row(State.COMPENSATING, "the undo goes on after a crash", _W),
    (State.COMPENSATING, Event.SUCCEEDED): _row(State.COMPENSATING, "said twice", _C),
    (State.COMPENSATING, Event.UNDO_DONE): _row(State.COMPENSATED, "the compensator committed", _W, _R, _O),
    (State.COMPENSATING, Event.UNDO_FAILED): _row(State.RESIDUE, "the compensator was refused or given up", _W, _R, _O),
    (State.COMMITTED, Event.UNDO_GIVEN_UP): _row(State.RESIDUE, "there is no way to undo it", _W, _O),
    (State.RESIDUE, Event.UNDO_DONE): _row(State.COMPENSATED, "undone by hand, or a late undo", _R, _O),
}  # fmt: skip

MAY_EXIST = frozenset({State.INTENDED, State.UNKNOWN, State.COMMITTED, State.COMPENSATING, State.RESIDUE})
"""States in which the effect may be in the world: a second one for the same request must not start."""

UNSETTLED = frozenset({State.INTENDED, State.UNKNOWN, State.COMPENSATING})
"""States that need somebody to ask the back end before the run can rest."""


def advance(state: State, event: Event, writer: Writer) -> State:
    """Return the state after ``event``.

    Raises:
        ProtocolViolation: the table has no such row, or this writer may not write it.
    """
    row = TABLE.get((state, event))
    if row is None:
        raise ProtocolViolation(f"an effect that is {state} cannot take {event}")
    if writer not in row.writers:
        raise ProtocolViolation(f"{event} on a {state} effect is not for the {writer} to write")
    return row.to
