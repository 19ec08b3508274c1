"""Nodes of recovery, each strategy one visible, checkpointed step: settle, recover, undo, hand over."""

from typing import Any, cast

from langgraph.runtime import Runtime

from surefoot.agents.deps import Deps, plan_of
from surefoot.agents.records import after, history_of, note, outcome_of
from surefoot.agents.state import RunState, StepRecord
from surefoot.execution.protocol import UNSETTLED, State
from surefoot.planning.plan import Plan
from surefoot.recovery.handover import write_ticket
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.saga import undo_run
from surefoot.recovery.settle import Again, Ask, AskBack, Done, HandOver, Other, Replan, Skip, Undo
from surefoot.recovery.settle import settle as decide
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text

BEFORE_RECOVERY = declare("graph.before_recovery", "a strategy was chosen and checkpointed, not carried out")
KEEP_DECISIONS = 20

Update = dict[str, Any]


async def settle(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Decide what the first unsettled outcome means. One decision at a time, so that each is checkpointed."""
    deps, plan = runtime.context, plan_of(state)
    assert plan is not None
    record = next((r for r in state["execution"]["steps"].values() if not r["settled"]), None)
    if record is None:
        return {"reliability": {"decision": None}}
    history = history_of(record, plan, deps.registry, spread=deps.spread())
    decision = decide(outcome_of(record), history, deps.registry.contract(record["tool"]))
    if isinstance(decision, Done):
        return {"execution": {"steps": {record["id"]: {**record, "settled": True}}}, "reliability": {"decision": None}}
    told = _told(decision, record)
    deps.emit(state, "decision", **{key: value for key, value in told.items() if key != "question"})
    past = [*state["reliability"].get("history", []), {k: told[k] for k in ("kind", "step", "code")}]
    reliability = {"decision": told, "history": past[-KEEP_DECISIONS:], "last_error": record.get("error")}
    update: Update = {"reliability": reliability}
    if isinstance(decision, Ask):
        update["planning"] = {"question": decision.question.to_json()}
        update["execution"] = {"steps": {record["id"]: {**record, "settled": True}}}
    return update


def _told(decision: Any, record: StepRecord) -> dict[str, Any]:
    """Return a decision as JSON-native data."""
    error = record.get("error") or {}
    told: dict[str, Any] = {"step": record["id"], "code": error.get("code"), "kind": ""}
    match decision:
        case Again(delay_ms):
            told |= {"kind": "again", "delay_ms": delay_ms}
        case AskBack(delay_ms):
            told |= {"kind": "ask_back", "delay_ms": delay_ms}
        case Other(tool):
            told |= {"kind": "other", "tool": tool}
        case Replan():
            told |= {"kind": "replan"}
        case Ask(question):
            told |= {"kind": "ask", "question": question.to_json()}
        case Skip(why):
            told |= {"kind": "skip", "why": why.to_json()}
        case Undo(why):
            told |= {"kind": "undo", "why": why.to_json()}
        case HandOver(why):
            told |= {"kind": "hand_over", "why": why.to_json()}
    return told


async def recover(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Carry out the chosen strategy; what came of it is settled next."""
    deps, decision = runtime.context, state["reliability"]["decision"]
    record: StepRecord = state["execution"]["steps"][decision["step"]]
    reach(BEFORE_RECOVERY)
    if decision.get("delay_ms"):
        await deps.door.clock.sleep(decision["delay_ms"] / 1000)
    if decision["kind"] == "ask_back":
        changed = {record["id"]: await _ask_back(record, deps)}
    elif decision["kind"] == "replan":
        changed = _redo(record, state)
    else:
        changed = {record["id"]: _carry_out(record, decision)}
    execution: Update = {"steps": changed}
    if decision["kind"] == "other":
        # Another tool is another card: the consent was given for the first one.
        execution |= {"card": None, "consent_id": None}
    return {"execution": execution, "reliability": {"decision": None, **_degradation(decision)}}


def _degradation(decision: dict[str, Any]) -> dict[str, str]:
    return {"degradation": "fallback"} if decision["kind"] in ("other", "skip") else {}


async def _ask_back(record: StepRecord, deps: Deps) -> StepRecord:
    effect = await deps.door.ledger.get(cast(str, record["effect_id"]))
    started = deps.session.now()
    outcome = await reconcile(effect, deps.door, deps.session)
    counted = {**record["history"], "asked_back": record["history"].get("asked_back", 0) + 1}
    asked = cast(StepRecord, {**record, "history": counted})
    done = after(asked, outcome, started=started, ended=deps.session.now())
    if not outcome.reconciled:
        done["history"] = counted
    if outcome.reconciled and outcome.kind == "ok":
        text = Text(
            "对方系统起初没有回应，后来查询确认已经办成。",
            "The other system gave no answer at first; asking back confirmed that it was done.",
        )
        done = note(done, text)
    return done


def _carry_out(record: StepRecord, decision: dict[str, Any]) -> StepRecord:
    changed: dict[str, Any] = {"settled": True, "status": "pending"}
    if decision["kind"] == "other":
        history = {**record["history"], "tries": 0}
        history["fell_back"] = [*history.get("fell_back", []), decision["tool"]]
        changed |= {"tool": decision["tool"], "history": history, "effect": None, "effect_id": None}
        text = Text("原来的系统不可用，改用了备用来源。", "The usual source was not available; a fallback was used.")
        record = note(record, text)
    if decision["kind"] == "skip":
        changed["status"] = "skipped"
    return cast(StepRecord, {**record, **changed})


def _redo(record: StepRecord, state: RunState) -> dict[str, Any]:
    """Run the steps again that this one's arguments came from, and remember what was refused."""
    plan = cast(Plan, plan_of(state))
    steps = state["execution"]["steps"]
    bindings = plan.step(record["id"]).parameters.values()
    named = {binding.step for binding in bindings if binding.step}
    chosen_from = set(plan.step(record["id"]).depends_on) if any(binding.choose for binding in bindings) else set()
    sources = {source for source in named | chosen_from if steps[source]["status"] == "success"}
    changed: dict[str, Any] = {
        source: {**steps[source], "status": "pending"} for source in sources if not steps[source].get("effect_id")
    }
    history = {**record["history"], "replans": record["history"].get("replans", 0) + 1, "tries": 0}
    refused = [*record["refused"], record["input"]]
    text = Text(
        "首选被对方系统拒绝，已另选一个。", "The first choice was refused by the other system; another one was taken."
    )
    again = {**record, "status": "pending", "settled": True, "history": history, "refused": refused}
    changed[record["id"]] = note(cast(StepRecord, again), text)
    return changed


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
    ticket = write_ticket(session["run_id"], session["user_id"], state["planning"]["request"], decision["why"], effects)
    opened = await deps.tickets.open(ticket)
    deps.emit(state, "handed_over", ticket_id=opened.ticket_id)
    result = {"status": "handed_over", "reason": decision["why"], "ticket": opened.to_json()}
    return {"result": result, "reliability": {"decision": None, "degradation": "manual_transfer"}}
