"""Cached answer: the last good answer to the same question, young enough by contract, marked stale with its time."""

from surefoot.errors import ErrorCode
from surefoot.recovery.decisions import Cached, Case, Decision
from surefoot.recovery.strategies.fallback import next_fallback
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text


class UsingCached(Acting):
    """Costs freshness."""

    name = "cached"
    label = Text("使用上一次的回答", "use the last good answer")
    cost = 2
    chance = 0.9
    degrades = True

    def applies(self, case: Case) -> bool:
        """Return whether the source of a read is broken and a good answer is kept. An open breaker means fallback."""
        if case.contract.is_write or case.contract.cache is None or case.history.kept is None:
            return False
        to_fallback = case.outcome.code == ErrorCode.BREAKER_OPEN and next_fallback(case) is not None
        return case.machinery and not to_fallback

    def decide(self, case: Case) -> Decision:
        """Take it, with its time."""
        return Cached(str(case.history.kept))

    async def carry_out(self, told: Told, site: Site) -> Change:
        """Hold the kept answer against the contract and the rules after, as they are now."""
        data = dict(site.kept["data"]) if site.kept else {}
        outcome = await site.door.accepted(site.call, data, site.session)
        if outcome is None:
            # Kept under an older contract, say: it is no answer any more.
            return Change(outcome=site.unchanged())
        outcome.envelope["metadata"] |= {"stale": True, "as_of": told["as_of"]}
        at = str(told["as_of"])[:16].replace("T", " ")
        note = Text(
            f"对方系统现在答不上来，这是 {at} 时的结果，可能已经过时。",
            f"The source cannot answer now; this is what it said at {at} and may be out of date.",
        )
        return Change(outcome=outcome, marks=("stale",), note=note)
