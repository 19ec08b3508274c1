"""Contracts generated for a domain nobody prepared."""

from pathlib import Path
from typing import Any

import pytest

from surefoot.agents.middleware.tools import registry_of
from surefoot.errors import InputInvalid
from surefoot.evals.tau2.contracts import contracts_for, looks_of, overrides_of
from surefoot.evals.tau2.domain import ToolShape
from unit.evals_tau2.bank import Account, bank


def shape(name: str, kind: str, *required: str, returns: Any = None, **others: str) -> ToolShape:
    properties = {each: {"type": "string"} for each in required} | {n: {"type": t} for n, t in others.items()}
    parameters = {"type": "object", "properties": properties, "required": [*required, *others]}
    return ToolShape(name, name, parameters, kind, returns)


def looks(write: ToolShape, *reads: ToolShape) -> dict[str, Any]:
    found = looks_of(write, {tool.name: tool for tool in (write, *reads)})
    return {look["tool"]: look["arguments"] for look in found.values()}


def test_generated_contracts_are_accepted_as_they_are() -> None:
    registry = registry_of(contracts_for(bank()))
    pay = registry.contract("pay")
    assert pay.is_write
    assert pay.before["get_account__account_id"].tool == "get_account"
    assert pay.reconcile is not None
    assert pay.reconcile.changed == ("get_account__account_id",)
    assert pay.approval == "never"
    assert set(pay.output_contract.required_fields) == {"account_id", "owner_id", "balance"}
    assert not registry.contract("chat").is_write


def test_a_read_whose_parameters_are_all_arguments_of_the_write_is_a_look() -> None:
    found = looks(
        shape("w", "write", "order_id", "day"),
        shape("r1", "read", "order_id"),
        shape("r2", "read", "day", "order_id"),
        shape("r3", "read", "order_id", "other"),
        shape("g", "generic", "order_id"),
    )
    assert found == {
        "r1": {"order_id": "$.arguments.order_id"},
        "r2": {"day": "$.arguments.day", "order_id": "$.arguments.order_id"},
    }


def test_an_id_that_no_read_names_goes_to_the_read_that_takes_any_id() -> None:
    found = looks(
        shape("w", "write", "user_id", "line_id", item_ids="array"),
        shape("r", "read", "user_id"),
        shape("any", "read", "id"),
    )
    assert found == {"r": {"user_id": "$.arguments.user_id"}, "any": {"id": "$.arguments.line_id"}}


def test_without_any_name_in_common_every_read_of_one_id_is_asked() -> None:
    found = looks(shape("w", "write", "ticket_id"), shape("r", "read", "user_id"), shape("n", "read", "email"))
    assert found == {"r": {"user_id": "$.arguments.ticket_id"}}


def test_a_write_without_ids_is_looked_at_by_the_reads_that_need_nothing() -> None:
    assert looks(shape("w", "write", "title"), shape("all", "read")) == {"all": {}}


def test_a_write_that_no_read_can_show_is_refused_with_a_way_out() -> None:
    domain = bank()
    domain.tools = {"w": shape("w", "write", "title")}
    with pytest.raises(InputInvalid, match="--contracts"):
        contracts_for(domain)


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        (Account, {"required_fields": ["account_id", "balance", "owner_id"], "data_schema": {}}),
        (Account | None, {"required_fields": ["account_id", "balance", "owner_id"], "data_schema": {}}),
        (str, {"required_fields": [], "data_schema": {}}),
        (Account | str, {"required_fields": [], "data_schema": {}}),
        (
            list[Account],
            {"required_fields": [], "data_schema": {"properties": {"result": {"not": {"type": "string"}}}}},
        ),
    ],
)
def test_what_a_whole_reply_looks_like_comes_from_the_return_annotation(returns: Any, expected: Any) -> None:
    domain = bank()
    domain.tools = {"r": shape("r", "read", "x_id", returns=returns)}
    assert contracts_for(domain)["r"]["output_contract"] == expected


def test_overrides_replace_keys_and_null_takes_one_out() -> None:
    undo = {"tool": "rename", "arguments": {"account_id": "$.arguments.account_id", "label": "old"}}
    made = contracts_for(bank(), {"rename": {"irreversible": None, "compensate": undo}})
    assert "irreversible" not in made["rename"]
    assert registry_of(made).contract("rename").compensate is not None
    assert made["pay"]["irreversible"] is True


@pytest.mark.parametrize("overrides", [{"no_such_tool": {}}, {"pay": "irreversible"}])
def test_an_override_that_fits_nothing_is_refused(overrides: dict[str, Any]) -> None:
    with pytest.raises(InputInvalid):
        contracts_for(bank(), overrides)


def test_retail_ships_overrides_and_an_unknown_domain_has_none() -> None:
    assert set(overrides_of("retail", None)) == {"modify_pending_order_address", "modify_user_address"}
    assert overrides_of("bank", None) == {}


def test_a_contracts_file_that_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("- a\n")
    for file in (tmp_path / "absent.yaml", tmp_path / "list.yaml"):
        with pytest.raises(InputInvalid, match=file.name):
            overrides_of("bank", file)
