"""Compression: what no longer fits becomes a short form with a hash; the original is fetched by that hash (B11)."""

import hashlib
from dataclasses import dataclass
from typing import Protocol

from surefoot.llm.tokens import estimate

MARK = "…"


class Originals(Protocol):
    """Where originals live, each under the SHA-256 of its text, bound to one person."""

    async def keep(self, user_id: str, text: str) -> str:
        """Keep a text and return its hash; keeping it twice keeps one."""

    async def fetch(self, user_id: str, digest: str) -> str | None:
        """Return the text of a hash, or ``None`` when this person has none."""


@dataclass(frozen=True, slots=True)
class Folded:
    """The short form of a text. ``digest`` is empty where nothing was left out."""

    text: str
    digest: str = ""

    def say(self) -> str:
        """Return what a model sees: the short form, and where the rest is."""
        return f"{self.text} [{self.digest[:12]}]" if self.digest else self.text


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def compress(text: str, tokens: int) -> Folded:
    """Return ``text`` if it costs at most ``tokens``, else its beginning, cut at a sentence or a word, and its hash."""
    if estimate(text) <= tokens:
        return Folded(text)
    short = _cut(text, max(0, tokens - estimate(f"{MARK} [{'0' * 12}]")))
    return Folded(f"{short}{MARK}", digest_of(text))


def _cut(text: str, tokens: int) -> str:
    """Return the longest beginning that costs at most ``tokens``, preferring to end where a sentence or word ends."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= tokens else (low, middle - 1)
    best = max((text.rfind(stop, low * 2 // 3, low) for stop in "。！？.!?\n"), default=-1)
    if best >= 0:
        return text[: best + 1]
    word = text.rfind(" ", low * 2 // 3, low)
    return text[:word] if word > 0 else text[:low]
