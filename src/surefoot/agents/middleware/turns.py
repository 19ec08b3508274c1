"""What a turn has used up and seen, kept in this process and rebuilt from the ledger when it is not there."""

from collections import Counter, OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from surefoot.agents.middleware.identity import Turn
from surefoot.contracts.clock import Clock, Deadline
from surefoot.execution.budget import Limits, LoopDetector, RunBudget
from surefoot.execution.door import Session
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Ledger

KEEP = 512
"""How many turns are remembered; an older one is rebuilt from the ledger."""


@dataclass
class _Used:
    attempts: Counter[tuple[str, str]]
    loops: LoopDetector
    deadline: Deadline | None


class Turns:
    """Budgets and loop detectors by turn."""

    def __init__(self, ledger: Ledger, clock: Clock, limits: Limits, permissions: Collection[str]) -> None:
        self._ledger, self._clock, self._limits, self._permissions = ledger, clock, limits, permissions
        self._used: OrderedDict[str, _Used] = OrderedDict()

    async def session(self, turn: Turn, systems: Any, lease: Lease | None = None) -> Session:
        """Return the door's session for one call of this turn."""
        used = self._used.get(turn.run_id) or await self._rebuilt(turn)
        self._used[turn.run_id] = used
        self._used.move_to_end(turn.run_id)
        while len(self._used) > KEEP:
            self._used.popitem(last=False)
        if used.deadline is None:
            used.deadline = Deadline.after(self._clock, self._limits.seconds)
        return Session(
            user_id=turn.user_id,
            permissions=self._permissions,
            lease=lease or Lease(turn.thread_id, turn.run_id, "", 0),
            budget=RunBudget(self._limits, used.deadline, used.attempts),
            loops=used.loops,
            now=self._clock.now,
            systems=systems,
        )

    def wait(self, turn: Turn) -> None:
        """Stop the turn's time while a person thinks; it begins anew with the answer."""
        if turn.run_id in self._used:
            self._used[turn.run_id].deadline = None

    async def _rebuilt(self, turn: Turn) -> _Used:
        spent: Counter[tuple[str, str]] = Counter()
        for effect in await self._ledger.of_run(turn.run_id):
            spent[effect.tool, effect.args_hash] += effect.attempts
        return _Used(spent, LoopDetector(), None)


def permissions_of(contracts: Mapping[str, Any]) -> frozenset[str]:
    """Return every permission that the contracts name: what the host gave the agent, the agent may use."""
    return frozenset(contract.permission for contract in contracts.values())
