"""How full a canteen will be at a moment: what is usual then, corrected by a head count that is not too old."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from surefoot.texts import Text

FRESH = timedelta(minutes=15)
MEMORY = timedelta(minutes=60)
"""For how long after a head count it still says something about how full a canteen is."""
UNKNOWN = 0.5


@dataclass(frozen=True)
class Forecast:
    """A level between 0 (empty) and 1 (full), and what has to be said about where it comes from."""

    level: float
    note: Text | None = None


def usual(profile: Mapping[str, Any], canteen_id: str, moment: datetime) -> float:
    """Return how full a canteen usually is at that time of day."""
    clock = f"{moment:%H:%M}"
    for name, start, end, level in profile["crowding"]:
        if name == canteen_id and start <= clock < end:
            return float(level)
    return UNKNOWN


def forecast(
    profile: Mapping[str, Any],
    counts: Sequence[Mapping[str, Any]],
    canteen_id: str,
    *,
    there: datetime,
    now: datetime,
) -> Forecast:
    """Return how full a canteen will be at ``there``, in campus time.

    The difference between a head count and what is usual fades away within an hour. A count older than 15 minutes is
    not used, and that is said; one that could no longer matter at ``there`` is not mentioned.
    """
    expected = usual(profile, canteen_id, there)
    count = next((count for count in counts if count["canteen_id"] == canteen_id), None)
    if count is None:
        return Forecast(expected)
    at = datetime.fromisoformat(count["at"]).astimezone(there.tzinfo)
    age, lead = now - at, there - at
    if age < timedelta(0) or not timedelta(0) <= there - now < MEMORY:
        return Forecast(expected)
    if age > FRESH:
        minutes = int(age.total_seconds()) // 60
        note = Text(
            f"最近一次实时人流是 {_when(at, now)} 的（{_ago(minutes).zh}），已经过时，按平日同一时段估计",
            f"the last head count is {_ago(minutes).en} old ({_when(at, now)}), too old to go by; "
            "estimated from what is usual at this time",
        )
        return Forecast(expected, note)
    weight = max(0.0, 1 - lead / MEMORY)
    level = expected + weight * (float(count["level"]) - usual(profile, canteen_id, at))
    return Forecast(round(min(1.0, max(0.0, level)), 2))


def _when(at: datetime, now: datetime) -> str:
    return f"{at:%H:%M}" if at.date() == now.astimezone(at.tzinfo).date() else f"{at:%m-%d %H:%M}"


def _ago(minutes: int) -> Text:
    if minutes < 120:
        return Text(f"{minutes} 分钟前", f"{minutes} minutes")
    if minutes < 48 * 60:
        return Text(f"{minutes // 60} 小时前", f"{minutes // 60} hours")
    return Text(f"{minutes // 1440} 天前", f"{minutes // 1440} days")
