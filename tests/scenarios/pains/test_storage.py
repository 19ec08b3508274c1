"""What a long conversation costs in the database."""

import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from bank.app import Bank
from scenarios.pains.agents import THREAD, agent_of
from shop.app import Backend
from shop.running import buy, shop

WORDS = "a long answer " * 700
SIZES = "SELECT COALESCE(SUM(LENGTH(checkpoint)), 0) FROM checkpoints"


def grown(sizes: list[int]) -> list[int]:
    """Return what each turn added."""
    return [after - before for before, after in pairwise(sizes)]


def test_15_stock_every_turn_of_a_thread_adds_more_bytes_than_the_one_before(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "graph.sqlite", check_same_thread=False) as file:
        agent = agent_of(Bank(), *[lambda messages: AIMessage(WORDS)] * 6, checkpointer=SqliteSaver(file))
        sizes = []
        for n in range(6):
            agent.invoke({"messages": [("user", f"question {n}")]}, THREAD)
            sizes.append(file.execute(SIZES).fetchone()[0])
    added = grown(sizes)
    assert added[-1] > 2 * added[0]


async def test_15_ours_from_its_tenth_turn_on_a_thread_adds_the_same_bytes(tmp_path: Path) -> None:
    sizes: list[int] = []
    async with shop(tmp_path, Backend(sold_out=set())) as (runner, *_):
        for _ in range(16):
            result: Any = await buy(runner, "sell me nothing", thread_id="t")
            assert result.status == "refused"
            with sqlite3.connect(tmp_path / "surefoot.sqlite") as file:
                sizes.append(file.execute(SIZES).fetchone()[0])
    added = grown(sizes)
    assert added[-1] <= 1.2 * added[10]
