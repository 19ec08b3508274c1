"""The history of recoveries: what was used for which error, whether it helped, and how much of it is left."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from surefoot.recovery.diagnose import ErrorRecord

KEEP = 20
"""How many recoveries the state keeps."""

Entry = dict[str, Any]
"""``{step, kind, tool, code, args_hash, category, at, helped}``.

``kind`` names the strategy; ``helped`` is ``None`` until it is verified.
"""

Count = Literal["tools", "steps"]


def entry(strategy: str, error: ErrorRecord, args_hash: str) -> Entry:
    """Return the entry of a recovery that is about to be carried out."""
    signature = {"tool": error.tool, "code": error.code, "args_hash": args_hash}
    known = {"step": error.step, "category": error.category, "at": error.time}
    return {"kind": strategy, **signature, **known, "helped": None}


def remembered(past: Iterable[Entry], new: Entry) -> list[Entry]:
    """Return the last ``KEEP`` entries with the new one."""
    return [*past, new][-KEEP:]


def useless_for(past: Iterable[Mapping[str, Any]], *, tool: str, code: str, args_hash: str) -> frozenset[str]:
    """Return the strategies that were used for this very error and did not help."""
    here = (tool, code, args_hash)
    same = [one for one in past if (one.get("tool"), one.get("code"), one.get("args_hash")) == here]
    return frozenset(one["kind"] for one in same if one["helped"] is False)


def is_open(one: Mapping[str, Any]) -> bool:
    """Return whether nobody has looked yet if a recovery helped. Entries of older versions are closed."""
    return one.get("helped", False) is None


def counted(counts: Mapping[Count, Mapping[str, int]], *, tool: str, step: str) -> dict[str, dict[str, int]]:
    """Return the recoveries per tool and per step with one more in them."""
    after: dict[str, dict[str, int]] = {"tools": dict(counts.get("tools", {})), "steps": dict(counts.get("steps", {}))}
    after["tools"][tool] = after["tools"].get(tool, 0) + 1
    after["steps"][step] = after["steps"].get(step, 0) + 1
    return after
