"""JSON Schema, checked strictly: Draft 2020-12 with ISO 8601 date and date-time formats."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError

_formats = FormatChecker(formats=())


@_formats.checks("date-time", raises=ValueError)
def _date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value and bool(datetime.fromisoformat(value)))


@_formats.checks("date", raises=ValueError)
def _date(value: object) -> bool:
    return not isinstance(value, str) or bool(date.fromisoformat(value))


class Validator:
    """One compiled schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._validator = Draft202012Validator(dict(schema), format_checker=_formats)

    def problems(self, value: Any) -> list[str]:
        """Return what is wrong with ``value``, one sentence each with the field's path; empty when valid."""
        return [_sentence(error) for error in self._errors(value)]

    def _errors(self, value: Any) -> Iterator[ValidationError]:
        errors = self._validator.iter_errors(value)
        yield from sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])


def schema_problem(schema: Mapping[str, Any]) -> str | None:
    """Return why ``schema`` is no JSON Schema, or ``None``."""
    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        return f"{'/'.join(str(part) for part in error.absolute_path) or '(root)'}: {error.message}"
    return None


@lru_cache(maxsize=512)
def _where(path: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in path) or "(root)"


def _sentence(error: ValidationError) -> str:
    return f"{_where(tuple(error.absolute_path))}: {error.message[:300]}"
