"""An agent with the middleware as a process of its own, so that a test can kill it.

``python -m bank.process FOLDER start|resume FAULTS``: checkpoints, ledger and the bank itself are files in FOLDER.
"""

import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from bank.app import Bank, bank_tools, calling, contracts
from surefoot.agents.middleware import SurefootMiddleware
from surefoot.bootstrap import sqlite_ledger
from surefoot.testing.scripted_model import ScriptedModel

CALLS = [("pay", {"invoice": "17", "amount": 40}), ("pay", {"invoice": "18", "amount": 2}), ("ship", {"order": "9"})]


class FileBank(Bank):
    """A bank that survives its caller: what was done, and which faults have struck, is on disk before it answers."""

    def __init__(self, path: Path, faults: dict[str, list[str]]) -> None:
        super().__init__(faults=faults)
        self._path = path
        if path.exists():
            kept = json.loads(path.read_text())
            self.done, self.faults = [(name, what) for name, what in kept["done"]], kept["faults"]

    def _do(self, kind: str, what: dict[str, Any]) -> Any:
        try:
            return super()._do(kind, what)
        finally:
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps({"done": self.done, "faults": self.faults}))
            os.replace(fresh, self._path)


def next_call(messages: list[BaseMessage]) -> AIMessage:
    """Make the next call of the list; which one that is, the history says."""
    made = sum(isinstance(message, ToolMessage) for message in messages)
    if made == len(CALLS):
        return AIMessage("done")
    name, arguments = CALLS[made]
    return calling(name, f"c{made}", **arguments)


def main(folder: Path, action: str, faults: str) -> None:
    """Start or go on with one turn, and print what the bank did and what the model was told."""
    bank = FileBank(folder / "bank.json", json.loads(faults))
    surefoot = SurefootMiddleware(contracts=contracts(), ledger=sqlite_ledger(folder / "ledger.sqlite"))
    with sqlite3.connect(folder / "graph.sqlite", check_same_thread=False) as connection:
        agent = create_agent(
            ScriptedModel(script=[next_call] * 9),
            bank_tools(bank),
            middleware=[surefoot],
            checkpointer=SqliteSaver(connection),
        )
        given = {"messages": [("user", "pay 17 and 18, then ship 9")]} if action == "start" else None
        result = agent.invoke(given, {"configurable": {"thread_id": "t1"}}, durability="sync")
    told = [json.loads(str(m.content)) for m in result["messages"] if isinstance(m, ToolMessage)]
    print(json.dumps({"done": bank.done, "told": told}), flush=True)
    surefoot.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:4])
