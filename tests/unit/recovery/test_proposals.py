"""A model may name a strategy that applies; whatever else it says, the deterministic default decides."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.errors import ErrorCode
from surefoot.recovery.diagnose import ErrorRecord, diagnose
from surefoot.recovery.history import KEEP, counted, entry, is_open, remembered, useless_for
from surefoot.recovery.proposals import Suggestion, propose, read_proposal
from unit.recovery.cases import ended, read

APPLY = ("again", "other", "undo")
ERROR = diagnose(
    ended("failed", ErrorCode.TOOL_TIMEOUT), {}, read(), step="s", impact="step", at=datetime(2025, 9, 1, tzinfo=UTC)
)


def said(**data: Any) -> Suggestion:
    return Suggestion(json.dumps(data), tokens=7)


def test_a_strategy_that_applies_is_taken_and_its_tokens_are_counted() -> None:
    proposal = read_proposal(said(strategy="other", why="it is down"), APPLY)
    assert (proposal.strategy, proposal.why, proposal.tokens) == ("other", "it is down", 7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "other",
        "[]",
        '"other"',
        '{"strategy": "other"}',
        '{"strategy": "other", "why": "x", "run": "rm"}',
        '{"strategy": "charge_twice", "why": "x"}',
        '{"strategy": ["other"], "why": "x"}',
        '{"strategy": "other", "why": 3}',
        json.dumps({"strategy": "other", "why": "x" * 301}),
        'sure: {"strategy": "other", "why": "x"}',
        "[" * 100_000,
    ],
)
def test_anything_else_decides_nothing_and_its_tokens_are_counted_too(text: str) -> None:
    proposal = read_proposal(Suggestion(text, tokens=3), APPLY)
    assert proposal.strategy is None
    assert proposal.tokens == 3


@given(st.text(max_size=60))
def test_no_text_makes_a_strategy_that_does_not_apply(text: str) -> None:
    assert read_proposal(Suggestion(text), APPLY).strategy in (None, *APPLY)


async def test_a_proposer_that_fails_or_is_late_decides_nothing() -> None:
    async def fails(error: ErrorRecord, applicable: Sequence[str]) -> Suggestion:
        raise ConnectionError("no model")

    async def hangs(error: ErrorRecord, applicable: Sequence[str]) -> Suggestion:
        await asyncio.Event().wait()
        raise AssertionError

    assert (await propose(fails, ERROR, APPLY, 5.0)).why == "the proposer failed: ConnectionError"
    assert (await propose(hangs, ERROR, APPLY, 0.01)).why == "the proposer failed: TimeoutError"


def test_the_history_keeps_the_last_ones_and_knows_what_did_not_help() -> None:
    past: list[dict[str, Any]] = []
    for number in range(KEEP + 5):
        past = remembered(past, {**entry("other", ERROR, f"h{number}"), "helped": number % 2 == 0})
    assert len(past) == KEEP
    assert useless_for(past, tool="find", code="TOOL_TIMEOUT", args_hash="h23") == {"other"}
    assert useless_for(past, tool="find", code="TOOL_TIMEOUT", args_hash="h24") == frozenset()
    assert useless_for(past, tool="find", code="TOOL_AUTH", args_hash="h23") == frozenset()
    assert useless_for(past, tool="find", code="TOOL_TIMEOUT", args_hash="h0") == frozenset()


def test_an_entry_is_open_until_it_is_verified_and_an_old_versions_entry_is_closed() -> None:
    assert is_open(entry("again", ERROR, "h"))
    assert not is_open({**entry("again", ERROR, "h"), "helped": False})
    assert not is_open({"kind": "again", "step": "s", "code": "TOOL_TIMEOUT"})


def test_recoveries_are_counted_per_tool_and_per_step() -> None:
    counts = counted(counted({}, tool="a", step="s"), tool="b", step="s")
    assert counts == {"tools": {"a": 1, "b": 1}, "steps": {"s": 2}}
