"""Cue words from ``cues.yaml``: compiled once, on first use."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: compiled(entry) for name, entry in load("cues.yaml").items()}


def load(name: str) -> dict[str, Any]:
    """Return a word list that lies beside this module."""
    words: dict[str, Any] = yaml.safe_load(files("surefoot_campus.reader").joinpath(name).read_text("utf-8"))
    return words


def compiled(entry: Mapping[str, Any]) -> re.Pattern[str]:
    """Return one pattern for an entry ``{zh: [...], en: [...]}``; English alternatives match whole words only."""
    parts = list(entry.get("zh", ()))
    if entry.get("en"):
        # \b does not hold between a Chinese character and a Latin letter.
        parts.append(rf"(?<![a-z])(?:{'|'.join(entry['en'])})(?![a-z])")
    return re.compile("|".join(parts), re.IGNORECASE)


def says(cue: str, text: str) -> bool:
    """Return whether ``text`` holds the cue."""
    return _patterns()[cue].search(text) is not None


def spots(cue: str, text: str) -> Iterator[re.Match[str]]:
    """Yield each place of the cue in ``text``."""
    return _patterns()[cue].finditer(text)


def without(cue: str, text: str) -> str:
    """Return ``text`` with the cue's places blanked, so that positions stay."""
    return _patterns()[cue].sub(lambda match: "\x00" * len(match[0]), text)
