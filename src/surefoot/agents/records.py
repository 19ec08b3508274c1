"""Step records from outcomes: what the history tells of a call, exactly one truthful entry each."""

from datetime import datetime
from typing import Any, cast

from surefoot.agents.state import StepRecord, StepStatus
from surefoot.contracts.registry import Registry
from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome
from surefoot.planning.plan import Plan
from surefoot.recovery.settle import History
from surefoot.texts import Text

DONE: frozenset[str] = frozenset({"success", "dry_run"})
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
    return cast(StepRecord, {**record, **changed})


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


def history_of(record: StepRecord, plan: Plan, registry: Registry, *, spread: float) -> History:
    """Return what ``settle`` must know of this step's past."""
    step = plan.step(record["id"])
    seen = record["history"]
    critical = step.critical if step.critical is not None else registry.contract(step.tool).critical
    return History(
        tries=seen.get("tries", 1),
        asked_back=seen.get("asked_back", 0),
        replans=seen.get("replans", 0),
        fell_back=tuple(seen.get("fell_back", ())),
        chosen=any(binding.choose or binding.path for binding in step.parameters.values()),
        critical=critical,
        spread=spread,
    )


def note(record: StepRecord, text: Text) -> StepRecord:
    """Return the record with a sentence for the answer."""
    return {**record, "notes": [*record["notes"], text.to_json()]}
