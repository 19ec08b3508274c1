"""Contracts for a domain that nobody prepared, from what its tools say of themselves; overrides from a YAML file.

Nothing here looks at gold actions: only at names, schemas, declared kinds (READ, WRITE, GENERIC) and return types.
"""

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from surefoot.contracts.loader import read_yaml
from surefoot.errors import ContractError, InputInvalid
from surefoot.evals.tau2.domain import Domain, ToolShape
from surefoot.texts import Text

Contract = dict[str, Any]

READ_TIMEOUT_MS = 60_000
WRITE_TIMEOUT_MS = 200
"""The tools answer in less than a millisecond. A write that was not found counts as absent only after this time, so
every lost write that did not happen costs it once; too short, and a loaded machine would add faults of its own."""


def contracts_for(domain: Domain, overrides: Mapping[str, Any] | None = None) -> dict[str, Contract]:
    """Return one raw contract per tool of the domain.

    ``overrides`` maps tool names to keys that replace the generic ones; a key that is ``null`` is taken out.

    Raises:
        InputInvalid: an override is for no tool of the domain, or is no mapping; or a write has nothing to ask.
    """
    made = {name: _contract(shape, domain.tools) for name, shape in domain.tools.items()}
    for name, changes in (overrides or {}).items():
        if name not in made or not isinstance(changes, Mapping):
            zh = f"契约文件里的“{name}”不是领域 {domain.name} 的工具，或不是一组键。"
            en = f"The contracts file names {name!r}, which is no tool of {domain.name} or has no keys."
            raise InputInvalid(Text(zh, en))
        merged = {**made[name], **changes}
        made[name] = {key: value for key, value in merged.items() if value is not None}
    return made


def overrides_of(domain: str, file: Path | None) -> dict[str, Any]:
    """Read the overrides from ``file``; without one, those that ship for the domain, or none.

    Raises:
        InputInvalid: the file cannot be read or is no mapping.
    """
    shipped = files("surefoot.evals.tau2") / f"{domain}.yaml"
    path = file or (Path(str(shipped)) if shipped.is_file() else None)
    if path is None:
        return {}
    try:
        raw, _ = read_yaml(path)
    except (OSError, ContractError) as error:
        raise InputInvalid(Text(f"不能读取 {path}：{error}", f"Cannot read {path}: {error}")) from error
    if raw is not None and not isinstance(raw, dict):
        zh, en = f"{path} 应当是“工具名: 键”的映射。", f"{path} must map tool names to contract keys."
        raise InputInvalid(Text(zh, en))
    return raw or {}


def _contract(shape: ToolShape, tools: Mapping[str, ToolShape]) -> Contract:
    summary = shape.description.strip().splitlines()[0] if shape.description.strip() else shape.name
    contract: Contract = {
        "name": shape.name,
        "version": 1,
        "summary": {"zh": summary, "en": summary},
        "effect": "write" if shape.is_write else "read",
        "permission": "tau2",
        "approval": "never",
        "critical": False,
        "input_schema": {**shape.parameters, "type": "object", "additionalProperties": False},
        "output_contract": _output(shape.returns),
        "execution_contract": {
            "timeout_ms": WRITE_TIMEOUT_MS if shape.is_write else READ_TIMEOUT_MS,
            "retry_policy": {"max_retries": 2, "initial_ms": 0, "jitter": False},
        },
    }
    if shape.is_write:
        looks = looks_of(shape, tools)
        if not looks:
            zh = f"没有读取工具能看出 {shape.name} 是否办成；请在 --contracts 文件里写明。"
            en = f"No read of the domain could show whether {shape.name} happened; say how in a --contracts file."
            raise InputInvalid(Text(zh, en))
        contract["idempotency"] = {"key": list(_properties(shape)) or ["user_id"]}
        contract["irreversible"] = True
        contract["before"] = looks
        contract["reconcile"] = {"changed": list(looks), "settle_ms": 0}
    return contract


def looks_of(write: ToolShape, tools: Mapping[str, ToolShape]) -> dict[str, Any]:
    """Choose the reads that show whether a write happened, by names alone.

    The reads all of whose required parameters are required arguments of the write by the same names; and, for each
    argument that names something (``id``, ``..._id``) and is used by none of them, the reads that take any ``id``.
    If that leaves a write without a look: every read that takes one id, with each id of the write. If that, too,
    leaves none: the reads that need nothing at all; they may not show the write, and then it is sent again. A read
    that refuses is a look as well: it may answer once the write has happened.
    """
    reads = [shape for shape in tools.values() if shape.is_read]
    required = _required(write)
    same = [read for read in reads if _required(read) and set(_required(read)) <= set(required)]
    found = {f"{read.name}__{_required(read)[0]}": _look(read, {n: n for n in _required(read)}) for read in same}
    used = {name for read in same for name in _required(read)}
    ids = [name for name in required if _is_id(name) and _properties(write)[name].get("type") == "string"]
    found |= _by_id([name for name in ids if name not in used], [read for read in reads if _one_text(read) == "id"])
    if not found:
        found = _by_id(ids, [read for read in reads if _is_id(_one_text(read) or "")])
    return found or {read.name: _look(read, {}) for read in reads if not _required(read)}


def _by_id(arguments: Iterable[str], reads: Sequence[ToolShape]) -> dict[str, Any]:
    return {
        f"{read.name}__{argument}": _look(read, {_required(read)[0]: argument})
        for argument in arguments
        for read in reads
    }


def _look(read: ToolShape, arguments: Mapping[str, str]) -> dict[str, Any]:
    return {"tool": read.name, "arguments": {name: f"$.arguments.{given}" for name, given in arguments.items()}}


def _properties(shape: ToolShape) -> dict[str, Any]:
    properties: dict[str, Any] = shape.parameters.get("properties", {})
    return properties


def _required(shape: ToolShape) -> list[str]:
    return list(shape.parameters.get("required", ()))


def _one_text(read: ToolShape) -> str | None:
    """The one required parameter of a read, where it is plain text."""
    required = _required(read)
    return required[0] if len(required) == 1 and _properties(read)[required[0]].get("type") == "string" else None


def _is_id(name: str) -> bool:
    return name == "id" or name.endswith("_id")


def _output(returns: Any) -> Contract:
    """What a whole reply looks like, from the return annotation; a reply that is cut in half is no JSON."""
    parts = typing.get_args(returns) if _is_union(returns) else (returns,)
    kinds = [part for part in parts if part is not type(None)]
    if kinds and all(isinstance(part, type) and issubclass(part, BaseModel) for part in kinds):
        needed = reduce(set[str].intersection, (_needed(part) for part in kinds))
        return {"required_fields": sorted(needed), "data_schema": {}}
    if kinds and all((typing.get_origin(part) or part) in (dict, list, tuple) for part in kinds):
        # What is no JSON object arrives under `result`: a list as a list, a broken reply as text.
        return {"required_fields": [], "data_schema": {"properties": {"result": {"not": {"type": "string"}}}}}
    return {"required_fields": [], "data_schema": {}}


def _needed(model: type[BaseModel]) -> set[str]:
    return {name for name, field in model.model_fields.items() if field.is_required()}


def _is_union(returns: Any) -> bool:
    return typing.get_origin(returns) in (typing.Union, types.UnionType)
