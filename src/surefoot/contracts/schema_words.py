"""What a JSON Schema error says to people, in Chinese and English: what was wrong, and what would be right."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from surefoot.texts import Text

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SHOWN = 60
"""How many characters of a wrong value are shown."""

_TYPES: Mapping[str, Text] = {
    "string": Text("文字", "text"),
    "integer": Text("整数", "a whole number"),
    "number": Text("数字", "a number"),
    "boolean": Text("是或否", "true or false"),
    "array": Text("列表", "a list"),
    "object": Text("一组字段", "a set of fields"),
    "null": Text("空", "nothing"),
}
_FORMATS: Mapping[str, Text] = {
    "date": Text("日期，如 2026-12-01", "a date such as 2026-12-01"),
    "date-time": Text("时间，如 2026-12-01T10:00:00+08:00", "a time such as 2026-12-01T10:00:00+08:00"),
}


def reason(error: "ValidationError") -> Text:
    """Return one sentence without an end mark; a keyword that has no words of its own is told by its name."""
    return _WORDS.get(str(error.validator), _other)(error)


def _rule(error: "ValidationError") -> Any:
    return error.validator_value


def _value(error: "ValidationError") -> str:
    text = json.dumps(error.instance, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _type(error: "ValidationError") -> Text:
    names = _rule(error) if isinstance(_rule(error), list) else [_rule(error)]
    known = [_TYPES.get(str(name), Text(str(name), str(name))) for name in names]
    zh, en = "或".join(text.zh for text in known), " or ".join(text.en for text in known)
    return Text(f"{_value(error)} 不是{zh}", f"{_value(error)} is not {en}")


def _required(error: "ValidationError") -> Text:
    given: Any = error.instance
    missing = [name for name in _rule(error) if name not in given]
    listed = ", ".join(map(str, missing))
    return Text(f"缺少 {listed}", f"{listed} is missing")


def _unknown(error: "ValidationError") -> Text:
    schema: Any = error.schema
    given: Any = error.instance
    extra = ", ".join(sorted(str(name) for name in set(given) - set(schema.get("properties", {}))))
    return Text(f"没有这样的字段：{extra}", f"there is no such field: {extra}")


def _one_of(error: "ValidationError") -> Text:
    listed = ", ".join(json.dumps(value, ensure_ascii=False) for value in _rule(error))
    return Text(f"{_value(error)} 不在可选的值里：{listed}", f"{_value(error)} is not one of {listed}")


def _format(error: "ValidationError") -> Text:
    right = _FORMATS.get(str(_rule(error)), Text(str(_rule(error)), str(_rule(error))))
    return Text(f"{_value(error)} 应写成{right.zh}", f"{_value(error)} should be {right.en}")


def _bound(zh: str, en: str) -> Callable[["ValidationError"], Text]:
    def words(error: "ValidationError") -> Text:
        limit = _rule(error)
        return Text(f"{_value(error)} {zh} {limit}", f"{_value(error)} {en} {limit}")

    return words


def _other(error: "ValidationError") -> Text:
    rule = f"{error.validator} {json.dumps(_rule(error), ensure_ascii=False, default=str)[:SHOWN]}"
    return Text(f"{_value(error)} 不符合规定（{rule}）", f"{_value(error)} breaks the rule {rule}")


_WORDS: Mapping[str, Callable[["ValidationError"], Text]] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _unknown,
    "enum": _one_of,
    "format": _format,
    "pattern": _bound("的写法不对，规则是", "is not written by the pattern"),
    "minimum": _bound("太小，至少是", "is too small; at least"),
    "maximum": _bound("太大，最多是", "is too large; at most"),
    "exclusiveMinimum": _bound("太小，要大于", "is too small; more than"),
    "exclusiveMaximum": _bound("太大，要小于", "is too large; less than"),
    "minLength": _bound("太短，最少字符数是", "is too short; characters at least:"),
    "maxLength": _bound("太长，最多字符数是", "is too long; characters at most:"),
    "minItems": _bound("太少，最少个数是", "has too few entries; at least"),
    "maxItems": _bound("太多，最多个数是", "has too many entries; at most"),
}
