"""Long-term behaviour on any LangGraph store: for hosts that bring a ``BaseStore`` of their own.

A store has no transaction, so nothing is counted in place: each observation is an item of its own, and two writers
lose nothing. Values are not sealed by us; that is the store's business.
"""

from collections.abc import Callable
from datetime import datetime

from langgraph.store.base import BaseStore

from surefoot.memory.behaviour import KEPT, Observation

ROOT = "surefoot_behaviour"
PERMISSION = "permission"


class StoreBehaviour:
    """Behaviour in a ``BaseStore``. ``new_id`` makes keys that rise with time where order matters within a second."""

    def __init__(self, store: BaseStore, new_id: Callable[[], str]) -> None:
        self._store, self._new_id = store, new_id

    async def permit(self, user_id: str, *, allowed: bool) -> None:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        if not allowed:
            await self.forget(user_id)
            await self._store.adelete((ROOT, user_id, PERMISSION), PERMISSION)
            return
        await self._store.aput((ROOT, user_id, PERMISSION), PERMISSION, {"allowed": True}, index=False)

    async def permitted(self, user_id: str) -> bool:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        found = await self._store.aget((ROOT, user_id, PERMISSION), PERMISSION)
        return found is not None and found.value.get("allowed") is True

    async def observe(self, user_id: str, seen: Observation) -> bool:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        if not await self.permitted(user_id):
            return False
        value = {"kind": seen.kind, "choice": seen.choice, "at": seen.at.isoformat(), "liked": seen.liked}
        await self._store.aput((ROOT, user_id, "seen"), self._new_id(), value, index=False)
        return True

    async def observed(self, user_id: str, kind: str | None = None) -> list[Observation]:
        """See :class:`surefoot.memory.behaviour.Behaviour`. A store has no order of its own: by time observed."""
        if not await self.permitted(user_id):
            return []
        wanted = None if kind is None else {"kind": kind}
        found = await self._store.asearch((ROOT, user_id, "seen"), filter=wanted, limit=10 * KEPT)
        values = sorted((item.value for item in found), key=lambda value: str(value["at"]), reverse=True)
        return [
            Observation(value["kind"], value["choice"], datetime.fromisoformat(value["at"]), value["liked"])
            for value in values[:KEPT]
        ]

    async def forget(self, user_id: str) -> int:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        gone = 0
        while found := await self._store.asearch((ROOT, user_id, "seen"), limit=KEPT):
            for item in found:
                await self._store.adelete(item.namespace, item.key)
            gone += len(found)
        return gone
