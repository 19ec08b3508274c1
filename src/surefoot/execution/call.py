"""A call and its identity: the call id, the hash of its arguments, the key of the request."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot.contracts.model import ToolContract
from surefoot.planning.binding import Provenance

_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


@dataclass(frozen=True)
class Call:
    """One intended call of a tool.

    ``call_id`` is ``run/step`` in a plan, or ``thread/message/tool_call`` in an agent: a replay of the same
    call returns its recorded outcome.
    """

    call_id: str
    run_id: str
    thread_id: str
    step_id: str
    user_id: str
    tool: str
    arguments: dict[str, Any]
    provenance: dict[str, Provenance] = field(default_factory=dict)
    plan_version: int = 1


def canonical(value: Any) -> str:
    """Return JSON with sorted keys and no blanks: equal values, equal text."""
    return _ENCODE(value)


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON, 32 hex digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:32]


def request_base(contract: ToolContract, arguments: Mapping[str, Any], user_id: str) -> str:
    """Return what makes two requests the same request: tool, user and key fields, without the generation.

    The user always belongs to it: one person's request is never another's duplicate.
    """
    fields = contract.idempotency.key if contract.idempotency else tuple(sorted(arguments))
    values = {name: arguments.get(name) for name in fields} | {"user_id": user_id}
    return f"{contract.name}:{digest(values)}"


def request_key(base: str, generation: int) -> str:
    """Return the key handed to a back end that honours keys. The same try sent again carries the same key."""
    return f"{base}#{generation}"
