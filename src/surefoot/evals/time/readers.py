"""Who is examined: Surefoot's reader, and peers where they are installed; each gives spans with possible values."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from surefoot.evals.time.specs import Item, Value
from surefoot.language import Calendar, TimeExpression, normalise, read_times
from surefoot.language.datemath import add_months_to_moment
from surefoot.language.lengths import read_length

DAY = timedelta(days=1)
MIDNIGHT = time()


@dataclass(frozen=True)
class Read:
    """One span that was read: the values it may stand for in the exam's terms, and what was said of them.

    ``unsure``: called ambiguous. ``approx``: called a window whose bounds were not said by the clock.
    """

    span: tuple[int, int]
    values: frozenset[Value]
    unsure: bool = False
    approx: bool = False


Reader = Callable[[Item], list[Read]]


def surefoot(lang: str) -> Reader:
    """Return our reader. The exam has no term and no class periods; its parts of the day are the calendar's to set."""
    calendar = Calendar(date(2016, 9, 5), 0, (), day_parts=_exam_parts())

    def read(item: Item) -> list[Read]:
        now = item.now.replace(tzinfo=calendar.zone)
        found = read_times(item.text, now=now, calendar=calendar, lang="zh" if lang == "zh" else "en")
        return [Read(e.span, frozenset(_values(e, lang)), bool(e.ambiguous), e.approx) for e in found.expressions]

    return read


def _exam_parts() -> dict[str, Any]:
    last = time(23, 59, 59)
    return {"morning": (time(8), time(12)), "afternoon": (time(12), time(16)), "evening": (time(16), time(20)),
            "night": (time(20), last)}  # fmt: skip


def _values(found: TimeExpression, lang: str) -> Iterator[Value]:
    if found.kind == "duration":
        yield from _length(found, lang)
        return
    if found.kind in ("date", "time", "datetime") and found.relation in (None, "at") and found.start is not None:
        yield _point(found, found.start)
        return
    for start in _starts(found):
        for end in _ends(found):
            yield ("range", start, end)
    if found.kind == "date" and found.start is not None:
        yield ("date", found.start.date().isoformat())


def _length(found: TimeExpression, lang: str) -> Iterator[Value]:
    """The exam counts a year as 365 days and a month as 30; we leave such a length in months."""
    length = read_length(normalise(found.text).text, lang)
    if found.minutes is not None and not length.months:
        seconds = length.rest.total_seconds() or found.minutes * 60
        yield ("duration", str(int(seconds)) if seconds == int(seconds) else str(seconds))
        return
    for days in (length.months * 365 / 12, length.months // 12 * 365 + length.months % 12 * 30):
        yield ("duration", f"{days * 86400 + length.rest.total_seconds():.0f}")


def _point(found: TimeExpression, at: datetime) -> Value:
    if found.kind == "date":
        return ("date", at.date().isoformat())
    if found.kind == "time" or found.day == "assumed":
        return ("time", at.strftime("%H:%M:%S"))
    return ("datetime", at.strftime("%Y-%m-%d %H:%M:%S"))


def _starts(found: TimeExpression) -> Iterator[str]:
    if found.start is None:
        yield ""
        return
    yield _said(found, found.start)
    if found.relation == "after" and _of_days(found):
        # "After the 9th" begins on the 10th; the exam writes the day that was said.
        yield _said(found, found.start - DAY)


def _ends(found: TimeExpression) -> Iterator[str]:
    if found.end is None:
        yield ""
        return
    yield _said(found, found.end)
    if found.approx and found.end.time() == MIDNIGHT and not _of_days(found):
        # A window until midnight; the exam writes the last second of the day.
        yield _said(found, found.end - timedelta(seconds=1))
    if _of_days(found) and found.relation in ("between", "before"):
        # Half open ends on the day after the last one; the exam writes the last day that was said.
        yield _said(found, found.end - DAY)
    if found.start is not None and found.relation == "between" and (months := _whole_units(found)):
        # From March to May: the exam writes the last month (quarter, year) that was said by its first day.
        yield _said(found, add_months_to_moment(found.end, -months))


def _whole_units(found: TimeExpression) -> int:
    """Return the months of the last unit of a range from one whole month or year to another, else 0."""
    first, last = found.start, found.end
    if first is None or last is None or (first.day, last.day) != (1, 1):
        return 0
    if found.granularity == "year" and (first.month, last.month) == (1, 1):
        return 12
    quarters = re.search(r"q[1-4]|quarter|季", found.text, re.IGNORECASE) is not None
    return (3 if quarters else 1) if found.granularity == "month" else 0


def _of_days(found: TimeExpression) -> bool:
    return found.kind in ("date", "daterange", "yearrange")


def _said(found: TimeExpression, at: datetime) -> str:
    if _of_days(found):
        return at.date().isoformat()
    return at.strftime("%H:%M:%S" if found.kind == "timerange" or found.day == "assumed" else "%Y-%m-%d %H:%M:%S")


def recognizers(lang: str) -> Reader:
    """Return Microsoft's own library. Raises ModuleNotFoundError where it is not installed."""
    from recognizers_date_time import Culture, recognize_datetime

    culture = Culture.Chinese if lang == "zh" else Culture.English

    def read(item: Item) -> list[Read]:
        found = recognize_datetime(item.text, culture, reference=item.now)
        return [Read((f.start, f.end + 1), frozenset(_recognised(f.resolution or {}))) for f in found]

    return read


def _recognised(resolution: Any) -> Iterator[Value]:
    for value in resolution.get("values", []):
        kind = value.get("type", "")
        if kind.endswith("range") and ("start" in value or "end" in value):
            yield ("range", value.get("start", ""), value.get("end", ""))
        elif value.get("value") not in (None, "not resolved"):
            yield (kind.removesuffix("range"), value["value"])


def jionlp(lang: str) -> Reader:
    """Return jionlp's time extraction (Chinese). Raises ModuleNotFoundError where it is not installed."""
    import jionlp as library

    def read(item: Item) -> list[Read]:
        try:
            found = library.ner.extract_time(item.text, time_base=item.now.timestamp(), with_parsing=True)
        except Exception:  # noqa: BLE001 - a peer that fails on a sentence has not read it
            return []
        return [Read(tuple(f["offset"]), frozenset(_spanned(f["detail"]))) for f in found]

    return read


def _spanned(detail: Any) -> Iterator[Value]:
    """jionlp gives both ends of everything, to the second; a whole day is a day."""
    times = detail.get("time")
    if not isinstance(times, list) or len(times) != 2:
        return
    if detail.get("type") == "time_point" and times[0] == times[1]:
        yield ("datetime", times[0])
        yield ("time", times[0][-8:])
    first, last = times
    if first.endswith("00:00:00") and last.endswith("23:59:59"):
        day, until = first[:10], last[:10]
        if day == until:
            yield ("date", day)
        yield ("range", day, until)
        yield ("range", day, (date.fromisoformat(until) + DAY).isoformat())
    yield ("range", first, last)
    yield ("range", first[-8:], last[-8:])
    if first[:16] == last[:16] or last.endswith("59:59"):
        yield ("datetime", first)
        yield ("time", first[-8:])
