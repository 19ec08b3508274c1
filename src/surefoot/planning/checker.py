"""The plan checker: accepts or rejects a whole plan, every refusal in words. Nothing has run yet."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from surefoot.contracts.model import ToolContract
from surefoot.contracts.registry import Registry
from surefoot.contracts.schema import Validator
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot.texts import Text

MAX_STEPS = 12


@dataclass(frozen=True)
class Refusal:
    """Why a plan (or one step of it) is not accepted. ``code`` is stable, ``text`` is for people."""

    code: str
    text: Text
    step: str | None = None
    parameter: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return {"code": self.code, "text": self.text.to_json(), "step": self.step, "parameter": self.parameter}


def check_plan(
    plan: Plan,
    registry: Registry,
    *,
    permissions: Collection[str],
    slots: Mapping[str, Slot],
    choices: Collection[str],
) -> list[Refusal]:
    """Return every reason against ``plan``; empty when it may run.

    Checked: number of steps, ids, tools from the whitelist, dependencies and cycles (Kahn's algorithm, through
    graphlib), permissions, consent for writes, fallbacks, parameters present, known, of the right type.
    """
    refusals = _check_shape(plan)
    for step in plan.steps:
        if step.tool not in registry:
            text = Text(f"“{step.tool}”不是可用的工具。", f"{step.tool!r} is not a tool of this app.")
            refusals.append(Refusal("UNKNOWN_TOOL", text, step.id))
            continue
        contract = registry.contract(step.tool)
        refusals += _check_rights(step, contract, permissions)
        refusals += _check_fallback(step, registry)
        refusals += _check_parameters(plan, step, contract, slots, choices)
    return refusals


def _check_shape(plan: Plan) -> list[Refusal]:
    refusals: list[Refusal] = []
    if not plan.steps:
        refusals.append(Refusal("EMPTY_PLAN", Text("计划里没有任何步骤。", "The plan has no steps.")))
    if len(plan.steps) > MAX_STEPS:
        text = Text(
            f"计划有 {len(plan.steps)} 步，最多 {MAX_STEPS} 步。",
            f"The plan has {len(plan.steps)} steps; {MAX_STEPS} at most.",
        )
        refusals.append(Refusal("TOO_MANY_STEPS", text))
    ids = [step.id for step in plan.steps]
    for step_id in sorted({step_id for step_id in ids if ids.count(step_id) > 1}):
        refusals.append(
            Refusal(
                "DUPLICATE_ID", Text(f"步骤号“{step_id}”出现了两次。", f"Two steps are called {step_id!r}."), step_id
            )
        )
    for step in plan.steps:
        for other in step.depends_on:
            if other not in ids:
                text = Text(
                    f"步骤“{step.id}”依赖不存在的“{other}”。",
                    f"Step {step.id!r} depends on {other!r}, which is no step.",
                )
                refusals.append(Refusal("UNKNOWN_DEPENDENCY", text, step.id))
    try:
        TopologicalSorter({step.id: step.depends_on for step in plan.steps}).prepare()
    except CycleError as error:
        path = " → ".join(error.args[1])
        refusals.append(Refusal("CYCLE", Text(f"步骤互相等待：{path}。", f"Steps wait for each other: {path}.")))
    return refusals


def _check_rights(step: Step, contract: ToolContract, permissions: Collection[str]) -> list[Refusal]:
    refusals = []
    if contract.permission not in permissions:
        text = Text(f"您没有“{contract.summary.zh}”的权限。", f"You may not do this: {contract.summary.en}")
        refusals.append(Refusal("UNAUTHORISED", text, step.id))
    if contract.is_write and contract.approval == "required" and not step.requires_confirmation:
        text = Text(
            f"步骤“{step.id}”会改变数据，必须先经您确认。",
            f"Step {step.id!r} changes something and must ask for consent.",
        )
        refusals.append(Refusal("CONSENT_NOT_PLANNED", text, step.id))
    return refusals


def _check_fallback(step: Step, registry: Registry) -> list[Refusal]:
    if step.fallback is None:
        return []
    if step.fallback in registry and step.fallback in registry.contract(step.tool).fallbacks:
        return []
    text = Text(
        f"“{step.fallback}”不是“{step.tool}”的备用工具。",
        f"{step.fallback!r} is no declared fallback of {step.tool!r}.",
    )
    return [Refusal("UNKNOWN_FALLBACK", text, step.id)]


def _check_parameters(
    plan: Plan, step: Step, contract: ToolContract, slots: Mapping[str, Slot], choices: Collection[str]
) -> list[Refusal]:
    refusals = []
    for name in step.parameters:
        if name not in contract.parameters:
            text = Text(f"“{step.tool}”没有参数“{name}”。", f"{step.tool!r} takes no {name!r}.")
            refusals.append(Refusal("UNKNOWN_PARAMETER", text, step.id, name))
    for name in contract.required:
        binding = step.parameters.get(name)
        if binding is None or (binding.slot is not None and binding.slot not in slots):
            text = Text(f"“{step.tool}”还缺少参数“{name}”。", f"{step.tool!r} still needs {name!r}.")
            refusals.append(Refusal("MISSING_PARAMETER", text, step.id, name))
    for name, binding in step.parameters.items():
        problem = _binding_problem(plan, step, binding, choices)
        if problem:
            refusals.append(Refusal("BAD_BINDING", problem, step.id, name))
        elif name in contract.parameters:
            refusals += _check_value(step, name, binding, contract, slots)
    return refusals


def _binding_problem(plan: Plan, step: Step, binding: Binding, choices: Collection[str]) -> Text | None:
    if binding.choose is not None and binding.choose not in choices:
        return Text(f"没有名为“{binding.choose}”的选择规则。", f"There is no choice rule {binding.choose!r}.")
    if binding.step is not None and binding.step not in step.depends_on:
        return Text(
            f"步骤“{step.id}”用到“{binding.step}”的结果，却没有等它完成。",
            f"Step {step.id!r} uses the result of {binding.step!r} without depending on it.",
        )
    return None


def _check_value(
    step: Step, name: str, binding: Binding, contract: ToolContract, slots: Mapping[str, Slot]
) -> list[Refusal]:
    if "literal" in binding.model_fields_set:
        value = binding.literal
    elif binding.slot is not None and binding.slot in slots:
        value = slots[binding.slot].value
    else:
        return []
    reasons = Validator(contract.parameters[name]).reasons(value)
    if not reasons:
        return []
    text = Text(f"参数“{name}”的值不对：{reasons[0].zh}。", f"The value of {name!r} is wrong: {reasons[0].en}.")
    return [Refusal("WRONG_VALUE", text, step.id, name)]
