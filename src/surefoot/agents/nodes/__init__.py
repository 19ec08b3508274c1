"""The nodes of plan_execute, one function each."""

from surefoot.agents.nodes.closing import respond, validate
from surefoot.agents.nodes.intake import check, clarify, guard, plan
from surefoot.agents.nodes.reading import bind, read
from surefoot.agents.nodes.recovering import recover, settle, verify
from surefoot.agents.nodes.settling import hand_over, undo
from surefoot.agents.nodes.writing import approve, attempt, prepare

__all__ = [
    "approve",
    "attempt",
    "bind",
    "check",
    "clarify",
    "guard",
    "hand_over",
    "plan",
    "prepare",
    "read",
    "recover",
    "respond",
    "settle",
    "undo",
    "validate",
    "verify",
]
