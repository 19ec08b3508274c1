"""The timetable of the person who asks."""

from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessRefused
from surefoot.texts import Text
from surefoot_campus.availability import whole_days
from surefoot_campus.intervals import subtract
from surefoot_campus.timetable import days, holiday_on, lessons_on, outside_term, spans, taught_as, week_of

MOST_DAYS = 31
OPEN, CLOSE = time(8), time(22)


async def query_schedule(date: str, date_to: str | None = None, *, ctx: ToolContext) -> dict[str, Any]:
    """Return the lessons, bookings and free times of one's own days."""
    profile = await ctx.systems.profile()
    wanted = _wanted(profile, date, date_to)
    zone = ZoneInfo(profile["timezone"])
    lessons = await ctx.systems.lessons(ctx.user_id)
    bookings = await ctx.systems.bookings(*whole_days(profile, wanted[0], wanted[-1]), ctx.user_id)
    return {"days": [_day(profile, lessons, bookings, day, zone) for day in wanted]}


def _wanted(profile: dict[str, Any], first: str, last: str | None) -> list[date]:
    start = date.fromisoformat(first)
    end = date.fromisoformat(last) if last else start
    if end < start:
        raise BusinessRefused(
            Text(f"结束日期 {end} 早于开始日期 {start}。", f"The last day ({end}) is before the first ({start}).")
        )
    outside = outside_term(profile, start, end)
    if outside is not None:
        raise BusinessRefused(Text(f"{outside.zh}查不到课表。", f"{outside.en} There is no timetable for it."))
    if (end - start).days >= MOST_DAYS:
        raise BusinessRefused(
            Text(f"一次最多查 {MOST_DAYS} 天。", f"At most {MOST_DAYS} days can be looked up at a time.")
        )
    return days(start, end)


def _day(
    profile: dict[str, Any], lessons: list[dict[str, Any]], bookings: list[dict[str, Any]], day: date, zone: ZoneInfo
) -> dict[str, Any]:
    held = lessons_on(profile, lessons, day)
    own = [booking for booking in bookings if booking["start"][:10] == day.isoformat()]
    window = (datetime.combine(day, OPEN, zone), datetime.combine(day, CLOSE, zone))
    free = subtract([window], spans(held) + spans(own))
    names = {building["id"]: building["name"] for building in profile["buildings"]}
    return {
        "date": day.isoformat(),
        "week": week_of(profile, day),
        "weekday": day.isoweekday(),
        "note": _note(profile, day),
        "classes": [
            {
                "course": lesson["course"],
                "start": lesson["start"],
                "end": lesson["end"],
                "periods": lesson["periods"],
                "building": names.get(lesson["building"], {"zh": lesson["building"], "en": lesson["building"]}),
                "room": lesson["room_id"],
            }
            for lesson in held
        ],
        "free": [{"start": start.isoformat(), "end": end.isoformat()} for start, end in free],
        "bookings": own,
    }


def _note(profile: dict[str, Any], day: date) -> dict[str, str] | None:
    source = taught_as(profile, day)
    if source != day:
        return {"zh": f"调休：上 {source} 的课", "en": f"make-up day: taught as {source}"}
    name = holiday_on(profile, day)
    return {"zh": f"{name}放假，没有课", "en": f"holiday ({name}), no classes"} if name else None
