"""Rate limits per person: how many messages, and how many calls of a tool, in a moving window.

The windows are those of the library ``limits``; where they are kept is its storage URI: this process's memory, or a
Redis that all processes share.
"""

import time
from typing import TYPE_CHECKING, Protocol

from surefoot.errors import SettingsInvalid
from surefoot.texts import Text

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.strategies import MovingWindowRateLimiter

IN_MEMORY = "async+memory://"


class Rates(Protocol):
    """Counts against limits written as ``"20/minute"``. What is counted is named by ``keys``, the person first."""

    async def take(self, limit: str, *keys: str) -> float | None:
        """Count one and return ``None``, or count nothing and return the seconds until there is room again."""

    async def wait(self, limit: str, *keys: str) -> float | None:
        """Return what :meth:`take` would, and count nothing."""


class MovingWindows:
    """Rates by the library ``limits``. Nothing is opened before the first count."""

    def __init__(self, uri: str = IN_MEMORY) -> None:
        self._uri = uri
        self._windows: MovingWindowRateLimiter | None = None

    async def take(self, limit: str, *keys: str) -> float | None:
        """See :class:`Rates`."""
        item, windows = parsed(limit), self._open()
        return None if await windows.hit(item, *keys) else await self._seconds(item, *keys)

    async def wait(self, limit: str, *keys: str) -> float | None:
        """See :class:`Rates`."""
        item, windows = parsed(limit), self._open()
        return None if await windows.test(item, *keys) else await self._seconds(item, *keys)

    async def _seconds(self, item: "RateLimitItem", *keys: str) -> float:
        stats = await self._open().get_window_stats(item, *keys)
        return max(0.0, stats.reset_time - time.time())

    def _open(self) -> "MovingWindowRateLimiter":
        if self._windows is None:
            from limits.aio.strategies import MovingWindowRateLimiter
            from limits.storage import storage_from_string

            self._windows = MovingWindowRateLimiter(storage_from_string(self._uri))
        return self._windows


def parsed(limit: str) -> "RateLimitItem":
    """Return a limit as the library reads it. Raises SettingsInvalid, saying what would be right."""
    from limits import parse

    try:
        return parse(limit)
    except ValueError as error:
        raise SettingsInvalid(f"{limit!r} is no rate limit; write 20/minute or 5/hour") from error


def too_often(limit: str, seconds: float) -> Text:
    """Return the sentence for a person who has to wait."""
    said = parsed(limit)
    wait = max(1, round(seconds))
    return Text(
        f"操作太频繁（上限 {said.amount} 次 / {said.get_expiry()} 秒），请 {wait} 秒后再试。",
        f"Too often (limit: {said.amount} in {said.get_expiry()} seconds); please try again in {wait} seconds.",
    )
