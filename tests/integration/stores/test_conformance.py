"""Every store passes the same suite: in memory and on disk."""

from pathlib import Path

import pytest

from surefoot.persistence.database import sqlite_url
from surefoot.testing.conformance import STORE_CLAIMS, Claim
from surefoot.testing.in_memory import open_stores


@pytest.mark.parametrize("claim", STORE_CLAIMS, ids=lambda claim: claim.__name__)
@pytest.mark.parametrize("where", ["memory", "disk"])
async def test_the_stores_keep_the_claim(claim: Claim, where: str, tmp_path: Path) -> None:
    url = "sqlite:///:memory:" if where == "memory" else sqlite_url(tmp_path / "s.sqlite")
    async with open_stores(url) as stores:
        await claim(stores)
