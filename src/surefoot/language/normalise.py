"""One spelling for what people type: width, script, control characters, spaces."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Normalised:
    """``text`` is the normalised form of ``original``; ``offsets[i]`` is where ``text[i]`` came from."""

    text: str
    original: str
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of ``original`` that ``text[start:end]`` came from.

        Raises IndexError when the span is empty or does not lie inside ``text``.
        """
        if not 0 <= start < end <= len(self.text):
            raise IndexError(f"no span {start}:{end} in a text of {len(self.text)} characters")
        return self.offsets[start], self.offsets[end - 1] + 1


@cache
def _simplifier() -> Callable[[str], str]:
    # Loading the dictionaries costs tens of milliseconds, so only a text that needs them pays.
    try:
        from opencc import OpenCC
    except ImportError:  # an optional extra: without it traditional characters stay as they are
        return str
    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


@lru_cache(maxsize=8192)
def _simplify(char: str) -> str:
    simple = _simplifier()(char)
    return simple if len(simple) == 1 else char


_SAME = {"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "〜": "~", "∼": "~", "’": "'", "‘": "'"}


def normalise(text: str) -> Normalised:
    """Fold ``text``: NFKC, traditional to simplified characters, one kind of dash and apostrophe,
    control and invisible characters removed, runs of white space made one space, ends trimmed.

    Each character is folded alone, so that every output character has one origin.
    """
    out: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(text):
        if char.isspace():
            if out and out[-1] != " ":
                out.append(" ")
                offsets.append(at)
            continue
        if char < "\x80":
            if char.isprintable():
                out.append(char)
                offsets.append(at)
            continue
        for folded in _fold(char):
            if folded == " " and (not out or out[-1] == " "):
                continue
            out.append(folded)
            offsets.append(at)
    if out and out[-1] == " ":
        out.pop()
        offsets.pop()
    return Normalised("".join(out), text, tuple(offsets))


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    folded = []
    for part in unicodedata.normalize("NFKC", char):
        if part.isspace():
            folded.append(" ")
        elif unicodedata.category(part) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
            folded.append(_SAME.get(part) or (_simplify(part) if is_cjk(part) else part))
    return "".join(folded)


def is_cjk(char: str) -> bool:
    """Whether ``char`` is a Chinese character."""
    return "\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf" or char == "〇"


def detect_language(text: str) -> Language:
    """ "zh" when there is a Chinese character for every four Latin words, or neither; else "en"."""
    chinese = sum(1 for char in text if is_cjk(char))
    words = sum(1 for word in text.split() if any("a" <= char <= "z" for char in word.lower()))
    return "zh" if chinese * 4 >= words and (chinese or not words) else "en"
