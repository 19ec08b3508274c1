"""Ask: one exact question to the person, with what could be chosen instead, or about the one value that is missing."""

from typing import Any

from surefoot.execution.outcome import Outcome
from surefoot.planning.planner import Option, Question
from surefoot.recovery.decisions import Ask, Case, Decision
from surefoot.recovery.strategies.strategy import Strategy
from surefoot.texts import Text


class Asking(Strategy):
    """Costs the person's attention. Carried out by the graph's clarify node."""

    name = "ask"
    label = Text("问您一个问题", "ask the person")
    cost = 5
    chance = 0.8

    def applies(self, case: Case) -> bool:
        """Return whether the business said no or nothing, the step matters, and there is one exact question."""
        return not case.machinery and case.history.critical and _question(case) is not None

    def decide(self, case: Case) -> Decision:
        """Ask it."""
        question = _question(case)
        assert question is not None
        return Ask(question)


def _question(case: Case) -> Question | None:
    return alternatives(case.outcome) or case.history.questions.get(case.missing or "")


def alternatives(outcome: Outcome) -> Question | None:
    """Return the question that an empty or refused result suggests, if it came with alternatives."""
    found: list[dict[str, Any]] = outcome.details.get("alternatives", [])
    error = outcome.envelope["error"]
    if not found or error is None:
        return None
    reason = Text.from_json(error["message"])
    text = Text(f"{reason.zh}可以换成下面的哪一个？", f"{reason.en} Which of these would do instead?")
    options = tuple(Option(Text.from_json(item["label"]), dict(item["changes"])) for item in found)
    return Question(text, "choice", options)
