"""The planner's port: a request in, one proposal out. Proposals are checked before anything runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from surefoot.memory.item import Item
from surefoot.memory.summary import Done
from surefoot.planning.plan import Plan, Slot
from surefoot.texts import Text


@dataclass(frozen=True)
class Option:
    """One answer a person can pick; picking it sets ``changes`` (slot name -> value)."""

    label: Text
    changes: dict[str, Any]


@dataclass(frozen=True)
class Question:
    """One precise question. ``slot`` is what a free-text answer fills; ``options`` may be picked by number."""

    text: Text
    slot: str
    options: tuple[Option, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the question as JSON-native data."""
        return {
            "text": self.text.to_json(),
            "slot": self.slot,
            "options": [{"label": option.label.to_json(), "changes": option.changes} for option in self.options],
        }


@dataclass(frozen=True)
class Conversation:
    """What a further sentence of a thread stands on.

    ``working`` is what the planner kept after the sentence before, in its own JSON form. ``done`` are the latest writes
    that runs of this thread committed, newest last. ``preferences`` are the person's own, by key. ``habits`` weigh what
    they tend to choose, by kind (see memory.behaviour.weights); empty without their permission. ``last_answer`` is what
    was said last.
    """

    working: Mapping[str, Any] = field(default_factory=dict)
    done: tuple[Done, ...] = ()
    preferences: Mapping[str, Item] = field(default_factory=dict)
    habits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    last_answer: str = ""


@dataclass(frozen=True)
class Request:
    """What a person asked, when, and what they have answered or changed since.

    ``text`` is the sentence as typed. ``slots`` override what the text says (answers to questions, choices
    among alternatives). ``replies`` are free-text answers, newest last, as ``(slot, text)``.
    """

    text: str
    lang: str
    now: datetime
    user_id: str
    slots: dict[str, Slot] = field(default_factory=dict)
    replies: tuple[tuple[str, str], ...] = ()
    plan_version: int = 1
    conversation: Conversation = field(default_factory=Conversation)


@dataclass(frozen=True)
class Proposal:
    """What the planner proposes: a plan, or one question, or a refusal, or an answer in words.

    ``track`` says which planner made it (rules, small, large); ``reasons`` explain the reading in words. ``working``
    is kept for the next sentence of the thread (JSON-native, at most ``WORKING_CHARACTERS``); ``new_task`` says that
    this sentence does not go on with the one before. ``remember`` and ``forget`` are changes of preferences that the
    person asked for in this sentence.
    """

    plan: Plan | None = None
    question: Question | None = None
    refusal: Text | None = None
    answer: Text | None = None
    slots: dict[str, Slot] = field(default_factory=dict)
    track: str = "rules"
    confidence: float = 1.0
    reasons: tuple[Text, ...] = ()
    working: Mapping[str, Any] = field(default_factory=dict)
    new_task: bool = True
    remember: tuple[Item, ...] = ()
    forget: tuple[str, ...] = ()


WORKING_CHARACTERS = 20_000
"""How much JSON a planner may keep from one sentence to the next."""


class Planner(Protocol):
    """Reads a request and proposes."""

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return exactly one of a plan, a question, a refusal or an answer; never raises for what it cannot read."""
