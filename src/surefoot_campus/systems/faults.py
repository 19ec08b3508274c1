"""Faults of a campus behind HTTP, for tests and demonstrations: ``book=after_commit_timeout*2,find=error_5xx``."""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import get_args

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from surefoot.errors import SettingsInvalid
from surefoot.testing.faults import FaultKind
from surefoot_campus.systems.port import METHODS

HOLD_SECONDS = 60.0
KINDS = tuple(kind for kind in get_args(FaultKind) if kind != "not_sent")
_FAULT = re.compile(
    rf"(?P<method>{'|'.join(METHODS)})=(?P<kind>{'|'.join(KINDS)})(?::(?P<seconds>\d+(?:\.\d+)?))?(?:\*(?P<times>\d+))?"
)


@dataclass
class _Planned:
    method: str
    kind: str
    left: int
    seconds: float = HOLD_SECONDS


def parse(spec: str) -> list[_Planned]:
    """Read ``METHOD=KIND[:SECONDS][*TIMES],...``: the next ``TIMES`` (1) calls of a method of the port end as KIND.

    Raises:
        SettingsInvalid: a part that is not of this form, with the methods and kinds that there are.
    """
    planned = []
    for part in filter(None, (piece.strip() for piece in spec.split(","))):
        match = _FAULT.fullmatch(part)
        if match is None:
            raise SettingsInvalid(
                f"cannot read the fault {part!r}; write METHOD=KIND[:SECONDS][*TIMES], "
                f"METHOD: {', '.join(METHODS)}; KIND: {', '.join(KINDS)}"
            )
        seconds = float(match["seconds"] or HOLD_SECONDS)
        planned.append(_Planned(match["method"], match["kind"], int(match["times"] or 1), seconds))
    return planned


class Faults:
    """ASGI middleware that lets planned calls fail as a real network and server would."""

    def __init__(self, app: ASGIApp, spec: str) -> None:
        self._app, self._planned = app, parse(spec)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a call on, or break it as planned."""
        fault = self._next(scope["path"].rpartition("/")[2]) if scope["type"] == "http" else None
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await self._strike(fault, scope, receive, send)

    def _next(self, method: str) -> _Planned | None:
        for fault in self._planned:
            if fault.method == method and fault.left:
                fault.left -= 1
                return fault
        return None

    async def _strike(self, fault: _Planned, scope: Scope, receive: Receive, send: Send) -> None:
        if fault.kind == "before_commit_timeout":
            await asyncio.sleep(fault.seconds)
        if fault.kind in ("error_5xx", "before_commit_timeout"):
            await _answer(send, 503, b'{"error": "injected"}')
            return
        kept: list[Message] = []

        async def keep(message: Message) -> None:
            kept.append(message)

        await self._app(scope, receive, keep)
        body = b"".join(message.get("body", b"") for message in kept)
        if fault.kind in ("after_commit_timeout", "slow"):
            await asyncio.sleep(fault.seconds)
        if fault.kind == "after_commit_5xx":
            await _answer(send, 502, json.dumps({"error": "injected"}).encode())
        else:
            await _answer(send, 200, body[: len(body) // 2] if fault.kind == "malformed" else body)


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
