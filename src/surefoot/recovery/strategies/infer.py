"""Infer a missing value: the contract declares what is usual. Marked as a guess, also on a card."""

from surefoot.recovery.decisions import Case, Decision, Infer
from surefoot.recovery.strategies.strategy import Acting, Adjustment, Change, Site, Told
from surefoot.texts import Text

WHY = Text("没有说明，按通常情况推测", "not stated; what is usual was assumed")


class Inferring(Acting):
    """Costs a guess."""

    name = "infer"
    label = Text("按通常情况推测", "assume what is usual")
    cost = 3
    chance = 0.6
    limited = False
    degrades = True

    def applies(self, case: Case) -> bool:
        """Return whether what is missing has a declared usual value, which was not what failed."""
        name = case.missing
        if name is None or name not in case.contract.infer:
            return False
        return bool(case.history.arguments.get(name) != case.contract.infer[name])

    def decide(self, case: Case) -> Decision:
        """Take the declared value."""
        name = str(case.missing)
        return Infer({name: case.contract.infer[name]})

    async def carry_out(self, told: Told, site: Site) -> Change:
        """The step is made again with the guess; a write gets a new card that shows it."""
        values = dict(told["values"])
        zh = "、".join(f"{site.name(name).zh} {value}" for name, value in values.items())
        en = ", ".join(f"{site.name(name).en} {value}" for name, value in values.items())
        note = Text(f"有一项没有说明，按通常情况推测：{zh}。", f"Something was not stated and was assumed: {en}.")
        return Change(adjustment=Adjustment(values=values, inferred=True, why=WHY), marks=("inferred",), note=note)
