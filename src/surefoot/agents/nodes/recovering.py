"""Nodes of recovery, one visible, checkpointed step each: settle decides, recover carries out, verify looks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from langgraph.runtime import Runtime

from surefoot.agents.deps import Deps, plan_of
from surefoot.agents.kept import answers_in, kept_for, with_good_answers
from surefoot.agents.nodes.reading import call_of
from surefoot.agents.records import apply, history_of, note, outcome_of, without_raw
from surefoot.agents.state import RunState, StepRecord
from surefoot.execution.protocol import State
from surefoot.planning.plan import Plan
from surefoot.recovery.decisions import Case, told
from surefoot.recovery.diagnose import ErrorRecord, diagnose, impact_of, made_only_for
from surefoot.recovery.history import counted, entry, is_open, remembered
from surefoot.recovery.policy import acting, candidates, named, worth_asking
from surefoot.recovery.proposals import propose
from surefoot.recovery.saga import undo_run
from surefoot.recovery.settle import Ask, Done, History
from surefoot.recovery.settle import settle as decide
from surefoot.recovery.strategies import Site
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text

BEFORE_RECOVERY = declare("graph.before_recovery", "a strategy was chosen and checkpointed, not carried out")
AFTER_RECOVERY = declare("graph.after_recovery", "a strategy was carried out, the graph does not know it yet")

TAKEN_BACK = Text(
    "它只为后面跳过的一步而办，已撤销。", "It served only the step that was left out, so it was taken back."
)
NOT_TAKEN_BACK = Text(
    "它只为后面跳过的一步而办，但没有能够撤销，仍然有效。",
    "It served only the step that was left out, but could not be taken back; it still stands.",
)

Update = dict[str, Any]


async def settle(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Decide what the first unsettled outcome means. One decision at a time, so that each is checkpointed."""
    deps, plan, steps = runtime.context, plan_of(state), state["execution"]["steps"]
    assert plan is not None
    record = next((r for r in steps.values() if not r["settled"]), None)
    if record is None:
        return {"reliability": {"decision": None}, **_kept(state, deps)}
    outcome, contract = outcome_of(record), deps.registry.contract(record["tool"])
    error = diagnose(
        outcome,
        record["input"],
        contract,
        step=record["id"],
        impact=impact_of(record["id"], plan, deps.registry),
        at=deps.session.now(),
    )
    history, asked = await _with_proposal(Case(outcome, _history(record, plan, state, deps), contract), error, deps)
    decision = decide(outcome, history, contract)
    if isinstance(decision, Done):
        return {"execution": {"steps": {record["id"]: {**record, "settled": True}}}, "reliability": {"decision": None}}
    reliability = _decided(state, told(decision), error, record)
    deps.emit(state, "decision", **{k: v for k, v in reliability["decision"].items() if k != "question"}, **asked)
    if asked:
        reliability["proposals"] = _tallied(state["reliability"].get("proposals", {}), asked)
    update: Update = {"reliability": reliability, **_kept(state, deps)}
    if isinstance(decision, Ask):
        update["planning"] = {"question": decision.question.to_json()}
        record = cast(StepRecord, {**record, "settled": True})
    if decision.kind != "repair":
        record = without_raw(record)
    update["execution"] = {"steps": {record["id"]: record}}
    return update


def _history(record: StepRecord, plan: Plan, state: RunState, deps: Deps) -> History:
    user, reliability = state["session"]["user_id"], state["reliability"]
    kept = kept_for(answers_in(state), record, user, deps.registry, deps.session.now())
    return history_of(
        record,
        plan,
        deps.registry,
        spread=deps.spread(),
        past=reliability.get("history", []),
        late=deps.app.recovery.is_late(reliability, tool=record["tool"], step=record["id"]),
        kept=kept["as_of"] if kept else None,
        labels=deps.app.labels,
    )


async def _with_proposal(case: Case, error: ErrorRecord, deps: Deps) -> tuple[History, Update]:
    """Let the app's proposer, if there is one, name a strategy; return what came of it for the trace."""
    recovery, found = deps.app.recovery, candidates(case) if case.outcome.kind != "ok" else []
    if recovery.proposer is None or not worth_asking(found):
        return case.history, {}
    names = [strategy.name for strategy in found]
    proposal = await propose(recovery.proposer, error, names, recovery.proposer_seconds)
    asked = {"proposed": proposal.strategy, "proposal": proposal.why, "tokens": proposal.tokens}
    return replace(case.history, proposed=proposal.strategy), asked


def _tallied(before: Mapping[str, int], asked: Mapping[str, Any]) -> dict[str, int]:
    taken = int(asked["proposed"] is not None)
    new = {"asked": 1, "taken": taken, "tokens": int(asked["tokens"])}
    return {name: before.get(name, 0) + count for name, count in new.items()}


def _decided(state: RunState, decision: Update, error: ErrorRecord, record: StepRecord) -> Update:
    """Return the decision with its error, its entry in the history, and one more in the counts."""
    reliability = state["reliability"]
    about = {"step": error.step, "code": error.code, "category": error.category, "impact": error.impact}
    new = entry(decision["kind"], error, record["args_hash"])
    changed: Update = {
        "decision": {**about, **decision},
        "history": remembered(reliability.get("history", []), new),
        "last_error": error.to_json(),
    }
    if decision["kind"] not in ("undo", "hand_over"):
        changed["counts"] = counted(reliability.get("counts", {}), tool=error.tool, step=error.step)
    return changed


