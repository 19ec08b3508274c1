"""Replan: do the steps again that the refused arguments came from, and choose without what was refused."""

from surefoot.errors import ErrorCode
from surefoot.recovery.decisions import Case, Decision, Replan
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text

MAX_REPLANS = 2

ANOTHER = Text(
    "首选被对方系统拒绝，已另选一个。", "The first choice was refused by the other system; another one was taken."
)


class Replanning(Acting):
    """Costs some calls and, for a write, another card."""

    name = "replan"
    label = Text("另选一个", "choose another")
    cost = 4
    chance = 0.4

    def applies(self, case: Case) -> bool:
        """Return whether another choice may be accepted."""
        return another_choice_may_help(case)

    def decide(self, case: Case) -> Decision:
        """Choose again."""
        return Replan()

    async def carry_out(self, told: Told, site: Site) -> Change:
        """The sources and the step are made again; the refused arguments are never chosen twice."""
        return Change(sources_again=True, note=ANOTHER)


def another_choice_may_help(case: Case) -> bool:
    """A back end that refused what was chosen may accept another; our own rules would refuse again."""
    outcome = case.outcome
    refused = outcome.kind == "refused" and outcome.code == ErrorCode.BUSINESS_REFUSED
    return refused and "rules" not in outcome.details and case.history.chosen and case.history.replans < MAX_REPLANS
