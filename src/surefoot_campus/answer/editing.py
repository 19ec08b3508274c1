"""Edits typed on a card: 改成下午三点到四点, 8个人, make it 10:00-11:00, start=15:00."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from surefoot.language import Calendar, NotANumber, normalise, read_count, read_durations, read_party_size
from surefoot.texts import Text
from surefoot_campus.reader.filling import room_id
from surefoot_campus.reader.moments import Moment, moments
from surefoot_campus.reader.places import room_in
from surefoot_campus.reader.typos import repaired

_PAIR = re.compile(r"(?<![\w])(?P<name>[a-z_]{2,20}) ?[=：:] ?(?P<value>[^,，;；\s]+)")
_BARE = re.compile(
    r"^(?:改成|改为|换成|就|make it|change to|to)? ?(?P<n>\d{1,3}|"
    r"[一二两三四五六七八九十]{1,3})(?: ?(?:个|人|个人|位|people))?$",
    re.IGNORECASE,
)
NOT_UNDERSTOOD = Text(
    "没有看懂要改什么。可以这样写：“改成下午三点到四点”“8 个人”“换成 A-203”，或 start=15:00。",
    "I did not understand the change. Write for example “3 to 4 pm”, “8 people”, “room A-203” or start=15:00.",
)


def read_edit(words: str, arguments: Mapping[str, Any], now: datetime) -> Mapping[str, Any] | Text:
    """Return the arguments that ``words`` change, or a sentence saying what was not understood.

    Times without a day stay on the card's day; a new start alone keeps the length.
    """
    plain = repaired(normalise(words[:400]).text)
    pairs = list(_PAIR.finditer(plain))
    if pairs and all(pair["name"] in arguments for pair in pairs):
        return _from_pairs(pairs, arguments)
    if pairs and "=" in plain:
        unknown = next(pair["name"] for pair in pairs if pair["name"] not in arguments)
        names = ", ".join(arguments)
        return Text(f"卡片上没有“{unknown}”，可以改的是：{names}。", f"The card has no {unknown!r}; it has: {names}.")
    changes: dict[str, Any] = {}
    if "start" in arguments and "end" in arguments:
        changes |= _times(plain, arguments, now)
    if "party_size" in arguments:
        changes |= _people(plain, used=bool(changes))
    room = room_in(plain.upper())
    if room is not None and "room_id" in arguments:
        changes["room_id"] = room_id(room.name)
    return changes or NOT_UNDERSTOOD


def _from_pairs(pairs: list[re.Match[str]], arguments: Mapping[str, Any]) -> Mapping[str, Any] | Text:
    changes: dict[str, Any] = {}
    for pair in pairs:
        name, value = pair["name"], pair["value"]
        try:
            changes[name] = _typed(value, arguments[name])
        except ValueError:
            return Text(f"“{name}”的值“{value}”不对。", f"{value!r} is no value for {name!r}.")
    return changes


def _typed(value: str, current: Any) -> Any:
    if isinstance(current, bool) or not isinstance(current, int | float | str):
        raise ValueError("this argument cannot be typed")
    if isinstance(current, int):
        return int(value)
    if isinstance(current, float):
        return float(value)
    before = _moment_or_none(current)
    if before is None:
        return value
    if re.fullmatch(r"\d{1,2}:\d{2}", value):
        hour, minute = value.split(":")
        return before.replace(hour=int(hour), minute=int(minute)).isoformat()
    moment = datetime.fromisoformat(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=before.tzinfo)).isoformat()


def _moment_or_none(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if "T" in value else None
    except ValueError:
        return None


def _times(plain: str, arguments: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    start, end = (datetime.fromisoformat(arguments[name]) for name in ("start", "end"))
    monday = now.date() - timedelta(days=now.weekday())
    found, _ = moments(plain, now=now, calendar=Calendar(term_start=monday, weeks=1, periods=()))
    day = next((moment.days[0] for moment in found if moment.said_day), start.date())
    timed = next((moment for moment in found if moment.timed and moment.grain == "minute"), None)
    length = _length(plain)
    if timed is None:
        if not length and day == start.date():
            return {}
        begins = datetime.combine(day, start.time(), start.tzinfo)
        return {"start": begins.isoformat(), "end": (begins + (length or end - start)).isoformat()}
    return _placed(timed, day, start, end, length)


def _placed(timed: Moment, day: date, start: datetime, end: datetime, length: timedelta | None) -> dict[str, Any]:
    def at(hour: time) -> datetime:
        return datetime.combine(day, hour, start.tzinfo)

    if timed.begin is None and timed.until is not None:
        return {"end": at(timed.until).isoformat()}
    if timed.role == "until" and timed.begin is not None and timed.until is None:
        return {"end": at(timed.begin).isoformat()}
    assert timed.begin is not None
    begins = at(timed.begin)
    ends = at(timed.until) if timed.until else begins + (length or end - start)
    return {"start": begins.isoformat(), "end": ends.isoformat()}


def _length(plain: str) -> timedelta | None:
    lengths = read_durations(plain)
    return timedelta(minutes=lengths[0].minutes) if lengths else None


def _people(plain: str, *, used: bool) -> dict[str, Any]:
    sizes = read_party_size(plain)
    if sizes:
        return {"party_size": sizes[0].high}
    bare = _BARE.match(plain)
    if bare and not used:
        try:
            return {"party_size": read_count(bare["n"])}
        except NotANumber:
            return {}
    return {}
