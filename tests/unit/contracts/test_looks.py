"""Looks before a write, as contracts may and may not declare them."""

from typing import Any

import pytest

from surefoot.contracts.loader import SourceMap, read_contract
from surefoot.contracts.registry import Registry
from surefoot.errors import ContractError

INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["user"],
    "properties": {"user": {"type": "string"}},
}
READ: dict[str, Any] = {"version": 1, "summary": "Read.", "effect": "read", "permission": "p", "input_schema": INPUT}
WRITE: dict[str, Any] = {
    "version": 1, "summary": "Write.", "effect": "write", "permission": "p", "input_schema": INPUT,
    "idempotency": {"key": ["user"]}, "irreversible": True,
    "before": {"old": {"tool": "read", "arguments": {"user": "$.arguments.user"}}}, "reconcile": {"changed": ["old"]},
}  # fmt: skip


def registry(**contracts: dict[str, Any]) -> Registry:
    async def nothing(**_: Any) -> dict[str, Any]:
        return {}

    read = {
        name: read_contract({"name": name, **raw}, SourceMap(f"{name}.yaml", {(): 1}), name)
        for name, raw in contracts.items()
    }
    return Registry.pair(read, dict.fromkeys(read, nothing))


def test_a_write_may_be_reconciled_by_what_has_changed() -> None:
    assert registry(read=READ, write=WRITE).contract("write").before["old"].tool == "read"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"reconcile": {"changed": ["new"]}}, "no look of before"),
        ({"reconcile": {"changed": ["old"], "tool": "read"}}, "either tool"),
        ({"reconcile": {"match": ["user"]}}, "either tool"),
        ({"before": {"old": {"tool": "gone"}}}, "which is no tool"),
        ({"before": {"old": {"tool": "write", "arguments": {"user": "x"}}}}, "must be a read"),
        ({"before": {"old": {"tool": "read"}}}, "also requires user"),
    ],
)
def test_looks_that_do_not_fit_are_refused_with_the_reason(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ContractError, match=says):
        registry(read=READ, write={**WRITE, **change})


def test_a_read_has_nothing_to_look_at_before() -> None:
    with pytest.raises(ContractError, match="a read has nothing"):
        registry(read={**READ, "before": {"old": {"tool": "read", "arguments": {"user": "x"}}}})
