"""The lease on a thread: one run at a time, and an epoch that fences a worker that was replaced."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Lease:
    """A claim on a thread. Every intent and every checkpoint is written under its epoch."""

    thread_id: str
    run_id: str
    owner: str
    epoch: int


class Leases(Protocol):
    """Where leases live. Expiry uses the database's clock; only the epoch protects."""

    async def claim(self, thread_id: str, run_id: str, owner: str, *, ttl_seconds: float) -> Lease:
        """Take the thread for a run, with the next epoch.

        Raises:
            ThreadBusy: another live run holds it.
        """

    async def renew(self, lease: Lease, *, ttl_seconds: float) -> None:
        """Push the expiry out. Raises Fenced when the epoch has moved on."""

    async def release(self, lease: Lease) -> None:
        """Give the thread back; does nothing when it was taken over."""

    async def is_live(self, thread_id: str) -> bool:
        """Return whether a living worker holds the thread."""
