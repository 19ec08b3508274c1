"""What a contract may declare for recovery, and what is refused."""

from typing import Any

import pytest

from surefoot.contracts.loader import SourceMap, read_contract
from surefoot.errors import ContractError

INPUT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["topic"],
    "properties": {"topic": {"type": "string"}, "place": {"enum": ["here", "there"]}, "limit": {"type": "integer"}},
}
READ: dict[str, Any] = {"version": 1, "summary": "Read.", "effect": "read", "permission": "p", "input_schema": INPUT}
WRITE: dict[str, Any] = {**READ, "effect": "write", "idempotency": {"key": ["topic"], "honoured": True}}
WRITE["irreversible"] = True


def load(raw: dict[str, Any], **changes: Any) -> Any:
    return read_contract({"name": "tool", **raw, **changes}, SourceMap("tool.yaml", {(): 1}), "tool")[0]


def test_a_read_may_declare_cache_widen_narrow_and_infer() -> None:
    contract = load(
        READ,
        cache={"max_age_s": 3600},
        widen=[{"drop": ["place"]}, {"set": {"limit": 50}}],
        narrow=[{"set": {"limit": 5}}],
        infer={"place": "here"},
    )
    assert contract.cache.max_age_s == 3600
    assert [change.drop for change in contract.widen] == [("place",), ()]
    assert contract.narrow[0].set == {"limit": 5}
    assert contract.infer == {"place": "here"}


@pytest.mark.parametrize(
    ("raw", "change", "says"),
    [
        (READ, {"cache": {"max_age_s": 0}}, "greater than 0"),
        (READ, {"cache": {}}, "missing"),
        (READ, {"widen": [{}]}, "needs drop"),
        (READ, {"widen": [{"drop": ["topic"]}]}, "which is required"),
        (READ, {"widen": [{"drop": ["colour"]}]}, "no input of this tool"),
        (READ, {"narrow": [{"set": {"colour": 1}}]}, "no input of this tool"),
        (READ, {"narrow": [{"set": {"limit": "few"}}]}, "does not allow"),
        (READ, {"infer": {"place": "elsewhere"}}, "does not allow"),
        (READ, {"infer": {"colour": "red"}}, "no input of this tool"),
        (WRITE, {"cache": {"max_age_s": 60}}, "are for reads"),
        (WRITE, {"widen": [{"drop": ["place"]}]}, "are for reads"),
        (WRITE, {"narrow": [{"set": {"limit": 5}}]}, "are for reads"),
    ],
)
def test_a_recovery_that_does_not_fit_is_refused_with_the_reason(
    raw: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    with pytest.raises(ContractError, match=says):
        load(raw, **change)


def test_a_write_may_infer_because_its_card_shows_the_guess() -> None:
    assert load(WRITE, infer={"place": "here"}).infer == {"place": "here"}
