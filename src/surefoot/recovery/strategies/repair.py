"""Repair: a read's reply that says everything, but in the wrong form, is put in order and must then pass its contract.

Nothing is invented: text that holds JSON is read, a wrapping key is taken off, a number written as text becomes a
number, a single thing becomes a list of one. What is missing stays missing, and the repair fails.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from surefoot.contracts.model import ToolContract
from surefoot.contracts.registry import output_schema
from surefoot.contracts.schema import Validator
from surefoot.recovery.decisions import Case, Decision, Repair
from surefoot.recovery.strategies.strategy import Acting, Change, Site, Told
from surefoot.texts import Text

DEPTH = 4
_FENCED = re.compile(r"\s*```[A-Za-z0-9_-]*[ \t]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL)
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")

HOW: Mapping[str, Text] = {
    "fence": Text("去掉代码框", "taken out of a code fence"),
    "text": Text("把文字读成数据", "text read as data"),
    "wrapper": Text("去掉多余的外层", "an extra layer taken off"),
    "number": Text("把文字写的数读成数", "numbers read that were written as text"),
    "truth": Text("把文字写的是否读成是否", "yes or no read that was written as text"),
    "list": Text("把单个结果放进列表", "a single thing put into a list"),
}


class Repairing(Acting):
    """Costs nothing: nobody is called."""

    name = "repair"
    label = Text("整理对方的回答", "put the reply in order")
    cost = 0
    chance = 0.95

    def applies(self, case: Case) -> bool:
        """Return whether the reply that broke its contract can be put in order."""
        if case.contract.is_write or "raw" not in case.outcome.details:
            return False
        return repaired(case.outcome.details["raw"], case.contract) is not None

    def decide(self, case: Case) -> Decision:
        """Say what has to be done to it."""
        found = repaired(case.outcome.details["raw"], case.contract)
        return Repair(found[1] if found else ())

    async def carry_out(self, told: Told, site: Site) -> Change:
        """Put the reply in order and hold it against the contract and the rules after."""
        contract = site.door.registry.contract(site.call.tool)
        found = repaired(site.failed.details.get("raw"), contract)
        outcome = await site.door.accepted(site.call, found[0], site.session) if found else None
        if outcome is None:
            return Change(outcome=site.unchanged())
        outcome.envelope["metadata"]["repaired"] = list(told["how"])
        words = [HOW[how] for how in told["how"]]
        zh, en = "、".join(text.zh for text in words), ", ".join(text.en for text in words)
        note = Text(
            f"对方的回答格式不对，整理后才使用（{zh}）。",
            f"The reply was not in the agreed form; it was put in order before it was used ({en}).",
        )
        return Change(outcome=outcome, marks=("repaired",), note=note)


def repaired(raw: Any, contract: ToolContract) -> tuple[dict[str, Any], tuple[str, ...]] | None:
    """Return the data in order and what was done to it, or ``None`` where it cannot be put in order. Pure."""
    schema = output_schema(contract)
    valid = Validator(schema)
    for data, how in _readings(raw, (), DEPTH):
        done: list[str] = list(how)
        shaped = _shaped(data, schema, done, DEPTH)
        if done and isinstance(shaped, dict) and not valid.problems(shaped):
            return shaped, tuple(dict.fromkeys(done))
    return None


def _readings(raw: Any, how: tuple[str, ...], depth: int) -> list[tuple[Any, tuple[str, ...]]]:
    """Return the reply as it stands and as it may have been meant, the least changed first."""
    if depth == 0:
        return []
    found = [(raw, how)]
    if isinstance(raw, str):
        fenced = _FENCED.fullmatch(raw)
        inner = _json(fenced[1] if fenced else raw)
        if isinstance(inner, dict | list):
            found += _readings(inner, (*how, "fence" if fenced else "text"), depth - 1)
    if isinstance(raw, dict) and len(raw) == 1:
        inside = next(iter(raw.values()))
        if isinstance(inside, dict | str):
            found += _readings(inside, (*how, "wrapper"), depth - 1)
    return found


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _shaped(value: Any, schema: Any, how: list[str], depth: int) -> Any:
    """Bring a value to the type that its schema names, where it holds that already in another form."""
    wanted = schema.get("type") if isinstance(schema, dict) else None
    if depth == 0 or not isinstance(wanted, str):
        return value
    value = _typed(value, wanted, how)
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        return {key: _shaped(item, parts.get(key), how, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_shaped(item, schema.get("items"), how, depth - 1) for item in value]
    return value


def _typed(value: Any, wanted: str, how: list[str]) -> Any:
    if isinstance(value, str) and wanted in ("integer", "number"):
        return _number(value.strip(), wanted, how)
    if isinstance(value, str) and wanted == "boolean" and value.strip().lower() in ("true", "false"):
        how.append("truth")
        return value.strip().lower() == "true"
    if isinstance(value, str) and wanted in ("object", "array"):
        read = _json(value)
        if isinstance(read, dict if wanted == "object" else list):
            how.append("text")
            return read
    if wanted == "array" and isinstance(value, dict):
        how.append("list")
        return [value]
    return value


def _number(text: str, wanted: str, how: list[str]) -> Any:
    if _INTEGER.fullmatch(text):
        how.append("number")
        return int(text)
    if wanted == "number" and len(text) <= 40 and _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        how.append("number")
        return float(text)
    return text
