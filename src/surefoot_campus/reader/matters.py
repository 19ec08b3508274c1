"""Forbidden matters, and the look-alikes that must pass: a question about the rule is not a wish to break it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from surefoot.texts import Text
from surefoot_campus.reader.cues import compiled, load

_CLOSE = 18


@dataclass(frozen=True, slots=True)
class Matter:
    """A refused matter: its name, the words that gave it away, and the sentence with the right office."""

    name: str
    words: str
    text: Text


@dataclass(frozen=True)
class _Signs:
    """What gives a matter away: its own words, or two kinds of words within ``_CLOSE`` characters of each other."""

    words: re.Pattern[str]
    pairs: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    text: Text

    def found(self, plain: str) -> str | None:
        """Return the words that give the matter away in a normalised sentence."""
        match = self.words.search(plain)
        if match:
            return match[0]
        for one, other in self.pairs:
            for first in one.finditer(plain):
                near = plain[max(0, first.start() - _CLOSE) : first.end() + _CLOSE]
                second = other.search(near)
                if second:
                    return f"{first[0]} … {second[0]}"
        return None


@cache
def _table() -> tuple[Mapping[str, _Signs], re.Pattern[str], re.Pattern[str]]:
    words = load("matters.yaml")
    matters = {
        name: _Signs(
            compiled(entry),
            tuple((compiled(pair["a"]), compiled(pair["b"])) for pair in entry.get("pairs", ())),
            Text.from_json(entry["text"]),
        )
        for name, entry in words["matters"].items()
    }
    return matters, compiled(words["asks"]), compiled(words["for_oneself"])


def forbidden(text: str) -> Matter | None:
    """Return the forbidden matter in a normalised sentence, or ``None``."""
    matters, asks, for_oneself = _table()
    for name, signs in matters.items():
        found = signs.found(text)
        if found is None or (asks.search(text) and not for_oneself.search(text)):
            continue
        return Matter(name, found, signs.text)
    return None


def injected(text: str) -> bool:
    """Return whether the sentence holds words meant for a model rather than for a campus assistant (a hint only)."""
    return _table()[0]["my_rules"].words.search(text) is not None
