"""The structured summary of a conversation: what holds now, and what was done; never prose of a model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from surefoot.memory.item import Item, settle

DONE_KEPT = 6
"""How many finished things are told of; older ones are counted."""


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was carried out: which tool, and the few values that name it."""

    tool: str
    values: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {"tool": self.tool, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Summary:
    """``constraints`` of the task at hand by name, ``done`` newest last, ``more_done``: how many are not listed."""

    constraints: Mapping[str, Item] = field(default_factory=dict)
    done: tuple[Done, ...] = ()
    more_done: int = 0

    def holding(self, items: Iterable[Item]) -> "Summary":
        """Return the summary after these were said, confirmed or inferred."""
        kept = dict(self.constraints)
        for item in items:
            kept[item.key] = settle(kept.get(item.key), item)
        return replace(self, constraints=kept)

    def only(self, keys: Iterable[str]) -> "Summary":
        """Return the summary with these constraints alone: what the task no longer has was taken back."""
        kept = set(keys)
        return replace(self, constraints={key: item for key, item in self.constraints.items() if key in kept})

    def next_task(self) -> "Summary":
        """Return the summary as another task begins: its constraints go, what was done stays."""
        return replace(self, constraints={})

    def after(self, done: Done) -> "Summary":
        """Return the summary after something was carried out."""
        listed = (*self.done, done)
        return replace(self, done=listed[-DONE_KEPT:], more_done=self.more_done + max(0, len(listed) - DONE_KEPT))

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {
            "constraints": {key: item.to_json() for key, item in self.constraints.items()},
            "done": [done.to_json() for done in self.done],
            "more_done": self.more_done,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> "Summary":
        """Read what :meth:`to_json` wrote; nothing gives an empty summary."""
        data = data or {}
        return cls(
            {key: Item.from_json(item) for key, item in data.get("constraints", {}).items()},
            tuple(Done(done["tool"], done["values"]) for done in data.get("done", ())),
            data.get("more_done", 0),
        )
