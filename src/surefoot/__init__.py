"""Surefoot makes AI agents dependable: intent before effect, consent, reconcile, undo, recovery."""

from surefoot.app import Answer, App, Block, Finding, RunView
from surefoot.contracts import Fee, Registry, ToolContext, ToolContract, Violation
from surefoot.errors import BusinessEmpty, BusinessRefused, ErrorCode, Fenced, NotSent, SurefootError, ToolError
from surefoot.guardrails import Guard, Incoming, Verdict
from surefoot.planning import Binding, Choosing, Chosen, Option, Plan, Planner, Proposal, Question, Request, Slot, Step
from surefoot.texts import Text

__all__ = [
    "Answer",
    "App",
    "Binding",
    "Block",
    "BusinessEmpty",
    "BusinessRefused",
    "Choosing",
    "Chosen",
    "ErrorCode",
    "Fee",
    "Fenced",
    "Finding",
    "Guard",
    "Incoming",
    "NotSent",
    "Option",
    "Plan",
    "Planner",
    "Proposal",
    "Question",
    "Registry",
    "Request",
    "RunView",
    "Slot",
    "Step",
    "SurefootError",
    "Text",
    "ToolContext",
    "ToolContract",
    "ToolError",
    "Verdict",
    "Violation",
]
