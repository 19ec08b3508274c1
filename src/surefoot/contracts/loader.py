"""Contracts from YAML files; every refusal names the file and the line."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from surefoot.contracts.model import ToolContract
from surefoot.contracts.schema import Validator, schema_problem
from surefoot.errors import ContractError

if TYPE_CHECKING:
    import yaml

Location = tuple[str | int, ...]


class SourceMap:
    """Where each key of one YAML file stands."""

    def __init__(self, file: str, lines: dict[Location, int]) -> None:
        self.file, self._lines = file, lines

    def line(self, location: Iterable[str | int]) -> int | None:
        """Return the line of the key at ``location``, or of its nearest parent that is in the file."""
        here = tuple(location)
        while here not in self._lines and here:
            here = here[:-1]
        return self._lines.get(here)

    def error(self, problem: str, *location: str | int) -> ContractError:
        """Return a :class:`ContractError` that points at ``location``."""
        return ContractError(problem, file=self.file, line=self.line(location))


def read_yaml(path: Path) -> tuple[Any, SourceMap]:
    """Read one YAML file with the line of every key.

    Raises:
        ContractError: not UTF-8, not YAML, or a key that stands twice.
    """
    import yaml

    file = path.name
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except UnicodeDecodeError as error:
        raise ContractError(f"not UTF-8 text: {error.reason}", file=file) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise ContractError(f"not YAML: {error.problem}", file=file, line=line) from error
    lines: dict[Location, int] = {(): 1}
    if root is None:
        return None, SourceMap(file, lines)
    return _plain(root, (), lines, file), SourceMap(file, lines)


def _plain(node: "yaml.Node", at: Location, lines: dict[Location, int], file: str) -> Any:
    import yaml

    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            lines[(*at, key)] = key_node.start_mark.line + 1
            if key in mapping:
                raise ContractError(f"the key {key!r} stands twice", file=file, line=lines[(*at, key)])
            mapping[key] = _plain(value_node, (*at, key), lines, file)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[(*at, index)] = item.start_mark.line + 1
        return [_plain(item, (*at, index), lines, file) for index, item in enumerate(node.value)]
    return yaml.SafeLoader("").construct_object(node)


def load_contract(path: Path) -> tuple[ToolContract, SourceMap]:
    """Read one contract and refuse what it alone can show to be wrong.

    Raises:
        ContractError: with file and line.
    """
    raw, source = read_yaml(path)
    return read_contract(raw, source, path.stem)


def read_contract(raw: Any, source: SourceMap, name: str) -> tuple[ToolContract, SourceMap]:
    """Check one contract that was read already. ``name`` is the one it must have.

    Raises:
        ContractError: with what the source map knows of where.
    """
    if not isinstance(raw, dict):
        raise ContractError("a contract is a mapping of keys", file=source.file, line=1)
    try:
        contract = ToolContract.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise source.error(_in_words(first), *first["loc"]) from error
    if contract.name != name:
        raise source.error(f"name {contract.name!r} must equal the file's name {name!r}", "name")
    _check_schemas(contract, source)
    _check_fields(contract, source)
    return contract, source


def load_contracts(folder: Path) -> dict[str, tuple[ToolContract, SourceMap]]:
    """Read every ``*.yaml`` of a folder, by contract name.

    Raises:
        ContractError: the folder holds no contract, or one of them is refused.
    """
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise ContractError("no contracts here; expected one *.yaml per tool", file=folder.name)
    return {path.stem: load_contract(path) for path in paths}


def _in_words(error: Any) -> str:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"unknown key {key!r}"
    if error["type"] == "missing":
        return f"the key {key!r} is missing"
    return f"{key}: {error['msg']}"


def _check_schemas(contract: ToolContract, source: SourceMap) -> None:
    for location, schema in (
        (("input_schema",), contract.input_schema),
        (("output_contract", "data_schema"), contract.output_contract.data_schema),
    ):
        problem = schema_problem(schema)
        if problem:
            raise source.error(f"{location[-1]} is no JSON Schema: {problem}", *location)
    if contract.input_schema.get("type") != "object":
        raise source.error("input_schema must have type: object", "input_schema")
    if contract.input_schema.get("additionalProperties") is not False:
        raise source.error("input_schema must have additionalProperties: false", "input_schema")
    for name in contract.required:
        if name not in contract.parameters:
            raise source.error(f"required input {name!r} is not among the properties", "input_schema", "required")


def _check_fields(contract: ToolContract, source: SourceMap) -> None:
    inputs = set(contract.parameters)
    named: list[tuple[Location, tuple[str, ...], set[str]]] = [
        (("private",), contract.private, inputs | set(contract.output_contract.required_fields)),
    ]
    if contract.idempotency:
        named.append((("idempotency", "key"), contract.idempotency.key, inputs | {"user_id"}))
    if contract.reconcile:
        named.append((("reconcile", "match"), contract.reconcile.match, inputs))
    for location, names, known in named:
        for name in names:
            if name not in known:
                raise source.error(f"{location[0]} names {name!r}, which is no input of this tool", *location)
    _check_recovery(contract, source)
    if contract.is_write:
        _check_write(contract, source)
    elif contract.compensate or contract.irreversible or contract.reconcile or contract.before:
        raise source.error("a read has nothing to compensate, to reconcile, or to look at before", "effect")


def _check_recovery(contract: ToolContract, source: SourceMap) -> None:
    if contract.is_write and (contract.cache or contract.widen or contract.narrow):
        raise source.error("cache, widen and narrow are for reads; a write is sent as it was consented to", "effect")
    for key, changes in (("widen", contract.widen), ("narrow", contract.narrow)):
        for index, change in enumerate(changes):
            if not change.drop and not change.set:
                raise source.error(f"{key} needs drop: [...] or set: {{...}}", key, index)
            for name in change.drop:
                if name in contract.required:
                    raise source.error(f"{key} drops {name!r}, which is required", key, index)
            _check_values({**dict.fromkeys(change.drop), **change.set}, change.set, contract, source, key, index)
    _check_values(contract.infer, contract.infer, contract, source, "infer")


def _check_values(
    named: dict[str, Any], values: dict[str, Any], contract: ToolContract, source: SourceMap, *at: str | int
) -> None:
    """Refuse names that are no inputs, and values that their inputs do not allow."""
    for name in named:
        if name not in contract.parameters:
            raise source.error(f"{at[0]} names {name!r}, which is no input of this tool", *at)
    for name, value in values.items():
        problems = Validator(contract.parameters[name]).problems(value)
        if problems:
            raise source.error(f"{at[0]} sets {name!r} to what it does not allow: {problems[0]}", *at)


def _check_write(contract: ToolContract, source: SourceMap) -> None:
    if contract.reconcile and bool(contract.reconcile.tool) == bool(contract.reconcile.changed):
        raise source.error("reconcile needs either tool: NAME, or changed: [...] of the looks before", "reconcile")
    for name in contract.reconcile.changed if contract.reconcile else ():
        if name not in contract.before:
            raise source.error(f"reconcile.changed names {name!r}, which is no look of before", "reconcile", "changed")
    if not contract.compensate and not contract.irreversible:
        raise source.error("a write needs compensate: {...} or irreversible: true", "effect")
    if contract.compensate and contract.irreversible:
        raise source.error("a write is either irreversible or has compensate, not both", "irreversible")
    if contract.idempotency is None:
        raise source.error("a write needs idempotency: {key: [...]}", "effect")
    if not contract.reconcile and not contract.idempotency.honoured:
        raise source.error("a write needs reconcile: {...}, or idempotency with honoured: true", "effect")
