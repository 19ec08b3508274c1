"""Where a run goes next: pure functions of the state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from surefoot.agents.records import DONE
from surefoot.contracts.registry import Registry
from surefoot.planning.plan import Plan
from surefoot.recovery.history import is_open


@dataclass(frozen=True)
class Move:
    """What the loop does next: run these reads, prepare this write, or close the run."""

    kind: Literal["read", "write", "close"]
    steps: tuple[str, ...] = ()


def next_move(plan: Plan, steps: dict[str, Any], registry: Registry) -> Move:
    """Return the next move: every ready read at once; else one write; else close.

    A step is ready when each step it depends on is done or was skipped.
    """
    over = {step_id for step_id, record in steps.items() if record["status"] in DONE | {"skipped"}}
    ready = [
        step
        for step in plan.steps
        if steps[step.id]["status"] == "pending" and all(other in over for other in step.depends_on)
    ]
    reads = tuple(step.id for step in ready if not registry.contract(steps[step.id]["tool"]).is_write)
    if reads:
        return Move("read", reads)
    return Move("write", (ready[0].id,)) if ready else Move("close")


def after_guard(state: dict[str, Any]) -> str:
    """Answer at once, refuse, or plan."""
    return "respond" if state["result"].get("status") else "plan"


def after_plan(state: dict[str, Any]) -> str:
    """A question to the person, a refusal, or a plan to check."""
    if state["result"].get("status"):
        return "respond"
    return "clarify" if state["planning"].get("question") else "check"


def after_check(state: dict[str, Any]) -> str:
    """A refused plan is answered with its reasons; one that leaves a done write behind is undone; else it runs."""
    if state["reliability"].get("decision"):
        return "undo"
    return "respond" if state["result"].get("status") else "bind"


def to_judge(state: Mapping[str, Any]) -> str:
    """Where an outcome is judged: first whether an open recovery has helped, where there is one."""
    return "verify" if _open(state) else "settle"


def _open(state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the recoveries that nobody has verified yet."""
    return [one for one in state["reliability"].get("history", []) if is_open(one)]


def after_settle(state: dict[str, Any]) -> str:
    """The decision's own place, or back to the loop."""
    decision = state["reliability"].get("decision")
    if decision is None:
        return "bind"
    return {"ask": "clarify", "undo": "undo", "hand_over": "hand_over"}.get(decision["kind"], "recover")


def after_validate(state: dict[str, Any]) -> str:
    """A plan whose end does not fit together is undone."""
    return "undo" if state["reliability"].get("decision") else "respond"


def after_undo(state: dict[str, Any]) -> str:
    """What could not be settled goes to a person."""
    return "hand_over" if state["reliability"].get("decision") else "respond"


def after_clarify(state: dict[str, Any]) -> str:
    """Plan again with the answer, or stop."""
    return "undo" if state["result"].get("status") else "plan"


def after_recover(state: dict[str, Any]) -> str:
    """Verify what the strategy brought at once; send a consented write again; else back to the loop."""
    execution = state["execution"]
    if any(execution["steps"][one["step"]]["status"] != "pending" for one in _open(state)):
        return "verify"
    if any(not record["settled"] for record in execution["steps"].values()):
        return "settle"
    record = execution["steps"].get(execution.get("current") or "")
    resend = record is not None and record["status"] == "pending" and record.get("effect") in ("not_sent", "absent")
    return "attempt" if resend and execution.get("consent_id") else "bind"
