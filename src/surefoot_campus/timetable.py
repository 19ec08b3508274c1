"""From a weekly timetable to the lessons of a day: weeks of term, odd and even, holidays, make-up days."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.texts import Text
from surefoot_campus.intervals import Interval

Profile = Mapping[str, Any]


def week_of(profile: Profile, day: date) -> int | None:
    """Return the week of term of a day (from 1), or ``None`` outside the term."""
    week = (day - date.fromisoformat(profile["term"]["start"])).days // 7 + 1
    return week if 1 <= week <= profile["term"]["weeks"] else None


def outside_term(profile: Profile, *days: date) -> Text | None:
    """Return a sentence with the term's dates when one of ``days`` lies outside the term, else ``None``."""
    outside = next((day for day in days if week_of(profile, day) is None), None)
    if outside is None:
        return None
    first = date.fromisoformat(profile["term"]["start"])
    last = first + timedelta(weeks=profile["term"]["weeks"]) - timedelta(days=1)
    return Text(
        f"{outside} 不在本学期内（{first} 至 {last}）。", f"{outside} lies outside this term ({first} to {last})."
    )


def local(profile: Profile, moment: str) -> datetime:
    """Return an ISO 8601 moment with offset in campus time."""
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(profile["timezone"]))


def holiday_on(profile: Profile, day: date) -> str | None:
    """Return the name of the holiday on a day, or ``None``."""
    for name, (first, last) in profile["holidays"].items():
        if date.fromisoformat(first) <= day <= date.fromisoformat(last):
            return str(name)
    return None


def taught_as(profile: Profile, day: date) -> date:
    """Return the day whose timetable is taught on ``day``: another one on a make-up day."""
    return date.fromisoformat(profile["makeup"].get(day.isoformat(), day.isoformat()))


def lessons_on(profile: Profile, lessons: Iterable[Mapping[str, Any]], day: date) -> list[dict[str, Any]]:
    """Return the lessons held on a day, in order, each with ``start`` and ``end`` (ISO 8601).

    A lesson whose weeks could not be read counts as held every week: unknown is busy, never free.
    """
    source = taught_as(profile, day)
    if source == day and holiday_on(profile, day):
        return []
    week = week_of(profile, source)
    held = [
        lesson
        for lesson in lessons
        if lesson["weekday"] == source.isoweekday()
        and week is not None
        and (lesson["weeks"] is None or week in lesson["weeks"])
    ]
    shown = []
    for lesson in held:
        start, end = period_span(profile, day, lesson["periods"][0], lesson["periods"][-1])
        shown.append({**lesson, "start": start.isoformat(), "end": end.isoformat()})
    return sorted(shown, key=lambda lesson: str(lesson["start"]))


def period_span(profile: Profile, day: date, first: int, last: int) -> Interval:
    """Return the start of period ``first`` and the end of period ``last`` on a day. Raises KeyError."""
    zone = ZoneInfo(profile["timezone"])
    start, end = profile["periods"][str(first)][0], profile["periods"][str(last)][1]
    return (
        datetime.combine(day, time.fromisoformat(start), zone),
        datetime.combine(day, time.fromisoformat(end), zone),
    )


def days(first: date, last: date) -> list[date]:
    """Return every day from ``first`` to ``last``, both included."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def spans(records: Iterable[Mapping[str, Any]]) -> list[Interval]:
    """Return the intervals of records with ISO ``start`` and ``end``."""
    return [(datetime.fromisoformat(r["start"]), datetime.fromisoformat(r["end"])) for r in records]
