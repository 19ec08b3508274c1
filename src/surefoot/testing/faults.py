"""A fault injector: wraps an app's tools so that chosen calls fail in chosen ways. The layers above do not know."""

import asyncio
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from surefoot.app import App
from surefoot.contracts.tool import Tool
from surefoot.errors import BusinessRefused, ErrorCode, NotSent, ToolError
from surefoot.texts import Text

FaultKind = Literal[
    "not_sent", "before_commit_timeout", "after_commit_timeout", "error_5xx", "after_commit_5xx", "malformed", "slow",
    "rate_limited", "auth", "refused",
]  # fmt: skip
"""``not_sent``: provably nothing left. ``before_commit_timeout``: no answer, nothing done.
``after_commit_timeout``: done, the answer lost. ``error_5xx``: a server error before, ``after_commit_5xx`` after
it was done. ``malformed``: done, the answer cut off. ``slow``: done, the answer comes late but comes.
``rate_limited``, ``auth``, ``refused``: the back end says so, nothing done."""


@dataclass(frozen=True)
class Fault:
    """Let calls ``first`` to ``first + times - 1`` (from 1) of ``tool`` fail as ``kind``; ``seconds`` for slow."""

    tool: str
    kind: FaultKind
    first: int = 1
    times: int = 1
    seconds: float = 0.0

    def hits(self, tool: str, call: int) -> bool:
        """Return whether this fault strikes that call."""
        return tool == self.tool and self.first <= call < self.first + self.times


@dataclass
class FaultInjector:
    """Counts calls and commits per tool, and strikes as planned."""

    faults: Sequence[Fault] = ()
    calls: dict[str, int] = field(default_factory=dict)
    commits: dict[str, int] = field(default_factory=dict)

    def wrap(self, app: App) -> App:
        """Return the app with every tool wrapped."""
        return replace(app, tools=[self.wrap_tool(tool) for tool in app.tools])

    def wrap_tool(self, tool: Tool) -> Tool:
        """Return the tool as the outside world would break it."""
        name = tool.__name__

        @functools.wraps(tool)
        async def struck(*args: Any, **kwargs: Any) -> dict[str, Any]:
            self.calls[name] = self.calls.get(name, 0) + 1
            fault = next((f for f in self.faults if f.hits(name, self.calls[name])), None)

            async def real() -> dict[str, Any]:
                data = await tool(*args, **kwargs)
                self.commits[name] = self.commits.get(name, 0) + 1
                return data

            return await real() if fault is None else await strike(fault, real)

        return struck


async def strike(fault: Fault, real: Callable[[], Any]) -> dict[str, Any]:
    """Let one call end as the fault says.

    Raises:
        ToolError, NotSent, TimeoutError: what the tool's client would see.
    """
    if fault.kind == "not_sent":
        raise NotSent("connection refused (injected)")
    if fault.kind == "before_commit_timeout":
        raise TimeoutError("no answer (injected)")
    if fault.kind == "error_5xx":
        raise ToolError(ErrorCode.TOOL_UNAVAILABLE, "HTTP 503 (injected)")
    if fault.kind == "rate_limited":
        raise ToolError(ErrorCode.TOOL_RATE_LIMITED, "HTTP 429 (injected)")
    if fault.kind == "auth":
        raise ToolError(ErrorCode.TOOL_AUTH, "HTTP 401 (injected)")
    if fault.kind == "refused":
        raise BusinessRefused(Text("对方拒绝了（注入）。", "The other side said no (injected)."))
    data: dict[str, Any] = await real()
    if fault.kind == "after_commit_timeout":
        raise TimeoutError("the answer was lost (injected)")
    if fault.kind == "after_commit_5xx":
        raise ToolError(ErrorCode.TOOL_UNAVAILABLE, "HTTP 502 (injected)")
    if fault.kind == "malformed":
        return {}
    await asyncio.sleep(fault.seconds)
    return data
