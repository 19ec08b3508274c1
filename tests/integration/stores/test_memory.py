"""Memory: every store passes the same suite; fifty writers on fifty connections lose nothing; expiry, erasure."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from surefoot.memory import Behaviour, Item, Observation, remember
from surefoot.persistence.behaviour_store import StoreBehaviour
from surefoot.persistence.database import open_database, sqlite_url
from surefoot.persistence.memory import SqlPreferences
from surefoot.testing.in_memory import MEMORY, TEST_KEY, open_stores
from surefoot.testing.memory_conformance import BEHAVIOUR_CLAIMS, ORIGINAL_CLAIMS, PREFERENCE_CLAIMS, saying

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


@pytest.fixture(params=["memory", "disk"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return MEMORY if request.param == "memory" else sqlite_url(tmp_path / "s.sqlite")


@pytest.fixture(params=["sql", "store in memory", "store on disk"])
async def behaviour(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Behaviour]:
    count = itertools.count()
    async with AsyncExitStack() as stack:
        if request.param == "sql":
            yield (await stack.enter_async_context(open_stores(sqlite_url(tmp_path / "s.sqlite")))).behaviour
        elif request.param == "store in memory":
            yield StoreBehaviour(InMemoryStore(), lambda: f"{next(count):09d}")
        else:
            path = str(tmp_path / "store.sqlite")
            store = await stack.enter_async_context(AsyncSqliteStore.from_conn_string(path))
            await store.setup()
            yield StoreBehaviour(store, lambda: f"{next(count):09d}")


@pytest.mark.parametrize("claim", PREFERENCE_CLAIMS, ids=lambda claim: claim.__name__)
async def test_preferences_keep_the_claim(claim, url):
    async with open_stores(url) as stores:
        await claim(stores.preferences)


@pytest.mark.parametrize("claim", BEHAVIOUR_CLAIMS, ids=lambda claim: claim.__name__)
async def test_behaviour_keeps_the_claim(claim, behaviour):
    await claim(behaviour)


@pytest.mark.parametrize("claim", ORIGINAL_CLAIMS, ids=lambda claim: claim.__name__)
async def test_originals_keep_the_claim(claim, url):
    async with open_stores(url) as stores:
        await claim(stores.originals)


async def test_fifty_writers_on_connections_of_their_own_lose_no_update(tmp_path):
    databases = [await open_database(sqlite_url(tmp_path / "s.sqlite"), TEST_KEY) for _ in range(50)]

    def appended(number: int):
        def change(old: Item | None) -> Item:
            return remember("dishes", [*(old.value if old else []), number], source="person", at=NOW)

        return change

    try:
        stores = [SqlPreferences(database) for database in databases]
        await asyncio.gather(*(store.change("ann", "dishes", appended(n)) for n, store in enumerate(stores)))
        found = (await stores[0].shelf("ann")).get("dishes")
        assert found is not None
        assert sorted(found.value) == list(range(50))
    finally:
        for database in databases:
            await database.close()


async def test_a_preference_expires_by_the_databases_clock_and_a_permission_does_not():
    async with open_stores() as stores:
        short = SqlPreferences(stores.database, kept_days=0.0)
        await short.change("ann", "diet", saying("diet", "halal"))
        await stores.preferences.change("ann", "taste", saying("taste", "mild"))
        await stores.behaviour.permit("ann", allowed=True)
        assert sorted((await stores.preferences.shelf("ann")).items) == ["allow_behaviour", "taste"]
        kept = (await stores.preferences.shelf("ann")).items["taste"]
        assert kept.expires_at is not None
        assert 29 < (kept.expires_at - datetime.now(UTC)).total_seconds() / 86400 <= 30


async def test_saying_it_again_starts_the_thirty_days_anew():
    async with open_stores() as stores:
        await SqlPreferences(stores.database, kept_days=1.0).change("ann", "diet", saying("diet", "halal"))
        again = await stores.preferences.change("ann", "diet", saying("diet", "halal"))
        assert again is not None
        assert again.expires_at is not None
        assert (again.expires_at - datetime.now(UTC)).days >= 29


async def test_a_tool_or_document_cannot_give_the_permission_to_observe():
    async with open_stores() as stores:
        for source in ("tool", "document", "model"):
            await stores.preferences.change("ann", "allow_behaviour", saying("allow_behaviour", True, source))
            assert not await stores.behaviour.permitted("ann")
            assert not await stores.behaviour.observe("ann", Observation("zone", "east", NOW))
