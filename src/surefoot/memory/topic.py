"""Tweak or new task: whether a further request goes on with the one before (B8).

Decided by what both are about: overlap of slots and of keywords; where an app has embeddings, their similarity can be
given as well, calibrated by the app to the same scale.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Shift = Literal["refine", "ask", "new"]

SAME, OTHER = 0.85, 0.3
"""Above the first the state is kept, below the second it is reset; between them the person is asked."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a request is about: its keywords (lower case), the slots it fills, and the kinds of task it names."""

    keywords: Collection[str] = ()
    slots: Collection[str] = ()
    tasks: Collection[str] = ()


def judge(before: Topic, after: Topic, *, set_aside: bool = False, similarity: float | None = None) -> Shift:
    """Return whether ``after`` refines ``before``, is a new task, or must be asked about.

    ``set_aside``: the person says so (先别管, "forget about"). ``similarity`` in [0, 1] stands in for the overlap of
    keywords. A request with neither a task nor a keyword of its own can only be about what went before.
    """
    if set_aside:
        return "new"
    if not after.tasks and not after.keywords:
        return "refine"
    if after.tasks and before.tasks and not set(after.tasks) & set(before.tasks):
        return "new"
    score = similarity if similarity is not None else overlap(before, after)
    if score > SAME:
        return "refine"
    return "new" if score < OTHER else "ask"


def overlap(before: Topic, after: Topic) -> float:
    """Return how much of ``after`` was there before, in [0, 1]: the overlap coefficient of keywords and slots.

    Szymkiewicz and Simpson's coefficient: shared divided by the smaller set, so that a short tweak of a long request
    counts as the same.
    """
    return max(_shared(before.keywords, after.keywords), _shared(before.slots, after.slots) if after.slots else 0.0)


def _shared(one: Collection[str], other: Collection[str]) -> float:
    first, second = set(one), set(other)
    if not first or not second:
        return 0.0
    return len(first & second) / min(len(first), len(second))
