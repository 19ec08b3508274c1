"""Paths into JSON results: ``$.data.reservation_id``, ``$.data.rooms[0].room_id``."""

import re
from typing import Any

_STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,6})\]")


def is_path(value: object) -> bool:
    """Return whether ``value`` is written as a path."""
    return isinstance(value, str) and value.startswith("$")


def parse(path: str) -> list[str | int]:
    """Split a path into keys and indices.

    Raises:
        ValueError: the path is not of the form ``$.a.b[0]``.
    """
    if not path.startswith("$"):
        raise ValueError(f"a path starts with $: {path!r}")
    steps: list[str | int] = []
    at = 1
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise ValueError(f"cannot read path {path!r} at {path[at:]!r}; write $.key.key[0]")
        steps.append(match[1] if match[1] is not None else int(match[2]))
        at = match.end()
    return steps


def look_up(path: str, root: Any) -> Any:
    """Return what stands at ``path`` below ``root``.

    Raises:
        KeyError: nothing stands there; the message names the path.
    """
    here = root
    for step in parse(path):
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError) as missing:
            raise KeyError(f"nothing at {path}") from missing
    return here


def schema_at(path: str, schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return the JSON Schema that describes ``path`` below ``schema``, or ``None`` where it says nothing."""
    here: Any = schema
    for step in parse(path):
        here = here.get("items") if isinstance(step, int) else here.get("properties", {}).get(step)
        if not isinstance(here, dict):
            return None
    found: dict[str, Any] = here
    return found
