"""Tasks and flaws: what is asked, what a flawed model says, and whether anything in it can become a valid object."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from surefoot.testing.model_server import Reply, Say, Use


class Weather(BaseModel):
    """The weather of a city."""

    city: str
    degrees: int = Field(ge=-60, le=60)
    sky: Literal["sun", "rain", "snow"]


class Booking(BaseModel):
    """A booked room."""

    room: str
    people: int = Field(ge=1, le=40)
    zone: Literal["east", "west", "north", "south"]


class Paper(BaseModel):
    """A paper."""

    title: str
    year: int = Field(ge=1900, le=2100)
    kind: Literal["article", "preprint", "book"]


class Price(BaseModel):
    """What an article costs."""

    article: str
    cents: int = Field(ge=0, le=10_000_000)
    state: Literal["in_stock", "sold_out"]


class Bus(BaseModel):
    """The next bus."""

    line: str
    minutes: int = Field(ge=0, le=600)
    service: Literal["on_time", "late"]


TOPICS: tuple[tuple[str, type[BaseModel], dict[str, Any]], ...] = (
    ("weather", Weather, {"city": "Oslo", "degrees": 7, "sky": "rain"}),
    ("booking", Booking, {"room": "A-101", "people": 6, "zone": "east"}),
    ("paper", Paper, {"title": "Sagas", "year": 1987, "kind": "article"}),
    ("price", Price, {"article": "lamp", "cents": 1999, "state": "in_stock"}),
    ("bus", Bus, {"line": "42", "minutes": 8, "service": "late"}),
)


@dataclass(frozen=True)
class Task:
    """One task: what the tool is called with, the form, the right object, and what the model says when asked for it.

    ``recoverable``: some reply within three attempts is well-formed or can be put right without loss.
    """

    name: str
    schema: type[BaseModel]
    right: dict[str, Any]
    replies: tuple[Reply, ...]
    recoverable: bool


def tasks() -> Iterator[Task]:
    """Yield every topic with every flaw."""
    for topic, schema, right in TOPICS:
        for flaw, (replies, recoverable) in _flaws(schema, right).items():
            yield Task(f"{topic}/{flaw}", schema, right, replies, recoverable)


def _flaws(schema: type[BaseModel], right: dict[str, Any]) -> Mapping[str, tuple[tuple[Reply, ...], bool]]:
    name, text = schema.__name__, json.dumps(right)
    words, number, choice = right
    typed = {words: right[words], number: str(right[number]), choice: right[choice].upper().replace("_", " ")}
    call, good = Use(((name, right),)), Say(text)
    half, odd = Say(text[: len(text) // 2]), {**right, choice: "other"}
    beyond = {**right, number: 10**9}
    return {
        "none": ((call,), True),
        "text instead of a call": ((good,), True),
        "JSON in prose": ((Say(f"Certainly! {text} Anything else?"),), True),
        "fenced": ((Say(f"```json\n{text}\n```"),), True),
        "wrong types and case": ((Use(((name, typed),)),), True),
        "single quotes": ((Say(str(right)),), True),
        "wrapped in a layer": ((Say(json.dumps({"result": right})),), True),
        "wrong enum, then right": ((Use(((name, odd),)), call), True),
        "truncated, then right": ((half, good), True),
        "broken arguments, then right": ((Use(((name, text[:-6]),)), good), True),
        "ignores the tool, then right": ((Say("It is as I said."), good), True),
        "missing field, then right": ((Use(((name, {words: right[words]}),)), call), True),
        "empty, empty, right": ((Say(""), Say(""), good), True),
        "always prose": ((Say("It is as I said."),) * 9, False),
        "always truncated": ((half,) * 9, False),
        "always out of range": ((Use(((name, beyond),)),) * 9, False),
    }
