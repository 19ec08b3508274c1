"""Diagnose: what kind of error it is, and how much of the plan it touches, as one structured record."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from surefoot.contracts.model import ToolContract
from surefoot.contracts.registry import Registry
from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome
from surefoot.planning.plan import Plan, Step
from surefoot.telemetry.redaction import masked

Category = Literal[
    "network", "rate", "auth", "parsing", "not_found", "empty", "business", "unknown_effect", "unknown"
]  # fmt: skip
Impact = Literal["step", "branch", "goal"]
"""``step``: nothing else suffers. ``branch``: other steps do, but the goal can be reached. ``goal``: it cannot."""

CATEGORIES: Mapping[str, Category] = {
    ErrorCode.TOOL_TIMEOUT: "network",
    ErrorCode.TOOL_UNAVAILABLE: "network",
    ErrorCode.BREAKER_OPEN: "network",
    ErrorCode.TOOL_RATE_LIMITED: "rate",
    ErrorCode.TOOL_AUTH: "auth",
    ErrorCode.PERMISSION_DENIED: "auth",
    ErrorCode.APPROVAL_MISSING: "auth",
    ErrorCode.TOOL_OUTPUT_INVALID: "parsing",
    ErrorCode.TOOL_NOT_FOUND: "not_found",
    ErrorCode.BUSINESS_EMPTY: "empty",
    ErrorCode.BUSINESS_REFUSED: "business",
    ErrorCode.TOOL_INPUT_INVALID: "business",
    ErrorCode.EFFECT_UNKNOWN: "unknown_effect",
}
CUT = 120
"""Characters of one argument that an error record keeps."""


@dataclass(frozen=True)
class ErrorRecord:
    """One error, for the state, the trace and a proposer. JSON-native; private arguments are masked.

    ``type`` is the exception's class where one is known, else the code. ``time`` is ISO 8601.
    """

    step: str
    tool: str
    type: str
    code: str
    message: dict[str, str]
    arguments: dict[str, str]
    time: str
    category: Category
    impact: Impact

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return asdict(self)


def categorise(outcome: Outcome) -> Category:
    """Return what kind of error an outcome tells of. A write of which nobody knows is a kind of its own."""
    if outcome.kind == "unknown":
        return "unknown_effect"
    return CATEGORIES.get(outcome.code or "", "unknown")


def diagnose(
    outcome: Outcome, arguments: Mapping[str, Any], contract: ToolContract, *, step: str, impact: Impact, at: datetime
) -> ErrorRecord:
    """Return the structured record of one failed or unknown outcome."""
    error = outcome.envelope["error"]
    cause = str(outcome.details.get("cause", ""))
    name = cause.partition(":")[0]
    return ErrorRecord(
        step=step,
        tool=outcome.tool,
        type=name if name.isidentifier() else str(outcome.code or "unknown"),
        code=str(outcome.code or ""),
        message=error["message"] if error else {"zh": "", "en": ""},
        arguments={key: _cut(value) for key, value in masked(arguments, contract.private).items()},
        time=at.isoformat(),
        category=categorise(outcome),
        impact=impact,
    )


def _cut(value: Any) -> str:
    words = str(value)
    return words if len(words) <= CUT else f"{words[:CUT]}…"


def impact_of(step_id: str, plan: Plan, registry: Registry) -> Impact:
    """Return how much of the plan is lost when this step stays undone.

    The goal is what the critical steps lead to: those on which no other critical step waits. All of them lost is the
    goal lost; some of them, or any other step that waits for this one, is a branch.
    """
    needed = {step.id for step in plan.steps if is_critical(step, registry)}
    lost = {step_id} | _waiting_for(step_id, plan)
    ends = {one for one in needed if not needed & _waiting_for(one, plan)}
    if ends and ends <= lost:
        return "goal"
    return "branch" if ends & lost or len(lost) > 1 else "step"


def made_only_for(step_id: str, plan: Plan, registry: Registry, left_out: Collection[str]) -> tuple[str, ...]:
    """Return the optional steps that served this one alone: what waits for them is left out, or only serves it too.

    When an optional step is left out, its branch has lost its purpose: a seat reserved for a meal that is not booked.
    """
    gone, branch = {step_id, *left_out}, set[str]()
    for step in reversed(plan.steps):
        waiting = {other.id for other in plan.steps if step.id in other.depends_on}
        if step.id not in gone and not is_critical(step, registry) and waiting and waiting <= gone | branch:
            branch.add(step.id)
    return tuple(step.id for step in plan.steps if step.id in branch)


def is_critical(step: Step, registry: Registry) -> bool:
    """Return whether the plan cannot do without a step: the plan says so, or else the tool's contract."""
    return step.critical if step.critical is not None else registry.contract(step.tool).critical


def _waiting_for(step_id: str, plan: Plan) -> set[str]:
    """Return every step that waits for this one, directly or through others."""
    found: set[str] = set()
    edge = {step_id}
    while edge:
        edge = {step.id for step in plan.steps if edge & set(step.depends_on)} - found
        found |= edge
    return found
