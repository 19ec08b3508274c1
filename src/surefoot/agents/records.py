"""Step records from outcomes: what the history tells of a call, exactly one truthful entry each."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from surefoot.agents.state import StepRecord, StepStatus
from surefoot.contracts.registry import Registry
from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome
from surefoot.planning.plan import Plan, Step
from surefoot.planning.planner import Question
from surefoot.recovery.diagnose import is_critical
from surefoot.recovery.history import useless_for
from surefoot.recovery.policy import ALL
from surefoot.recovery.settle import History
from surefoot.recovery.strategies import Adjustment, Change
from surefoot.texts import Text

DONE: frozenset[str] = frozenset({"success", "dry_run"})
PASSING = frozenset({"stale", "repaired"})
"""Marks of one answer; a new answer is neither."""

OVER: frozenset[str] = DONE | {"skipped", "refused", "failed", "empty", "unknown", "timeout"}


def after(record: StepRecord, outcome: Outcome, *, started: datetime, ended: datetime) -> StepRecord:
    """Return the record with one more outcome in it."""
    history = dict(record["history"])
    if not outcome.reconciled:
        history["tries"] = history.get("tries", 0) + 1
        history["spent"] = history.get("spent", 0) + 1
    changed: dict[str, Any] = {
        "status": _status(outcome),
        "settled": outcome.kind == "ok",
        "output": outcome.envelope,
        "error": outcome.envelope["error"],
        "started": record.get("started") or started.isoformat(),
        "ended": ended.isoformat(),
        "retries": max(0, history.get("tries", 1) - 1),
        "effect_id": outcome.effect_id,
        "effect": outcome.effect_state,
        "reconciled": outcome.reconciled or bool(record.get("reconciled")),
        "replayed": outcome.replayed,
        "history": history,
    }
    return cast(StepRecord, {**_without_marks(record, PASSING), **changed})


def _without_marks(record: StepRecord, gone: frozenset[str]) -> StepRecord:
    """Return the record without some marks, and without the sentences that belong to them."""
    if not gone & set(record.get("marks", [])):
        return record
    marks = [mark for mark in record.get("marks", []) if mark not in gone]
    notes = [text for text in record["notes"] if text.get("mark") not in gone]
    return cast(StepRecord, {**record, "marks": marks, "notes": notes})


def _status(outcome: Outcome) -> StepStatus:
    if outcome.kind == "ok":
        return "success"
    if outcome.kind in ("unknown", "refused", "empty"):
        return cast(StepStatus, outcome.kind)
    return "timeout" if outcome.code == ErrorCode.TOOL_TIMEOUT else "failed"


def outcome_of(record: StepRecord) -> Outcome:
    """Return the outcome that a record tells of."""
    kinds = {"success": "ok", "empty": "empty", "refused": "refused", "unknown": "unknown"}
    kind = kinds.get(record["status"], "failed")
    if record.get("effect") in ("not_sent", "absent"):
        kind = "not_sent"
    return Outcome(
        cast(Any, kind),
        record["tool"],
        cast(Any, record["output"]),
        record.get("effect_id"),
        record.get("effect"),
        reconciled=bool(record.get("reconciled")),
    )


def history_of(
    record: StepRecord,
    plan: Plan,
    registry: Registry,
    *,
    spread: float,
    past: Iterable[Mapping[str, Any]] = (),
    late: bool = False,
    kept: str | None = None,
    labels: Mapping[str, Text] | None = None,
) -> History:
    """Return what ``settle`` must know of this step's past and of what this host can do."""
    step = plan.step(record["id"])
    seen = record["history"]
    code = (record.get("error") or {}).get("code", "")
    return History(
        tries=seen.get("tries", 1),
        asked_back=seen.get("asked_back", 0),
        replans=seen.get("replans", 0),
        fell_back=tuple(seen.get("fell_back", ())),
        chosen=any(binding.choose or binding.path for binding in step.parameters.values()),
        critical=is_critical(step, registry),
        spread=spread,
        able=ALL,
        useless=useless_for(past, tool=record["tool"], code=code, args_hash=record["args_hash"]),
        late=late,
        arguments=record["input"],
        relaxed=record.get("adjusted", {}).get("relaxed", 0),
        kept=kept,
        fallbacks=registry.contract(step.tool).fallbacks,
        questions=_questions(step, labels or {}),
    )


def _questions(step: Step, labels: Mapping[str, Text]) -> dict[str, Question]:
    """Return what a person could be asked, for each parameter whose value comes from what they say."""
    asked = {}
    for name, binding in step.parameters.items():
        if binding.slot is not None:
            label = labels.get(name, Text(name, name))
            text = Text(f"“{label.zh}”应该是什么？", f"What should “{label.en}” be?")
            asked[name] = Question(text, binding.slot)
    return asked


def apply(record: StepRecord, change: Change, *, started: datetime, ended: datetime) -> StepRecord:
    """Return the record with what a strategy did to it. No try is counted: trying is what calls do."""
    history = dict(record["history"])
    if change.asked_back:
        history["asked_back"] = history.get("asked_back", 0) + 1
    if change.sources_again:
        history |= {"replans": history.get("replans", 0) + 1, "tries": 0}
    if change.tool is not None:
        history |= {"tries": 0, "fell_back": [*history.get("fell_back", []), change.tool]}
    changed: dict[str, Any] = {**record, "history": history}
    if change.outcome is not None:
        brought = after(cast(StepRecord, changed), change.outcome, started=started, ended=ended)
        changed = {**brought, "history": history, "retries": record["retries"]}
    else:
        changed |= {"settled": True, "status": "skipped" if change.skipped else "pending"}
    if change.sources_again:
        changed["refused"] = [*record["refused"], record["input"]]
    if change.tool is not None:
        changed |= {"tool": change.tool, "effect": None, "effect_id": None}
    if change.adjustment is not None:
        changed |= {"adjusted": _adjusted(record.get("adjusted", {}), change.adjustment)}
        changed["history"] = {**history, "tries": 0}
    if change.marks:
        changed["marks"] = list(dict.fromkeys([*record.get("marks", []), *change.marks]))
    done = cast(StepRecord, changed)
    return note(done, change.note, mark=change.marks[0] if change.marks else None) if change.note else done


def _adjusted(before: Mapping[str, Any], new: Adjustment) -> dict[str, Any]:
    """Return what differs from the plan's arguments, the new changes over the old ones."""
    why = new.why.to_json() if new.why else None
    origin = "inferred" if new.inferred else "rule"
    values = {name: value for name, value in before.get("values", {}).items() if name not in new.drop}
    values |= {name: {"value": value, "origin": origin, "note": why} for name, value in new.values.items()}
    drop = [name for name in before.get("drop", []) if name not in new.values]
    return {
        "drop": list(dict.fromkeys([*drop, *new.drop])),
        "values": values,
        "relaxed": max(new.relaxed, before.get("relaxed", 0)),
    }


def without_raw(record: StepRecord) -> StepRecord:
    """Return the record without the reply that broke its contract: it was for repair only."""
    error = record.get("error")
    if not error or "raw" not in error["details"]:
        return record
    slim = {**error, "details": {key: value for key, value in error["details"].items() if key != "raw"}}
    return cast(StepRecord, {**record, "error": slim, "output": {**record["output"], "error": slim}})


def note(record: StepRecord, text: Text, *, mark: str | None = None) -> StepRecord:
    """Return the record with a sentence for the answer; ``mark`` says which mark of the result it explains."""
    said = text.to_json() | ({"mark": mark} if mark else {})
    return {**record, "notes": [*record["notes"], said]}
