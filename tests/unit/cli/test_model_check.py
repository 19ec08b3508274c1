"""``surefoot model check`` over a real socket: what an endpoint can do and cannot, and one that is not there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from surefoot.testing.model_server import Fail, ModelServer, Reply, Say, Use

SUREFOOT = str(Path(sys.executable).parent / "surefoot")
OBJECT = '{"name": "blue", "number": 7}'


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "not-a-secret")
    monkeypatch.setenv("LANG", "C.UTF-8")


def check(url: str, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [SUREFOOT, "model", "check", "openai:scripted", "--base-url", url, "--key-env", "TEST_KEY", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def able(request: dict[str, Any]) -> Reply:
    tools = [tool["function"]["name"] for tool in request.get("tools", [])]
    if tools == ["get_time"]:
        return Use((("get_time", {"city": "Oslo"}),))
    if tools == ["colour"]:
        return Use((("colour", json.loads(OBJECT)),))
    return Say(OBJECT if "JSON Schema" in str(request["messages"]) else "one two three four five")


def test_an_endpoint_that_can_do_everything_is_told_so() -> None:
    with ModelServer(able) as server:
        told = check(server.url, "--json")
        assert told.returncode == 0, told.stderr
        assert {one["name"]: one["works"] for one in json.loads(told.stdout)} == {
            "answers": True, "streams": True, "tells tokens": True, "calls tools": True,
            "object by tool call": True, "object by json_schema": True, "object in words": True,
        }  # fmt: skip


def test_one_that_ignores_tools_and_tells_no_tokens_is_told_so() -> None:
    with ModelServer(lambda request: Say("it is what it is", usage=False)) as server:
        told = check(server.url)
        assert told.returncode == 0, told.stderr
        assert "✗ calls tools: malformed: called nothing" in told.stdout
        assert "✗ tells its tokens" in told.stdout
        assert "✓ streams" in told.stdout


@pytest.mark.parametrize("reply", [Fail(401), Fail(404)])
def test_one_that_refuses_is_told_by_its_kind_and_nothing_else_is_tried(reply: Reply) -> None:
    with ModelServer(lambda request: reply) as server:
        told = check(server.url)
        assert told.returncode == 5
        assert told.stdout.startswith("✗ answers:")
        assert "Traceback" not in told.stdout + told.stderr
        assert server.calls == 1


def test_a_name_without_a_provider_says_how_it_is_written() -> None:
    told = subprocess.run([SUREFOOT, "model", "check", "nothing"], capture_output=True, text=True, timeout=60)
    assert told.returncode == 2
    assert "provider:model" in told.stderr
