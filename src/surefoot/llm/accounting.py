"""What models cost: calls, attempts, tokens, money, and the answers that did not fit; one meter per run."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from surefoot.llm.failures import ModelFailed
from surefoot.llm.tokens import MESSAGE_TOKENS, estimate


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in one currency."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """A meter's reading. ``estimated``: calls whose tokens the provider did not tell, counted from above."""

    calls: int = 0
    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {
            "calls": self.calls,
            "attempts": self.attempts,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "estimated": self.estimated,
            "cost": self.cost,
        }


@dataclass
class Meter:
    """Counts what a run spends on models. ``limit`` is the tokens it may spend in all; ``None`` sets none.

    ``invalid`` counts answers that did not validate, by reason (``llm_output_validation_failed_total``).
    """

    limit: int | None = None
    usage: Usage = field(default_factory=Usage)
    invalid: Counter[str] = field(default_factory=Counter)

    def allow(self) -> None:
        """Raise ModelFailed (spent) once the run's allowance of tokens is used up."""
        if self.limit is not None and self.usage.tokens >= self.limit:
            raise ModelFailed("spent", f"{self.usage.tokens} of {self.limit} tokens")

    def attempted(self) -> None:
        """Count one attempt, before anything is sent."""
        self._add(attempts=1)

    def answered(self, messages: list[BaseMessage], answer: AIMessage, price: Price) -> None:
        """Count one answer with the tokens that the provider tells, else with an estimate."""
        told = answer.usage_metadata
        spent_in = told["input_tokens"] if told else sum(estimate(str(m.content)) + MESSAGE_TOKENS for m in messages)
        spent_out = told["output_tokens"] if told else estimate(str(answer.content)) + _called(answer)
        cost = (spent_in * price.input_per_million + spent_out * price.output_per_million) / 1e6
        self._add(calls=1, input_tokens=spent_in, output_tokens=spent_out, estimated=int(not told), cost=cost)

    def rejected(self, reason: str) -> None:
        """Count one answer that did not validate."""
        self.invalid[reason] += 1

    def _add(self, **counts: Any) -> None:
        now = self.usage.to_json()
        self.usage = Usage(**{name: value + counts.get(name, 0) for name, value in now.items()})


def _called(answer: AIMessage) -> int:
    return sum(estimate(f"{call['name']} {call['args']}") for call in answer.tool_calls)
