"""The one door to tools: prepare, consent, attempt; the ledger; budgets; the lease."""

from surefoot.execution.breaker import Breaker
from surefoot.execution.budget import Limits, LoopDetector, RunBudget
from surefoot.execution.call import Call, digest
from surefoot.execution.consent import Card, Consents, Reply, check_reply
from surefoot.execution.door import Door, Session
from surefoot.execution.invoke import Invoker
from surefoot.execution.lease import Lease, Leases
from surefoot.execution.ledger import Begun, Effect, Intent, Ledger
from surefoot.execution.outcome import Outcome
from surefoot.execution.prepare import Ready, Refused
from surefoot.execution.protocol import Event, State, Writer

__all__ = [
    "Begun",
    "Breaker",
    "Call",
    "Card",
    "Consents",
    "Door",
    "Effect",
    "Event",
    "Intent",
    "Invoker",
    "Lease",
    "Leases",
    "Ledger",
    "Limits",
    "LoopDetector",
    "Outcome",
    "Ready",
    "Refused",
    "Reply",
    "RunBudget",
    "Session",
    "State",
    "Writer",
    "check_reply",
    "digest",
]
