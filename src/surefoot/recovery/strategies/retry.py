"""Retry with backoff: the machinery failed and may work the next time. Its counter is the contract's retry policy."""

from surefoot.errors import ErrorCode
from surefoot.recovery.decisions import Again, Case, Decision
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text

FUTILE = (ErrorCode.BREAKER_OPEN, ErrorCode.BUDGET_SPENT, ErrorCode.LOOP_DETECTED)
"""Errors that the same call meets again at once: an open breaker goes straight to the fallback."""


class Retrying(Acting):
    """Costs time."""

    name = "again"
    label = Text("再试一次", "try again")
    cost = 1
    chance = 0.7
    limited = False

    def applies(self, case: Case) -> bool:
        """Return whether the machinery failed and the contract allows another try."""
        if not case.machinery or case.outcome.code in FUTILE:
            return False
        return case.history.tries <= case.contract.execution_contract.retry_policy.max_retries

    def decide(self, case: Case) -> Decision:
        """Wait longer each time, with jitter."""
        policy = case.contract.execution_contract.retry_policy
        return Again(policy.delay_ms(case.history.tries, case.history.spread))

    async def carry_out(self, told: Told, site: Site) -> Change:
        """Wait; the step is made again, a write under its consent."""
        await site.door.clock.sleep(told["delay_ms"] / 1000)
        return Change()
