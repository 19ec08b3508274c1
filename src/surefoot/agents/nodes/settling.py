"""Nodes that end what recovery could not mend: undo what was committed, hand the case to a person."""

from typing import Any

from langgraph.runtime import Runtime

from surefoot.agents.deps import Deps, plan_of
from surefoot.agents.state import RunState
from surefoot.execution.protocol import UNSETTLED, State
from surefoot.recovery.handover import remaining, write_ticket
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.saga import undo_run
from surefoot.texts import Text

Update = dict[str, Any]


async def undo(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Settle what is unknown, then take back what the run committed and cannot keep, newest first."""
    deps, run_id = runtime.context, state["session"]["run_id"]
    for effect in await deps.door.ledger.of_run(run_id):
        if effect.undoes is None and effect.state in (State.INTENDED, State.UNKNOWN):
            await reconcile(effect, deps.door, deps.session)
    undone = await undo_run(run_id, deps.door, deps.session)
    open_ = [e for e in await deps.door.ledger.of_run(run_id) if e.state in UNSETTLED]
    decision = state["reliability"].get("decision") or {}
    taken_back = any(item.state == State.COMPENSATED.value for item in undone)
    status = state["result"].get("status") or ("undone" if taken_back else "failed")
    reason = state["result"].get("reason") or decision.get("why")
    deps.emit(state, "undo", undone=[{"effect_id": item.effect_id, "state": item.state} for item in undone])
    result = {"status": status, "reason": reason, "undone": [_json(item) for item in undone]}
    if not open_ and all(item.state == State.COMPENSATED.value for item in undone):
        return {"result": result, "reliability": {"decision": None}}
    why = Text(
        "有一步没有能够撤销干净，需要人工处理。", "Something could not be taken back cleanly; a person must look at it."
    )
    return {"result": result, "reliability": {"decision": {"kind": "hand_over", "why": why.to_json()}}}


def _json(item: Any) -> dict[str, Any]:
    return {"effect_id": item.effect_id, "tool": item.tool, "state": item.state, "arguments": item.arguments}


async def hand_over(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Write the ticket: what was asked, what is done, what is unknown, what remains."""
    deps, session = runtime.context, state["session"]
    decision = state["reliability"]["decision"]
    effects = await deps.door.ledger.of_run(session["run_id"])
    request, why = state["planning"]["request"], decision["why"]
    left = remaining(plan_of(state), state["execution"].get("steps", {}), effects)
    ticket = write_ticket(
        session["run_id"], session["user_id"], request, why, effects, door=deps.door, remains=left
    )  # fmt: skip
    opened = await deps.tickets.open(ticket)
    deps.emit(state, "handed_over", ticket_id=opened.ticket_id)
    # What the run was about to end as: an operator must not go on with what the person declined.
    was = state["result"].get("status")
    result = {"status": "handed_over", "reason": why, "ticket": opened.to_json(), "was": was}
    return {"result": result, "reliability": {"decision": None, "degradation": "manual_transfer"}}
