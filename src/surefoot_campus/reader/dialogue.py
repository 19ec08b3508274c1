"""Dialogue: what a further sentence does to the reading so far. A tweak keeps what was said; a new task does not."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from surefoot.language import Calendar, NotANumber, normalise, read_count
from surefoot_campus.reader.answers import merged, read_reply
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.essentials import missing
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Found, Reading
from surefoot_campus.reader.timing import clock
from surefoot_campus.reader.typos import repaired

_ROOM, _MEAL, _MANAGE = {"find_room", "book_room"}, {"recommend_canteen"}, {"cancel_booking", "list_bookings"}
_ALONE = {"refuse", "static_answer", "handoff"}
_ORDER = ("query_schedule", "find_room", "book_room", "recommend_canteen", "list_bookings", "cancel_booking")
_N = r"(\d{1,2}|[一二两三四五六七八九十俩仨]|one|two|three|an?)"
_MORE = re.compile(rf"(?:再|又|多|还)(?:来|加|叫)(?:了)?{_N}(?:个|人|位)?|{_N} more", re.IGNORECASE)
_FEWER = re.compile(
    rf"(?:那|少|有)(?:了|来)?{_N}(?:个|人|位)?(?:不来|来不了|去不了|不去)|"
    r"少(?:了|来){_N}(?:个|人)|{_N} (?:less|fewer|dropped out|"
    rf"can't come)",
    re.IGNORECASE,
)
_NOT_SIZE = re.compile(r"(?:人|人数)(?:数)?(?:不是|不对|没有)|not \d+ (?:people|of us)", re.IGNORECASE)
_WEEKDAYS = re.compile(
    r"^(?:周|星期|礼拜)?(?P<days>[一二三四五六日天](?:[、, ]?(?:周|"
    r"星期)?[一二三四五六日天]){1,6})(?:吧|就行|这几天|[,。.! ]|$)"
)
_MAKE_IT = re.compile(
    r"(?:make it|改成|改为|总共|那就)(?: ?是)? ?(?P<n>\d{1,2}|"
    r"[一二两三四五六七八九十]{1,2})(?! ?(?:点|:|pm|am|小时|hour|分|min|号|月|节))",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"(?:第(?P<zh>[一二三四五\d])[个间家]|"
    r"(?<![a-z])(?:the )?(?P<en>first|second|third|fourth|last) (?:one|room|option))",
    re.IGNORECASE,
)
_RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence is read against."""

    now: datetime
    calendar: Calendar
    places: Places


def follow(earlier: Sequence[Reading], words: str, scene: Scene, *, said_before: str = "") -> tuple[Reading, bool]:
    """Return the reading after one more sentence, and whether it starts (or resumes) another task.

    ``earlier`` are the readings after each former sentence, newest last; ``said_before`` is what the assistant
    said just before, needed to read "yes" and "no".
    """
    fresh = read(words, scene.now, scene.calendar, scene.places)
    if says("start_over", fresh.text):
        return Reading(fresh.text), True
    liked = _preferences(earlier)
    if says("remember", fresh.text) and set(fresh.tasks) <= {"recommend_canteen", "out_of_scope"}:
        return Reading(fresh.text, (), {k: v for k, v in fresh.slots.items() if k in _TASTES}), True
    before = earlier[-1] if earlier else None
    if before is None or not before.tasks or before.tasks[0] in _ALONE | {"out_of_scope"}:
        return _with(fresh, liked), True
    if says("resume", fresh.text):
        return _resumed(earlier, fresh, words, scene), True
    if _is_new(before, fresh):
        return _with(fresh, liked), True
    return _tweaked(before, fresh, words, scene, said_before), False


_TASTES = ("taste", "taste_not", "diet", "price_max")


def _preferences(earlier: Sequence[Reading]) -> dict[str, Found]:
    liked: dict[str, Found] = {}
    for reading in earlier:
        if not reading.tasks:
            liked |= {name: found for name, found in reading.slots.items() if name in _TASTES}
    return liked


