"""Helpers to run the shop through the whole engine: a real database, a real checkpointer, the real graph."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from shop.app import Backend, shop_app
from surefoot.bootstrap import Settings, open_runner
from surefoot.persistence.database import sqlite_url
from surefoot.runtime.runner import Runner, RunResult
from surefoot.testing.faults import Fault, FaultInjector


@asynccontextmanager
async def shop(
    folder: Path, backend: Backend | None = None, faults: Sequence[Fault] = (), **settings: Any
) -> AsyncIterator[tuple[Runner, Backend, FaultInjector]]:
    """Open a runner on the shop with a database in ``folder``."""
    backend = backend or Backend()
    injector = FaultInjector(faults)
    chosen = Settings(database_url=sqlite_url(folder / "surefoot.sqlite"), **settings)
    async with open_runner(injector.wrap(shop_app(backend)), chosen) as runner:
        yield runner, backend, injector


async def buy(runner: Runner, text: str = "buy tea", *, user: str = "ann", **options: Any) -> RunResult:
    """Start a purchase; it stops at the first card."""
    return await runner.start(text, user_id=user, lang="en", **options)


def confirm(result: RunResult, *, by: str = "ann", **changes: Any) -> dict[str, Any]:
    """Return the answer that confirms (or, with changes, edits) the pending card."""
    assert result.pending is not None
    card = result.pending["card"]
    decision = "change" if changes else "confirm"
    return {"card_id": card["card_id"], "nonce": card["nonce"], "decision": decision, "by": by, "changes": changes}


async def confirm_all(runner: Runner, result: RunResult, *, by: str = "ann") -> RunResult:
    """Confirm card after card until the run ends."""
    while result.status == "waiting":
        result = await runner.resume(result.run_id, by=by, answer=confirm(result, by=by))
    return result
