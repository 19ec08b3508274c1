"""Widen a query that found nothing, narrow one that was too much for its source; only as the contract declares."""

from typing import Literal

from surefoot.contracts.model import QueryChange
from surefoot.errors import ErrorCode
from surefoot.recovery.decisions import Case, Decision, Relax
from surefoot.recovery.strategies.strategy import Acting, Adjustment, Change, Site, Told
from surefoot.texts import Text

TOO_MUCH = (ErrorCode.TOOL_TIMEOUT, ErrorCode.TOOL_RATE_LIMITED)


class Relaxing(Acting):
    """Costs exactness: the question is not quite the one that was asked, and the answer says so."""

    name = "relax"
    label = Text("放宽或收窄查询", "widen or narrow the query")
    cost = 2
    chance = 0.5
    degrades = True

    def applies(self, case: Case) -> bool:
        """Return whether the contract declares one more change for this kind of failure."""
        return _next(case) is not None

    def decide(self, case: Case) -> Decision:
        """Apply the next declared change that changes anything."""
        found = _next(case)
        assert found is not None
        return Relax(*found)

    async def carry_out(self, told: Told, site: Site) -> Change:
        """The step is made again with the changed question."""
        contract = site.door.registry.contract(site.call.tool)
        changes = contract.widen if told["direction"] == "widen" else contract.narrow
        drop, values = together(changes[: told["applied"]])
        note = _said(told["direction"], drop, values, site)
        adjustment = Adjustment(drop, values, relaxed=told["applied"], why=note)
        return Change(adjustment=adjustment, marks=("relaxed",), note=note)


def together(changes: tuple[QueryChange, ...]) -> tuple[tuple[str, ...], dict[str, object]]:
    """Return the fields dropped and the fields set once all changes hold, the later ones over the earlier."""
    drop: list[str] = []
    values: dict[str, object] = {}
    for change in changes:
        drop = [name for name in drop if name not in change.set] + list(change.drop)
        values = {name: value for name, value in values.items() if name not in change.drop} | change.set
    return tuple(dict.fromkeys(drop)), values


def _next(case: Case) -> tuple[Literal["widen", "narrow"], int] | None:
    """Return the direction, and how many changes hold after the next one that differs from what was asked."""
    if case.outcome.code in (ErrorCode.BUSINESS_EMPTY, ErrorCode.TOOL_NOT_FOUND) and case.missing is None:
        return _differing("widen", case.contract.widen, case)
    if case.machinery and case.outcome.code in TOO_MUCH:
        return _differing("narrow", case.contract.narrow, case)
    return None


def _differing(
    direction: Literal["widen", "narrow"], changes: tuple[QueryChange, ...], case: Case
) -> tuple[Literal["widen", "narrow"], int] | None:
    asked = case.history.arguments
    for applied in range(case.history.relaxed + 1, len(changes) + 1):
        drop, values = together(changes[:applied])
        if any(name in asked for name in drop) or any(asked.get(name) != value for name, value in values.items()):
            return direction, applied
    return None


def _said(direction: str, drop: tuple[str, ...], values: dict[str, object], site: Site) -> Text:
    zh = [f"不限{site.name(name).zh}" for name in drop] + [f"{site.name(n).zh}改为 {v}" for n, v in values.items()]
    en = [f"any {site.name(name).en}" for name in drop] + [f"{site.name(n).en} {v}" for n, v in values.items()]
    if direction == "widen":
        return Text(
            f"按原来的条件没有找到，放宽了条件：{'、'.join(zh)}。",
            f"Nothing was found as asked, so the search was widened: {', '.join(en)}.",
        )
    return Text(
        f"原来的查询太大，对方答不上来，收窄了条件：{'、'.join(zh)}。",
        f"The query was too much for its source, so it was narrowed: {', '.join(en)}.",
    )