def _with(fresh: Reading, liked: Mapping[str, Found]) -> Reading:
    return replace(fresh, slots={**liked, **fresh.slots}) if _MEAL & set(fresh.tasks) and liked else fresh


def _tasks(reading: Reading) -> tuple[str, ...]:
    return reading.intended if reading.tasks == ("clarify",) else reading.tasks


def _is_new(before: Reading, fresh: Reading) -> bool:
    """Whether the sentence starts another task: it asks for another kind of thing and does not go on from before."""
    tasks = set(_tasks(fresh))
    if tasks & _ALONE:
        return True
    if not tasks - {"out_of_scope"} or says("rejects", fresh.text):
        return False
    known = set(_tasks(before))
    if tasks & known:
        return False
    if says("set_aside", fresh.text):
        return True
    same = any(tasks & kind and known & kind for kind in (_ROOM, _MEAL, _MANAGE))
    return not same and not says("goes_on", fresh.text) and not _is_wish(fresh, known)


def _is_wish(fresh: Reading, known: set[str]) -> bool:
    """A bare wish (halal, projector) reads as a task of its own but belongs to the one at hand."""
    timed = {"date", "dates", "start"} & fresh.slots.keys()
    return not timed and bool(
        (known & _MEAL and set(fresh.tasks) <= _MEAL) or (known & _ROOM and set(fresh.tasks) <= _ROOM)
    )


def _resumed(earlier: Sequence[Reading], fresh: Reading, words: str, scene: Scene) -> Reading:
    kind = _MEAL if set(_tasks(fresh)) & _MEAL else _ROOM
    current = set(_tasks(earlier[-1]))
    for reading in reversed(earlier):
        if set(_tasks(reading)) & kind and not current & kind:
            return _tweaked(reading, fresh, words, scene, "")
    return _tweaked(earlier[-1], fresh, words, scene, "")


def _tweaked(before: Reading, fresh: Reading, words: str, scene: Scene, said_before: str) -> Reading:
    plain = repaired(normalise(words[:400]).text)
    if says("rejects", plain) and said_before:
        return before
    asked = before.clarify[0] if before.clarify else "party_size"
    found = _fragment(before, plain, asked, scene)
    if says("agrees", plain) and said_before:
        found = read_reply(asked, said_before, now=scene.now, calendar=scene.calendar, places=scene.places) | found
    wanted = (*_tasks(fresh), "book_room") if says("confirm_first_to_book", plain) else _tasks(fresh)
    tasks = _joined(_tasks(before), wanted)
    slots = merged(before, _in_context(before, found)).slots
    slots = _sized(dict(slots), plain)
    slots = _days(dict(slots), before, plain, scene.now)
    open_size = says("undecided_size", plain) or _NOT_SIZE.search(plain) is not None
    if open_size:
        slots = {name: value for name, value in slots.items() if name != "party_size"}
    still_open = open_size or ("party_size" in before.clarify and "party_size" not in slots)
    rank = _RANK.search(plain)
    if rank:
        slots = {**slots, "choice": Found(_RANKS.get((rank["en"] or "").lower()) or read_count(rank["zh"] or "1"))}
    state = replace(
        before, text=before.text, tasks=tasks, intended=(), clarify=(), slots=slots, problem=None, day_problem=False,
        confirm_first=before.confirm_first or says("confirm_first", plain),
        free_start=before.free_start or fresh.free_start,
    )  # fmt: skip
    return _asked(missing(state), still_open=still_open)


def _asked(state: Reading, *, still_open: bool) -> Reading:
    return replace(state, clarify=(*state.clarify, "party_size")) if still_open else state


def _joined(before: tuple[str, ...], fresh: tuple[str, ...]) -> tuple[str, ...]:
    new = [task for task in fresh if task in _ORDER and task not in before]
    if "cancel_booking" in before or not new:
        return before
    if "recommend_canteen" in new and "find_room" not in before:
        return (*before, *new)
    rest = [task for task in (*before, *new) if task != "recommend_canteen"]
    meal = ["recommend_canteen"] if "recommend_canteen" in (*before, *new) else []
    return (*sorted(rest, key=_ORDER.index), *meal)


