"""Booking a room, finding and cancelling bookings."""

import asyncio
from datetime import date as day
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.contracts import ToolContext
from surefoot.errors import BusinessRefused, ToolError
from surefoot.texts import Text
from surefoot_campus.availability import Need, load_day, whole_days
from surefoot_campus.timetable import local
from surefoot_campus.tools.rooms import alternatives

FAR = timedelta(days=400)


async def book_room(
    room_id: str, start: str, end: str, party_size: int, purpose: str = "", *, ctx: ToolContext
) -> dict[str, Any]:
    """Reserve a room.

    Raises:
        BusinessRefused: the campus said no; a room that is taken comes with ``details.alternatives``.
    """
    body = {"room_id": room_id, "user_id": ctx.user_id, "start": start, "end": end, "party_size": party_size}
    try:
        made = await ctx.systems.book({**body, "purpose": purpose, "request_key": ctx.idempotency_key})
    except BusinessRefused as refused:
        if refused.details.get("reason") != "room_conflict":
            raise
        need = Need((await _local(ctx, start), await _local(ctx, end)), None, party_size, room_id=room_id)
        details = {**refused.details, "alternatives": await _alternatives(need, ctx)}
        raise BusinessRefused(refused.text, details=details) from refused
    return await _described(made, ctx)


async def _alternatives(need: Need, ctx: ToolContext) -> list[dict[str, Any]]:
    """Look for something else; that this fails or takes too long must not hide that the booking was refused."""
    try:
        async with asyncio.timeout(ctx.deadline.left() / 2):
            return alternatives(await load_day(ctx.systems, ctx.user_id, need.window), need, ctx.now)
    except (ToolError, TimeoutError):
        return []


async def _local(ctx: ToolContext, moment: str) -> datetime:
    return local(await ctx.systems.profile(), moment)


async def find_booking(
    request_key: str | None = None,
    reservation_id: str | None = None,
    room_id: str | None = None,
    start: str | None = None,
    end: str | None = None,
    *,
    ctx: ToolContext,
) -> dict[str, Any]:
    """Return one's own active bookings that agree with what is given."""
    found = await ctx.systems.find(ctx.user_id, request_key, reservation_id)
    wanted = {name: _moment(value) for name, value in (("start", start), ("end", end)) if value}
    records = [
        booking
        for booking in found
        if (room_id is None or booking["room_id"] == room_id)
        and all(_moment(booking[name]) == value for name, value in wanted.items())
    ]
    return {"records": [await _described(record, ctx) for record in records]}


async def cancel_booking(reservation_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Cancel a booking of one's own."""
    gone = await ctx.systems.cancel(ctx.user_id, reservation_id)
    return {name: gone[name] for name in ("reservation_id", "room_id", "start", "end", "status")}


async def list_bookings(date: str | None = None, date_to: str | None = None, *, ctx: ToolContext) -> dict[str, Any]:
    """Return one's own active bookings, all that are still to come unless days are given.

    Raises:
        BusinessRefused: the last day is before the first.
    """
    profile = await ctx.systems.profile()
    today = ctx.now.astimezone(ZoneInfo(profile["timezone"])).date()
    first = day.fromisoformat(date) if date else today
    last = day.fromisoformat(date_to) if date_to else first if date else today + FAR
    if last < first:
        raise BusinessRefused(
            Text(f"结束日期 {last} 早于开始日期 {first}。", f"The last day ({last}) is before the first ({first}).")
        )
    start, end = whole_days(profile, first, last)
    found = await ctx.systems.bookings(start if date else ctx.now.isoformat(), end, ctx.user_id)
    return {"bookings": [await _described(booking, ctx) for booking in found]}


async def _described(booking: dict[str, Any], ctx: ToolContext) -> dict[str, Any]:
    profile = await ctx.systems.profile()
    room = next((room for room in profile["rooms"] if room["room_id"] == booking["room_id"]), None)
    if room is None:
        # A room that was added since the campus was last asked for its rooms; the booking is what counts.
        return booking
    building = next(building for building in profile["buildings"] if building["id"] == room["building"])
    length = datetime.fromisoformat(booking["end"]) - datetime.fromisoformat(booking["start"])
    return {
        **booking,
        "room_name": room["name"],
        "building": building["id"],
        "building_name": building["name"],
        "zone": building["zone"],
        "fee": round(room["fee"] * length.total_seconds() / 3600, 2),
    }


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
