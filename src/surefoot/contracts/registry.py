"""The registry: each contract paired with its function, each reference checked."""

import inspect
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surefoot.contracts.loader import SourceMap, load_contracts
from surefoot.contracts.model import ToolContract
from surefoot.contracts.paths import is_path, parse, schema_at
from surefoot.contracts.schema import Validator
from surefoot.contracts.tool import Tool
from surefoot.errors import ContractError

JSON_TYPES: Mapping[type, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object",
}  # fmt: skip


@dataclass(frozen=True)
class BoundTool:
    """A contract, its function, and its compiled schemas."""

    contract: ToolContract
    function: Tool
    input: Validator
    output: Validator


class Registry:
    """All tools of one app. Built once; refuses at load time whatever does not fit together."""

    def __init__(self, tools: Mapping[str, BoundTool]) -> None:
        self._tools = dict(tools)

    @classmethod
    def load(
        cls, folder: Path, functions: Iterable[Tool], *, rules: Iterable[str] = (), fees: Iterable[str] = ()
    ) -> "Registry":
        """Pair the contracts of ``folder`` with ``functions`` by name.

        Raises:
            ContractError: a contract without a function or the reverse, a parameter on which they
                disagree, or a reference (fallback, compensator, reconciler, rule, fee) that does not fit.
        """
        contracts = load_contracts(folder)
        by_name = {function.__name__: function for function in functions}
        _check_pairs(contracts, by_name)
        for name, (contract, source) in contracts.items():
            _check_signature(contract, by_name[name], source)
        return cls.pair(contracts, by_name, rules=rules, fees=fees)

    @classmethod
    def pair(
        cls,
        contracts: Mapping[str, tuple[ToolContract, SourceMap]],
        by_name: Mapping[str, Tool],
        *,
        rules: Iterable[str] = (),
        fees: Iterable[str] = (),
    ) -> "Registry":
        """Pair contracts with functions whose signatures are somebody else's business.

        Raises:
            ContractError: a reference (fallback, compensator, reconciler, look, rule, fee) that does not fit.
        """
        for contract, source in contracts.values():
            _check_references(contract, source, contracts)
            _check_names(contract, source, set(rules), set(fees))
        return cls(
            {
                name: BoundTool(
                    contract,
                    by_name[name],
                    Validator(contract.input_schema),
                    Validator(output_schema(contract)),
                )
                for name, (contract, _) in contracts.items()
            }
        )

    def __getitem__(self, name: str) -> BoundTool:
        return self._tools[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def names(self) -> tuple[str, ...]:
        """Return the tools' names, sorted."""
        return tuple(sorted(self._tools))

    def contract(self, name: str) -> ToolContract:
        """Return one contract. Raises KeyError for a tool that is not registered."""
        return self._tools[name].contract


def output_schema(contract: ToolContract) -> dict[str, Any]:
    """Return the schema that a tool's data must satisfy: its data_schema with the required fields."""
    schema = {"type": "object", **contract.output_contract.data_schema}
    required = [*schema.get("required", []), *contract.output_contract.required_fields]
    return {**schema, "required": sorted(set(required))}


def _check_pairs(contracts: Mapping[str, tuple[ToolContract, SourceMap]], functions: Mapping[str, Tool]) -> None:
    for name, (_, source) in contracts.items():
        if name not in functions:
            raise source.error(f"no function named {name!r}", "name")
    for name, function in functions.items():
        if name not in contracts:
            file = Path(inspect.getsourcefile(function) or "").name
            line = inspect.getsourcelines(function)[1]
            raise ContractError(f"function {name!r} has no contract {name}.yaml", file=file, line=line)


def _check_signature(contract: ToolContract, function: Tool, source: SourceMap) -> None:
    hints = typing.get_type_hints(function)
    signature = inspect.signature(function)
    inputs = {
        name: parameter
        for name, parameter in signature.parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    }
    if not inspect.iscoroutinefunction(function):
        raise source.error(f"function {contract.name!r} must be async", "name")
    if "ctx" not in signature.parameters:
        raise source.error(f"function {contract.name!r} must take a keyword-only ctx: ToolContext", "name")
    for name in contract.parameters:
        if name not in inputs:
            raise source.error(f"input {name!r} is no parameter of the function", "input_schema", "properties", name)
    for name, parameter in inputs.items():
        if name not in contract.parameters:
            raise source.error(f"function parameter {name!r} is not in input_schema", "input_schema", "properties")
        needed = parameter.default is inspect.Parameter.empty
        if needed != (name in contract.required):
            state = "has no default" if needed else "has a default"
            raise source.error(
                f"parameter {name!r} {state} but is {'not ' if needed else ''}required by the schema",
                "input_schema", "properties", name,
            )  # fmt: skip
        _check_type(contract, name, hints.get(name), source)


def _check_type(contract: ToolContract, name: str, hint: Any, source: SourceMap) -> None:
    declared = contract.parameters[name].get("type")
    expected = _json_type(hint)
    if expected is None or declared is None:
        return
    allowed = set(declared) if isinstance(declared, list) else {declared}
    if expected not in allowed:
        problem = f"parameter {name!r} is {expected} in the function but {declared} in the schema"
        raise source.error(problem, "input_schema", "properties", name)


def _json_type(hint: Any) -> str | None:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        parts = [part for part in typing.get_args(hint) if part is not type(None)]
        return _json_type(parts[0]) if len(parts) == 1 else None
    if origin is typing.Literal:
        return _json_type(type(typing.get_args(hint)[0]))
    return JSON_TYPES.get(origin or hint)


def _check_references(
    contract: ToolContract, source: SourceMap, contracts: Mapping[str, tuple[ToolContract, SourceMap]]
) -> None:
    def other(name: str, *location: str | int) -> ToolContract:
        if name not in contracts:
            raise source.error(f"{location[0]} names {name!r}, which is no tool", *location)
        return contracts[name][0]

    if contract.compensate:
        undo = other(contract.compensate.tool, "compensate", "tool")
        if not undo.is_write:
            raise source.error(f"the compensator {undo.name!r} must be a write", "compensate", "tool")
        given = contract.compensate.arguments
        _check_arguments(undo, given, contract, source, "compensate")
    for label, look in contract.before.items():
        seen = other(look.tool, "before", label, "tool")
        if seen.is_write:
            raise source.error(f"the look {seen.name!r} must be a read", "before", label, "tool")
        _check_arguments(seen, look.arguments, contract, source, "before", label)
    if contract.reconcile and contract.reconcile.tool:
        ask = other(contract.reconcile.tool, "reconcile", "tool")
        if ask.is_write:
            raise source.error(f"the reconciler {ask.name!r} must be a read", "reconcile", "tool")
        from_match = {name: None for name in contract.reconcile.match if name in ask.parameters}
        keyed = {"request_key": None} if "request_key" in ask.parameters else {}
        given = {**from_match, **keyed, **contract.reconcile.arguments}
        _check_arguments(ask, given, contract, source, "reconcile")
    for index, name in enumerate(contract.fallbacks):
        spare = other(name, "fallbacks", index)
        if spare.effect != contract.effect:
            raise source.error(f"the fallback {name!r} is a {spare.effect}", "fallbacks", index)
        _check_arguments(spare, dict.fromkeys(contract.parameters), contract, source, "fallbacks", index)
        if not set(spare.required) <= set(contract.required):
            missing = sorted(set(spare.required) - set(contract.required))
            raise source.error(f"the fallback {name!r} requires {missing}, optional here", "fallbacks", index)


def _check_arguments(
    target: ToolContract,
    given: Mapping[str, Any],
    contract: ToolContract,
    source: SourceMap,
    *location: str | int,
) -> None:
    unknown = sorted(set(given) - set(target.parameters))
    if unknown:
        raise source.error(f"{target.name!r} takes no {', '.join(unknown)}", *location)
    missing = sorted(set(target.required) - set(given))
    if missing:
        raise source.error(f"{target.name!r} also requires {', '.join(missing)}", *location)
    data = {"type": "object", **contract.output_contract.data_schema}
    result = {"properties": {"data": data, "arguments": contract.input_schema}}
    for name, value in given.items():
        # What a look brings is the looked-at tool's to describe; a path into it is followed when it is needed.
        if is_path(value) and not str(value).startswith("$.before."):
            _check_path(target, name, value, result, source, *location)


def _check_path(
    target: ToolContract,
    name: str,
    path: str,
    result: dict[str, Any],
    source: SourceMap,
    *location: str | int,
) -> None:
    try:
        parse(path)
    except ValueError as error:
        raise source.error(str(error), *location) from error
    found = schema_at(path, result)
    if found is None:
        raise source.error(f"{path} is not described by output_contract.data_schema", *location)
    wanted, has = target.parameters[name].get("type"), found.get("type")
    if wanted and has and wanted != has:
        raise source.error(f"{path} is {has}, but {target.name!r} takes {name!r} as {wanted}", *location)


def _check_names(contract: ToolContract, source: SourceMap, rules: set[str], fees: set[str]) -> None:
    for key, names in (("requires", contract.requires), ("ensures", contract.ensures)):
        for index, name in enumerate(names):
            if name not in rules:
                raise source.error(f"{key} names {name!r}, which is no rule of this app", key, index)
    if contract.fee and contract.fee not in fees:
        raise source.error(f"fee names {contract.fee!r}, which is no fee rule of this app", "fee")
