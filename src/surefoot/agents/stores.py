"""What the middleware keeps outside the graph: the ledger and what belongs to it, opened on first use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from surefoot.execution.consent import Consents
from surefoot.execution.lease import Leases
from surefoot.execution.ledger import Ledger
from surefoot.recovery.handover import Tickets


@dataclass(frozen=True)
class Stores:
    """Ledger, consents, leases and tickets over one database. ``owner`` names this process in leases."""

    ledger: Ledger
    consents: Consents
    leases: Leases
    tickets: Tickets
    owner: str
    close: Callable[[], Awaitable[None]]


OpenStores = Callable[[], Awaitable[Stores]]
"""Opens the stores; called once, on the portal's loop. ``surefoot.bootstrap.sqlite_ledger`` makes one."""
