"""The model's window: what goes to a model, put together under a hard budget, with people's words and data apart.

Instructions come from the program alone. What a person wrote stands in user messages; what tools and documents
returned stands as quoted data in a fence that the data cannot close, so that no text of theirs can pose as an
instruction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from surefoot.errors import SurefootError
from surefoot.llm.tokens import MESSAGE_TOKENS, estimate
from surefoot.memory.compression import compress, digest_of
from surefoot.memory.item import Item
from surefoot.memory.summary import Summary

BUDGET = 1200
TURN_TOKENS = 160
"""What one former turn may cost; a longer one is folded."""

Role = Literal["system", "user", "assistant"]
Speaker = Literal["person", "assistant", "tool", "document"]


class ModelInputTooLarge(SurefootError):
    """What must not be left out costs more than the budget; nothing was sent."""

    code = "MODEL_INPUT_TOO_LARGE"


@dataclass(frozen=True, slots=True)
class Turn:
    """One former turn: who said it, and what."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ModelInput:
    """Messages as ``(role, text)``, what they cost at most, and the turns that were left out or folded."""

    messages: tuple[tuple[Role, str], ...]
    tokens: int
    left_out: int
    originals: Mapping[str, str]


def fit(
    instructions: str,
    summary: Summary,
    turns: Sequence[Turn],
    question: str,
    *,
    preferences: Mapping[str, Item] | None = None,
    budget: int = BUDGET,
) -> ModelInput:
    """Return the model's input: instructions, everything that holds, as many latest turns as fit, the question.

    Nothing that was said or confirmed is left out or shortened; turns are, oldest first. ``originals`` holds the full
    text of each folded turn by its hash, for :class:`surefoot.memory.Originals`.

    Raises:
        ModelInputTooLarge: instructions, summary and question alone cost more than ``budget`` tokens.
    """
    known = _known(summary, preferences or {})
    fixed: list[tuple[Role, str]] = [("system", instructions), *known]
    spent = sum(_cost(text) for _, text in fixed) + _cost(question)
    if spent > budget:
        raise ModelInputTooLarge(f"the fixed part of a model's input costs {spent} tokens; the budget is {budget}")
    kept: list[tuple[Role, str]] = []
    originals: dict[str, str] = {}
    for turn in reversed(turns):
        folded = compress(turn.text, TURN_TOKENS)
        text = folded.say() if turn.speaker in ("person", "assistant") else quote(folded.say(), turn.speaker)
        if spent + _cost(text) > budget:
            break
        spent += _cost(text)
        kept.append(("assistant" if turn.speaker == "assistant" else "user", text))
        if folded.digest:
            originals[folded.digest] = turn.text
    messages = (*fixed, *reversed(kept), ("user", question))
    return ModelInput(messages, spent, len(turns) - len(kept), originals)


def quote(data: str, origin: str) -> str:
    """Return untrusted text as quoted data; the fence carries a hash of the data, so the data cannot close it."""
    fence = digest_of(data)[:16]
    return f"<data from={origin} id={fence}>\n{data}\n</data id={fence}>"


def _cost(text: str) -> int:
    return estimate(text) + MESSAGE_TOKENS


def _known(summary: Summary, preferences: Mapping[str, Item]) -> list[tuple[Role, str]]:
    """Return what holds now: what people said as it is, what tools and documents gave as quoted data."""
    sure: list[str] = []
    quoted: list[str] = []
    for prefix, items in (("", summary.constraints), ("prefers ", preferences)):
        for key, item in sorted(items.items()):
            line = f"{prefix}{key}: {_value(item.value)} ({item.standing})"
            (quoted if item.source in ("tool", "document", "model") else sure).append(line)
    for done in summary.done:
        quoted.append(f"done {done.tool}: " + ", ".join(f"{key}={_value(value)}" for key, value in done.values.items()))
    if summary.more_done:
        sure.append(f"{summary.more_done} more done before")
    messages: list[tuple[Role, str]] = []
    if sure:
        messages.append(("user", "What holds now:\n" + "\n".join(sure)))
    if quoted:
        messages.append(("user", quote("\n".join(quoted), "tool")))
    return messages


def _value(value: Any) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)
