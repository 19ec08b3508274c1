"""The guard's port: looks at what came in before any planner or model does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from surefoot.texts import Text


@dataclass(frozen=True)
class Incoming:
    """A message as it came in. ``now`` is the business time, aware of its zone."""

    text: str
    lang: str
    now: datetime
    user_id: str


@dataclass(frozen=True)
class Verdict:
    """What a guard says.

    ``go on`` lets the message through. ``answer`` ends the run with a static answer (only when it covers the
    whole sentence). ``refuse`` ends it with a reason and, where there is one, the right office.
    """

    kind: Literal["go on", "answer", "refuse"]
    text: Text | None = None
    rule: str = ""
    hints: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


GO_ON = Verdict("go on")

Guard = Callable[[Incoming, Any], Awaitable[Verdict]]
"""``async def guard(incoming, systems) -> Verdict``: deterministic, no model, no effect."""
