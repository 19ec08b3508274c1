"""Settle: decide what an outcome means for the run. Pure; the only place that decides a retry."""

from dataclasses import dataclass, field
from typing import Any

from surefoot.contracts.model import ToolContract
from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome
from surefoot.planning.planner import Option, Question
from surefoot.texts import Text

MAX_RECONCILES = 5
MAX_REPLANS = 2


@dataclass(frozen=True)
class Done:
    """The step is settled."""


@dataclass(frozen=True)
class Again:
    """Make one more try after ``delay_ms``."""

    delay_ms: float


@dataclass(frozen=True)
class AskBack:
    """Ask the back end what became of an unknown effect, after ``delay_ms``."""

    delay_ms: float


@dataclass(frozen=True)
class Other:
    """Use the declared fallback tool."""

    tool: str


@dataclass(frozen=True)
class Replan:
    """Do the steps again that this step's arguments came from, without what was refused."""


@dataclass(frozen=True)
class Ask:
    """Ask the person one exact question."""

    question: Question


@dataclass(frozen=True)
class Skip:
    """Leave a step out that the plan can do without; the answer says so."""

    why: Text


@dataclass(frozen=True)
class Undo:
    """Take back what was committed, and stop."""

    why: Text


@dataclass(frozen=True)
class HandOver:
    """Give the case to a person with everything that is known."""

    why: Text


Decision = Done | Again | AskBack | Other | Replan | Ask | Skip | Undo | HandOver


@dataclass(frozen=True)
class History:
    """What was tried for this step before, from durable records."""

    tries: int = 1
    asked_back: int = 0
    replans: int = 0
    fell_back: tuple[str, ...] = ()
    chosen: bool = False
    """Whether the step's arguments came from earlier steps, so that another choice is possible."""
    critical: bool = True
    spread: float = field(default=0.0)
    """Jitter in [0, 1), injected."""


def settle(outcome: Outcome, history: History, contract: ToolContract) -> Decision:
    """Return what to do about ``outcome``; the cheapest strategy whose precondition holds."""
    if outcome.kind == "ok":
        return Done()
    if outcome.kind == "unknown":
        return _unknown(outcome, history, contract)
    if outcome.effect_state == "committed":
        return Undo(_reason(outcome))
    if outcome.kind in ("failed", "not_sent"):
        return _machinery(outcome, history, contract)
    return _business(outcome, history)


def _unknown(outcome: Outcome, history: History, contract: ToolContract) -> Decision:
    if history.asked_back >= MAX_RECONCILES:
        return HandOver(
            Text(
                "多次询问对方系统后，仍不清楚这一步是否已经办成。",
                "After asking back several times it is still unknown whether this was done.",
            )
        )
    if history.asked_back == 0:
        return AskBack(0.0)
    backoff = contract.execution_contract.retry_policy.delay_ms(history.asked_back, history.spread)
    return AskBack(max(backoff, outcome.details.get("wait_ms", 0.0)))


def _machinery(outcome: Outcome, history: History, contract: ToolContract) -> Decision:
    policy = contract.execution_contract.retry_policy
    stopped = outcome.code in (ErrorCode.BREAKER_OPEN, ErrorCode.BUDGET_SPENT, ErrorCode.LOOP_DETECTED)
    if not stopped and history.tries <= policy.max_retries:
        return Again(policy.delay_ms(history.tries, history.spread))
    return _without(outcome, history, contract.fallbacks)


def _business(outcome: Outcome, history: History) -> Decision:
    question = alternatives(outcome)
    if _another_choice_may_help(outcome, history):
        return Replan()
    if question is not None and history.critical:
        return Ask(question)
    return _without(outcome, history, ())


def _another_choice_may_help(outcome: Outcome, history: History) -> bool:
    """A back end that refused what was chosen may accept another; our own rules would refuse again."""
    by_rule = "rules" in outcome.details
    refused = outcome.kind == "refused" and outcome.code == ErrorCode.BUSINESS_REFUSED and not by_rule
    return refused and history.chosen and history.replans < MAX_REPLANS


def _without(outcome: Outcome, history: History, fallbacks: tuple[str, ...]) -> Decision:
    for tool in fallbacks:
        if tool not in history.fell_back:
            return Other(tool)
    if not history.critical:
        return Skip(_reason(outcome))
    return Undo(_reason(outcome))


def _reason(outcome: Outcome) -> Text:
    error = outcome.envelope["error"]
    return Text.from_json(error["message"]) if error else Text("这一步没有完成。", "This step was not done.")


def alternatives(outcome: Outcome) -> Question | None:
    """Return the question that an empty or refused result suggests, if it came with alternatives."""
    found: list[dict[str, Any]] = outcome.details.get("alternatives", [])
    if not found:
        return None
    reason = _reason(outcome)
    text = Text(f"{reason.zh}可以换成下面的哪一个？", f"{reason.en} Which of these would do instead?")
    options = tuple(Option(Text.from_json(item["label"]), dict(item["changes"])) for item in found)
    return Question(text, "choice", options)
