"""Proposals: a model may name the strategy to use next. What it says is checked; it never carries anything out."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from surefoot.recovery.diagnose import ErrorRecord

MAX_WHY = 300


@dataclass(frozen=True)
class Suggestion:
    """What a model said, as it said it, and the tokens that it cost (0 where the provider does not tell)."""

    text: str
    tokens: int = 0


Proposer = Callable[[ErrorRecord, Sequence[str]], Awaitable[Suggestion]]
"""``async (error, names of the strategies that apply) -> Suggestion`` of ``{"strategy": name, "why": sentence}``."""


@dataclass(frozen=True)
class Proposal:
    """What came of asking. ``strategy`` is ``None`` where the deterministic default decides; ``why`` says why."""

    strategy: str | None
    why: str
    tokens: int = 0


async def propose(proposer: Proposer, error: ErrorRecord, applicable: Sequence[str], seconds: float) -> Proposal:
    """Ask a proposer, ``seconds`` at most. A model that fails, is late or says nonsense decides nothing."""
    try:
        async with asyncio.timeout(seconds):
            said = await proposer(error, tuple(applicable))
    except Exception as failed:  # noqa: BLE001 - recovery must not depend on a model; the trace tells what it met
        return Proposal(None, f"the proposer failed: {type(failed).__name__}")
    return read_proposal(said, applicable)


def read_proposal(said: Suggestion, applicable: Sequence[str]) -> Proposal:
    """Check a suggestion strictly: one JSON object with exactly ``strategy`` (one that applies) and ``why``."""
    tokens = max(0, said.tokens)
    try:
        data = json.loads(said.text)
    except (ValueError, TypeError, RecursionError):
        return Proposal(None, "not JSON", tokens)
    if not isinstance(data, dict) or set(data) != {"strategy", "why"}:
        return Proposal(None, "not an object of strategy and why", tokens)
    strategy, why = data["strategy"], data["why"]
    if not isinstance(strategy, str) or not isinstance(why, str) or len(why) > MAX_WHY:
        return Proposal(None, "strategy and why are short texts", tokens)
    if strategy not in applicable:
        return Proposal(None, "a strategy that does not apply", tokens)
    return Proposal(strategy, why, tokens)
