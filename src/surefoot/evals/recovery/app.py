"""The exam's app: the world's tools under contracts, and a planner that hands out the scenario's plan."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from surefoot.app import App, Block, RunView
from surefoot.evals.recovery.faults import BlindFaults
from surefoot.evals.recovery.scenarios import scenarios
from surefoot.evals.recovery.world import TOOLS, World
from surefoot.planning.planner import Proposal, Request
from surefoot.texts import Text


class ScenarioPlanner:
    """Reads the name of a scenario."""

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return the scenario's plan."""
        return Proposal(plan=scenarios()[request.text].plan())


def compose(view: RunView) -> list[Block]:
    """Say the status, and nothing that is not known."""
    return [Block("text", {"text": f"{view.status}: {view.request}"})]


def exam_app(worlds: dict[str, World], faults: BlindFaults) -> App:
    """Return the app over one world per user."""

    @asynccontextmanager
    async def systems() -> AsyncIterator[dict[str, World]]:
        yield worlds

    return App(
        name="recovery-exam",
        title=Text("恢复评测", "Recovery exam"),
        timezone="Asia/Shanghai",
        contracts=Path(__file__).parent / "contracts",
        tools=[faults.wrap(tool) for tool in TOOLS],
        planner=ScenarioPlanner(),
        open=systems,
        permissions=lambda user: frozenset({"travel"}),
        compose=compose,
    )
