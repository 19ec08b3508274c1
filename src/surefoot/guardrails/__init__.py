"""Checks before any planner or model: refuse, answer at once, or let through."""

from surefoot.guardrails.guard import GO_ON, Guard, Incoming, Verdict
from surefoot.guardrails.input_text import clean

__all__ = ["GO_ON", "Guard", "Incoming", "Verdict", "clean"]
