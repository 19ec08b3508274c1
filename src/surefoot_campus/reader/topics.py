"""Standing questions (calendar, shuttle bus, exams, opening hours): which topic a clause asks about."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from surefoot.texts import Text
from surefoot_campus.reader.cues import compiled, load


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic with its standing answer; ``{placeholders}`` in the answer are filled from the campus."""

    name: str
    ask: re.Pattern[str]
    about: re.Pattern[str] | None
    answer: Text


@cache
def topics() -> Mapping[str, Topic]:
    """Return every topic by name."""
    return {
        name: Topic(
            name,
            compiled(entry["ask"]),
            compiled(entry["about"]) if "about" in entry else None,
            Text.from_json(entry["answer"]),
        )
        for name, entry in load("topics.yaml")["topics"].items()
    }


@cache
def _question() -> re.Pattern[str]:
    return compiled(load("topics.yaml")["question"])


def is_question(clause: str) -> bool:
    """Return whether a clause asks something."""
    return _question().search(clause) is not None


def topic_of(clause: str, *, silent: bool) -> str | None:
    """Return the topic that a clause asks about. ``silent``: the clause asks for nothing else.

    A topic's own question needs nothing more; the mere name of a topic counts only in a question that asks for
    nothing else.
    """
    for name, topic in topics().items():
        if topic.ask.search(clause):
            return name
    if not silent or not is_question(clause):
        return None
    return next((name for name, topic in topics().items() if topic.about and topic.about.search(clause)), None)
