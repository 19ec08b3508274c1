"""JSON Schema, checked strictly: Draft 2020-12 with ISO 8601 date and date-time formats."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from surefoot.contracts.schema_words import reason
from surefoot.texts import Text

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError


class Validator:
    """One compiled schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        # Imported when the first schema is compiled: `import surefoot` stays cheap for those who only need names.
        from jsonschema import Draft202012Validator

        self._validator = Draft202012Validator(dict(schema), format_checker=_formats())

    def problems(self, value: Any) -> list[str]:
        """Return what is wrong with ``value``, one sentence each with the field's path; empty when valid."""
        return [_sentence(error) for error in self._errors(value)]

    def reasons(self, value: Any) -> list[Text]:
        """Return what is wrong with ``value`` for people, with the field's path where there is one."""
        return [_reason(error) for error in self._errors(value)]

    def _errors(self, value: Any) -> "list[ValidationError]":
        errors = list(self._validator.iter_errors(value))
        return sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])


def schema_problem(schema: Mapping[str, Any]) -> str | None:
    """Return why ``schema`` is no JSON Schema, or ``None``."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        return f"{'/'.join(str(part) for part in error.absolute_path) or '(root)'}: {error.message}"
    return None


@cache
def _formats() -> "FormatChecker":
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("date-time", raises=ValueError)(_date_time)
    checker.checks("date", raises=ValueError)(_date)
    return checker


def _date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value and bool(datetime.fromisoformat(value)))


def _date(value: object) -> bool:
    return not isinstance(value, str) or bool(date.fromisoformat(value))


def _reason(error: "ValidationError") -> Text:
    said, where = reason(error), ".".join(str(part) for part in error.absolute_path)
    return Text(f"{where}：{said.zh}", f"{where}: {said.en}") if where else said


def _sentence(error: "ValidationError") -> str:
    where = ".".join(str(part) for part in error.absolute_path) or "(root)"
    return f"{where}: {error.message[:300]}"
