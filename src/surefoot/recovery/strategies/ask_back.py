"""Reconcile: ask the back end what became of a write that may have happened. The only way on while it is unknown."""

from surefoot.execution.outcome import Outcome
from surefoot.recovery.decisions import AskBack, Case, Decision, Phase
from surefoot.recovery.diagnose import Category
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text

MAX_RECONCILES = 5

FOUND = Text(
    "对方系统起初没有回应，后来查询确认已经办成。",
    "The other system gave no answer at first; asking back confirmed that it was done.",
)


class AskingBack(Acting):
    """Asks at once, then with growing pauses, a fixed number of times."""

    name = "ask_back"
    label = Text("先向对方核实", "ask back first")
    cost = 0
    chance = 0.96
    phases = frozenset[Phase]({"unknown"})
    limited = False
    remains = True

    def applies(self, case: Case) -> bool:
        """Return whether asking is not used up."""
        return case.history.asked_back < MAX_RECONCILES

    def decide(self, case: Case) -> Decision:
        """Ask, not before an answer can bring a verdict."""
        asked = case.history.asked_back
        if asked == 0:
            return AskBack(0.0)
        backoff = case.contract.execution_contract.retry_policy.delay_ms(asked, case.history.spread)
        return AskBack(max(backoff, case.outcome.details.get("wait_ms", 0.0)))

    async def carry_out(self, told: Told, site: Site) -> Change:
        """Wait, ask, and bring what is known now."""
        await site.door.clock.sleep(told["delay_ms"] / 1000)
        effect = await site.door.ledger.get(str(site.failed.effect_id))
        outcome = await reconcile(effect, site.door, site.session)
        return Change(outcome=outcome, asked_back=True, note=FOUND if outcome.kind == "ok" else None)

    def verify(self, category: Category, outcome: Outcome) -> bool:
        """Return whether it is known now what became of the write."""
        return outcome.kind != "unknown"
