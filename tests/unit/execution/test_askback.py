"""Asking back: which records are ours, and what is asked by."""

from typing import Any

import pytest

from surefoot.contracts.envelope import success
from surefoot.contracts.loader import SourceMap, read_contract
from surefoot.contracts.registry import Registry
from surefoot.execution.askback import matching_records
from surefoot.execution.call import Call
from surefoot.execution.invoke import Reply
from surefoot.execution.ledger import Effect
from surefoot.execution.protocol import State

INPUT = {"type": "object", "additionalProperties": False, "required": ["order"],
         "properties": {"order": {"type": "string"}, "paper": {"type": "string"}}}  # fmt: skip
CONTRACTS: dict[str, dict[str, Any]] = {
    "look": {"version": 1, "summary": "Look.", "effect": "read", "permission": "p", "input_schema": INPUT},
    "print": {"version": 1, "summary": "Print.", "effect": "write", "permission": "p", "input_schema": INPUT,
              "irreversible": True, "idempotency": {"key": ["order"]},
              "reconcile": {"tool": "look", "match": ["order", "paper"]}},
}  # fmt: skip


def registry() -> Registry:
    async def nothing(**_: Any) -> dict[str, Any]:
        return {}

    read = {
        name: read_contract({"name": name, **raw}, SourceMap(f"{name}.yaml", {(): 1}), name)
        for name, raw in CONTRACTS.items()
    }
    return Registry.pair(read, dict.fromkeys(read, nothing))


def effect(**arguments: str) -> Effect:
    return Effect(
        effect_id="e", call_id="r/s", run_id="r", thread_id="t", step_id="s", user_id="ann", tool="print",
        contract_version=1, arguments=arguments, args_hash="h", base="b", generation=1, state=State.UNKNOWN,
        attempts=1, deadline_at=0.0, epoch=1, undo_on_failure=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "found"),
    [({"order": "1"}, 1), ({"order": "1", "paper": "A4"}, 1), ({"order": "1", "paper": "A3"}, 0), ({"order": "2"}, 0)],
    ids=["not given", "given", "another", "another order"],
)
async def test_an_optional_argument_that_was_not_given_is_neither_asked_by_nor_compared(
    arguments: dict[str, str], found: int
) -> None:
    asked: list[Call] = []

    async def ask(call: Call) -> Reply:
        asked.append(call)
        records = [{"order": "1", "paper": "A4", "print_id": "P1"}]
        return Reply("ok", success("look", {"records": records}, latency_ms=0.0))

    matching = await matching_records(effect(**arguments), registry(), ask)
    assert len(matching or []) == found
    assert asked[0].arguments == arguments
