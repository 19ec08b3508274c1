"""What the campus looks at before any planner: refuse, answer at once, or let through."""

from surefoot_campus.guards.rules import GUARDS

__all__ = ["GUARDS"]
