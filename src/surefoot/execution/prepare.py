"""Prepare: permission, input schema, rules before. No effect, no ledger entry; safe to run again."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from surefoot.contracts.model import ToolContract
from surefoot.contracts.registry import BoundTool
from surefoot.contracts.tool import FeeRule, Rule, ToolContext, Violation
from surefoot.errors import ErrorCode
from surefoot.execution.call import Call
from surefoot.execution.consent import Card, Consents
from surefoot.execution.ledger import Effect
from surefoot.texts import Text


@dataclass(frozen=True)
class Ready:
    """A call that may be attempted; a write that needs consent comes with its card."""

    call: Call
    contract_version: int
    args_hash: str
    card: Card | None = None


@dataclass(frozen=True)
class Refused:
    """A call that must not go out, with every reason in words."""

    call: Call
    code: ErrorCode
    violations: tuple[Violation, ...]

    @property
    def kind(self) -> Literal["refused", "not_sent"]:
        """``not_sent`` when a rule could not be looked up just now, so that trying again may help."""
        unavailable = (ErrorCode.TOOL_UNAVAILABLE, ErrorCode.TOOL_TIMEOUT, ErrorCode.TOOL_OUTPUT_INVALID)
        return "not_sent" if self.code in unavailable else "refused"

    @property
    def text(self) -> Text:
        """All reasons, one after the other."""
        return Text("".join(v.text.zh for v in self.violations), " ".join(v.text.en for v in self.violations))


def check_input(tool: BoundTool, call: Call, permissions: Collection[str]) -> Refused | None:
    """Check permission and input schema."""
    contract = tool.contract
    if contract.permission not in permissions:
        text = Text(f"您没有“{contract.summary.zh}”的权限。", f"You may not do this: {contract.summary.en}")
        return Refused(call, ErrorCode.PERMISSION_DENIED, (Violation("permission", text, ErrorCode.PERMISSION_DENIED),))
    reasons = tool.input.reasons(call.arguments)
    if reasons:
        violations = tuple(
            Violation(
                "input_schema",
                Text(f"参数不对：{reason.zh}。", f"Wrong value: {reason.en}."),
                ErrorCode.TOOL_INPUT_INVALID,
            )
            for reason in reasons
        )
        return Refused(call, ErrorCode.TOOL_INPUT_INVALID, violations)
    return None


async def check_rules(
    names: Collection[str],
    rules: Mapping[str, Rule],
    arguments: Mapping[str, Any],
    data: Mapping[str, Any] | None,
    ctx: ToolContext,
) -> tuple[Violation, ...]:
    """Return the rules that do not hold, in the contract's order."""
    found = [await rules[name](arguments, data, ctx) for name in names]
    return tuple(violation for violation in found if violation is not None)


async def make_card(
    call: Call,
    contract: ToolContract,
    args_hash: str,
    ctx: ToolContext,
    *,
    twins: list[Effect],
    consents: Consents,
    fees: Mapping[str, FeeRule],
    ttl_seconds: float,
    new_id: Callable[[str], str],
    notices: tuple[Text, ...] = (),
) -> Card:
    """Show exactly what would be done: parameters, origins, fee, undo, and identical requests of other calls."""
    fee = await fees[contract.fee](call.arguments, ctx) if contract.fee else None
    return Card(
        card_id=new_id("card"),
        nonce=new_id("nonce"),
        run_id=call.run_id,
        thread_id=call.thread_id,
        call_id=call.call_id,
        step_id=call.step_id,
        user_id=call.user_id,
        tool=call.tool,
        title=contract.summary.to_json(),
        arguments=call.arguments,
        args_hash=args_hash,
        provenance={name: origin.to_json() for name, origin in call.provenance.items()},
        contract_version=contract.version,
        plan_version=call.plan_version,
        expires_at=await consents.now() + ttl_seconds,
        fee={"amount": fee.amount, "currency": fee.currency, "text": fee.text.to_json()} if fee else None,
        undo=_undo(contract),
        duplicates=[_twin(effect) for effect in twins],
        notices=[notice.to_json() for notice in notices],
    )


def _undo(contract: ToolContract) -> dict[str, Any] | None:
    if contract.compensate is None:
        return None
    return {"tool": contract.compensate.tool, "arguments": contract.compensate.arguments}


def _twin(effect: Effect) -> dict[str, Any]:
    return {
        "effect_id": effect.effect_id,
        "run_id": effect.run_id,
        "state": effect.state.value,
        "arguments": effect.arguments,
        "result": effect.result,
    }
