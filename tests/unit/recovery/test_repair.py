"""Repairing a read's reply: what is there in another form is used, what is missing is never made up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.contracts.registry import output_schema
from surefoot.contracts.schema import Validator
from surefoot.errors import ErrorCode
from surefoot.recovery.policy import candidates
from surefoot.recovery.strategies.repair import HOW, repaired
from unit.recovery.cases import case, ended, read, write

OUTPUT = {
    "required_fields": ["rooms"],
    "data_schema": {
        "properties": {
            "rooms": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "seats"],
                    "properties": {
                        "id": {"type": "string"},
                        "seats": {"type": "integer"},
                        "price": {"type": "number"},
                        "open": {"type": "boolean"},
                    },
                },
            }
        }
    },
}
CONTRACT = read(output_contract=OUTPUT)
GOOD = {"rooms": [{"id": "A1", "seats": 6}]}


@pytest.mark.parametrize(
    ("raw", "how"),
    [
        (json.dumps(GOOD), ("text",)),
        (f"```json\n{json.dumps(GOOD)}\n```", ("fence",)),
        (f"```\n{json.dumps(GOOD)}\n```\n", ("fence",)),
        ({"result": GOOD}, ("wrapper",)),
        ({"result": json.dumps(GOOD)}, ("wrapper", "text")),
        ({"rooms": [{"id": "A1", "seats": "6"}]}, ("number",)),
        ({"rooms": {"id": "A1", "seats": 6}}, ("list",)),
        ({"rooms": json.dumps(GOOD["rooms"])}, ("text",)),
        ({"data": {"rooms": {"id": "A1", "seats": " 6 "}}}, ("wrapper", "list", "number")),
    ],
)
def test_a_reply_in_the_wrong_form_is_put_in_order(raw: Any, how: tuple[str, ...]) -> None:
    assert repaired(raw, CONTRACT) == (GOOD, how)


def test_numbers_and_truth_values_written_as_text_are_read_where_the_schema_wants_them() -> None:
    raw = {"rooms": [{"id": "007", "seats": "6", "price": "12.50", "open": "True"}]}
    data, how = repaired(raw, CONTRACT) or ({}, ())
    assert data == {"rooms": [{"id": "007", "seats": 6, "price": 12.5, "open": True}]}
    assert set(how) == {"number", "truth"}


@pytest.mark.parametrize(
    "raw",
    [
        {},
        None,
        7,
        [],
        "",
        "sorry, no rooms",
        "```json\n{broken\n```",
        {"rooms": [{"id": "A1"}]},
        {"rooms": [{"id": "A1", "seats": "six"}]},
        {"rooms": [{"id": "A1", "seats": "6.5"}]},
        {"rooms": [{"id": "A1", "seats": "9" * 30}]},
        {"rooms": [{"id": 5, "seats": 6}]},
        {"a": GOOD, "b": 1},
        {"rooms": "A1"},
        {"a": {"b": {"c": {"d": {"e": GOOD}}}}},
    ],
)
def test_what_is_missing_or_unclear_is_not_made_up(raw: Any) -> None:
    assert repaired(raw, CONTRACT) is None


def test_repair_applies_to_a_malformed_reply_of_a_read_that_was_kept() -> None:
    def applies(contract: Any, **details: Any) -> bool:
        one = case(ended("failed", ErrorCode.TOOL_OUTPUT_INVALID, **details), contract)
        return "repair" in [strategy.name for strategy in candidates(one)]

    assert applies(CONTRACT, raw=json.dumps(GOOD))
    assert not applies(CONTRACT, raw="nothing of use")
    assert not applies(CONTRACT)
    assert not applies(write(output_contract=OUTPUT), raw=json.dumps(GOOD))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("6"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["rooms", "id", "seats", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES | VALUES.map(json.dumps))
def test_a_repaired_reply_always_satisfies_the_contract_and_says_what_was_done(raw: Any) -> None:
    found = repaired(raw, CONTRACT)
    if found is not None:
        assert Validator(output_schema(CONTRACT)).problems(found[0]) == []
        assert found[1]
        assert set(found[1]) <= set(HOW)
