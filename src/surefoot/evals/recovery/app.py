"""The exam's app: the world's tools under contracts, and a planner that hands out the scenario's plan."""

import functools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from surefoot.app import App, Block, RunView
from surefoot.contracts.tool import Tool, ToolContext
from surefoot.evals.recovery.scenarios import Stage, cheapest, scenarios
from surefoot.evals.recovery.world import TOOLS
from surefoot.planning.binding import Choosing, Chosen
from surefoot.planning.planner import Proposal, Request
from surefoot.recovery.policy import Recovery
from surefoot.texts import Text


class ScenarioPlanner:
    """Reads the name of a scenario."""

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return the scenario's plan, with what was answered since in its slots."""
        scenario = scenarios()[request.text]
        return Proposal(plan=scenario.plan(), slots={**scenario.slots(), **request.slots})


def choose_cheapest(choosing: Choosing) -> Chosen | None:
    """Pick the cheapest flight that was not refused yet."""
    found = [dict(result.get("data") or {}) for result in choosing.results.values()]
    flight = cheapest(found, [refused.get("flight") for refused in choosing.refused])
    return None if flight is None else Chosen(flight, Text("最便宜的", "the cheapest"))


def compose(view: RunView) -> list[Block]:
    """Say the status, and nothing that is not known."""
    return [Block("text", {"text": f"{view.status}: {view.request}"})]


def breakable(tool: Tool) -> Tool:
    """Return the tool as each run's faults break it; which run a call belongs to is its user."""

    @functools.wraps(tool)
    async def unsafe(*, ctx: ToolContext, **arguments: Any) -> dict[str, Any]:
        stage: Stage = ctx.systems[ctx.user_id]
        return await stage.faults.call(tool, arguments, ctx)

    return unsafe


def exam_app(stages: Mapping[str, Stage], recovery: Recovery | None = None) -> App:
    """Return the app over one stage per user."""

    @asynccontextmanager
    async def systems() -> AsyncIterator[Mapping[str, Stage]]:
        yield stages

    return App(
        name="recovery-exam",
        title=Text("恢复评测", "Recovery exam"),
        timezone="Asia/Shanghai",
        contracts=Path(__file__).parent / "contracts",
        tools=[breakable(tool) for tool in TOOLS],
        planner=ScenarioPlanner(),
        open=systems,
        permissions=lambda user: frozenset({"travel"}),
        compose=compose,
        choices={"cheapest": choose_cheapest},
        recovery=recovery or Recovery(),
    )
