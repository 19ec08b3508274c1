"""The port over HTTP. HTTP success is not business success: a reply has a code of its own."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from surefoot.errors import BusinessRefused, ErrorCode, NotSent, SettingsInvalid, ToolError
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text
from surefoot_campus.systems.port import Record

REQUEST_SENT = declare("campus.request_sent", "a booking was sent in full, its answer was not read")
PROFILE_SECONDS = 60.0
STATUS = {
    400: ErrorCode.TOOL_INPUT_INVALID,
    401: ErrorCode.TOOL_AUTH,
    403: ErrorCode.TOOL_AUTH,
    404: ErrorCode.TOOL_NOT_FOUND,
    429: ErrorCode.TOOL_RATE_LIMITED,
}


class HttpCampus:
    """Every method of the port (``systems.port``) is ``POST /v1/METHOD`` with its arguments as JSON."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._profile: Record | None = None
        self._asked_at = 0.0

    async def profile(self) -> Record:
        """See the port. Kept for a minute, and for as long as the campus cannot be asked again."""
        now = time.monotonic()
        if self._profile is None or now - self._asked_at > PROFILE_SECONDS:
            try:
                self._profile = await self._ask("profile")
            except ToolError:
                if self._profile is None:
                    raise
            self._asked_at = now
        return self._profile

    async def person(self, user_id: str) -> Record:
        """See the port."""
        answer: Record = await self._ask("person", user_id=user_id)
        return answer

    async def lessons(self, user_id: str) -> list[Record]:
        """See the port."""
        answer: list[Record] = await self._ask("lessons", user_id=user_id)
        return answer

    async def taught(self) -> list[Record]:
        """See the port."""
        answer: list[Record] = await self._ask("taught")
        return answer

    async def bookings(self, start: str, end: str, user_id: str | None = None) -> list[Record]:
        """See the port."""
        answer: list[Record] = await self._ask("bookings", start=start, end=end, user_id=user_id)
        return answer

    async def book(self, booking: Record) -> Record:
        """See the port."""
        answer: Record = await self._ask("book", booking=booking)
        return answer

    async def crowding(self) -> list[Record]:
        """See the port."""
        answer: list[Record] = await self._ask("crowding")
        return answer

    async def find(self, user_id: str, request_key: str | None, reservation_id: str | None) -> list[Record]:
        """See the port."""
        answer: list[Record] = await self._ask(
            "find", user_id=user_id, request_key=request_key, reservation_id=reservation_id
        )
        return answer

    async def cancel(self, user_id: str, reservation_id: str) -> Record:
        """See the port."""
        answer: Record = await self._ask("cancel", user_id=user_id, reservation_id=reservation_id)
        return answer

    async def _ask(self, method: str, **arguments: Any) -> Any:
        extensions = {"trace": _booking_sent} if method == "book" else None
        try:
            response = await self._client.post(f"/v1/{method}", json=arguments, extensions=extensions)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise NotSent(f"the campus cannot be reached: {error or type(error).__name__}") from error
        except httpx.TimeoutException as error:
            raise ToolError(ErrorCode.TOOL_TIMEOUT, f"the campus did not answer: {type(error).__name__}") from error
        except httpx.TransportError as error:
            raise ToolError(ErrorCode.TOOL_UNAVAILABLE, f"the connection broke: {error}") from error
        return _read(response)


async def _booking_sent(event: str, info: dict[str, Any]) -> None:
    if event == "http11.send_request_body.complete":
        reach(REQUEST_SENT)


def _read(response: httpx.Response) -> Any:
    if response.status_code != 200:
        code = STATUS.get(response.status_code, ErrorCode.TOOL_UNAVAILABLE)
        raise ToolError(code, f"the campus answered HTTP {response.status_code}")
    try:
        reply = response.json()
        if reply["code"] == 0:
            return reply["data"]
        refused = BusinessRefused(Text.from_json(reply["message"]), details=reply.get("details"))
    except (ValueError, KeyError, TypeError) as error:
        raise ToolError(ErrorCode.TOOL_OUTPUT_INVALID, "the campus' answer is cut off or malformed") from error
    raise refused


@asynccontextmanager
async def open_http(url: str) -> AsyncIterator[HttpCampus]:
    """Open a client for a campus at ``url`` for the length of a block.

    Raises:
        SettingsInvalid: the URL is none of http:// or https://.
    """
    if not url.startswith(("http://", "https://")):
        raise SettingsInvalid(f"the campus' URL {url!r} must begin with http:// or https://")
    async with httpx.AsyncClient(base_url=url, timeout=httpx.Timeout(30.0, connect=2.0)) as client:
        yield HttpCampus(client)
