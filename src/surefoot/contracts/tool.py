"""What the core hands to a tool function, and the shapes of tools and rules."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from surefoot.contracts.clock import Deadline
from surefoot.errors import ErrorCode
from surefoot.texts import Text

Tool = Callable[..., Awaitable[dict[str, Any]]]
"""``async def tool(param, ..., *, ctx: ToolContext) -> data``. Parameters are the contract's inputs."""


@dataclass(frozen=True)
class ToolContext:
    """Who calls, on whose behalf, and with what.

    ``now`` is the business time; ``systems`` is what the app's ``open`` yielded; ``idempotency_key`` is
    the request key of a write (``None`` on reads) and must be handed to a back end that honours keys.
    """

    user_id: str
    run_id: str
    call_id: str
    now: datetime
    deadline: Deadline
    systems: Any
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Violation:
    """A business rule that does not hold, in words."""

    rule: str
    text: Text
    code: ErrorCode = ErrorCode.BUSINESS_REFUSED
    field: str | None = None


@dataclass(frozen=True)
class Fee:
    """What a write costs: an amount in the currency's unit, as text, and the sentence for the card."""

    amount: str
    currency: str
    text: Text


Rule = Callable[[Mapping[str, Any], Mapping[str, Any] | None, ToolContext], Awaitable[Violation | None]]
"""``async def rule(arguments, data, ctx)``: ``data`` is ``None`` before the call, the result after it."""

FeeRule = Callable[[Mapping[str, Any], ToolContext], Awaitable[Fee | None]]
