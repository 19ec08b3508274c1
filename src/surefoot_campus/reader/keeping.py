"""Readings as JSON: what a thread keeps of its former sentences, and what of them is over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from surefoot_campus.reader.reading import Reading

KEPT = 6
"""How many former readings a thread keeps: the task at hand, and the ones that it may go back to."""

_SENTENCE = 400


@cache
def _form() -> TypeAdapter[list[Reading]]:
    return TypeAdapter(list[Reading])


def to_working(earlier: Sequence[Reading], reading: Reading) -> dict[str, Any]:
    """Return what the thread keeps after this sentence, JSON-native."""
    kept = [*earlier, replace(reading, text=reading.text[:_SENTENCE], leftovers=(), reasons=())][-KEPT:]
    return {"readings": _form().dump_python(kept, mode="json")}


def from_working(working: Mapping[str, Any]) -> list[Reading]:
    """Read what :func:`to_working` wrote. What another version wrote in another form is forgotten: the person can say
    it again, and half understood it would be a guess."""
    try:
        return _form().validate_python(working.get("readings", []))
    except ValidationError:
        return []
