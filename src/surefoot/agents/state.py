"""A run's state: typed, JSON-native, in six domains and memory. This is what a checkpoint holds."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

Domain = dict[str, Any]

StepStatus = Literal[
    "pending", "success", "empty", "refused", "failed", "unknown", "timeout", "skipped", "dry_run"
]  # fmt: skip


class StepRecord(TypedDict):
    """One step as it ran. Times are ISO 8601; ``settled`` false means that ``settle`` has not decided yet.

    ``history`` counts what was tried (tries, asked_back, replans, fell_back); ``refused`` are argument sets
    that the back end refused; ``edited`` are arguments that the person changed on the card; ``adjusted`` are those
    that recovery changed: ``{drop: [...], values: {name: {value, origin, note}}, relaxed}``. ``marks`` say what is
    special about the result: stale, repaired, substituted, inferred, relaxed.
    """

    id: str
    tool: str
    status: StepStatus
    settled: bool
    input: dict[str, Any]
    args_hash: str
    provenance: dict[str, Any]
    output: NotRequired[dict[str, Any]]
    error: NotRequired[dict[str, Any] | None]
    started: NotRequired[str]
    ended: NotRequired[str]
    retries: int
    notes: list[dict[str, str]]
    effect_id: NotRequired[str | None]
    effect: NotRequired[str | None]
    reconciled: NotRequired[bool]
    replayed: NotRequired[bool]
    history: dict[str, Any]
    refused: list[dict[str, Any]]
    edited: NotRequired[dict[str, Any]]
    adjusted: NotRequired[dict[str, Any]]
    marks: NotRequired[list[str]]


def keep(depth: int) -> Callable[[Domain, Domain], Domain]:
    """Return a reducer that merges dictionaries ``depth`` levels deep; below that the new value replaces."""

    def merge(old: Domain, new: Domain) -> Domain:
        return _merge(old or {}, new or {}, depth)

    return merge


def _merge(old: Domain, new: Domain, depth: int) -> Domain:
    merged = dict(old)
    for key, value in new.items():
        deeper = depth > 1 and isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value, depth - 1) if deeper else value
    return merged


class RunState(TypedDict):
    """The six domains, the thread's memory, and its messages.

    session: run_id, thread_id, user_id, app, lang, now, dry_run.
    planning: request, slots, replies, plan, proposal, refusals, question, verdict.
    execution: steps {id: StepRecord}, current, card, consent_id.
    cache: answers (good answers of this thread that may stand in; kept from run to run).
    memory: working (what the planner keeps), summary (what holds and what was done), last_answer; kept from run to run.
    reliability: decision, history of recoveries, last_error, counts (recoveries per tool and step), recovery_ms,
        proposals (asked, taken, tokens), degradation (normal | fallback | manual_transfer).
    result: status, reason, answer, undone, ticket, findings, terminated.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    session: Annotated[Domain, keep(1)]
    planning: Annotated[Domain, keep(1)]
    execution: Annotated[Domain, keep(2)]
    cache: Annotated[Domain, keep(1)]
    memory: Annotated[Domain, keep(1)]
    reliability: Annotated[Domain, keep(1)]
    result: Annotated[Domain, keep(1)]


def new_record(step_id: str, tool: str) -> StepRecord:
    """Return the record of a step that has not run."""
    return {
        "id": step_id,
        "tool": tool,
        "status": "pending",
        "settled": True,
        "input": {},
        "args_hash": "",
        "provenance": {},
        "retries": 0,
        "notes": [],
        "history": {},
        "refused": [],
    }
