"""What a reading of times consists of: expressions with their dates, and problems."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from surefoot.language.pieces import Grain

Kind = Literal["date", "daterange", "time", "timerange", "datetime", "datetimerange", "duration", "yearrange"]
Relation = Literal["at", "before", "after", "between"]
DaySource = Literal["said", "carried", "each", "assumed"]


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One time expression and how it was read.

    ``span`` is half-open in the text as given, and ``text`` is that stretch of it. ``start`` and ``end``
    are half-open and aware; a point in time has a start only (relation "at"); an open side is None.
    ``granularity`` is the smallest unit said. ``approx`` marks a window that was not said by the clock
    (上午, 月底). ``reading`` says in one sentence how it was read, ``ambiguous`` what else it could
    mean (empty when sure). ``past``: it lies wholly before now. ``day`` tells where the date came from:
    said in the expression, carried over from another in the text, each day of a range said before (下周上午:
    the first of them that is not past is given), or assumed to be today; None for a duration.
    ``minutes`` is the length of a duration, None where months or years make it no fixed number.
    """

    span: tuple[int, int]
    text: str
    kind: Kind
    start: datetime | None
    end: datetime | None
    granularity: Grain
    reading: str
    approx: bool = False
    relation: Relation | None = None
    ambiguous: tuple[str, ...] = ()
    past: bool = False
    day: DaySource | None = "said"
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class TimeProblem:
    """A time that cannot exist: where it stands, a stable code, one sentence in each language."""

    span: tuple[int, int]
    text: str
    code: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class TimeReading:
    """All time expressions of a text in order, and what could not be."""

    expressions: tuple[TimeExpression, ...]
    problems: tuple[TimeProblem, ...]
