"""Hand over: a person gets the whole case when asking back has brought no verdict."""

from surefoot.recovery.decisions import Case, Decision, HandOver, Phase
from surefoot.recovery.strategies.ask_back import MAX_RECONCILES
from surefoot.recovery.strategies.strategy import Strategy
from surefoot.texts import Text

STILL_UNKNOWN = Text(
    "多次询问对方系统后，仍不清楚这一步是否已经办成。",
    "After asking back several times it is still unknown whether this was done.",
)


class HandingOver(Strategy):
    """Costs somebody else's work. Carried out by the graph's hand_over node."""

    name = "hand_over"
    label = Text("转人工", "hand over")
    cost = 7
    chance = 0.5
    phases = frozenset[Phase]({"unknown"})
    limited = False
    remains = True

    def applies(self, case: Case) -> bool:
        """Return whether asking back is used up."""
        return case.history.asked_back >= MAX_RECONCILES

    def decide(self, case: Case) -> Decision:
        """Say why."""
        return HandOver(STILL_UNKNOWN)
