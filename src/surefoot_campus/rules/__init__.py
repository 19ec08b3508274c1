"""Business rules of the campus before and after a write, what a write costs, and how one is chosen among many."""

from surefoot_campus.rules.bookings import FEES, RULES
from surefoot_campus.rules.choices import CHOICES

__all__ = ["CHOICES", "FEES", "RULES"]
