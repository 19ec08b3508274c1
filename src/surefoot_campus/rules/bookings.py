"""Rules of booking a room. Each says in both languages what would be right."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from surefoot.contracts import Fee, FeeRule, Rule, ToolContext, Violation
from surefoot.texts import Text
from surefoot_campus.availability import own_busy, whole_days
from surefoot_campus.hours import campus_closed, closures, notice_span, openings
from surefoot_campus.intervals import Interval, overlap, subtract
from surefoot_campus.timetable import local, outside_term

Arguments = Mapping[str, Any]
Data = Mapping[str, Any] | None


async def _window(arguments: Arguments, ctx: ToolContext) -> Interval:
    """Return start and end in campus time."""
    profile = await ctx.systems.profile()
    return local(profile, arguments["start"]), local(profile, arguments["end"])


async def _room(arguments: Arguments, ctx: ToolContext) -> dict[str, Any] | None:
    profile = await ctx.systems.profile()
    return next((room for room in profile["rooms"] if room["room_id"] == arguments["room_id"]), None)


async def start_before_end(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The end comes after the start."""
    start, end = await _window(arguments, ctx)
    if start < end:
        return None
    text = Text(
        f"结束时间 {end:%H:%M} 要晚于开始时间 {start:%H:%M}。",
        f"The end ({end:%H:%M}) must be later than the start ({start:%H:%M}).",
    )
    return Violation("start_before_end", text, field="end")


