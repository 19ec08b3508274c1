"""What a node may use but never stores: handed in as LangGraph's runtime context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from surefoot.app import App, RunView
from surefoot.contracts.registry import Registry
from surefoot.execution.door import Door, Session
from surefoot.memory.behaviour import Behaviour
from surefoot.memory.preferences import Preferences
from surefoot.planning.plan import Plan, Slot
from surefoot.recovery.handover import Tickets
from surefoot.telemetry.events import Events


@dataclass(frozen=True)
class Deps:
    """One run's tools: the app, the door, the session, memory, and where tickets and events go.

    ``spread`` yields jitter in [0, 1).
    """

    app: App
    registry: Registry
    door: Door
    session: Session
    tickets: Tickets
    events: Events
    spread: Callable[[], float]
    preferences: Preferences
    behaviour: Behaviour

    def emit(self, state: Mapping[str, Any], event: str, /, **data: Any) -> None:
        """Record one event of the run."""
        self.events.emit(state["session"]["run_id"], event, data)


def plan_of(state: Mapping[str, Any]) -> Plan | None:
    """Return the plan in the state, if there is one."""
    data = state["planning"].get("plan")
    if not data:
        return None
    key = (state["session"]["run_id"], data["version"])
    if _last_plan.get("key") != key:
        _last_plan.update(key=key, plan=Plan.from_json(data))
    plan: Plan = _last_plan["plan"]
    return plan


_last_plan: dict[str, Any] = {}
"""The plan read last: a run asks for it twice a step, and a plan of one run and version never changes."""


def slots_of(state: Mapping[str, Any]) -> dict[str, Slot]:
    """Return the slots in the state."""
    return {name: Slot.model_validate(slot) for name, slot in state["planning"].get("slots", {}).items()}


def view_of(state: Mapping[str, Any], deps: Deps, *, status: str) -> RunView:
    """Return what composing and validating look at."""
    return RunView(
        request=state["planning"]["request"],
        lang=state["session"]["lang"],
        now=deps.session.now(),
        plan=plan_of(state),
        steps=state["execution"].get("steps", {}),
        slots=slots_of(state),
        status=status,
        ticket=state["result"].get("ticket"),
        result=state["result"],
    )
