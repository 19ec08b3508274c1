"""Nodes that turn a message into an accepted plan: guard, plan, check, clarify."""

from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from surefoot.agents.deps import Deps, plan_of, slots_of
from surefoot.agents.records import DONE
from surefoot.agents.remembering import check_working, conversation, keep_preferences
from surefoot.agents.state import RunState, new_record
from surefoot.guardrails.guard import Incoming, Verdict
from surefoot.guardrails.injection import signals
from surefoot.planning.checker import check_plan
from surefoot.planning.plan import Plan, Slot, Step
from surefoot.planning.planner import Request
from surefoot.texts import Text

Update = dict[str, Any]

KEEP_MESSAGES = 10
NO_LONGER_FITS = Text(
    "计划改变后，已经办成的一步不再合适，已把它撤销；请重新说一次需要什么。",
    "After the change, something that was already done no longer fits and was taken back; please ask anew.",
)


async def guard(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Let the app's guards look at the message; the first one that does not let it through ends the run."""
    deps, session = runtime.context, state["session"]
    incoming = Incoming(state["planning"]["request"], session["lang"], deps.session.now(), session["user_id"])
    hints: list[str] = list(signals(incoming.text))
    if hints:
        deps.emit(state, "hint", signals=hints)
    for rule in deps.app.guards:
        verdict = await rule(incoming, deps.session.systems)
        hints += verdict.hints
        if verdict.kind != "go on":
            deps.emit(state, "guard", rule=verdict.rule, verdict=verdict.kind)
            return {"result": _stopped(verdict), "planning": {"hints": hints}}
    return {"planning": {"hints": hints}, "messages": _window(state)}


def _window(state: RunState) -> list[BaseMessage]:
    """Add the new message and drop the oldest ones, so that a long thread's checkpoints do not grow."""
    kept = state.get("messages", [])
    gone = [RemoveMessage(id=str(message.id)) for message in kept[: max(0, len(kept) + 1 - KEEP_MESSAGES)]]
    return [*gone, HumanMessage(state["planning"]["request"])]


def _stopped(verdict: Verdict) -> dict[str, Any]:
    status = "answered" if verdict.kind == "answer" else "refused"
    text = verdict.text.to_json() if verdict.text else None
    return {"status": status, "reason": text, "verdict": {"rule": verdict.rule, **verdict.details}}


async def plan(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Ask the planner for one proposal. Finished writes keep their records; everything else is planned anew."""
    deps, planning = runtime.context, state["planning"]
    before = plan_of(state)
    request = Request(
        text=planning["request"],
        lang=state["session"]["lang"],
        now=deps.session.now(),
        user_id=state["session"]["user_id"],
        slots={name: Slot.model_validate(slot) for name, slot in planning.get("answers", {}).items()},
        replies=tuple((slot, words) for slot, words in planning.get("replies", [])),
        plan_version=before.version + 1 if before else 1,
        conversation=await conversation(state, deps),
    )
    proposal = await deps.app.planner.propose(request, deps.session.systems)
    reasons = [reason.to_json() for reason in proposal.reasons]
    summary = {"track": proposal.track, "confidence": proposal.confidence, "reasons": reasons}
    await keep_preferences(proposal, request.user_id, deps)
    deps.emit(state, "plan", **summary, version=request.plan_version)
    slots = {name: slot.model_dump(mode="json") for name, slot in proposal.slots.items()}
    common: Update = {
        "proposal": {**summary, "new_task": proposal.new_task},
        "slots": slots,
        "question": None,
        "working": check_working(proposal.working),
    }
    if proposal.answer is not None:
        return {"planning": common, "result": {"status": "answered", "reason": proposal.answer.to_json()}}
    if proposal.refusal is not None:
        return {"planning": common, "result": {"status": "refused", "reason": proposal.refusal.to_json()}}
    if proposal.question is not None:
        return {"planning": {**common, "question": proposal.question.to_json()}}
    assert proposal.plan is not None
    accepted = proposal.plan.model_copy(update={"version": request.plan_version})
    return {"planning": {**common, "plan": accepted.to_json()}}


async def check(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Accept the plan or refuse it with every reason in words."""
    deps, proposed = runtime.context, plan_of(state)
    assert proposed is not None
    refusals = check_plan(
        proposed,
        deps.registry,
        permissions=deps.session.permissions,
        slots=slots_of(state),
        choices=tuple(deps.app.choices),
    )
    if refusals:
        listed = [refusal.to_json() for refusal in refusals]
        deps.emit(state, "plan_refused", refusals=listed)
        zh = "".join(refusal.text.zh for refusal in refusals)
        en = " ".join(refusal.text.en for refusal in refusals)
        return {"planning": {"refusals": listed}, "result": {"status": "refused", "reason": {"zh": zh, "en": en}}}
    stale = _no_longer_fits(proposed, state, deps)
    if stale is not None:
        deps.emit(state, "effect_no_longer_fits", step=stale)
        return {"reliability": {"decision": {"kind": "undo", "step": stale, "why": NO_LONGER_FITS.to_json()}}}
    execution = {"steps": _fresh_records(proposed, state, deps), "current": None, "card": None}
    return {"execution": execution, "planning": {"planned_slots": state["planning"].get("slots", {})}}


def _no_longer_fits(proposed: Plan, state: RunState, deps: Deps) -> str | None:
    """Return a step whose write is committed but was planned otherwise; it must be taken back, not built upon."""
    steps = {step.id: step for step in proposed.steps}
    changed = {
        name
        for name, slot in state["planning"].get("slots", {}).items()
        if state["planning"].get("planned_slots", {}).get(name, slot)["value"] != slot["value"]
    }
    for step_id, record in state["execution"].get("steps", {}).items():
        if record["status"] not in DONE or not deps.registry.contract(record["tool"]).is_write:
            continue
        kept = steps.get(step_id)
        if kept is None or changed & _slots_behind(kept, proposed):
            return str(step_id)
    return None


def _slots_behind(step: Step, proposed: Plan) -> set[str]:
    """Return the slots that a step's arguments come from, through the steps it depends on."""
    slots = {binding.slot for binding in step.parameters.values() if binding.slot}
    for other in step.depends_on:
        slots |= _slots_behind(proposed.step(other), proposed)
    return slots


def _fresh_records(proposed: Plan, state: RunState, deps: Deps) -> dict[str, Any]:
    """Keep what was committed under the same step; reads run again, they may find something new."""
    old = state["execution"].get("steps", {})
    records: dict[str, Any] = {}
    for step in proposed.steps:
        was = old.get(step.id)
        kept = was is not None and was["status"] in DONE and deps.registry.contract(was["tool"]).is_write
        records[step.id] = was if kept else new_record(step.id, step.tool)
        if was is not None and not kept:
            records[step.id] |= {"history": {**was["history"], "tries": 0}, "refused": was["refused"]}
    for gone in set(old) - set(records):
        status = "skipped" if old[gone]["status"] == "pending" else old[gone]["status"]
        records[gone] = {**old[gone], "status": status, "settled": True}
    return records


async def clarify(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Ask the person one question and take the answer: ``{"choose": n}``, ``{"text": ...}`` or ``{"stop": true}``."""
    answer = interrupt({"kind": "question", "question": state["planning"]["question"]})
    question = state["planning"]["question"]
    if answer.get("stop"):
        return {"result": {"status": "declined", "reason": None}, "planning": {"question": None}}
    planning: dict[str, Any] = {"question": None}
    if "choose" in answer:
        changes = question["options"][int(answer["choose"]) - 1]["changes"]
        answers = {name: {"value": value, "origin": "confirmed"} for name, value in changes.items()}
        planning["answers"] = {**state["planning"].get("answers", {}), **answers}
    else:
        planning["replies"] = [*state["planning"].get("replies", []), [question["slot"], answer["text"]]]
    return {"planning": planning, "reliability": {"decision": None}}
