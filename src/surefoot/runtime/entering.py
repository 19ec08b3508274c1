"""Where a run that an operator lets go on is entered: its new state, and the node whose edges lead on from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from surefoot.agents.deps import Deps
from surefoot.agents.records import after, note
from surefoot.agents.state import StepRecord
from surefoot.execution.door import recorded
from surefoot.execution.ledger import Effect
from surefoot.execution.protocol import State
from surefoot.recovery.handover import Ticket
from surefoot.texts import Text

DONE = Text("工作人员确认这一步已经办成。", "An operator confirmed that this was done.")
AGAIN = Text("工作人员查明这一步没有办成，再办一次。", "An operator found that this was not done; it is done again.")
TAKEN_BACK = Text("工作人员决定撤销。", "An operator decided to take it back.")
KEPT = frozenset({"success", "dry_run", "skipped"})
TAKEN = (State.COMPENSATING, State.COMPENSATED, State.RESIDUE)


@dataclass(frozen=True)
class Entry:
    """The six domains of the state, and the node as which they are written."""

    domains: dict[str, Any]
    node: str


async def entry_for(
    decision: Mapping[str, Any], state: Mapping[str, Any], effects: Sequence[Effect], deps: Deps, case: Ticket
) -> Entry:
    """Return how a run is entered with an operator's decision, once its verdicts are in the ledger.

    ``validate`` leads to undo, ``hand_over`` to the answer, ``read`` to settle and from there on with the plan.
    """
    told = {name: decision[name] for name in ("id", "by", "then", "note")}
    result = {**state["result"], "operator": told, "answer": None, "terminated": False}
    reliability = {**state["reliability"], "decision": None}
    execution = {**state["execution"], "current": None, "card": None, "consent_id": None, "card_notices": []}
    execution["steps"] = await _steps(decision, state, effects, deps)
    if decision["then"] == "finish":
        node, result = "hand_over", {**result, "status": "handed_over", "ticket": case.to_json()}
    elif decision["then"] == "undo":
        declined = state["result"].get("was") == "declined"
        reliability["decision"] = {"kind": "undo", "why": TAKEN_BACK.to_json()}
        node, result = "validate", {**result, "status": "declined" if declined else None, "reason": None}
    else:
        reliability["degradation"] = "normal"
        # A person says that trying again is worth it: what had not helped, and its time, is not held against it now.
        reliability |= {"counts": {}, "recovery_ms": 0.0}
        reliability["history"] = [one for one in state["reliability"].get("history", []) if one.get("helped")]
        node, result = "read", {**result, "status": None, "reason": None, "ticket": None}
    domains = {"reliability": reliability, "execution": execution, "result": result}
    return Entry({**{name: state[name] for name in ("session", "planning", "cache")}, **domains}, node)


async def _steps(
    decision: Mapping[str, Any], state: Mapping[str, Any], effects: Sequence[Effect], deps: Deps
) -> dict[str, StepRecord]:
    """Return the step records as the ledger tells them now."""
    newest = {effect.step_id: effect for effect in effects if effect.undoes is None}
    goes_on = decision["then"] == "continue"
    steps: dict[str, StepRecord] = {}
    for step_id, record in state["execution"].get("steps", {}).items():
        effect = newest.get(step_id)
        told = await _as_the_ledger_says(record, effect, deps) if effect is not None else record
        steps[step_id] = _to_go_on(told, effect) if goes_on else cast(StepRecord, {**told, "settled": True})
    return steps


async def _as_the_ledger_says(record: StepRecord, effect: Effect, deps: Deps) -> StepRecord:
    known = record.get("effect") == effect.state.value and record["status"] != "unknown"
    if known or effect.state in TAKEN:
        # What a step had brought stays on record when it is taken back; the ledger says that it was.
        return record
    outcome = await deps.door.verified(recorded(effect), effect, deps.session)
    now = deps.session.now()
    counted = dict(record["history"])
    told = {**after(record, outcome, started=now, ended=now), "history": counted, "tool": effect.tool}
    found = cast(StepRecord, told)
    return note(found, DONE) if effect.state is State.COMMITTED and found["status"] == "success" else found


def _to_go_on(record: StepRecord, effect: Effect | None) -> StepRecord:
    """A step that is not done is done again; one that is still unknown is asked after again; the rest stands.

    A committed effect that breaks a rule stays unsettled, so that ``settle`` decides about it.
    """
    history = {**record["history"], "tries": 0, "asked_back": 0}
    if effect is None:
        if record["status"] in KEPT:
            return record
        return cast(StepRecord, {**record, "status": "pending", "settled": True, "error": None, "history": history})
    if effect.state is State.COMMITTED:
        return record
    if effect.state in (State.UNKNOWN, State.INTENDED):
        return cast(StepRecord, {**record, "status": "unknown", "settled": False, "history": history})
    if record["status"] == "skipped":
        return record
    again = {**record, "status": "pending", "settled": True, "error": None, "history": history}
    found_absent = effect.state is State.ABSENT
    return note(cast(StepRecord, again), AGAIN) if found_absent else cast(StepRecord, again)
