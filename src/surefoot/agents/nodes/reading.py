"""Nodes of the loop that choose what runs next, and that run reads side by side."""

import json
from typing import Any, cast

from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from surefoot.agents.deps import Deps, plan_of, slots_of
from surefoot.agents.records import after
from surefoot.agents.routing import next_move, to_judge
from surefoot.agents.state import RunState, StepRecord
from surefoot.contracts.envelope import failure
from surefoot.errors import ErrorCode
from surefoot.execution.call import Call, digest
from surefoot.execution.outcome import Outcome, stopped
from surefoot.execution.prepare import Refused
from surefoot.guardrails.injection import signals
from surefoot.planning.binding import Bound, Choosing, Provenance, Unbound
from surefoot.planning.binding import bind as bind_step
from surefoot.planning.plan import Plan, Step
from surefoot.texts import Text


async def bind(state: RunState, runtime: Runtime[Deps]) -> Command[Any]:
    """Bind the arguments of the steps that are ready, then send the reads out, or one write to be prepared."""
    deps, accepted = runtime.context, plan_of(state)
    assert accepted is not None
    steps = state["execution"]["steps"]
    move = next_move(accepted, steps, deps.registry)
    if move.kind == "close":
        return Command(goto="validate")
    bound = {step_id: bound_record(accepted, steps, step_id, state, deps) for step_id in move.steps}
    update = {"execution": {"steps": bound, "current": move.steps[0] if move.kind == "write" else None}}
    bound_now = tuple(step_id for step_id, record in bound.items() if record["status"] == "pending")
    if len(bound_now) < len(bound):
        return Command(update=update, goto=to_judge(state))
    if move.kind == "write":
        return Command(update=update, goto="prepare")
    session = state["session"]
    return Command(update=update, goto=[Send("read", {"session": session, "record": bound[s]}) for s in move.steps])


def bound_record(accepted: Plan, steps: dict[str, Any], step_id: str, state: RunState, deps: Deps) -> StepRecord:
    """Return the step's record with its arguments, or with a failure that says what could not be bound."""
    record: StepRecord = steps[step_id]
    results = {other: steps[other].get("output", {}) for other in accepted.step(step_id).depends_on}
    adjusted: dict[str, Any] = record.get("adjusted", {"drop": [], "values": {}})
    step = _left_to_bind(accepted.step(step_id), {*adjusted["drop"], *adjusted["values"]})
    choosing = Choosing(step, results, slots_of(state), tuple(record["refused"]), deps.session.now())
    try:
        found = bind_step(step, choosing, deps.app.choices)
    except Unbound as unbound:
        if any(steps[other]["status"] == "dry_run" for other in accepted.step(step_id).depends_on):
            # What it needs only a real write would bring.
            return {**record, "status": "dry_run", "settled": True}
        details = {"parameter": unbound.parameter}
        envelope = failure(record["tool"], ErrorCode.BUSINESS_EMPTY, unbound.text, details=details)
        outcome = Outcome("empty", record["tool"], envelope)
        now = deps.session.now()
        return after(record, outcome, started=now, ended=now)
    edited = record.get("edited", {})
    changed = {name: told["value"] for name, told in adjusted["values"].items()}
    arguments = {**found.arguments, **changed, **edited}
    provenance = {**found.provenance, **{name: _origin(told) for name, told in adjusted["values"].items()}}
    provenance |= {name: Provenance("confirmed") for name in edited}
    return with_arguments(record, Bound(arguments, provenance))


def _left_to_bind(step: Step, changed: set[str]) -> Step:
    """Return the step without the arguments that recovery has dropped or set."""
    kept = {name: binding for name, binding in step.parameters.items() if name not in changed}
    return step if len(kept) == len(step.parameters) else step.model_copy(update={"parameters": kept})


def _origin(told: dict[str, Any]) -> Provenance:
    return Provenance(told["origin"], Text.from_json(told["note"]) if told["note"] else None)


def with_arguments(record: StepRecord, bound: Bound) -> StepRecord:
    """Return the record with these arguments."""
    provenance = {name: origin.to_json() for name, origin in bound.provenance.items()}
    changed = {"input": bound.arguments, "args_hash": digest(bound.arguments), "provenance": provenance}
    return cast(StepRecord, {**record, **changed})


async def read(state: Any, runtime: Runtime[Deps]) -> dict[str, Any]:
    """Prepare and attempt one read. Runs beside other reads, so it sees its own record only."""
    deps, record = runtime.context, state["record"]
    call = call_of(record, state["session"], plan_version=1)
    started = deps.session.now()
    ready = await deps.door.prepare(call, deps.session)
    if isinstance(ready, Refused):
        rules = [violation.rule for violation in ready.violations]
        outcome = stopped(call.tool, ready.kind, ready.code, ready.text, rules=rules)
    else:
        outcome = await deps.door.attempt(ready, deps.session)
    done = after(record, outcome, started=started, ended=deps.session.now())
    deps.emit(state, "step", step=record["id"], tool=record["tool"], status=done["status"], code=outcome.code)
    if found := signals(json.dumps(outcome.envelope["data"], ensure_ascii=False)):
        deps.emit(state, "hint", step=record["id"], signals=list(found))
    return {"execution": {"steps": {record["id"]: done}}}


def call_of(record: StepRecord, session: dict[str, Any], *, plan_version: int) -> Call:
    """Return the call that a bound record stands for."""
    provenance = {name: _origin(origin) for name, origin in record["provenance"].items()}
    return Call(
        call_id=f"{session['run_id']}/{record['id']}",
        run_id=session["run_id"],
        thread_id=session["thread_id"],
        step_id=record["id"],
        user_id=session["user_id"],
        tool=record["tool"],
        arguments=record["input"],
        provenance=provenance,
        plan_version=plan_version,
    )
