"""Models over a real socket, through langchain-openai: every way an endpoint can fail, and what becomes of it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from surefoot.errors import SettingsInvalid
from surefoot.llm.accounting import Meter, Price
from surefoot.llm.calling import Caller, Patience
from surefoot.llm.failures import ModelFailed, StructuredOutputFailed
from surefoot.llm.models import ModelSettings, open_model
from surefoot.llm.structured import ask_structured
from surefoot.testing.model_server import Drop, Fail, Garbage, ModelServer, Reply, Say, Use

ASK = [HumanMessage("book a room")]


class Room(BaseModel):
    """A room that was asked for."""

    room: str
    people: int = Field(ge=1, le=20)
    zone: Literal["east", "west"]
    quiet: bool = False


def model(server: ModelServer, monkeypatch: pytest.MonkeyPatch, **settings: object):
    monkeypatch.setenv("TEST_KEY", "not-a-secret")
    return open_model(ModelSettings(name="openai:scripted", base_url=server.url, key_env="TEST_KEY", **settings))


def caller(pauses: list[float] | None = None, **patience: float) -> Caller:
    async def sleep(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)

    return Caller(Meter(), Patience(**patience), Price(1.0, 2.0), sleep)  # type: ignore[arg-type]


async def test_an_answer_is_streamed_counted_and_paid_for(monkeypatch):
    with ModelServer([Say("one two three")]) as server:
        asking, pieces = caller(), []
        answer = await asking.ask(model(server, monkeypatch), ASK, on_token=pieces.append)
        assert answer.text == "one two three" == "".join(pieces)
        usage = asking.meter.usage
        assert (usage.calls, usage.attempts, usage.output_tokens, usage.estimated) == (1, 1, 3, 0)
        assert usage.cost == pytest.approx((usage.input_tokens + 2 * 3) / 1e6)
        assert server.requests[0]["stream"] is True


async def test_tokens_that_are_not_told_are_estimated_from_above(monkeypatch):
    with ModelServer([Say("one two three", usage=False)]) as server:
        asking = caller()
        await asking.ask(model(server, monkeypatch), ASK)
        assert asking.meter.usage.estimated == 1
        assert asking.meter.usage.output_tokens >= 3


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (Fail(500), "server_error"),
        (Fail(503), "server_error"),
        (Fail(429, retry_after=0.5), "rate_limited"),
        (Drop(after=0), "unreachable"),
        (Drop(after=3), "dropped"),
    ],
)
async def test_what_may_pass_is_tried_again_and_the_whole_answer_is_taken(first: Reply, kind: str, monkeypatch):
    with ModelServer([first, Say("whole")]) as server:
        pauses: list[float] = []
        asking = caller(pauses)
        answer = await asking.ask(model(server, monkeypatch), ASK)
        assert answer.text == "whole"
        assert (server.calls, asking.meter.usage.attempts, len(pauses)) == (2, 2, 1)
        if kind == "rate_limited":
            assert pauses == [0.5]


@pytest.mark.parametrize(
    ("reply", "kind", "calls"),
    [
        (Fail(500), "server_error", 3),
        (Fail(429), "rate_limited", 3),
        (Drop(after=3), "dropped", 3),
        (Fail(400), "refused", 1),
        (Fail(401), "auth", 1),
        (Fail(403), "auth", 1),
        (Fail(404), "not_found", 1),
        (Say("half an ans", finish="length"), "cut_off", 1),
        (Garbage(), "malformed", 1),
    ],
)
async def test_a_failure_that_stays_has_its_kind_and_is_tried_as_often_as_may_help(reply, kind, calls, monkeypatch):
    with ModelServer(lambda request: reply) as server:
        with pytest.raises(ModelFailed) as failed:
            await caller([]).ask(model(server, monkeypatch), ASK)
        assert failed.value.kind == kind
        assert server.calls == calls
        assert failed.value.text.zh
        assert "Traceback" not in str(failed.value)


async def test_a_wait_that_is_longer_than_the_patience_is_not_waited_for(monkeypatch):
    with ModelServer([Fail(429, retry_after=60)]) as server:
        pauses: list[float] = []
        with pytest.raises(ModelFailed) as failed:
            await caller(pauses, seconds=20).ask(model(server, monkeypatch), ASK)
        assert (failed.value.kind, failed.value.retry_after, pauses, server.calls) == ("rate_limited", 60, [], 1)


async def test_slow_tokens_end_with_the_deadline(monkeypatch):
    with ModelServer([Say("word " * 100, pause_s=0.05)]) as server:
        with pytest.raises(ModelFailed) as failed:
            await caller(seconds=0.4).ask(model(server, monkeypatch), ASK)
        assert failed.value.kind == "timeout"


async def test_an_endpoint_that_is_not_there_is_unreachable(monkeypatch):
    with ModelServer([]) as server:
        gone = model(server, monkeypatch)
    with pytest.raises(ModelFailed) as failed:
        await caller([], attempts=2).ask(gone, ASK)
    assert failed.value.kind == "unreachable"


async def test_a_run_stops_at_its_allowance_of_tokens(monkeypatch):
    with ModelServer(lambda request: Say("word " * 50)) as server:
        asking = caller()
        asking.meter.limit = 60
        scripted = model(server, monkeypatch)
        await asking.ask(scripted, ASK)
        await asking.ask(scripted, ASK)
        with pytest.raises(ModelFailed) as failed:
            await asking.ask(scripted, ASK)
        assert (failed.value.kind, server.calls) == ("spent", 2)


async def test_a_key_that_is_not_set_is_told_by_its_name(monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(SettingsInvalid, match="NO_SUCH_KEY"):
        open_model(ModelSettings(name="openai:x", key_env="NO_SUCH_KEY"))


async def test_a_name_without_a_provider_says_how_it_is_written():
    with pytest.raises(SettingsInvalid, match="provider:model"):
        open_model(ModelSettings(name="no-such-thing-at-all"))


GOOD = {"room": "A-101", "people": 4, "zone": "east", "quiet": True}
TEXT = '{"room": "A-101", "people": 4, "zone": "east", "quiet": true}'
Script = Sequence[Reply] | Callable[[dict[str, object]], Reply]


@pytest.mark.parametrize(
    ("script", "attempts", "repaired"),
    [
        ([Use((("Room", GOOD),))], 1, False),
        ([Say(TEXT)], 1, False),
        ([Say(f"Sure! Here it is:\n```json\n{TEXT}\n```\nAnything else?")], 1, True),
        ([Say(f"The room is {TEXT} as you asked.")], 1, True),
        ([Say("{'room': 'A-101', 'people': 4, 'zone': 'east', 'quiet': True,}")], 1, True),
        ([Use((("Room", {**GOOD, "people": "4", "quiet": "true", "zone": " East"}),))], 1, True),
        ([Say('{"answer": ' + TEXT + "}")], 1, True),
        ([Say('{"room": "A-101", "people": 4, "zone": "east", "quiet": true')], 1, True),
        ([Say("I would be happy to help."), Say(TEXT)], 2, False),
        ([Use((("Room", {**GOOD, "people": 99}),)), Use((("Room", GOOD),))], 2, False),
        ([Use((("Room", {**GOOD, "zone": "north"}),)), Say(TEXT)], 2, False),
        ([Use((("Room", '{"room": "A-1'),)), Say(TEXT)], 2, False),
        ([Say('{"room": "A-1'), Say(TEXT)], 2, False),
        ([Say('{"room": "A-101", "people": 4', finish="length"), Say(TEXT)], 2, False),
        ([Say(""), Say("nothing"), Say(TEXT)], 3, False),
    ],
    ids=[
        "tool call", "plain text", "fenced", "in prose", "single quotes", "wrong types", "wrapped", "open bracket",
        "prose first", "out of range", "wrong enum", "broken arguments", "broken text", "cut off", "empty",
    ],
)  # fmt: skip
async def test_a_valid_object_is_got_within_the_attempts(script: Script, attempts, repaired, monkeypatch):
    with ModelServer(script) as server:
        asking = caller([])
        got = await ask_structured(asking, model(server, monkeypatch), ASK, Room)
        assert got.value == Room(**GOOD)
        assert (got.attempts, server.calls) == (attempts, attempts)
        assert got.repaired is repaired
        assert sum(asking.meter.invalid.values()) == attempts - 1


async def test_what_was_wrong_goes_back_in_words(monkeypatch):
    with ModelServer([Use((("Room", {**GOOD, "people": 99}),)), Say(TEXT)]) as server:
        await ask_structured(caller([]), model(server, monkeypatch), ASK, Room)
        told = str(server.requests[1]["messages"])
        assert "people" in told
        assert "99 is greater than the maximum of 20" in told


@pytest.mark.parametrize(
    "reply",
    [Say("no"), Say('{"room": "A-1'), Use((("Room", {"room": "A"}),)), Use((("Room", '{"room": "A-101", "peo'),))],
    ids=["prose", "half a value", "fields missing", "half the arguments"],
)
async def test_without_a_valid_object_the_failure_is_typed_and_half_an_object_is_none(reply, monkeypatch):
    with ModelServer(lambda request: reply) as server:
        with pytest.raises(StructuredOutputFailed) as failed:
            await ask_structured(caller([]), model(server, monkeypatch), ASK, Room, attempts=2)
        assert len(failed.value.reasons) == 2
        assert server.calls == 2


async def test_a_json_schema_is_kept_to_as_a_class_is(monkeypatch):
    schema = {"title": "count", "type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    with ModelServer([Say('{"n": "many"}'), Say('{"n": "3"}')]) as server:
        got = await ask_structured(caller([]), model(server, monkeypatch), ASK, schema)
        assert (got.value, got.attempts, got.repaired) == ({"n": 3}, 2, True)


async def test_the_providers_schema_mode_sends_the_schema(monkeypatch):
    with ModelServer([Say(TEXT)]) as server:
        got = await ask_structured(caller([]), model(server, monkeypatch), ASK, Room, mode="json_schema")
        assert got.value.room == "A-101"
        assert server.requests[0]["response_format"]["json_schema"]["name"] == "Room"
        assert "tools" not in server.requests[0]


async def test_many_ask_at_once(monkeypatch):
    with ModelServer(lambda request: Say(TEXT)) as server:
        asking, scripted = caller(), model(server, monkeypatch)
        await asyncio.gather(*(ask_structured(asking, scripted, ASK, Room) for _ in range(10)))
        assert asking.meter.usage.calls == server.calls == 10
