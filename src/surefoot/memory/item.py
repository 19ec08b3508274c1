"""One remembered value, and how sure it is: that follows from where it came from and cannot be set."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

Source = Literal["person", "card", "tool", "document", "model", "rule"]
"""Where a value came from: the person's own words, a card they confirmed, or anything that is not a person."""

Standing = Literal["said", "confirmed", "inferred"]

_STANDING: Mapping[Source, Standing] = {"person": "said", "card": "confirmed"}
_RANK: Mapping[Standing, int] = {"inferred": 0, "said": 1, "confirmed": 1}


@dataclass(frozen=True, slots=True)
class Item:
    """A value under a key. ``at`` and ``expires_at`` are aware; ``origin`` tells in words where it was said.

    ``value`` is JSON-native. Text from tools, documents and models can only ever be inferred: there is no way to
    build an item that is sure without a person.
    """

    key: str
    value: Any
    source: Source
    at: datetime
    origin: str = ""
    expires_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.source not in get_args(Source):
            raise ValueError(f"unknown source {self.source!r}; one of {', '.join(get_args(Source))}")

    @property
    def standing(self) -> Standing:
        """How sure the value is."""
        return _STANDING.get(self.source, "inferred")

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data, with the standing for whoever reads it."""
        return {
            "key": self.key,
            "value": self.value,
            "source": self.source,
            "standing": self.standing,
            "at": self.at.isoformat(),
            "origin": self.origin,
            "expires_at": self.expires_at.isoformat() if self.expires_at else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Item":
        """Read what :meth:`to_json` wrote; a standing in it decides nothing."""
        until = data.get("expires_at")
        return cls(
            key=data["key"],
            value=data["value"],
            source=data["source"],
            at=datetime.fromisoformat(data["at"]),
            origin=data.get("origin", ""),
            expires_at=datetime.fromisoformat(until) if until else None,
        )


def remember(key: str, value: Any, *, source: Source, at: datetime, origin: str = "") -> Item:
    """Return a fresh item."""
    return Item(key, value, source, at, origin)


def settle(old: Item | None, new: Item) -> Item:
    """Return which of two values for one key stands: a guess never replaces what a person said or confirmed.

    Between two that are equally sure the later one wins: people change their minds.
    """
    if old is None or _RANK[new.standing] > _RANK[old.standing]:
        return new
    if _RANK[new.standing] < _RANK[old.standing]:
        return old
    return new if new.at >= old.at else old
