"""Asking a model for an object: attempts are counted, what was wrong goes back in words, and half an object is none."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, ValidationError

from surefoot.contracts.schema import Validator
from surefoot.llm.calling import Caller
from surefoot.llm.failures import ModelFailed, StructuredOutputFailed
from surefoot.llm.repair import Unreadable, fitted, read_object

Mode = Literal["tool", "json_schema", "text"]
"""How the object is asked for: as a tool call, by the provider's JSON Schema mode, or in words alone."""

T = TypeVar("T")
_REASONS = 3


@dataclass(frozen=True, slots=True)
class Structured(Generic[T]):
    """A valid object, how many attempts it took, and whether it had to be put right (losing nothing)."""

    value: T
    attempts: int
    repaired: bool


async def ask_structured(
    caller: Caller,
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    schema: type[BaseModel] | Mapping[str, Any],
    *,
    attempts: int = 3,
    mode: Mode = "tool",
) -> Structured[Any]:
    """Return a validated object: an instance of a Pydantic class, or a dictionary for a JSON Schema.

    Works where the model ignores ``tool_choice``, wraps JSON in prose, or gets types wrong: an answer is read whether
    it came as a tool call or as text. After an answer without a tool call the object is asked for in words.

    Raises:
        StructuredOutputFailed: no attempt gave a valid object; ``reasons`` says what was wrong with each.
        ModelFailed: the model cannot be asked at all.
    """
    shape = _Shape(schema)
    talk = [*messages, HumanMessage(shape.request())]
    reasons: list[str] = []
    for number in range(1, attempts + 1):
        try:
            answer = await caller.ask(_bound(model, shape, mode), talk)
        except ModelFailed as failed:
            if failed.kind not in ("cut_off", "malformed"):
                raise
            reasons.append(failed.kind)
            caller.meter.rejected(failed.kind)
            talk = [*talk, HumanMessage("The answer was cut off. Return a shorter JSON object.")]
            continue
        try:
            value, repaired = shape.read(answer)
            return Structured(value, number, repaired)
        except _Rejected as rejected:
            reasons.append(rejected.words)
            caller.meter.rejected(rejected.reason)
            talk = [*talk, AIMessage(_raw(answer) or "(empty)"), HumanMessage(shape.complaint(rejected.words))]
            mode = "text" if mode == "tool" and not answer.tool_calls else mode
    raise StructuredOutputFailed(tuple(reasons))


class _Rejected(Exception):
    """An answer that is no valid object: a stable reason for counting, and words for the model."""

    def __init__(self, reason: str, words: str) -> None:
        self.reason, self.words = reason, words
        super().__init__(words)


class _Shape:
    """What is asked for: a Pydantic class or a JSON Schema, under one name."""

    def __init__(self, schema: type[BaseModel] | Mapping[str, Any]) -> None:
        self.model = schema if isinstance(schema, type) else None
        self.schema: Mapping[str, Any] = schema.model_json_schema() if isinstance(schema, type) else schema
        self.name = re.sub(r"[^A-Za-z0-9_-]", "_", str(self.schema.get("title") or "answer"))[:64]
        self._validator = Validator(self.schema)

    def request(self) -> str:
        """Return the words that ask for the object."""
        return "Answer with exactly one JSON object and nothing else. It must satisfy this JSON Schema:\n" + json.dumps(
            self.schema, ensure_ascii=False
        )

    def complaint(self, words: str) -> str:
        """Return the words that say what was wrong."""
        return f"That is not valid: {words}. Return the corrected JSON object, complete, and nothing else."

    def read(self, answer: AIMessage) -> tuple[Any, bool]:
        """Return the object and whether it had to be put right. Raises _Rejected."""
        raw, exact = self._object(answer)
        shaped = fitted(raw, self.schema)
        problems = self._validator.problems(shaped)
        if problems:
            raise _Rejected("schema", "; ".join(problems[:_REASONS]))
        if self.model is None:
            return shaped, not exact or shaped != raw
        try:
            return self.model.model_validate(shaped), not exact or shaped != raw
        except ValidationError as error:
            told = [f"{'.'.join(map(str, one['loc'])) or '(root)'}: {one['msg']}" for one in error.errors()[:_REASONS]]
            raise _Rejected("validation", "; ".join(told)) from error

    def _object(self, answer: AIMessage) -> tuple[dict[str, Any], bool]:
        for call in answer.tool_calls:
            if call["name"] == self.name or len(answer.tool_calls) == 1:
                return dict(call["args"]), True
        text = _raw(answer)
        if not text.strip():
            raise _Rejected("empty", "the answer is empty")
        try:
            found = read_object(text)
        except Unreadable as error:
            raise _Rejected("not_json", str(error)) from error
        inner = _unwrapped(found, self.schema)
        return inner, inner is found and _is_exact(text, found)

    def as_tool(self) -> dict[str, Any]:
        """Return the object as a tool of OpenAI's form."""
        function = {"name": self.name, "description": "Give the answer.", "parameters": dict(self.schema)}
        return {"type": "function", "function": function}


def _is_exact(text: str, found: Mapping[str, Any]) -> bool:
    try:
        return bool(json.loads(text) == found)
    except ValueError:
        return False


def _unwrapped(found: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Take the object out of one layer ({"answer": {...}}) that the schema does not know."""
    known = set(schema.get("properties", {}))
    if len(found) == 1 and not known & set(found):
        (inner,) = found.values()
        if isinstance(inner, dict) and known & set(inner):
            return inner
    return found


def _raw(answer: AIMessage) -> str:
    """Return what was written: the text, and the arguments of calls that could not be parsed."""
    broken = [str(call.get("args") or "") for call in answer.invalid_tool_calls]
    return "\n".join([str(answer.text), *broken]).strip()


def _bound(model: BaseChatModel, shape: _Shape, mode: Mode) -> Runnable[Any, Any]:
    if mode == "tool":
        return model.bind_tools([shape.as_tool()], tool_choice=shape.name)
    if mode == "json_schema":
        form = {"type": "json_schema", "json_schema": {"name": shape.name, "schema": dict(shape.schema)}}
        return model.bind(response_format=form)
    return model
