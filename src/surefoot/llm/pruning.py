"""Context pruning (B10): the passages that matter, few and short, to be used; and the share that was used.

Ranked by BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75) over words, and over pairs of characters in Chinese; no
dependency and no model.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from surefoot.llm.tokens import estimate
from surefoot.texts import Text

K1, B = 1.2, 0.75
KEEP, TOKENS = 5, 120
"""How many passages are kept, and what each may cost."""

MUST_USE = Text(
    "回答必须用到下面每一条有关的资料，并用 [编号] 标明出处；资料里没有的，就说没有。",
    "The answer must use every relevant source below and name it as [number]; what no source says, say so.",
)
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]+")
_CITED = re.compile(r"\[(\d{1,3})\]")
_SENTENCE = re.compile(r"[^。！？.!?]*[。！？.!?]+|[^。！？.!?]+$")


@dataclass(frozen=True, slots=True)
class Source:
    """One passage that was kept: its number in the prompt (from 1), its place in what was given, its shortened text."""

    number: int
    index: int
    text: str


def prune(question: str, passages: Sequence[str], *, keep: int = KEEP, tokens: int = TOKENS) -> tuple[Source, ...]:
    """Return the ``keep`` passages nearest to the question, best first, each shortened to ``tokens`` at a sentence."""
    order = rank(question, passages)[:keep]
    asked = set(terms(question))
    return tuple(Source(n, index, _shortened(passages[index], asked, tokens)) for n, index in enumerate(order, start=1))


def rank(question: str, passages: Sequence[str]) -> list[int]:
    """Return the places of the passages by BM25, best first; equals in their order."""
    bags = [Counter(terms(passage)) for passage in passages]
    sizes = [sum(bag.values()) for bag in bags]
    mean = sum(sizes) / len(sizes) if sizes else 1.0
    seen = Counter(term for bag in bags for term in bag)
    asked = Counter(terms(question))

    def score(at: int) -> float:
        total = 0.0
        for term in asked:
            count = bags[at][term]
            rarity = math.log(1 + (len(bags) - seen[term] + 0.5) / (seen[term] + 0.5))
            total += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * sizes[at] / (mean or 1.0)))
        return total

    return sorted(range(len(passages)), key=lambda at: (-score(at), at))


def terms(text: str) -> list[str]:
    """Return the words of a text in lower case; of Chinese, the pairs of neighbouring characters."""
    found: list[str] = []
    for match in _WORD.finditer(text.lower()):
        word = match[0]
        if word[0].isascii():
            found.append(word)
        else:
            found += [word] if len(word) == 1 else [word[at : at + 2] for at in range(len(word) - 1)]
    return found


def _shortened(text: str, asked: set[str], tokens: int) -> str:
    """Keep the sentences that share most with the question, in their order, as long as they fit."""
    if estimate(text) <= tokens:
        return text
    sentences = [match[0].strip() for match in _SENTENCE.finditer(text) if match[0].strip()]
    by_worth = sorted(range(len(sentences)), key=lambda at: (-len(asked & set(terms(sentences[at]))), at))
    kept: set[int] = set()
    spent = 0
    for at in by_worth:
        cost = estimate(sentences[at]) + 1
        if spent + cost <= tokens:
            kept.add(at)
            spent += cost
    return " ".join(sentences[at] for at in sorted(kept))


def listed(sources: Sequence[Source], lang: str) -> str:
    """Return the sources for a prompt: the instruction to use them, then one numbered line each."""
    lines = [f"[{source.number}] {source.text}" for source in sources]
    return "\n".join([MUST_USE.say(lang), *lines])


def share_used(answer: str, sources: Sequence[Source], relevant: Sequence[int]) -> float:
    """Return which share of the relevant sources that were given (by place) the answer names; 1.0 where none was."""
    numbers = {int(number) for number in _CITED.findall(answer)}
    given = [source for source in sources if source.index in set(relevant)]
    return sum(source.number in numbers for source in given) / len(given) if given else 1.0
