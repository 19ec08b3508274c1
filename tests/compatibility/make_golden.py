"""Makes the golden database of this version: ``python tests/compatibility/make_golden.py VERSION``.

It holds a finished run, a run that waits at its second card, and one that was cut off after its intent. A later
version must go on with all three. Never made anew for a version that was released.
"""

import asyncio
import base64
import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

from shop.running import buy, confirm, confirm_all, shop
from surefoot.telemetry import crashpoint
from surefoot.testing.in_memory import TEST_KEY

HERE = Path(__file__).parent / "golden"


class Cut(BaseException):
    """The process stops here."""


def stop(name: str) -> None:
    """Stop instead of dying."""
    raise Cut(name)


async def make(version: str) -> None:
    """Write the three runs and keep the file."""
    folder = Path(tempfile.mkdtemp())
    (folder / "surefoot.key").write_bytes(base64.b64encode(TEST_KEY))
    (folder / "surefoot.key").chmod(0o600)
    async with shop(folder, card_ttl_seconds=1e9) as (runner, backend, _):
        await confirm_all(runner, await buy(runner, "buy tea", thread_id="finished"))
        waiting = await buy(runner, "buy cake", thread_id="waiting")
        await runner.resume(waiting.run_id, by="ann", answer=confirm(waiting))
        cut = await buy(runner, "buy milk", thread_id="cut")
        with (
            patch.object(crashpoint, "_die", stop),
            patch.dict(os.environ, {"SUREFOOT_CRASH_AT": "attempt.after_intent"}),
        ):
            try:
                await runner.resume(cut.run_id, by="ann", answer=confirm(cut))
            except Cut:
                assert backend.log[-1] == ("reserve", "cake")
    with sqlite3.connect(folder / "surefoot.sqlite") as connection:
        connection.execute("UPDATE run_lease SET expires_at = 0")
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    HERE.mkdir(exist_ok=True)
    shutil.copyfile(folder / "surefoot.sqlite", HERE / f"{version}.sqlite")


if __name__ == "__main__":
    asyncio.run(make(sys.argv[1]))
