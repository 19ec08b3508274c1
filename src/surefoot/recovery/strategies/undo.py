"""Undo and stop: take back what was committed and cannot be kept. Always possible once nothing is unknown."""

from surefoot.recovery.decisions import Case, Decision, Phase, Undo
from surefoot.recovery.strategies.strategy import Strategy
from surefoot.texts import Text


class Undoing(Strategy):
    """Costs the work done so far. Carried out by the graph's undo node, through the saga."""

    name = "undo"
    label = Text("撤销并停止", "undo and stop")
    cost = 6
    chance = 0.05
    phases = frozenset[Phase]({"failed", "standing"})
    limited = False
    remains = True

    def applies(self, case: Case) -> bool:
        """Always."""
        return True

    def decide(self, case: Case) -> Decision:
        """Say why."""
        return Undo(case.reason)
