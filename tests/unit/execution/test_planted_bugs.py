"""The tests can fail: each of four bugs planted in the door makes the state machine, or a claim, fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from surefoot.execution import door, protocol
from surefoot.execution.door import Door
from surefoot.persistence import ledger
from surefoot.recovery import saga
from surefoot.testing.conformance import a_consent_is_spent_once_and_with_its_intent
from surefoot.testing.in_memory import open_stores
from unit.execution.test_ledger_machine import LedgerMachine, closed_in_the_end

__all__ = ["closed_in_the_end"]

pytestmark = pytest.mark.timeout(600)

QUICK = settings(
    max_examples=1500, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck),
    phases=[Phase.generate], derandomize=True, database=None,
)  # fmt: skip


@contextmanager
def intent_after_call() -> Iterator[None]:
    """The tool is called first, and the intent is written when it has answered."""
    original = Door._write

    async def write(self: Door, tool: Any, ready: Any, session: Any, consent_id: str | None) -> Any:
        ctx = self.context(ready.call, session, key="early")
        await self.invoker.call(tool, ready.call.arguments, ctx)
        door.reach(door.AFTER_CALL)
        return await original(self, tool, ready, session, consent_id)

    with patch.object(Door, "_write", write):
        yield


@contextmanager
def undo_in_commit_order() -> Iterator[None]:
    """The oldest effect is taken back first."""
    with patch.object(saga, "newest_first", lambda effects: sorted(effects, key=lambda e: e.commit_seq or 0)):
        yield


@contextmanager
def timeout_marked_failed() -> Iterator[None]:
    """A lost answer is taken for a refusal."""
    with patch.dict(door.EVENTS, {"unclear": protocol.Event.WAS_REFUSED}):
        yield


@contextmanager
def consent_not_spent() -> Iterator[None]:
    """The consent is looked at and left as it was."""
    with patch.object(ledger, "spend_consent", lambda connection, intent, effect_id: []):
        yield


@pytest.mark.parametrize("bug", [intent_after_call, undo_in_commit_order, timeout_marked_failed])
def test_the_state_machine_finds_the_bug(bug: Any) -> None:
    with bug(), pytest.raises((AssertionError, BaseExceptionGroup)):
        run_state_machine_as_test(LedgerMachine, settings=QUICK)


async def test_a_consent_that_is_not_spent_is_found() -> None:
    async with open_stores() as stores:
        with consent_not_spent(), pytest.raises(AssertionError):
            await a_consent_is_spent_once_and_with_its_intent(stores)
