"""Makes the golden database with a handed-over run: ``python tests/compatibility/make_golden_ticket.py VERSION``.

The payment went through, its answer was lost, and the back end could not be asked. A later version must read the
ticket and let an operator go on with the run. Never made anew for a version that was released.
"""

import asyncio
import base64
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from shop.running import buy, confirm_all, shop
from surefoot.testing.faults import Fault
from surefoot.testing.in_memory import TEST_KEY

HERE = Path(__file__).parent / "golden" / "handed_over"
LOST = [
    Fault("charge", "after_commit_timeout", times=99),
    Fault("find_order", "before_commit_timeout", times=99),
]


async def make(version: str) -> None:
    """Write the run and keep the file."""
    folder = Path(tempfile.mkdtemp())
    (folder / "surefoot.key").write_bytes(base64.b64encode(TEST_KEY))
    (folder / "surefoot.key").chmod(0o600)
    async with shop(folder, faults=LOST) as (runner, backend, _):
        result = await confirm_all(runner, await buy(runner, "buy tea"))
        assert result.status == "handed_over"
        assert backend.log == [("reserve", "tea"), ("charge", "tea")]
    with sqlite3.connect(folder / "surefoot.sqlite") as connection:
        connection.execute("UPDATE run_lease SET expires_at = 0")
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("VACUUM")
    connection.close()
    HERE.mkdir(exist_ok=True, parents=True)
    shutil.copyfile(folder / "surefoot.sqlite", HERE / f"{version}.sqlite")


if __name__ == "__main__":
    asyncio.run(make(sys.argv[1]))
