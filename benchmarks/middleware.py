"""What the middleware costs under create_agent: the same scripted agent with and without it, turn by turn.

``python benchmarks/middleware.py [--json FILE]``. Medians of one process; the tools are the bank's of the tests.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from bank.app import Bank, bank_tools, calling, contracts
from surefoot.evals.report import Report
from surefoot.execution import Limits
from surefoot.middleware import SurefootMiddleware, sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

TURNS, CALLS = 30, 10


def turn(surefoot: SurefootMiddleware | None, tool: str, n: int) -> float:
    """Return the milliseconds of one turn of ``CALLS`` calls of one tool, each with arguments of its own."""
    script: list[Any] = [calling(tool, f"c{k}", invoice=f"{n}-{k}", amount=k + 1) for k in range(CALLS)]
    agent = create_agent(
        ScriptedModel(script=[*script, AIMessage("done")]),
        bank_tools(Bank()),
        middleware=[surefoot] if surefoot else [],
        checkpointer=InMemorySaver(),
    )
    began = time.perf_counter()
    agent.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": f"{tool}-{n}"}})
    return (time.perf_counter() - began) * 1000


def main(json_file: Path | None) -> None:
    """Measure reads and writes and report the cost per call."""
    report = Report("What the middleware costs per tool call (medians)")
    with tempfile.TemporaryDirectory() as folder:
        ledger = sqlite_ledger(Path(folder) / "s.sqlite")
        surefoot = SurefootMiddleware(contracts=contracts(), ledger=ledger, limits=Limits(calls=10**6))
        for kind, tool in (("read", "find_payment"), ("write", "pay")):
            pairs = [(turn(surefoot, tool, n), turn(None, tool, n)) for n in range(TURNS)]
            ours, bare = (statistics.median(side) / CALLS for side in zip(*pairs, strict=True))
            report.add(f"{kind}.with_ms", ours)
            report.add(f"{kind}.bare_ms", bare)
            report.add(f"{kind}.added_ms", ours - bare)
        surefoot.close()
    report.note(
        f"{TURNS} turns of {CALLS} calls each; a write makes four durable commits (lease twice, intent, outcome)"
    )
    report.show()
    if json_file is not None:
        report.write(json_file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    main(parser.parse_args().json)