def _fragment(before: Reading, plain: str, asked: str, scene: Scene) -> dict[str, Found]:
    found = read_reply(asked, plain, now=scene.now, calendar=scene.calendar, places=scene.places)
    if set(_tasks(before)) & _MANAGE:
        kept = {name: value for name, value in found.items() if name in ("date", "start", "end", "time_kind")}
        reference = _reference(plain, kept)
        return kept | ({"booking_ref": reference} if reference else {})
    if any(pattern.search(plain) for pattern in (_NOT_SIZE, _MORE, _FEWER)) or says("undecided_size", plain):
        found.pop("party_size", None)
    exact = _MAKE_IT.search(plain)
    if exact:
        found["party_size"] = Found(_count(exact["n"]), exact.span("n"))
    for name in ("equipment", "diet"):
        if name in found and name in before.slots:
            both = dict.fromkeys([*before.slots[name].value, *found[name].value])
            found[name] = replace(found[name], value=list(both))
    return found


def _reference(plain: str, found: Mapping[str, Found]) -> Found | None:
    span = found["date"].span if "date" in found else None
    return Found(plain[slice(*span)], span) if span else None


def _in_context(before: Reading, found: dict[str, Found]) -> dict[str, Found]:
    """ "7 to 9" after "tonight" is this evening: clock times move into the window that was said before."""
    first, last = before.value("start"), before.value("end")
    if "start" not in found or not first or not last or before.value("time_kind") != "window":
        return found
    shifted = {name: _half_day_later(found[name].value) for name in ("start", "end") if name in found}
    inside = found["start"].value >= first and found["start"].value < last
    if inside or not all(shifted.values()) or not first <= str(shifted["start"]) < last:
        return found
    return {**found, **{name: replace(found[name], value=value) for name, value in shifted.items()}}


def _half_day_later(value: str) -> str | None:
    at = time.fromisoformat(value)
    return clock(at.replace(hour=at.hour + 12)) if at.hour < 12 else None


def _sized(slots: dict[str, Found], plain: str) -> dict[str, Found]:
    """再来一个, 那俩不来了: the number of people changes by so many."""
    if "party_size" not in slots:
        return slots
    for pattern, sign in ((_FEWER, -1), (_MORE, 1)):
        match = pattern.search(plain)
        if match and not _MAKE_IT.search(plain):
            by = next(value for value in match.groups() if value)
            slots["party_size"] = replace(slots["party_size"], value=slots["party_size"].value + sign * _count(by))
            return slots
    return slots


def _count(words: str) -> int:
    try:
        return read_count(words)
    except NotANumber:
        return 1


def _days(slots: dict[str, Found], before: Reading, plain: str, now: datetime) -> dict[str, Found]:
    """二四五吧 names weekdays; 周五那天不要了 drops one of several days."""
    listed = _WEEKDAYS.match(plain)
    if listed and "date" in before.clarify:
        numbers = [
            "一二三四五六日".index(char.replace("天", "日"))
            for char in re.findall(r"[一二三四五六日天]", listed["days"])
        ]
        today = now.date()
        days = sorted(today + timedelta(days=(number - today.weekday()) % 7) for number in numbers)
        return _with_days(slots, [day.isoformat() for day in days])
    if "dates" in before.slots and says("drops_day", plain) and "date" in slots:
        gone = slots["date"].value
        return _with_days(slots, [day for day in before.value("dates") if day != gone])
    return slots


def _with_days(slots: dict[str, Found], days: list[str]) -> dict[str, Found]:
    rest = {name: value for name, value in slots.items() if name not in ("date", "dates")}
    return {**rest, **({"dates": Found(days)} if len(days) > 1 else {"date": Found(days[0])} if days else {})}
