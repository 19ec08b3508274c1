"""Skip: leave out a step that the plan can do without; the answer says so."""

from surefoot.recovery.decisions import Case, Decision, Skip
from surefoot.recovery.strategies.replan import another_choice_may_help
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text

LEFT_OUT = Text("这一步不影响其余部分，已跳过。", "The rest does not depend on this step, so it was left out.")


class Skipping(Acting):
    """Costs a smaller result."""

    name = "skip"
    label = Text("跳过这一步", "leave the step out")
    cost = 3
    chance = 0.1
    limited = False
    remains = True
    degrades = True

    def applies(self, case: Case) -> bool:
        """Return whether the step is not critical, and no other choice is left that may still bring it."""
        return not case.history.critical and (case.history.late or not another_choice_may_help(case))

    def decide(self, case: Case) -> Decision:
        """Say why."""
        return Skip(case.reason)

    async def carry_out(self, told: Told, site: Site) -> Change:
        """The step is left out."""
        return Change(skipped=True, note=LEFT_OUT)
