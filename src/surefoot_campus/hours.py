"""When things are open: hours of rooms and canteens, buildings or a whole campus closed, maintenance."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.texts import Text
from surefoot_campus.intervals import Interval, overlap
from surefoot_campus.timetable import days

Record = Mapping[str, Any]


def at_clock(day: date, clock: str, zone: ZoneInfo) -> datetime:
    """Return the moment of ``HH:MM`` on a day; hours from 24 on belong to the next day."""
    hours, minutes = (int(part) for part in clock.split(":"))
    return datetime.combine(day + timedelta(days=hours // 24), time(hours % 24, minutes), zone)


def openings(profile: Record, room: Record, window: Interval) -> list[Interval]:
    """Return when a room is open on the days that ``window`` touches, and on the night before them."""
    zone = ZoneInfo(profile["timezone"])
    first = window[0].date() - timedelta(days=1)
    return [
        (at_clock(day, room["opens"], zone), at_clock(day, room["closes"], zone))
        for day in days(first, window[1].date())
    ]


def closures(profile: Record, building: str) -> Iterator[tuple[Record, Interval]]:
    """Yield the notices, each with its time, that close a building, alone or with the whole campus."""
    zone = ZoneInfo(profile["timezone"])
    for notice in profile["notices"]:
        if notice["kind"] == "closed" and notice.get("building", building) == building:
            yield notice, notice_span(notice, zone)


def campus_closed(profile: Record, window: Interval) -> Text | None:
    """Return why the whole campus is closed at some time of ``window``, and until when; ``None`` if it is not."""
    zone = ZoneInfo(profile["timezone"])
    for notice in profile["notices"]:
        start, end = notice_span(notice, zone)
        if notice["kind"] == "closed" and "building" not in notice and overlap((start, end), window):
            return Text(
                f"{start:%m月%d日 %H:%M} 至 {end:%m月%d日 %H:%M} 全校不开放（{notice['zh']}）。",
                f"The whole campus is closed from {start:%d %b %H:%M} to {end:%d %b %H:%M} ({notice['en']}).",
            )
    return None


def notice_span(notice: Record, zone: ZoneInfo) -> Interval:
    """Return when a notice holds, in campus time."""
    start, end = (datetime.fromisoformat(notice[key]) for key in ("start", "end"))
    return (start if start.tzinfo else start.replace(tzinfo=zone), end if end.tzinfo else end.replace(tzinfo=zone))
