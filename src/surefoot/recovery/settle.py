"""Settle: decide what an outcome means for the run. Pure; the only place that decides a retry."""

from surefoot.contracts.model import ToolContract
from surefoot.execution.outcome import Outcome
from surefoot.recovery.decisions import (
    Again,
    Ask,
    AskBack,
    Cached,
    Case,
    Decision,
    Done,
    HandOver,
    History,
    Infer,
    Other,
    Relax,
    Repair,
    Replan,
    Skip,
    Undo,
)
from surefoot.recovery.policy import candidates
from surefoot.recovery.strategies.ask import alternatives

__all__ = [
    "Again", "Ask", "AskBack", "Cached", "Decision", "Done", "HandOver", "History", "Infer", "Other", "Relax",
    "Repair", "Replan", "Skip", "Undo", "alternatives", "settle",
]  # fmt: skip


def settle(outcome: Outcome, history: History, contract: ToolContract) -> Decision:
    """Return what to do about ``outcome``: what was proposed, where it applies; else the cheapest that applies."""
    if outcome.kind == "ok":
        return Done()
    case = Case(outcome, history, contract)
    found = candidates(case)
    chosen = next((strategy for strategy in found if strategy.name == history.proposed), found[0])
    return chosen.decide(case)