async def not_in_past(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The start is still to come."""
    start, _ = await _window(arguments, ctx)
    if start >= ctx.now:
        return None
    now = ctx.now.astimezone(start.tzinfo)
    text = Text(
        f"{start:%m月%d日 %H:%M} 已经过去（现在是 {now:%m月%d日 %H:%M}）。",
        f"{start:%d %b %H:%M} is in the past (it is now {now:%d %b %H:%M}).",
    )
    return Violation("not_in_past", text, field="start")


async def in_term(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The days lie in the term: outside it nobody knows what is taught where."""
    start, end = await _window(arguments, ctx)
    last = max(start, end - timedelta(microseconds=1))
    text = outside_term(await ctx.systems.profile(), start.date(), last.date())
    return Violation("in_term", text, field="start") if text else None


async def may_book(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The person may book rooms at all."""
    if (await ctx.systems.person(ctx.user_id))["may_book"]:
        return None
    text = Text(
        "您的账号没有预约研讨间的资格，请联系图书馆服务台。",
        "Your account may not book rooms; please ask the library desk.",
    )
    return Violation("may_book", text)


async def room_exists(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The room is one of this campus."""
    if await _room(arguments, ctx) is not None:
        return None
    name = arguments["room_id"]
    return Violation("room_exists", Text(f"没有房间 {name}。", f"There is no room {name}."), field="room_id")


async def capacity_fits(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The room is large enough."""
    room = await _room(arguments, ctx)
    size = arguments["party_size"]
    if room is None or room["capacity"] >= size:
        return None
    text = Text(
        f"{room['name']['zh']}最多 {room['capacity']} 人，坐不下 {size} 人。",
        f"{room['name']['en']} seats {room['capacity']}; {size} people do not fit.",
    )
    return Violation("capacity_fits", text, field="party_size")


async def room_open(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The room is open for the whole time, and its building is not closed."""
    room = await _room(arguments, ctx)
    if room is None:
        return None
    profile, window = await ctx.systems.profile(), await _window(arguments, ctx)
    closed = campus_closed(profile, window)
    if closed is not None:
        return Violation("room_open", closed, field="start")
    if window[0] < window[1] and subtract([window], openings(profile, room, window)):
        text = Text(
            f"{room['name']['zh']}的开放时间是 {room['opens']}-{room['closes']}。",
            f"{room['name']['en']} is open {room['opens']} to {room['closes']}.",
        )
        return Violation("room_open", text, field="start")
    for notice, (start, end) in closures(profile, room["building"]):
        if overlap((start, end), window):
            text = Text(
                f"{notice['zh']}，{start:%m月%d日 %H:%M} 至 {end:%m月%d日 %H:%M} 不开放。",
                f"Closed from {start:%d %b %H:%M} to {end:%d %b %H:%M}: {notice['en']}.",
            )
            return Violation("room_open", text, field="start")
    return None


async def within_limits(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """Not too long, not too far ahead, not too many a day."""
    profile = await ctx.systems.profile()
    policy = profile["policy"]
    start, end = await _window(arguments, ctx)
    length = end - start
    if length > timedelta(hours=policy["max_hours"]):
        text = Text(f"一次最多预约 {policy['max_hours']} 小时。", f"At most {policy['max_hours']} hours at a time.")
        return Violation("within_limits", text, field="end")
    if length < timedelta(minutes=policy["min_minutes"]):
        text = Text(
            f"一次至少预约 {policy['min_minutes']} 分钟。", f"At least {policy['min_minutes']} minutes at a time."
        )
        return Violation("within_limits", text, field="end")
    last = ctx.now.astimezone(start.tzinfo).date() + timedelta(days=policy["days_ahead"])
    if start.date() > last:
        text = Text(
            f"最多提前 {policy['days_ahead']} 天预约，现在可以订到 {last:%m月%d日}。",
            f"Rooms can be booked at most {policy['days_ahead']} days ahead, now up to {last:%d %b}.",
        )
        return Violation("within_limits", text, field="start")
    own = await ctx.systems.bookings(*whole_days(profile, start.date(), start.date()), ctx.user_id)
    if len(own) >= policy["per_day"]:
        text = Text(
            f"每人每天最多 {policy['per_day']} 个预约，这一天您已有 {len(own)} 个。",
            f"At most {policy['per_day']} bookings a day; you have {len(own)} on that day.",
        )
        return Violation("within_limits", text, field="start")
    return None


async def no_class_clash(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The person has no class and no other booking then."""
    window = await _window(arguments, ctx)
    for busy in await own_busy(ctx.systems, ctx.user_id, window[0].date(), window[1].date()):
        if overlap(busy, window):
            text = Text(
                f"您在 {busy[0]:%H:%M}-{busy[1]:%H:%M} 有课或已有预约，时间冲突。",
                f"You have a class or a booking from {busy[0]:%H:%M} to {busy[1]:%H:%M}.",
            )
            return Violation("no_class_clash", text, field="start")
    return None


async def not_in_maintenance(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """The booking system takes bookings right now."""
    profile = await ctx.systems.profile()
    zone = ZoneInfo(profile["timezone"])
    for notice in profile["notices"]:
        start, end = notice_span(notice, zone)
        if notice["kind"] == "maintenance" and start <= ctx.now < end:
            text = Text(
                f"{notice['zh']}，{end:%m月%d日 %H:%M} 以后再试。",
                f"Not possible now ({notice['en']}); try again after {end:%d %b %H:%M}.",
            )
            return Violation("not_in_maintenance", text)
    return None


async def booking_is_mine(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """There is an active booking of this number, and it belongs to the person."""
    number = arguments["reservation_id"]
    if await ctx.systems.find(ctx.user_id, None, number):
        return None
    text = Text(f"您没有编号为 {number} 的有效预约。", f"You have no active booking {number}.")
    return Violation("booking_is_mine", text, field="reservation_id")


async def booking_matches_request(arguments: Arguments, data: Data, ctx: ToolContext) -> Violation | None:
    """What was booked is what was asked for."""
    if data is None:
        return None
    same_room = data["room_id"] == arguments["room_id"]
    same_time = all(datetime.fromisoformat(data[k]) == datetime.fromisoformat(arguments[k]) for k in ("start", "end"))
    if same_room and same_time:
        return None
    text = Text(
        "对方系统订下的房间或时间与请求不一致。", "The room or the time that was booked is not what was asked for."
    )
    return Violation("booking_matches_request", text)


async def room_fee(arguments: Arguments, ctx: ToolContext) -> Fee | None:
    """The room's price per hour times the hours."""
    room = await _room(arguments, ctx)
    if room is None:
        return None
    start, end = await _window(arguments, ctx)
    amount = round(room["fee"] * (end - start).total_seconds() / 3600, 2)
    currency = (await ctx.systems.profile()).get("currency", "CNY")
    if amount == 0:
        return Fee("0", currency, Text("免费", "free of charge"))
    unit = "元" if currency == "CNY" else currency
    return Fee(f"{amount:g}", currency, Text(f"{amount:g} {unit}", f"{amount:g} {currency}"))


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        start_before_end, not_in_past, in_term, may_book, room_exists, capacity_fits, room_open, within_limits,
        no_class_clash, not_in_maintenance, booking_is_mine, booking_matches_request,
    )
}  # fmt: skip
FEES: dict[str, FeeRule] = {"room_fee": room_fee}
