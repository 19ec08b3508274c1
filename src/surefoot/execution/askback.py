"""Asking back: what the back end itself says about an effect, through the contract's reconcile tool."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from surefoot.contracts.model import Reconcile
from surefoot.contracts.paths import is_path, look_up
from surefoot.contracts.registry import Registry
from surefoot.errors import ErrorCode
from surefoot.execution.call import Call
from surefoot.execution.invoke import Reply
from surefoot.execution.ledger import Effect

Ask = Callable[[Call], Awaitable[Reply]]
"""Sends one read, outside budgets, breaker and loop detector."""


async def matching_records(
    effect: Effect, registry: Registry, ask: Ask, *, taken: Sequence[Mapping[str, Any]] = ()
) -> list[Mapping[str, Any]] | None:
    """Return the back end's records that match the effect, ``[]`` for none, ``None`` when it cannot be told.

    ``taken`` are the results of other effects of the same request: a record that is one of those is not ours. When
    several are left and none carries our key, nobody can tell which is ours.

    Raises:
        KeyError: the contract has no reconcile tool (check before asking).
    """
    spec = registry.contract(effect.tool).reconcile
    if spec is None:
        raise KeyError(f"{effect.tool} has no reconcile tool")
    if spec.tool is None:
        return await _changes(effect, spec, registry, ask)
    reply = await ask(_question(effect, spec, spec.tool, registry))
    error = reply.envelope["error"]
    if reply.kind == "empty" or (error is not None and error["code"] == ErrorCode.TOOL_NOT_FOUND):
        return []
    if reply.kind != "ok":
        return None
    found = [record for record in look_up(spec.records, reply.envelope) if _is_ours(record, effect, spec)]
    if spec.expect == "absent":
        return found
    ours = [record for record in found if not any(_is_the_same(record, other, effect) for other in taken)]
    return None if len(ours) > 1 else ours


def _is_the_same(record: Mapping[str, Any], result: Mapping[str, Any], effect: Effect) -> bool:
    """Whether a record is the recorded result of another effect: they agree, also in something nobody asked for."""
    shared = set(record) & set(result)
    return bool(shared - set(effect.arguments)) and all(_same(record[name], result[name]) for name in shared)


async def look(effect: Call, name: str, registry: Registry, ask: Ask) -> dict[str, Any] | None:
    """Take one of the contract's looks; ``None`` when it cannot be taken now. A refusal is something seen too."""
    spec = registry.contract(effect.tool).before[name]
    root = {"arguments": effect.arguments}
    arguments = {key: look_up(value, root) if is_path(value) else value for key, value in spec.arguments.items()}
    question = replace(effect, call_id=f"{effect.call_id}/look/{name}", tool=spec.tool, arguments=arguments)
    reply = await ask(question)
    error = reply.envelope["error"]
    if reply.kind in ("refused", "empty") and error is not None:
        return {"refused": error["code"], "message": error["message"]}
    return dict(reply.envelope["data"] or {}) if reply.kind == "ok" else None


async def _changes(
    effect: Effect, spec: Reconcile, registry: Registry, ask: Ask
) -> list[Mapping[str, Any]] | None:  # fmt: skip
    """Return what is seen now where it differs from what was seen just before the write."""
    found: list[Mapping[str, Any]] = []
    for name in spec.changed:
        now = await look(effect.as_call(), name, registry, ask)
        if now is None or effect.before is None or name not in effect.before:
            return None
        if now != effect.before[name]:
            found.append(now)
    return found[:1]


def _question(effect: Effect, spec: Reconcile, tool: str, registry: Registry) -> Call:
    takes = registry.contract(tool).parameters
    # An optional argument that was not given is not asked by: the back end filled it in itself.
    given = [name for name in spec.match if name in effect.arguments]
    arguments = {name: effect.arguments[name] for name in given if name in takes}
    root = {"arguments": effect.arguments, "data": effect.result or {}}
    for name, value in spec.arguments.items():
        arguments[name] = look_up(value, root) if is_path(value) else value
    if "request_key" in takes:
        arguments["request_key"] = effect.request_key
    return Call(
        call_id=f"{effect.effect_id}/reconcile",
        run_id=effect.run_id,
        thread_id=effect.thread_id,
        step_id=effect.step_id,
        user_id=effect.user_id,
        tool=tool,
        arguments=arguments,
    )


def _is_ours(record: Mapping[str, Any], effect: Effect, spec: Reconcile) -> bool:
    key = record.get("request_key")
    if key and spec.expect == "present" and key != effect.request_key:
        return False
    given = [name for name in spec.match if name in effect.arguments]
    return all(_same(record.get(name), effect.arguments[name]) for name in given)


def _same(left: Any, right: Any) -> bool:
    if left == right:
        return True
    if not (isinstance(left, str) and isinstance(right, str)):
        return False
    try:
        return datetime.fromisoformat(left) == datetime.fromisoformat(right)
    except (ValueError, TypeError):
        return False