def _kept(state: RunState, deps: Deps) -> Update:
    """Keep the good answers of this thread that may stand in later."""
    known = answers_in(state)
    answers = with_good_answers(known, state["execution"]["steps"], state["session"]["user_id"], deps.registry)
    return {"cache": {"answers": answers}} if answers != known else {}


async def recover(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Carry out the chosen strategy; what it brings at once is verified next, else the step is made again."""
    deps, decision = runtime.context, state["reliability"]["decision"]
    record: StepRecord = state["execution"]["steps"][decision["step"]]
    reach(BEFORE_RECOVERY)
    began, started = deps.door.clock.monotonic(), deps.session.now()
    strategy = acting(decision["kind"])
    change = await strategy.carry_out(decision, _site(record, state, deps))
    reach(AFTER_RECOVERY)
    changed = {record["id"]: apply(record, change, started=started, ended=deps.session.now())}
    if change.sources_again:
        changed |= _sources(record, state)
    if change.skipped:
        changed |= await _branch_taken_back(record, state, deps)
    execution: Update = {"steps": changed}
    if change.tool is not None or change.adjustment is not None:
        # Another tool, or other arguments, is another card: the consent was given for the first one.
        execution |= {"card": None, "consent_id": None}
    spent = state["reliability"].get("recovery_ms", 0.0) + (deps.door.clock.monotonic() - began) * 1000
    reliability: Update = {"decision": None, "recovery_ms": round(spent, 3)}
    if strategy.degrades:
        reliability["degradation"] = "fallback"
    return {"execution": execution, "reliability": reliability}


def _site(record: StepRecord, state: RunState, deps: Deps) -> Site:
    plan = plan_of(state)
    user = state["session"]["user_id"]
    return Site(
        door=deps.door,
        session=deps.session,
        call=call_of(record, state["session"], plan_version=plan.version if plan else 1),
        failed=outcome_of(record),
        kept=kept_for(answers_in(state), record, user, deps.registry, deps.session.now()),
        labels=deps.app.labels,
    )


async def _branch_taken_back(record: StepRecord, state: RunState, deps: Deps) -> dict[str, StepRecord]:
    """Take back what was committed only for the sake of a step that is left out. The rest of the run stands."""
    plan, steps = cast(Plan, plan_of(state)), state["execution"]["steps"]
    skipped = [step_id for step_id, other in steps.items() if other["status"] == "skipped"]
    branch = made_only_for(record["id"], plan, deps.registry, skipped)
    if not any(steps[step_id].get("effect_id") for step_id in branch):
        return {}
    undone = await undo_run(state["session"]["run_id"], deps.door, deps.session, steps=branch)
    if undone:
        deps.emit(state, "undo", undone=[{"effect_id": item.effect_id, "state": item.state} for item in undone])
    by_effect = {item.effect_id: item.state for item in undone}
    changed: dict[str, StepRecord] = {}
    for step_id in branch:
        became = by_effect.get(steps[step_id].get("effect_id") or "")
        if became == State.COMPENSATED.value:
            gone = {**steps[step_id], "status": "skipped", "effect": became}
            changed[step_id] = note(cast(StepRecord, gone), TAKEN_BACK)
        elif became is not None:
            changed[step_id] = note(cast(StepRecord, {**steps[step_id], "effect": became}), NOT_TAKEN_BACK)
    return changed


def _sources(record: StepRecord, state: RunState) -> dict[str, StepRecord]:
    """Return the reads that this step's arguments came from, to be made again."""
    plan = cast(Plan, plan_of(state))
    steps = state["execution"]["steps"]
    bindings = plan.step(record["id"]).parameters.values()
    named = {binding.step for binding in bindings if binding.step}
    chosen_from = set(plan.step(record["id"]).depends_on) if any(binding.choose for binding in bindings) else set()
    done = [steps[source] for source in sorted(named | chosen_from) if steps[source]["status"] == "success"]
    return {one["id"]: cast(StepRecord, {**one, "status": "pending"}) for one in done if not one.get("effect_id")}


async def verify(state: RunState, runtime: Runtime[Deps]) -> Update:
    """Look whether the error's effect is gone, for each recovery whose step has an outcome; write it into the history.

    What did not help is not done again for the same error.
    """
    deps, steps, reliability = runtime.context, state["execution"]["steps"], state["reliability"]
    spent, history = reliability.get("recovery_ms", 0.0), []
    for one in reliability.get("history", []):
        record = steps.get(one.get("step"))
        if not is_open(one) or record is None or record["status"] == "pending":
            history.append(one)
            continue
        helped = _helped(one, record)
        history.append({**one, "helped": helped})
        spent += ((record.get("output") or {}).get("metadata") or {}).get("latency_ms", 0.0)
        deps.emit(state, "verified", step=one["step"], kind=one["kind"], helped=helped)
    return {"reliability": {"history": history, "recovery_ms": round(spent, 3)}}


def _helped(one: Mapping[str, Any], record: StepRecord) -> bool:
    if record["status"] in ("skipped", "dry_run"):
        return record["status"] == "dry_run" or one["kind"] == "skip"
    return named(one["kind"]).verify(one["category"], outcome_of(record))
