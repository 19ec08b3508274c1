"""Reading JSON that a model wrote: found in prose, put right where nothing is lost, and never half an object.

A text that breaks off inside a value is not completed: nobody knows how it would have gone on. One that breaks off
between values is closed, and the schema decides whether what is there is enough.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_FENCE = re.compile(r"```(?:json|JSON)?\s*\n?(.*?)```", re.DOTALL)
_MAX = 200_000
BROKEN_OFF = "the answer breaks off in the middle of a value"


class Unreadable(ValueError):
    """No JSON object can be read from the text; the message says why, for the model."""


def read_object(text: str) -> dict[str, Any]:
    """Return the one JSON object that ``text`` holds.

    Raises:
        Unreadable: there is none, or it breaks off inside a value.
    """
    text = text[:_MAX]
    why = "there is no JSON object in the answer"
    for candidate in _candidates(text):
        try:
            return _parsed(candidate)
        except Unreadable as error:
            why = str(error)
    raise Unreadable(why)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What may be the object; ``whole`` unless its end had to be closed by us."""

    text: str
    whole: bool


def _candidates(text: str) -> Iterator[_Candidate]:
    """Yield fenced blocks, then the text from each brace to the matching one, or to the end."""
    for block in _FENCE.findall(text):
        yield from _from_brace(block)
    yield from _from_brace(text)


def _from_brace(text: str) -> Iterator[_Candidate]:
    for start in [match.start() for match in re.finditer(r"\{", text)][:20]:
        end = _matching(text, start)
        if end is None:
            yield _Candidate(text[start:], whole=False)
            return
        yield _Candidate(text[start:end], whole=True)


def _matching(text: str, start: int) -> int | None:
    """Return the end of the object that begins at ``start``, or ``None`` where it is not closed."""
    depth, quote, at = 0, "", start
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char if char == '"' or _opens(text, at) else ""
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _opens(text: str, at: int) -> bool:
    """Whether a single quote opens a string: after a bracket, a comma or a colon, not inside a word."""
    before = text[:at].rstrip()
    return before[-1:] in "{[,:"


def _closed(text: str) -> str:
    """Close the brackets of a text that breaks off between two values. Raises Unreadable inside a value."""
    stack, quote, at = [], "", 0
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char == '"':
            quote = char
        elif char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]" and stack:
            stack.pop()
        at += 1
    tail = text.rstrip().rstrip(",")
    number = re.search(r"[\w.+-]$", tail) is not None and re.search(r"(?:true|false|null)$", tail) is None
    if quote or number or tail.endswith(":"):
        raise Unreadable(BROKEN_OFF)
    return tail + "".join(reversed(stack))


def _parsed(candidate: _Candidate) -> dict[str, Any]:
    text = candidate.text if candidate.whole else _closed(candidate.text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if not candidate.whole:
            raise Unreadable(BROKEN_OFF) from error
        value = _repaired(text)
    if not isinstance(value, dict):
        raise Unreadable("the answer is JSON, but no object")
    return value


def _repaired(text: str) -> Any:
    from json_repair import repair_json

    value = repair_json(text, return_objects=True, skip_json_loads=True)
    if value in ("", [], {}):
        raise Unreadable("the answer is no JSON object")
    return value


def fitted(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Any:
    """Return ``value`` with what can be put right without loss: "5" for 5, "true" for true, an enum in other case.

    ``schema`` is a JSON Schema; ``$ref`` is looked up in ``root``. What does not fit otherwise is left as it is.
    """
    root = root or schema
    schema = _resolved(schema, root)
    for option in schema.get("anyOf", ()):
        tried = fitted(value, option, root)
        if tried is not value or _has_type(value, _resolved(option, root)):
            return tried
    if "enum" in schema or "const" in schema:
        return _same_word(value, schema.get("enum", [schema.get("const")]))
    if isinstance(value, dict) and schema.get("type") == "object":
        known = schema.get("properties", {})
        return {key: fitted(item, known[key], root) if key in known else item for key, item in value.items()}
    if isinstance(value, list) and schema.get("type") == "array":
        return [fitted(item, schema.get("items", {}), root) for item in value]
    return _scalar(value, schema.get("type"))


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    seen = 0
    while "$ref" in schema and seen < 20:
        target: Any = root
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target.get(part, {})
        schema, seen = target, seen + 1
    return schema


def _has_type(value: Any, schema: Mapping[str, Any]) -> bool:
    types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}
    name = schema.get("type")
    if name == "null":
        return value is None
    if isinstance(value, bool) and name in ("integer", "number"):
        return False
    return name in types and isinstance(value, types[name])  # type: ignore[arg-type]


def _same_word(value: Any, allowed: list[Any]) -> Any:
    if value in allowed or not isinstance(value, str):
        return value
    folded = _folded(value)
    same = [word for word in allowed if isinstance(word, str) and _folded(word) == folded]
    return same[0] if len(same) == 1 else value


def _folded(word: str) -> str:
    return re.sub(r"[\s_-]+", "_", word.strip()).casefold()


def _scalar(value: Any, kind: Any) -> Any:
    if isinstance(value, str):
        text = value.strip()
        if kind == "integer" and re.fullmatch(r"[+-]?\d{1,18}", text):
            return int(text)
        if kind == "number" and re.fullmatch(r"[+-]?\d{1,15}(?:\.\d{1,15})?", text):
            return float(text) if "." in text else int(text)
        if kind == "boolean" and text.casefold() in ("true", "false"):
            return text.casefold() == "true"
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value
