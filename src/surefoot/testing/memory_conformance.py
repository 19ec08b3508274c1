"""Conformance suites of memory: what every implementation of its ports must do.

Each function of :data:`PREFERENCE_CLAIMS`, :data:`BEHAVIOUR_CLAIMS` and :data:`ORIGINAL_CLAIMS` takes a fresh, empty
implementation and raises AssertionError where it falls short.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from surefoot.errors import InputInvalid
from surefoot.memory.behaviour import Behaviour, Observation
from surefoot.memory.compression import Originals, digest_of
from surefoot.memory.item import Item, Source, remember, settle
from surefoot.memory.preferences import MAX_KEYS, Change, Preferences

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


def saying(key: str, value: object, source: Source = "person") -> Change:
    """Return the change that ``value`` makes when it is said: the more certain of the two stands."""
    return lambda old: settle(old, remember(key, value, source=source, at=NOW, origin="a sentence"))


async def a_preference_is_found_by_its_owner_alone(store: Preferences) -> None:
    """Every read and write is bound to one person."""
    await store.change("ann", "diet", saying("diet", ["halal"]))
    found = (await store.shelf("ann")).get("diet")
    assert found is not None
    assert (found.value, found.standing, found.origin) == (["halal"], "said", "a sentence")
    assert (await store.shelf("bob")).items == {}
    assert await store.forget("bob") == 0


async def a_guess_never_replaces_what_was_said(store: Preferences) -> None:
    """Said and confirmed stand above inferred; a later word of the person stands above an earlier one."""
    await store.change("ann", "taste", saying("taste", "spicy", "document"))
    await store.change("ann", "taste", saying("taste", "mild"))
    await store.change("ann", "taste", saying("taste", "hot", "tool"))
    found = (await store.shelf("ann")).get("taste")
    assert found is not None
    assert found.value == "mild"


async def a_change_sees_what_stands_and_may_forget_it(store: Preferences) -> None:
    """``change`` reads, changes and writes as one step."""

    def longer(old: Item | None) -> Item:
        said = list(old.value) if old else []
        return remember("dishes", [*said, len(said)], source="person", at=NOW)

    for _ in range(3):
        await store.change("ann", "dishes", longer)
    found = (await store.shelf("ann")).get("dishes")
    assert found is not None
    assert found.value == [0, 1, 2]
    assert await store.change("ann", "dishes", lambda _: None) is None
    assert (await store.shelf("ann")).items == {}


async def concurrent_changes_lose_nothing(store: Preferences) -> None:
    """Fifty changes of one key at once all count."""

    def one_more(old: Item | None) -> Item:
        return remember("count", (old.value if old else 0) + 1, source="person", at=NOW)

    await asyncio.gather(*(store.change("ann", "count", one_more) for _ in range(50)))
    found = (await store.shelf("ann")).get("count")
    assert found is not None
    assert found.value == 50


async def forgetting_takes_one_or_all(store: Preferences) -> None:
    """A person may delete one preference, or every one."""
    for key in ("a", "b", "c"):
        await store.change("ann", key, saying(key, 1))
    assert await store.forget("ann", "b") == 1
    assert sorted((await store.shelf("ann")).items) == ["a", "c"]
    assert await store.forget("ann") == 2
    assert (await store.shelf("ann")).items == {}


async def what_cannot_be_kept_is_refused_and_loses_nothing(store: Preferences) -> None:
    """A value that is no JSON or too long, and one key too many."""
    for value in ({1, 2}, "x" * 5000):
        try:
            await store.change("ann", "odd", lambda _, value=value: Item("odd", value, "person", NOW))  # type: ignore[misc]
        except InputInvalid:
            continue
        raise AssertionError(f"{type(value).__name__} was kept")
    for number in range(MAX_KEYS):
        await store.change("ann", f"k{number}", saying(f"k{number}", number))
    try:
        await store.change("ann", "more", saying("more", 1))
    except InputInvalid:
        assert len((await store.shelf("ann")).items) == MAX_KEYS
        return
    raise AssertionError("one key too many was kept")


PREFERENCE_CLAIMS: tuple[Callable[[Preferences], Awaitable[None]], ...] = (
    a_preference_is_found_by_its_owner_alone,
    a_guess_never_replaces_what_was_said,
    a_change_sees_what_stands_and_may_forget_it,
    concurrent_changes_lose_nothing,
    forgetting_takes_one_or_all,
    what_cannot_be_kept_is_refused_and_loses_nothing,
)


async def nothing_is_observed_without_permission(store: Behaviour) -> None:
    """Without a word from the person the answer is no."""
    seen = Observation("zone", "east", NOW)
    assert not await store.permitted("ann")
    assert not await store.observe("ann", seen)
    await store.permit("ann", allowed=True)
    assert await store.observe("ann", seen)
    assert await store.observed("ann") == [seen]
    assert await store.observed("bob") == []


async def taking_permission_back_forgets_everything(store: Behaviour) -> None:
    """Giving it again does not bring the past back."""
    await store.permit("ann", allowed=True)
    await store.observe("ann", Observation("zone", "east", NOW))
    await store.permit("ann", allowed=False)
    assert await store.observed("ann") == []
    await store.permit("ann", allowed=True)
    assert await store.observed("ann") == []


async def observations_come_newest_first_and_by_kind(store: Behaviour) -> None:
    """``kind`` narrows what is told."""
    await store.permit("ann", allowed=True)
    first = Observation("zone", "east", NOW, liked=False)
    kept = [first, replace(first, choice="west", at=NOW + timedelta(hours=1))]
    for one in kept:
        await store.observe("ann", one)
    await store.observe("ann", Observation("canteen", "north", NOW))
    assert await store.observed("ann", "zone") == kept[::-1]
    assert len(await store.observed("ann")) == 3
    assert await store.forget("ann") == 3


async def concurrent_observations_lose_nothing(store: Behaviour) -> None:
    """Fifty observations at once are all kept."""
    await store.permit("ann", allowed=True)
    await asyncio.gather(*(store.observe("ann", Observation("zone", str(n), NOW)) for n in range(50)))
    assert {one.choice for one in await store.observed("ann")} == {str(n) for n in range(50)}


BEHAVIOUR_CLAIMS: tuple[Callable[[Behaviour], Awaitable[None]], ...] = (
    nothing_is_observed_without_permission,
    taking_permission_back_forgets_everything,
    observations_come_newest_first_and_by_kind,
    concurrent_observations_lose_nothing,
)


async def an_original_is_fetched_by_its_hash_by_its_owner(store: Originals) -> None:
    """Keeping a text twice keeps one; the beginning of a hash finds it too."""
    text = "原文 " * 100
    digest = await store.keep("ann", text)
    assert digest == digest_of(text) == await store.keep("ann", text)
    assert await store.fetch("ann", digest) == text
    assert await store.fetch("ann", digest[:12]) == text
    assert await store.fetch("bob", digest) is None
    assert await store.fetch("ann", "0" * 64) is None


ORIGINAL_CLAIMS: tuple[Callable[[Originals], Awaitable[None]], ...] = (an_original_is_fetched_by_its_hash_by_its_owner,)
