"""Fallback tool, or another source: the contract names who else can do this or knows this.

One mechanism for both: a fallback of a read is another source, and the answer names it; a fallback of a write is
another card, because consent was given for the first one.
"""

from surefoot.recovery.decisions import Case, Decision, Other
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text


class FallingBack(Acting):
    """Costs exactness: what answers is not what was asked."""

    name = "other"
    label = Text("改用备用来源", "use the fallback")
    cost = 2
    chance = 0.8
    degrades = True

    def applies(self, case: Case) -> bool:
        """Return whether this source is broken and another one is declared that was not used yet."""
        return case.broken_source and next_fallback(case) is not None

    def decide(self, case: Case) -> Decision:
        """Take the first one left."""
        return Other(str(next_fallback(case)))

    async def carry_out(self, told: Told, site: Site) -> Change:
        """The step is made again with the other tool."""
        registry = site.door.registry
        first, other = registry.contract(site.call.tool), registry.contract(told["tool"])
        if first.is_write:
            note = Text(
                f"原来的办法不可用，改用备用办法：{_bare(other.summary.zh)}。",
                f"The usual way was not available; another one was used: {_bare(other.summary.en)}.",
            )
        else:
            note = Text(
                f"原来的来源不可用，结果来自备用来源：{_bare(other.summary.zh)}。",
                f"The usual source was not available; this comes from another one: {_bare(other.summary.en)}.",
            )
        return Change(tool=other.name, marks=("substituted",), note=note)


def next_fallback(case: Case) -> str | None:
    """Return the first declared fallback that was not used yet."""
    declared = (*case.contract.fallbacks, *case.history.fallbacks)
    left = (name for name in declared if name not in case.history.fell_back and name != case.contract.name)
    return next(left, None)


def _bare(sentence: str) -> str:
    return sentence.rstrip("。.")
