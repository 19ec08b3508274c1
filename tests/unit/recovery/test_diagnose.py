"""What kind of error it is, and how much of the plan it touches."""

from datetime import UTC, datetime
from typing import Any

import pytest

from surefoot.contracts.loader import SourceMap, read_contract
from surefoot.contracts.registry import Registry
from surefoot.errors import ErrorCode
from surefoot.planning.plan import Plan, Step
from surefoot.recovery.diagnose import CATEGORIES, CUT, categorise, diagnose, impact_of
from unit.recovery.cases import INPUT, ended, read

AT = datetime(2025, 9, 1, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "category"),
    [
        (ErrorCode.TOOL_TIMEOUT, "network"),
        (ErrorCode.TOOL_UNAVAILABLE, "network"),
        (ErrorCode.BREAKER_OPEN, "network"),
        (ErrorCode.TOOL_RATE_LIMITED, "rate"),
        (ErrorCode.TOOL_AUTH, "auth"),
        (ErrorCode.PERMISSION_DENIED, "auth"),
        (ErrorCode.TOOL_OUTPUT_INVALID, "parsing"),
        (ErrorCode.TOOL_NOT_FOUND, "not_found"),
        (ErrorCode.BUSINESS_EMPTY, "empty"),
        (ErrorCode.BUSINESS_REFUSED, "business"),
        (ErrorCode.TOOL_INPUT_INVALID, "business"),
        (ErrorCode.BUDGET_SPENT, "unknown"),
        (ErrorCode.LOOP_DETECTED, "unknown"),
    ],
)
def test_each_code_has_its_category(code: ErrorCode, category: str) -> None:
    assert categorise(ended("failed", code)) == category


def test_a_write_of_which_nobody_knows_is_a_category_of_its_own_whatever_its_code() -> None:
    assert {categorise(ended("unknown", ErrorCode(code))) for code in CATEGORIES} == {"unknown_effect"}


def test_a_record_holds_type_message_tool_arguments_cut_short_and_masked_time_and_impact() -> None:
    outcome = ended("failed", ErrorCode.TOOL_TIMEOUT, cause="ReadTimeout: no answer")
    arguments = {"topic": "x" * 500, "place": "my home"}
    record = diagnose(outcome, arguments, read(private=["place"]), step="s", impact="goal", at=AT)
    assert (record.type, record.tool, record.code) == ("ReadTimeout", "find", "TOOL_TIMEOUT")
    assert record.message == {"zh": "没有办成。", "en": "It did not work."}
    assert record.arguments["topic"] == "x" * CUT + "…"
    assert record.arguments["place"] == "•••"
    assert (record.time, record.category, record.impact) == ("2025-09-01T08:00:00+00:00", "network", "goal")
    assert record.to_json()["step"] == "s"


def test_without_an_exception_the_type_is_the_code() -> None:
    assert diagnose(ended("empty", ErrorCode.BUSINESS_EMPTY), {}, read(), step="s", impact="step", at=AT).type == (
        "BUSINESS_EMPTY"
    )


def registry() -> Registry:
    async def nothing(**_: Any) -> dict[str, Any]:
        return {}

    raw = {"version": 1, "summary": "x", "effect": "read", "permission": "p", "input_schema": INPUT}
    contracts = {
        name: read_contract({"name": name, **raw, "critical": critical}, SourceMap(name, {(): 1}), name)
        for name, critical in (("needed", True), ("extra", False))
    }
    return Registry.pair(contracts, dict.fromkeys(contracts, nothing))


def plan(**steps: tuple[str, ...]) -> Plan:
    """Return a plan: ``name=(tool, *depends_on)``."""
    words = {"zh": "x", "en": "x"}
    made = [Step(id=name, tool=tool, description=words, depends_on=waits) for name, (tool, *waits) in steps.items()]
    return Plan(goal=words, steps=tuple(made))


@pytest.mark.parametrize(
    ("step", "impact"),
    [("look", "goal"), ("pay", "goal"), ("thank", "step")],
)
def test_in_a_chain_every_needed_step_is_the_goal(step: str, impact: str) -> None:
    chain = plan(look=("needed",), pay=("needed", "look"), thank=("extra", "pay"))
    assert impact_of(step, chain, registry()) == impact


@pytest.mark.parametrize(
    ("step", "impact"),
    [("look", "goal"), ("room", "branch"), ("meal", "branch"), ("tip", "branch"), ("map", "step")],
)
def test_with_two_ends_one_of_them_is_a_branch(step: str, impact: str) -> None:
    fork = plan(
        look=("needed",), room=("needed", "look"), meal=("needed", "look"), tip=("extra", "look"), map=("extra", "tip")
    )
    assert impact_of(step, fork, registry()) == impact
