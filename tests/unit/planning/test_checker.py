"""The plan checker: every refusal, in words, and properties of the plan graph."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shop.app import Backend, bilingual, plan_for, shop_app
from surefoot.agents.routing import next_move
from surefoot.agents.state import new_record
from surefoot.contracts import Registry
from surefoot.contracts.schema import Validator
from surefoot.planning import Binding, Plan, Slot, Step, check_plan, checker
from surefoot.planning.checker import MAX_STEPS

REGISTRY: Registry = shop_app(Backend()).registry()
SLOTS = {"article": Slot(value="tea"), "amount": Slot(value=3)}


def codes(plan: Plan, *, slots: dict[str, Slot] | None = None, permissions: tuple[str, ...] = ("shop",)) -> list[str]:
    found = check_plan(plan, REGISTRY, permissions=permissions, slots=slots or SLOTS, choices=["cheapest"])
    for refusal in found:
        assert any("\u4e00" <= char <= "\u9fff" for char in refusal.text.zh), refusal
        assert refusal.text.zh.endswith(("。", "？")), refusal
        assert not any("\u4e00" <= char <= "\u9fff" for char in refusal.text.en), refusal
        assert refusal.text.en.endswith((".", "?")), refusal
    return [refusal.code for refusal in found]


def with_step(step_id: str, **changes: Any) -> Plan:
    plan = plan_for()
    steps = tuple(step.model_copy(update=changes) if step.id == step_id else step for step in plan.steps)
    return plan.model_copy(update={"steps": steps})


def test_a_sound_plan_is_accepted() -> None:
    assert codes(plan_for()) == []


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (Plan(goal=bilingual("x"), steps=()), "EMPTY_PLAN"),
        (with_step("quote", tool="teleport"), "UNKNOWN_TOOL"),
        (with_step("greet", id="quote"), "DUPLICATE_ID"),
        (with_step("greet", depends_on=("nobody",)), "UNKNOWN_DEPENDENCY"),
        (with_step("quote", depends_on=("greet",)), "CYCLE"),
        (with_step("quote", depends_on=("quote",)), "CYCLE"),
        (with_step("charge", requires_confirmation=False), "CONSENT_NOT_PLANNED"),
        (with_step("quote", fallback="greet"), "UNKNOWN_FALLBACK"),
        (with_step("quote", parameters={}), "MISSING_PARAMETER"),
        (with_step("quote", parameters={"article": Binding(slot="unfilled")}), "MISSING_PARAMETER"),
        (with_step("greet", parameters={"wibble": Binding(literal=1)}), "UNKNOWN_PARAMETER"),
        (with_step("quote", parameters={"article": Binding(literal=7)}), "WRONG_VALUE"),
        (with_step("quote", parameters={"article": Binding(slot="amount")}), "WRONG_VALUE"),
        (with_step("reserve", parameters={"article": Binding(choose="dearest")}), "BAD_BINDING"),
        (with_step("greet", parameters={"to": Binding(step="quote", path="$.data.article")}), "BAD_BINDING"),
    ],
)
def test_an_unsound_plan_is_refused_with_its_reason_in_both_languages(plan: Plan, code: str) -> None:
    assert code in codes(plan)


def test_a_plan_without_the_right_is_refused_for_every_step() -> None:
    assert codes(plan_for(), permissions=()) == ["UNAUTHORISED"] * 4


def test_a_plan_of_too_many_steps_is_refused() -> None:
    steps = tuple(
        Step(id=f"s{n}", tool="greet", description=bilingual("x")) for n in range(MAX_STEPS + 1)
    )  # fmt: skip
    assert codes(Plan(goal=bilingual("x"), steps=steps)) == ["TOO_MANY_STEPS"]


@pytest.mark.parametrize("fields", [{}, {"literal": 1, "slot": "a"}, {"path": "$.data.x"}, {"step": "a"}])
def test_a_binding_has_exactly_one_source(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"exactly one|needs the step"):
        Binding(**fields)


@st.composite
def graphs(draw: st.DrawFn) -> Plan:
    """Plans of up to eight greetings with any dependencies, cyclic ones among them."""
    count = draw(st.integers(1, 8))
    ids = [f"s{n}" for n in range(count)]
    steps = tuple(
        Step(
            id=step_id,
            tool="greet",
            description=bilingual("x"),
            depends_on=tuple(draw(st.lists(st.sampled_from(ids), max_size=3, unique=True))),
        )
        for step_id in ids
    )
    return Plan(goal=bilingual("x"), steps=steps)


def run_through(plan: Plan) -> list[str]:
    """Play the loop with steps that always succeed; return the order in which they ran."""
    records: dict[str, Any] = {step.id: new_record(step.id, step.tool) for step in plan.steps}
    order: list[str] = []
    for _ in plan.steps:
        move = next_move(plan, records, REGISTRY)
        if move.kind == "close":
            break
        for step_id in move.steps:
            records[step_id]["status"] = "success"
            order.append(step_id)
    return order


@given(graphs())
def test_an_accepted_plan_runs_every_step_once_after_what_it_depends_on(plan: Plan) -> None:
    order = run_through(plan)
    if codes(plan) == []:
        assert sorted(order) == sorted(step.id for step in plan.steps)
        for step in plan.steps:
            assert all(order.index(other) < order.index(step.id) for other in step.depends_on)


@given(graphs())
def test_a_plan_is_refused_as_cyclic_exactly_when_some_step_can_never_run(plan: Plan) -> None:
    assert ("CYCLE" in codes(plan)) == (len(run_through(plan)) < len(plan.steps))


@given(graphs())
def test_a_plan_survives_the_way_through_json(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


def test_a_write_is_prepared_alone_and_only_after_every_ready_read(tmp_path: Path) -> None:
    plan = Plan(
        goal=bilingual("x"),
        steps=(
            Step(id="w", tool="reserve", description=bilingual("x"), parameters={"article": Binding(literal="tea")}),
            Step(id="a", tool="greet", description=bilingual("x")),
            Step(id="b", tool="greet", description=bilingual("x")),
        ),
    )
    records: dict[str, Any] = {step.id: new_record(step.id, step.tool) for step in plan.steps}
    assert next_move(plan, records, REGISTRY).steps == ("a", "b")
    records["a"]["status"] = records["b"]["status"] = "success"
    move = next_move(plan, records, REGISTRY)
    assert (move.kind, move.steps) == ("write", ("w",))


def test_every_refusal_that_the_checker_can_give_has_been_seen_above() -> None:
    source = (Path(checker.__file__)).read_text("utf-8")
    known = set(re.findall(r'Refusal\(\s*"([A-Z_]+)"', source))
    shown = set(re.findall(r'"([A-Z_]{5,})"', Path(__file__).read_text("utf-8")))
    assert known
    assert known <= shown


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, "six"), ({"type": ["string", "null"]}, 3), ({"enum": ["a", "b"]}, "c"),
        ({"pattern": "^[A-Z]$"}, "ab"), ({"minimum": 1}, 0), ({"maximum": 9}, 10), ({"minLength": 2}, "x"),
        ({"maxLength": 2}, "xyz"), ({"format": "date"}, "tomorrow"), ({"format": "date-time"}, "2026-12-01"),
        ({"minItems": 1}, []), ({"maxItems": 1}, [1, 2]), ({"type": "object", "required": ["a"]}, {}),
        ({"type": "object", "additionalProperties": False}, {"x": 1}), ({"multipleOf": 5}, 7),
        ({"exclusiveMinimum": 1}, 1), ({"exclusiveMaximum": 1}, 1), ({"const": 1}, 2),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}, {"a": [1, "x"]}),
    ],
)  # fmt: skip
def test_what_a_schema_refuses_is_told_in_both_languages(schema: dict[str, Any], value: Any) -> None:
    (told,) = Validator(schema).reasons(value)
    assert any("\u4e00" <= char <= "\u9fff" for char in told.zh)
    assert told.en.isascii()
    if "properties" in schema:
        assert told.zh.startswith("a.1：")
