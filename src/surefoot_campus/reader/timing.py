"""Timing: which moment belongs to the room, to the meal, to an existing booking, or to nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from surefoot_campus.reader.acts import Acts
from surefoot_campus.reader.clauses import Clause
from surefoot_campus.reader.moments import Moment
from surefoot_campus.reader.reading import Found, Span

_LIST_GAP = 3
_RANK = {"minute": 3, "period": 3, "part": 2}
_TO_MEAL = re.compile(
    r"到[吃]?(?:[午晚早中]饭|[早午晚]餐|饭点)|(?:until|till) (?:lunch|dinner|breakfast)", re.IGNORECASE
)
_REFERENCE = re.compile(
    r"^[^，,。；]{0,4}?(?:之前)?(?:我)?(?:订|约|定|预约|预订)?(?:了)?(?:的)?(?:那个|那间|那场|那次|这个|研讨间|自习室|房间?|预约|预订|位置|讨论室|会议室|one|booking|reservation|room|slot)",
    re.IGNORECASE,
)
_BUSY = re.compile(r"(?<!没)(?<!没有)有课(?!吗|没|么)|要上课|满课|(?:have|got) (?:a )?class", re.IGNORECASE)
_REFERENCE_LISTED = re.compile(r"^[^，,。；]{0,4}?(?:订|约|定)(?:了)?的(?:那|研|自|房|预|位|会|讨)")
_STAY = re.compile(r"[学呆待练用看做坐习写]$|(?:study|stay|work) $", re.IGNORECASE)
_MEAL_AHEAD = re.compile(r"^[^，,。]{0,8}(?:吃|饭|餐)|^[^,.]{0,12}(?:lunch|dinner|eat|meal|breakfast)", re.IGNORECASE)
_NEXT_CLASS = re.compile(
    r"下一?节课?(?!教室|的教室)|还剩|还有几节|(?:next|remaining) (?:class|lecture|course)|any more class", re.IGNORECASE
)
_CLASS_PLACE = re.compile(r"下一?节课的?教室")


@dataclass
class Timing:
    """Moments by what they are for, while a sentence is being read."""

    room: list[Moment] = field(default_factory=list)
    meal: list[Moment] = field(default_factory=list)
    booking: list[Moment] = field(default_factory=list)
    until_meal: bool = False
    reference: Span | None = None


def sort_out(
    text: str, clauses: Sequence[Clause], acts: Sequence[Acts], found: Sequence[Moment], *, second_at: int | None = None
) -> Timing:
    """Give each moment to what it belongs to. Moments of background clauses belong to nothing.

    ``second_at`` is the clause of a second, separate room need; its moments are left out.
    """
    timing = Timing()
    has_room = any(act.room or act.book for act in acts)
    has_meal = any(act.meal for act in acts)
    manages = any(act.cancel or act.move for act in acts)
    before = ""
    for index, (clause, act) in enumerate(zip(clauses, acts, strict=True)):
        purpose = _purpose(index, acts, before, has_room=has_room, has_meal=has_meal)
        for moment in found:
            if clause.holds(moment.start) and index != second_at:
                if act.schedule and not (act.room or act.book):
                    # a span said to be free is where the room may lie, not when it is wanted
                    moment = replace(moment, free=True)
                    if _BUSY.search(clause.text) and not act.asked and moment.timed:
                        moment = replace(moment, role="finish")
                _give(timing, moment, text, clause, act, purpose, manages=manages)
        if _TO_MEAL.search(clause.text):
            timing.until_meal = True
        before = purpose if not act.silent else before
    _finish_events(timing)
    return timing


def _purpose(index: int, acts: Sequence[Acts], before: str, *, has_room: bool, has_meal: bool) -> str:
    act = acts[index]
    if act.background:
        return "background"
    if act.cancel or (act.move and not act.room):
        return "booking"
    if act.meal and not (act.room or act.book):
        return "meal" if has_room else "room"
    if act.room or act.book or act.listing:
        return "room"
    if act.schedule and has_meal and _next_act(acts, index) == "meal":
        return "meal" if has_room else "room"
    if act.silent and before in ("meal", "booking") and not (before == "booking" and has_room):
        return before
    return "room"


def _next_act(acts: Sequence[Acts], index: int) -> str:
    for act in acts[index + 1 :]:
        if act.meal and not (act.room or act.book):
            return "meal"
        if act.room or act.book:
            return "room"
    return ""


def _give(timing: Timing, moment: Moment, text: str, clause: Clause, act: Acts, purpose: str, *, manages: bool) -> None:
    after = text[moment.end : clause.end]
    if purpose == "background":
        return
    pattern = _REFERENCE if manages else _REFERENCE_LISTED
    if (manages or act.listing) and pattern.match(after) and not act.book and not (act.move and timing.booking):
        timing.reference = timing.reference or (moment.start, _reference_end(text, moment, after))
        timing.booking.append(moment)
        return
    if purpose == "booking":
        (timing.room if act.move and timing.booking else timing.booking).append(moment)
        return
    ahead = act.meal and _MEAL_AHEAD.match(after) and (act.room or act.book)
    if purpose != "meal" and not ahead:
        timing.room.append(moment)
        return
    if moment.role == "until" and _STAY.search(text[max(0, moment.start - 6) : moment.start]):
        # 学到十点去吃早餐: the room until ten, the meal from ten
        timing.room.append(moment)
        moment = replace(moment, role="at", begin=moment.until, until=None)
    timing.meal.append(moment)


def _reference_end(text: str, moment: Moment, after: str) -> int:
    match = _REFERENCE.match(after)
    return moment.end + (match.end() if match else 0)


def _finish_events(timing: Timing) -> None:
    """三点开会，四点完: only the end of the event matters; what happens before it is background."""
    ends = [n for n, moment in enumerate(timing.room) if moment.role == "finish" and moment.clocked]
    if ends:
        earlier = timing.room[: ends[0]]
        kept = [replace(m, begin=None, until=None, grain="day") for m in earlier if m.said_day]
        timing.room = kept + timing.room[ends[0] :]


@dataclass(frozen=True, slots=True)
class Window:
    """What a list of moments comes to: days, begin and end of the window, how it was meant."""

    days: tuple[date, ...] = ()
    begin: time | None = None
    until: time | None = None
    kind: str = "window"
    span: Span | None = None
    day_span: Span | None = None
    clocked: bool = False
    periods: bool = False
    past: bool = False


def window_of(found: Sequence[Moment], now: datetime, *, assume_day: bool = True) -> Window:
    """Merge moments into one window. What is said by the clock or by periods beats a part of the day.

    A time without a day is taken to be today's unless ``assume_day`` is false.
    """
    days = _days(found, now, assume=assume_day)
    begin, until, kind, rank = None, None, "window", 0
    clocked = periods = past = False
    span: Span | None = None
    for moment in found:
        if not moment.timed:
            continue
        here = _RANK.get(moment.grain, 1)
        span = span or (moment.start, moment.end)
        clocked |= moment.clocked
        periods |= moment.grain == "period"
        past |= moment.past
        if moment.role == "finish":
            begin, kind, rank = moment.until or moment.begin, "after", 3
        elif moment.role == "until":
            until = moment.until or moment.begin
            kind = "window" if begin else "before"
        elif moment.begin is not None and moment.until is not None:
            if here > rank:
                begin, until, rank = moment.begin, moment.until, here
                kind = "exact" if here == 3 and not moment.free else "window"
        elif here > rank or begin is None:
            begin, rank = moment.begin or begin, here
            until = until if until and begin and until > begin and kind == "before" else None
            kind = {"from": "after", "opens": "opens"}.get(moment.role, "exact")
    if begin is not None and until is not None and until <= begin and until.hour < 12:
        # "from 4 pm till 8": the later hour of the two that the clock shows
        until = until.replace(hour=until.hour + 12) if until.replace(hour=until.hour + 12) > begin else until
    named = next(((m.start, m.end) for m in found if m.said_day), None)
    return Window(days, begin, until, kind, span, named, clocked, periods, past)


def _days(found: Sequence[Moment], now: datetime, *, assume: bool) -> tuple[date, ...]:
    said = [moment for moment in found if moment.said_day]
    ranges = [moment for moment in said if len(moment.days) > 1]
    singles = [moment.days[0] for moment in said if len(moment.days) == 1]
    with_time = [moment.days[0] for moment in said if len(moment.days) == 1 and moment.timed]
    if singles:
        # 明天要交作业，今晚自习: the day that was said together with a time is the day wanted
        return tuple(dict.fromkeys(day for day in singles if not with_time or day in with_time or _listed(day, said)))
    if ranges:
        today = now.date()
        return tuple(day for day in ranges[0].days if day >= today) or ranges[0].days
    timed = [moment.days[0] for moment in found if moment.timed and assume]
    return tuple(timed[:1])


def _listed(day: date, said: Sequence[Moment]) -> bool:
    """Whether a bare day stands right before one with a time (周三或者周四下午), so that both are meant."""
    bare = [moment for moment in said if moment.days == (day,) and not moment.timed]
    return any(0 <= other.start - moment.end <= _LIST_GAP for moment in bare for other in said if other.timed)


def day_slots(window: Window) -> dict[str, Found]:
    """Return ``date`` for one day or ``dates`` for several."""
    if not window.days:
        return {}
    if len(window.days) == 1:
        return {"date": Found(window.days[0].isoformat(), window.day_span or window.span)}
    return {"dates": Found([day.isoformat() for day in window.days], window.day_span or window.span)}


def time_slots(window: Window, duration_min: int | None) -> dict[str, Found]:
    """Return start, end and time_kind. An exact start with a length has an end."""
    until, kind = window.until, window.kind
    if kind == "opens":
        kind = "exact" if duration_min else "after"
    if until is None and window.begin and duration_min and kind == "exact":
        until = later(window.begin, duration_min)
    slots: dict[str, Found] = {}
    if window.begin is not None:
        slots["start"] = Found(clock(window.begin), window.span)
    if until is not None:
        slots["end"] = Found(clock(until), window.span)
    if slots:
        slots["time_kind"] = Found(kind, window.span)
    return slots


def asks_from_now(text: str) -> bool:
    """Return whether a question about classes starts now (the next class, what is left today)."""
    return _NEXT_CLASS.search(_CLASS_PLACE.sub("", text)) is not None


def clock(value: time) -> str:
    """Return ``HH:MM``."""
    return value.strftime("%H:%M")


def later(value: time, minutes: int) -> time | None:
    """Return the time of day ``minutes`` later, or ``None`` past midnight."""
    total = value.hour * 60 + value.minute + minutes
    return None if total >= 24 * 60 else time(total // 60, total % 60)


def hours_between(begin: str, until: str) -> int:
    """Return the minutes between two ``HH:MM``."""
    first, last = (timedelta(hours=int(at[:2]), minutes=int(at[3:])) for at in (begin, until))
    return int((last - first).total_seconds() // 60)
