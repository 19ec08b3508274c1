"""Private values are masked wherever something is shown to anybody but the person they belong to."""

from collections.abc import Collection, Mapping
from typing import Any

MASK = "•••"


def masked(values: Mapping[str, Any], private: Collection[str]) -> dict[str, Any]:
    """Return ``values`` with every private field masked, however deep it lies."""
    return {name: MASK if name in private else _deep(value, private) for name, value in values.items()}


def _deep(value: Any, private: Collection[str]) -> Any:
    if isinstance(value, Mapping):
        return masked(value, private)
    if isinstance(value, list):
        return [_deep(item, private) for item in value]
    return value
