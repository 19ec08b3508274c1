"""Plans: what a planner may propose, how arguments are bound, and what the checker accepts."""

from surefoot.planning.binding import Bound, Choice, Choosing, Chosen, Provenance, Unbound, bind
from surefoot.planning.checker import Refusal, check_plan
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot.planning.planner import Conversation, Option, Planner, Proposal, Question, Request

__all__ = [
    "Binding",
    "Bound",
    "Choice",
    "Choosing",
    "Chosen",
    "Conversation",
    "Option",
    "Plan",
    "Planner",
    "Proposal",
    "Provenance",
    "Question",
    "Refusal",
    "Request",
    "Slot",
    "Step",
    "Unbound",
    "bind",
    "check_plan",
]
