"""Before-images: what a host with access to its own data can do that the domain's tools cannot.

``host_snapshot`` reads the raw objects that a write's arguments name, and the objects those name; ``host_restore`` puts
them back. Both work on the environment's database, whatever its shape.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, TypeAdapter

from surefoot.evals.tau2.contracts import WRITE_TIMEOUT_MS, Contract
from surefoot.evals.tau2.domain import Domain
from surefoot.evals.tau2.stage import Stage

SNAPSHOT, RESTORE = "host_snapshot", "host_restore"
Place = tuple[str, str | int]
"""A collection of the database, and a key or an index in it."""


def with_images(contracts: Mapping[str, Contract], domain: Domain) -> dict[str, Contract]:
    """Return the contracts with every write undone by its before-image, and the contracts of the host's two tools."""
    made = {name: dict(contract) for name, contract in contracts.items()}
    known: set[str] = set()
    for name, shape in domain.tools.items():
        if not shape.is_write:
            continue
        named = list(shape.parameters.get("required", ()))
        known.update(named)
        look = {"tool": SNAPSHOT, "arguments": {argument: f"$.arguments.{argument}" for argument in named}}
        made[name]["before"] = {**made[name].get("before", {}), "image": look}
        made[name]["compensate"] = {"tool": RESTORE, "arguments": {"image": "$.before.image"}}
        made[name].pop("irreversible", None)
    return {**made, SNAPSHOT: _snapshot_contract(known), RESTORE: _restore_contract()}


class Images:
    """The host's two tools, over the database of whichever stage is on."""

    def __init__(self) -> None:
        self.stage: Stage | None = None

    def tools(self, contracts: Mapping[str, Contract]) -> list[BaseTool]:
        """Return the two tools for LangChain."""
        return [
            StructuredTool.from_function(
                func=function,
                name=name,
                description=contracts[name]["summary"]["en"],
                args_schema=contracts[name]["input_schema"],
                infer_schema=False,
            )
            for name, function in ((SNAPSHOT, self._snapshot), (RESTORE, self._restore))
        ]

    def _snapshot(self, **named: Any) -> str:
        return json.dumps(image_of(self._database(), named))

    def _restore(self, image: dict[str, Any]) -> str:
        put_back(self._database(), image)
        return json.dumps({"restored": len(image["objects"])})

    def _database(self) -> Any:
        if self.stage is None:
            raise LookupError("no stage is on")
        return self.stage.environment.tools.db


def image_of(database: BaseModel, named: Any) -> dict[str, Any]:
    """Return the raw objects that these values name, those that they name in turn, and how big the collections are."""
    near = set(_places(database, set(_texts(named))))
    far = set(_places(database, {text for place in near for text in _texts(_dumped(_at(database, place)))}))
    objects = [[*place, _dumped(_at(database, place))] for place in sorted(near | far, key=str)]
    sizes = {name: len(collection) for name, collection in _collections(database)}
    return {"objects": objects, "sizes": sizes, "rest": _rest(database)}


def put_back(database: BaseModel, image: Mapping[str, Any]) -> None:
    """Write an image's objects back and drop what was added since.

    Right for an undo that goes newest first and for a host that lets nobody else write in between.
    """
    for name, key, raw in image["objects"]:
        collection = getattr(database, name)
        collection[key] = _validated(database, name, key, raw)
    for name, collection in _collections(database):
        for key in list(_keys(collection))[image["sizes"][name] :][::-1]:
            del collection[key]
    for name, raw in image["rest"].items():
        setattr(database, name, _whole(database, name).validate_python(raw))


def _places(database: BaseModel, names: set[str]) -> Iterator[Place]:
    for field, collection in _collections(database):
        if isinstance(collection, dict):
            yield from ((field, key) for key in collection.keys() & names)
        else:
            yield from ((field, index) for index, item in enumerate(collection) if _own_ids(item) & names)


def _own_ids(item: Any) -> set[str]:
    fields = dict(item) if isinstance(item, BaseModel | dict) else {}
    return {value for name, value in fields.items() if isinstance(value, str) and (name == "id" or name[-3:] == "_id")}


def _collections(database: BaseModel) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in database if isinstance(value, dict | list)]


def _rest(database: BaseModel) -> dict[str, Any]:
    return {name: _dumped(value) for name, value in database if not isinstance(value, dict | list)}


def _keys(collection: Any) -> Any:
    return collection if isinstance(collection, dict) else range(len(collection))


def _at(database: BaseModel, place: Place) -> Any:
    return getattr(database, place[0])[place[1]]


def _validated(database: BaseModel, name: str, key: str | int, raw: Any) -> Any:
    whole = _whole(database, name)
    return whole.validate_python({key: raw})[key] if isinstance(key, str) else whole.validate_python([raw])[0]


def _whole(database: BaseModel, name: str) -> TypeAdapter[Any]:
    kind: Any = type(database).model_fields[name].annotation
    return TypeAdapter(kind)


def _dumped(value: Any) -> Any:
    return TypeAdapter(type(value)).dump_python(value, mode="json")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in _texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in _texts(part))


def _snapshot_contract(named: set[str]) -> Contract:
    properties: dict[str, Any] = {name: {} for name in sorted(named)}
    return {
        "name": SNAPSHOT,
        "version": 1,
        "summary": {"zh": "读出这些名字所指的原始记录。", "en": "Read the raw records that these values name."},
        "effect": "read",
        "permission": "tau2",
        "critical": False,
        "input_schema": {"type": "object", "additionalProperties": False, "properties": properties},
        "output_contract": {"required_fields": ["objects", "sizes", "rest"]},
    }


def _restore_contract() -> Contract:
    image = {"type": "object"}
    return {
        "name": RESTORE,
        "version": 1,
        "summary": {"zh": "把原始记录放回原样。", "en": "Put raw records back as they were."},
        "effect": "write",
        "permission": "tau2",
        "approval": "never",
        "critical": False,
        "input_schema": {
            "type": "object",
            "additionalProperties": False,
            "required": ["image"],
            "properties": {"image": image},
        },
        "output_contract": {"required_fields": ["restored"]},
        "execution_contract": {"timeout_ms": WRITE_TIMEOUT_MS},
        # Putting the same image back twice makes no second effect, so the same request may simply go out again.
        "idempotency": {"key": ["image"], "honoured": True},
        "irreversible": True,
    }
