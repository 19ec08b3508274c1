"""The exam's items: a sentence, when it was said, and for each span the values that count as right."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

Value = tuple[str, ...]
"""``("date", day)``, ``("time", clock)``, ``("datetime", both)``, ``("range", start, end)``, ``("duration", seconds)``.

Ends of a range are days, clock times or both, as said; ``""`` where it is open.
"""

LUNAR = ("农历", "阴历", "正月", "初一", "初二", "初三", "腊月", "大年")
_ENDS = {
    "daterange": ("startDate", "endDate"),
    "timerange": ("startTime", "endTime"),
    "datetimerange": ("startDateTime", "endDateTime"),
}
_POINTS = {"date": "date", "time": "time", "datetime": "dateTime"}


@dataclass(frozen=True)
class Expected:
    """One span (half open), its type, and the values that are right; none where the exam itself resolves nothing."""

    kind: str
    span: tuple[int, int]
    values: frozenset[Value]


@dataclass(frozen=True)
class Item:
    """One sentence of the exam."""

    text: str
    now: datetime
    expected: tuple[Expected, ...]
    lunar: bool


def read_items(folder: Path) -> Iterator[Item]:
    """Read every file of a language's folder. The clock of the exam has no zone."""
    for file in sorted(folder.glob("*.json*")):
        raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for item in json.loads(raw):
            text = item["Input"]
            yield Item(
                text=text,
                now=datetime.fromisoformat(item.get("Context", {}).get("ReferenceDateTime") or "2017-03-22T00:00:00"),
                expected=tuple(_expected(result, text) for result in item["Results"]),
                lunar=any(word in text for word in LUNAR),
            )


def _expected(result: Mapping[str, Any], text: str) -> Expected:
    start = result.get("Start")
    if start is None:
        start = max(0, text.lower().find(result["Text"].lower()))
    length = result.get("Length") or (result["End"] - start + 1 if "End" in result else len(result["Text"]))
    kind = str(result.get("TypeName") or result.get("Type")).removeprefix("datetimeV2.")
    return Expected(kind, (start, start + length), frozenset(_values(result, kind)))


def _values(result: Mapping[str, Any], kind: str) -> Iterator[Value]:
    if "Resolution" in result:
        for value in result["Resolution"]["values"]:
            yield from _model_value(value)
        return
    for side in ("FutureResolution", "PastResolution"):
        found = result["Value"].get(side, {})
        if kind in _ENDS and any(found.get(name) for name in _ENDS[kind]):
            yield ("range", *(found.get(name, "") for name in _ENDS[kind]))
        elif kind in _POINTS and found.get(_POINTS[kind]):
            yield (kind, found[_POINTS[kind]])


def _model_value(value: Mapping[str, Any]) -> Iterator[Value]:
    kind = value["type"]
    if kind.endswith("range") and ("start" in value or "end" in value):
        yield ("range", value.get("start", ""), value.get("end", ""))
    elif value.get("value") not in (None, "not resolved"):
        # "around 1 pm" is of type timerange there, with the one time as its value.
        yield (kind.removesuffix("range"), value["value"])
