"""Every load-time refusal of a contract: what is wrong, in which file, on which line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.contracts import Registry, ToolContext
from surefoot.errors import ContractError

GOOD = {
    "pay": """\
name: pay
version: 1
summary: {zh: 付款, en: Pay.}
effect: write
permission: pay
input_schema:
  type: object
  additionalProperties: false
  required: [order]
  properties:
    order: {type: string}
    amount: {type: integer}
output_contract:
  required_fields: [payment]
  data_schema: {properties: {payment: {type: string}, count: {type: integer}}}
idempotency: {key: [user_id, order]}
reconcile: {tool: look, match: [order]}
compensate: {tool: back, arguments: {payment: $.data.payment}}
requires: [order_open]
fee: small
""",
    "back": """\
name: back
version: 1
summary: {zh: 退款, en: Give back.}
effect: write
permission: pay
irreversible: true
input_schema:
  type: object
  additionalProperties: false
  required: [payment]
  properties: {payment: {type: string}}
idempotency: {key: [payment], honoured: true}
""",
    "look": """\
name: look
version: 1
summary: {zh: 查询, en: Look.}
effect: read
permission: pay
input_schema:
  type: object
  additionalProperties: false
  required: [order]
  properties: {order: {type: string}}
""",
}


async def pay(order: str, amount: int = 1, *, ctx: ToolContext) -> dict[str, Any]:
    return {}


async def back(payment: str, *, ctx: ToolContext) -> dict[str, Any]:
    return {}


async def look(order: str, *, ctx: ToolContext) -> dict[str, Any]:
    return {}


def load(folder: Path, changes: dict[str, Callable[[str], str]] | None = None, tools: Any = None) -> Registry:
    for name, text in GOOD.items():
        changed = (changes or {}).get(name, lambda same: same)(text)
        if changed:
            (folder / f"{name}.yaml").write_text(changed, encoding="utf-8")
    return Registry.load(folder, tools or [pay, back, look], rules=["order_open"], fees=["small"])


def swap(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return change


def test_the_good_contracts_load(tmp_path: Path) -> None:
    registry = load(tmp_path)
    assert registry.names() == ("back", "look", "pay")
    assert registry.contract("pay").approval == "required"
    assert registry.contract("look").approval == "never"


REFUSALS = [
    ("pay", swap("permission: pay\n", "permission: pay\nwibble: 1\n"), "unknown key 'wibble'", 6),
    ("pay", swap("effect: write", "effect: wirte"), "effect: Input should be 'read' or 'write'", 4),
    ("pay", swap("version: 1\n", ""), "the key 'version' is missing", 1),
    ("pay", swap("name: pay", "name: pays"), "must equal the file's name", 1),
    ("pay", swap("permission: pay\n", "permission: pay\npermission: pay\n"), "stands twice", 6),
    ("pay", swap("summary: {zh: 付款, en: Pay.}", "summary: [Pay."), "not YAML", 4),
    ("pay", swap("type: object", "type: objekt"), "is no JSON Schema", 6),
    ("pay", swap("type: object", "type: array"), "must have type: object", 6),
    ("pay", swap("additionalProperties: false", "additionalProperties: true"), "additionalProperties: false", 6),
    ("pay", swap("required: [order]", "required: [order, gone]"), "'gone' is not among the properties", 9),
    ("pay", swap("    amount: {type: integer}\n", ""), "'amount' is not in input_schema", 10),
    ("pay", swap("amount: {type: integer}", "amount: {type: string}"), "integer in the function but string", 12),
    ("pay", swap("amount: {", "sum: {type: integer}\n    amount: {"), "'sum' is no parameter of the function", 12),
    ("pay", swap("required: [order]", "required: [order, amount]"), "has a default but is required", 12),
    ("look", swap("  required: [order]\n", ""), "has no default but is not required", 9),
    ("pay", swap("compensate: {tool: back, arguments: {payment: $.data.payment}}\n", ""), "compensate: {...} or", 4),
    ("pay", swap("requires:", "irreversible: true\nrequires:"), "not both", 19),
    ("pay", swap("idempotency: {key: [user_id, order]}\n", ""), "needs idempotency", 4),
    ("pay", swap("reconcile: {tool: look, match: [order]}\n", ""), "needs reconcile: {...}, or", 4),
    ("pay", swap("key: [user_id, order]", "key: [user_id, colour]"), "names 'colour'", 16),
    ("pay", swap("match: [order]", "match: [colour]"), "names 'colour'", 17),
    ("pay", swap("tool: look", "tool: gaze"), "'gaze', which is no tool", 17),
    ("pay", swap("tool: look", "tool: back"), "the reconciler 'back' must be a read", 17),
    ("pay", swap("tool: back", "tool: undo"), "'undo', which is no tool", 18),
    ("pay", swap("tool: back", "tool: look"), "the compensator 'look' must be a write", 18),
    ("pay", swap("payment: $.data.payment}", "money: $.data.payment}"), "takes no money", 18),
    ("pay", swap("arguments: {payment: $.data.payment}", "arguments: {}"), "also requires payment", 18),
    ("pay", swap("$.data.payment", "$.data.gone"), "is not described by", 18),
    ("pay", swap("$.data.payment", "$.data.count"), "takes 'payment' as string", 18),
    ("pay", swap("$.data.payment", "$.data..x"), "cannot read path", 18),
    ("pay", swap("requires: [order_open]", "requires: [order_opne]"), "which is no rule", 19),
    ("pay", swap("requires:", "ensures: [nope]\nrequires:"), "which is no rule", 19),
    ("pay", swap("fee: small", "fee: large"), "which is no fee rule", 20),
    ("pay", swap("fee:", "fallbacks: [nobody]\nfee:"), "'nobody', which is no tool", 20),
    ("pay", swap("fee:", "fallbacks: [look]\nfee:"), "the fallback 'look' is a read", 20),
    ("pay", swap("fee:", "fallbacks: [back]\nfee:"), "'back' takes no amount, order", 20),
    ("pay", swap("fee:", "private: [iban]\nfee:"), "names 'iban'", 20),
    ("look", swap("effect: read", "effect: read\nirreversible: true"), "a read has nothing to compensate", 4),
    ("pay", swap("requires:", "execution_contract: {error_mapping: {'500': BROKEN}}\nrequires:"), "error_mapping", 19),
]  # fmt: skip


@pytest.mark.parametrize(("file", "change", "problem", "line"), REFUSALS, ids=[row[2] for row in REFUSALS])
def test_a_bad_contract_is_refused_with_file_and_line(
    tmp_path: Path, file: str, change: Callable[[str], str], problem: str, line: int
) -> None:
    with pytest.raises(ContractError) as refused:
        load(tmp_path, {file: change})
    assert problem in refused.value.problem
    assert refused.value.file == f"{file}.yaml"
    assert refused.value.line == line, f"{refused.value}"


def test_a_contract_without_a_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"look\.yaml:1: no function named 'look'"):
        load(tmp_path, tools=[pay, back])


def test_a_function_without_a_contract_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"test_refusals\.py:\d+: function 'look' has no contract"):
        load(tmp_path, {"look": lambda text: ""})


def test_a_function_that_is_not_async_is_refused(tmp_path: Path) -> None:
    def look(order: str, *, ctx: ToolContext) -> dict[str, Any]:
        return {}

    with pytest.raises(ContractError, match="must be async"):
        load(tmp_path, tools=[pay, back, look])


def test_a_function_without_a_context_is_refused(tmp_path: Path) -> None:
    async def look(order: str) -> dict[str, Any]:
        return {}

    with pytest.raises(ContractError, match="keyword-only ctx"):
        load(tmp_path, tools=[pay, back, look])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="no contracts here"):
        Registry.load(tmp_path, [])


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "look.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(ContractError, match="not UTF-8"):
        Registry.load(tmp_path, [look])
