"""The shop as a process of its own, so that a test can kill it: ``python -m shop.process DB BACKEND start|resume``."""

import asyncio
import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shop.app import Backend, shop_app
from shop.running import confirm
from surefoot.bootstrap import Settings, open_runner
from surefoot.persistence.database import sqlite_url
from surefoot.runtime.runner import Runner, RunResult
from surefoot.testing.faults import Fault, FaultInjector


class FileBackend(Backend):
    """The shop's own system in a file that survives the caller. Each change is on disk before it is answered."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._load()

    def _load(self) -> None:
        if self._path.exists() and self._path.read_text():
            data = json.loads(self._path.read_text())
            self.orders, self.log = data["orders"], [tuple(entry) for entry in data["log"]]

    @contextmanager
    def change(self) -> Iterator[None]:
        """Lock, read, let the caller change, and write before the lock is given back."""
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._load()
            yield
            fresh = self._path.with_suffix(".new")
            fresh.write_text(json.dumps({"orders": self.orders, "log": self.log}))
            os.replace(fresh, self._path)


async def _drive(runner: Runner, result: RunResult) -> RunResult:
    while result.status == "waiting":
        card: Any = result.pending and result.pending["card"]
        print(json.dumps({"card": f"{card['step_id']} {card['args_hash']}"}), flush=True)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
    return result


async def main(database: str, backend: str, action: str, text: str, faults: str) -> None:
    """Start or resume one purchase, confirming every card; print how it ended as JSON."""
    shop = FileBackend(Path(backend))
    app = shop_app(shop)
    injector = FaultInjector([Fault(**fault) for fault in json.loads(faults)])
    settings = Settings(database_url=sqlite_url(Path(database)))
    async with open_runner(injector.wrap(app), settings) as runner:
        if action == "start":
            result = await runner.start(text, user_id="ann", lang="en")
        else:
            newest: Any = (await runner.runs.newest())[0]
            result = await runner.resume(newest.run_id, by="ann")
        result = await _drive(runner, result)
        print(json.dumps({"status": result.status, "log": shop.log}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:6]))
