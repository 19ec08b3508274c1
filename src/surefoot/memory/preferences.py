"""Preferences: what a person wants to hold for longer than one task, per person and key."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from surefoot.memory.item import Item

KEPT_DAYS = 30
"""How long a preference holds unless it is said again."""

MAX_KEYS = 100
"""How many preferences one person may have."""

Change = Callable[[Item | None], Item | None]
"""A pure function from the value that stands now to the value that shall stand; ``None`` forgets it."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """One person's preferences as they stand, by key."""

    items: dict[str, Item]

    def get(self, key: str) -> Item | None:
        """Return one, or ``None``."""
        return self.items.get(key)


class Preferences(Protocol):
    """Where preferences live. Every read and write is bound to one person; nobody sees another's."""

    async def shelf(self, user_id: str) -> Shelf:
        """Return what holds now; what has expired is not there."""

    async def change(self, user_id: str, key: str, change: Change) -> Item | None:
        """Read, change and write one preference as one step under a lock, and return what stands.

        Raises:
            InputInvalid: there would be more than ``MAX_KEYS``, or the value is no JSON.
        """

    async def forget(self, user_id: str, key: str | None = None) -> int:
        """Forget one preference, or all of them; return how many there were."""
