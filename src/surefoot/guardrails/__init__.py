"""Checks before any planner or model: refuse, answer at once, or let through."""

from surefoot.guardrails.guard import GO_ON, Guard, Incoming, Verdict
from surefoot.guardrails.injection import signals
from surefoot.guardrails.input_text import clean
from surefoot.guardrails.privacy import Veil, find_private, mask
from surefoot.guardrails.rates import MovingWindows, Rates

__all__ = [
    "GO_ON",
    "Guard",
    "Incoming",
    "MovingWindows",
    "Rates",
    "Veil",
    "Verdict",
    "clean",
    "find_private",
    "mask",
    "signals",
]
