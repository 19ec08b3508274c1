"""Hand-over: a ticket that tells a person what was asked, done, unknown and undone."""

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from surefoot.execution.ledger import Effect
from surefoot.execution.protocol import State


@dataclass(frozen=True)
class Ticket:
    """One case for a person. Lists hold JSON-native summaries of effects: id, tool, state, arguments, result."""

    ticket_id: str
    run_id: str
    user_id: str
    reason: dict[str, str]
    request: str
    done: list[dict[str, Any]] = field(default_factory=list)
    unknown: list[dict[str, Any]] = field(default_factory=list)
    undone: list[dict[str, Any]] = field(default_factory=list)
    residue: list[dict[str, Any]] = field(default_factory=list)
    status: str = "open"

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return asdict(self)


class Tickets(Protocol):
    """Where tickets live."""

    async def open(self, ticket: Ticket) -> Ticket:
        """Store a ticket once per run; the second time, return the first one."""

    async def of_run(self, run_id: str) -> Ticket | None:
        """Return a run's ticket."""

    async def update(self, ticket: Ticket) -> None:
        """Store a ticket's new lists and status."""


def write_ticket(
    run_id: str, user_id: str, request: str, reason: dict[str, str], effects: list[Effect], *, status: str = "open"
) -> Ticket:
    """Sort a run's effects into what is done, unknown, undone and residue."""
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
    )


def _summary(effect: Effect) -> dict[str, Any]:
    return {
        "effect_id": effect.effect_id,
        "tool": effect.tool,
        "state": effect.state.value,
        "arguments": effect.arguments,
        "result": effect.result,
    }
