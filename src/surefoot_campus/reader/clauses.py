"""Clauses: a sentence cut at punctuation and at words of sequence (之后, 然后, then, after that)."""

import re
from dataclasses import dataclass

_PAUSE = re.compile(
    r"[，。！？；：\n~…]+|(?<!\d)[,;!?:]|[,;!?:](?!\d)|[!?;]+|,(?= )|(?<!\d)\.(?= |$)|"
    r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])|--+|——+"
)
_OPENS = re.compile(
    r"然后|接着|随后|顺便|另外|还有(?=帮|要|想)|并且|再(?=推荐|安排|找|帮|顺便|吃|去|给|来|订|约|看)|最后|"
    r"(?<![a-z])(?:and then|then|after that|afterwards?|also|plus|and (?=(?:find|recommend|suggest|book|"
    r"reserve|show|tell|dinner|lunch|a canteen|somewhere)))(?![a-z])",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"(?:下课|结束|开完|练完|上完课|忙完|完|吃完|学完|排练|讨论)(?:之|以)?后(?=[帮给我去想再找订约借推来在吃])"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch ``text[start:end]`` of the normalised sentence; ``follows`` when a word of sequence opens it."""

    text: str
    start: int
    end: int
    follows: bool = False

    def holds(self, at: int) -> bool:
        """Return whether a position of the sentence lies in this clause."""
        return self.start <= at < self.end


def split(text: str) -> list[Clause]:
    """Return the clauses of ``text`` in order, empty ones left out."""
    cuts: list[tuple[int, int, bool]] = [(match.start(), match.end(), False) for match in _PAUSE.finditer(text)]
    cuts += [(match.start(), match.start(), True) for match in _OPENS.finditer(text)]
    cuts += [(match.end(), match.end(), True) for match in _CLOSES.finditer(text)]
    clauses: list[Clause] = []
    begin, follows = 0, False
    for start, end, sequence in [*sorted(cuts), (len(text), len(text), False)]:
        if start < begin:
            continue
        if text[begin:start].strip(" ,"):
            clauses.append(Clause(text[begin:start], begin, start, follows))
            follows = False
        begin, follows = end, follows or sequence
    return clauses
