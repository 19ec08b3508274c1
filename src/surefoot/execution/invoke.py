"""One call of a tool function under its deadline, and what its end proves."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from surefoot.contracts.clock import Clock
from surefoot.contracts.envelope import Envelope, failure, success
from surefoot.contracts.registry import BoundTool
from surefoot.contracts.tool import ToolContext
from surefoot.errors import ErrorCode, NotSent, ToolError
from surefoot.texts import Text

Kind = Literal["ok", "empty", "refused", "failed", "not_sent", "unclear"]
"""``ok`` in order; ``empty``/``refused`` the business answered; ``failed`` the back end did not do it;
``not_sent`` nothing left this process; ``unclear`` it may or may not have been done."""

MAX_RAW = 20_000
"""Characters of a malformed reply that are kept for repair."""

LateReply = Callable[["Reply"], Awaitable[None]]

_DEFINITE = {
    ErrorCode.TOOL_INPUT_INVALID: "refused",
    ErrorCode.TOOL_AUTH: "refused",
    ErrorCode.TOOL_NOT_FOUND: "refused",
    ErrorCode.PERMISSION_DENIED: "refused",
    ErrorCode.BUSINESS_REFUSED: "refused",
    ErrorCode.BUSINESS_EMPTY: "empty",
    ErrorCode.TOOL_RATE_LIMITED: "not_sent",
}

SENTENCES = {
    ErrorCode.TOOL_TIMEOUT: Text("对方系统没有在规定时间内回答。", "The other system did not answer in time."),
    ErrorCode.TOOL_UNAVAILABLE: Text("对方系统暂时不可用。", "The other system is not available right now."),
    ErrorCode.TOOL_RATE_LIMITED: Text("对方系统要求稍后再试。", "The other system asks to try later."),
    ErrorCode.TOOL_OUTPUT_INVALID: Text("对方系统的回答不完整。", "The other system's answer is incomplete."),
    ErrorCode.TOOL_INPUT_INVALID: Text("对方系统不接受这些参数。", "The other system does not accept these values."),
}


@dataclass(frozen=True)
class Reply:
    """How one try ended: what it proves, and the result in the common envelope."""

    kind: Kind
    envelope: Envelope


class Invoker:
    """Calls tool functions. Calls that outlive their deadline go on, so that a late result is not lost."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._late: set[asyncio.Task[Any]] = set()

    async def call(
        self, tool: BoundTool, arguments: dict[str, Any], ctx: ToolContext, *, on_late: LateReply | None = None
    ) -> Reply:
        """Run one try. Never raises for what a tool does, except BaseException that is not Exception.

        A tool still running at its deadline is left to finish; its reply is handed to ``on_late``.
        """
        began = self._clock.monotonic()
        running = asyncio.ensure_future(tool.function(**arguments, ctx=ctx))
        try:
            await asyncio.wait({running}, timeout=max(0.001, ctx.deadline.left()))
        except asyncio.CancelledError:
            self._leave(tool, running, began, on_late)
            raise
        if not running.done():
            self._leave(tool, running, began, on_late)
            return self._failed(tool, ErrorCode.TOOL_TIMEOUT, "unclear", began)
        return self._read(tool, running, began)

    async def drain(self, seconds: float) -> None:
        """Give late calls ``seconds`` to finish, then cancel them."""
        if self._late:
            _, pending = await asyncio.wait(set(self._late), timeout=seconds)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)

    def _leave(
        self, tool: BoundTool, running: asyncio.Future[dict[str, Any]], began: float, on_late: LateReply | None
    ) -> None:
        async def wait() -> None:
            await asyncio.wait({running})
            if on_late is not None and not running.cancelled():
                await on_late(self._read(tool, running, began))
            elif not running.cancelled():
                running.exception()

        task = asyncio.ensure_future(wait())
        task.add_done_callback(lambda _: running.cancel())
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    def _read(self, tool: BoundTool, finished: asyncio.Future[dict[str, Any]], began: float) -> Reply:
        error = finished.exception()
        if error is None:
            return self._check(tool, finished.result(), began)
        if not isinstance(error, Exception):
            raise error
        return self._explain(tool, error, began)

    def _check(self, tool: BoundTool, data: Any, began: float) -> Reply:
        problems = tool.output.problems(data)
        if problems:
            return self._failed(
                tool,
                ErrorCode.TOOL_OUTPUT_INVALID,
                "unclear",
                began,
                details={"problems": problems[:5], **_raw(tool, data)},
            )
        return Reply("ok", success(tool.contract.name, data, latency_ms=self._since(began)))

    def _explain(self, tool: BoundTool, error: Exception, began: float) -> Reply:
        if isinstance(error, NotSent | ConnectionRefusedError):
            return self._failed(tool, ErrorCode.TOOL_UNAVAILABLE, "not_sent", began, cause=error)
        code = error.error_code if isinstance(error, ToolError) else _code_of(error, tool)
        kind = _DEFINITE.get(code, "unclear")
        text = error.text if isinstance(error, ToolError) and kind in ("refused", "empty") else None
        details = error.details if isinstance(error, ToolError) else {}
        return self._failed(tool, code, kind, began, text=text, details=details, cause=error)  # type: ignore[arg-type]

    def _failed(
        self,
        tool: BoundTool,
        code: ErrorCode,
        kind: Kind,
        began: float,
        *,
        text: Text | None = None,
        details: dict[str, Any] | None = None,
        cause: Exception | None = None,
    ) -> Reply:
        if kind == "unclear" and not tool.contract.is_write:
            kind = "failed"
        if cause is not None:
            details = {**(details or {}), "cause": f"{type(cause).__name__}: {cause}"[:300]}
        sentence = text or SENTENCES.get(code, Text("这一步没有完成。", "This step was not done."))
        envelope = failure(tool.contract.name, code, sentence, latency_ms=self._since(began), details=details)
        return Reply(kind, envelope)

    def _since(self, began: float) -> float:
        return (self._clock.monotonic() - began) * 1000


def _raw(tool: BoundTool, data: Any) -> dict[str, Any]:
    """Return a read's reply that failed its contract, so that recovery can put it in order; not where it is huge.

    A write's is not kept: what became of a write is asked, never read out of a broken reply.
    """
    if tool.contract.is_write:
        return {}
    try:
        size = len(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return {}
    return {"raw": data} if size <= MAX_RAW else {}


def _code_of(error: Exception, tool: BoundTool) -> ErrorCode:
    """Map a foreign exception: by HTTP status or class name through the contract, else by what it is."""
    mapping = tool.contract.execution_contract.error_mapping
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    for name in (str(status), type(error).__name__):
        if name in mapping:
            return mapping[name]
    return ErrorCode.TOOL_TIMEOUT if isinstance(error, TimeoutError) else ErrorCode.TOOL_UNAVAILABLE
