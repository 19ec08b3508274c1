"""Surefoot under the same create_agent: SurefootMiddleware, last in the list, over one ledger file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

from surefoot.agents.middleware import SurefootMiddleware
from surefoot.agents.middleware.identity import turn_of
from surefoot.agents.stores import Stores
from surefoot.agents.sync import PORTAL
from surefoot.bootstrap import sqlite_ledger
from surefoot.evals.tau2.contracts import WRITE_TIMEOUT_MS, Contract
from surefoot.evals.tau2.runners import Runner, drive
from surefoot.evals.tau2.scripted import Scripted
from surefoot.evals.tau2.stage import Stage
from surefoot.recovery.handover import Ticket


class House:
    """One middleware over one ledger file for all cells, as one process keeps them; every cell is a user and a thread.

    ``helpers`` are tools that the model does not see but contracts name.
    """

    def __init__(self, contracts: Mapping[str, Contract], folder: Path, helpers: Sequence[BaseTool] = ()) -> None:
        self.stores: Stores = PORTAL.run(_opened(folder / "ledger.sqlite"))
        self.middleware = SurefootMiddleware(
            contracts=contracts, ledger=self._shared, tools=helpers, spread=lambda: 0.0
        )
        self._numbers = count(1)

    def newcomer(self) -> str:
        """Return the name of a new user, who is also their thread."""
        return f"cell-{next(self._numbers)}"

    def run(self, stage: Stage, model: Scripted, who: str) -> list[BaseMessage]:
        """Play the stage's script as ``who``."""
        from langchain.agents import create_agent

        tools = stage.tools(handled=False)
        return drive(create_agent(model, tools, middleware=[self.middleware], checkpointer=InMemorySaver()), who)

    def ticket(self, who: str, messages: Sequence[Any]) -> Ticket | None:
        """Return the ticket of the turn that this history ends with, if one was opened."""
        turn = turn_of(list(messages), {"configurable": {"thread_id": who, "user_id": who}})
        return PORTAL.run(_ticket(self.stores, turn.run_id))

    def close(self) -> None:
        """Close the ledger."""
        self.middleware.close()
        PORTAL.run(_closed(self.stores))

    async def _shared(self) -> Stores:
        return replace(self.stores, close=_kept_open)


def surefoot(contracts: Mapping[str, Contract], folder: Path) -> Runner:
    """``create_agent`` with SurefootMiddleware; the ledger is kept in ``folder``."""
    house = House(contracts, folder)

    def run(stage: Stage, model: Scripted) -> list[BaseMessage]:
        return house.run(stage, model, house.newcomer())

    return Runner(
        "surefoot",
        "create_agent + SurefootMiddleware; contracts generated from the tools' names and schemas, with the overrides "
        f"of the contracts file; a write is given {WRITE_TIMEOUT_MS} ms and counts as absent only after that; the "
        "ledger is a SQLite file, synced to disk before each write; it reads back only through the domain's READs.",
        run,
        house.close,
    )


async def _opened(path: Path) -> Stores:
    return await sqlite_ledger(path)()


async def _closed(stores: Stores) -> None:
    await stores.close()


async def _kept_open() -> None:
    """The house closes its stores itself."""


async def _ticket(stores: Stores, run_id: str) -> Ticket | None:
    return await stores.tickets.of_run(run_id)
