"""Moments: the time expressions of a sentence in the form the reader works with."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import zip_longest

from surefoot.language import Calendar, TimeExpression, TimeProblem, read_party_size, read_times

_MAX_DAYS = 31
_CORRECTION = re.compile(
    r"^(?:的)?[，, ]{0,2}(?:不对?|不是|哦不|说错了?|不不|no|no wait|wait|sorry|actually|i mean|scratch that|"
    r"or rather)[，,. …—-]{0,4}(?:no|wait|i mean|actually|是|应该是|make it|make that)?[，, ]{0,2}$",
    re.IGNORECASE,
)
_NOT_THIS = re.compile(r"(?:不是|不要)$|(?<![a-z])not (?:on )?$", re.IGNORECASE)
_FINISH_AFTER = re.compile(
    r"^(?:多|左右|才|就|课|能|会)?(?:上|开|下)?(?:完|结束|下课|放学|散会?)(?!成)|^ (?:ends?|finish(?:es)?|is over)",
    re.IGNORECASE,
)
_FINISH_BEFORE = re.compile(
    r"(?:上完课|下课|放学|结束|开完会?|完事|忙完)(?:时间)?(?:是|在|到|大概|大约|"
    r"的时候)?$|(?:ends?|finish(?:es)?|over|done)(?: at| by|"
    r" around)? ?$",
    re.IGNORECASE,
)
_MOVED_TO = re.compile(
    r"(?:挪|改|换|调|移|推迟|提前|延后?|推|顺延)(?:到|至|成|为)?$|(?:move|"
    r"change|push|shift|reschedul)\w*[^,.]{0,30} to ?$",
    re.IGNORECASE,
)
_UNTIL_BEFORE = re.compile(
    r"(?:[^从]|^)(?:到|至)(?:晚上|下午|中午)?$|(?:until|till|til|up to|through) ?$", re.IGNORECASE
)
_UNTIL_SAID = re.compile(r"^(?:直?到|至|until|till|til) ?", re.IGNORECASE)
_LENGTH = re.compile(r"小时|分钟|半$")
_LEAVES = re.compile(r"^(?:左右|前|之前)?(?:走|离开|撤(?!销|了)|回宿舍|收工)")
_OPENS_SAID = re.compile(r"(?:开始|起)$|(?<![a-z])from ", re.IGNORECASE)
_FROM_AFTER = re.compile(r"^(?:开始|起|就能|起步)")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as said: on which days, from when, until when (local), and what kind of point it is.

    ``grain`` is minute, period, part or day (a day or longer). ``role`` is at, opens (三点起), from (after three),
    until or finish (the end of something else). ``said_day`` tells whether the day was spoken, ``free`` that the
    person said to be free then.
    """

    start: int
    end: int
    text: str
    days: tuple[date, ...]
    begin: time | None
    until: time | None
    grain: str
    role: str = "at"
    said_day: bool = True
    approx: bool = False
    past: bool = False
    free: bool = False

    @property
    def timed(self) -> bool:
        """Whether a time of day was said."""
        return self.begin is not None or self.until is not None

    @property
    def clocked(self) -> bool:
        """Whether it was said by the clock or by class periods."""
        return self.timed and self.grain in ("minute", "period")


def moments(text: str, *, now: datetime, calendar: Calendar) -> tuple[list[Moment], tuple[TimeProblem, ...]]:
    """Return the moments of ``text`` in order, corrected ones left out, and what cannot be a time."""
    reading = read_times(_without_heads(text), now=now, calendar=calendar)
    found = [moment for item in reading.expressions if (moment := _moment(item, text)) is not None]
    kept = [
        moment
        for moment, following in zip_longest(found, found[1:])
        if following is None or not _corrected(moment, following, text)
    ]
    rescued = [day for problem in reading.problems if (day := _day_of(problem, now, calendar)) is not None]
    return sorted([*kept, *rescued], key=lambda moment: moment.start), reading.problems


def _without_heads(text: str) -> str:
    """Blank out English counts of people: "a room for five tomorrow" is no five o'clock. Positions stay the same."""
    for size in read_party_size(text):
        if size.text.isascii():
            text = text[: size.start] + "_" * (size.end - size.start) + text[size.end :]
    return text


def _day_of(problem: TimeProblem, now: datetime, calendar: Calendar) -> Moment | None:
    """明天25点: the hour cannot be, the day can. Return the day with which an impossible time begins."""
    start = problem.span[0]
    for cut in range(len(problem.text) - 1, 0, -1):
        reading = read_times(problem.text[:cut], now=now, calendar=calendar)
        if reading.problems or not reading.expressions:
            continue
        moment = _moment(reading.expressions[0], problem.text)
        if moment is not None and moment.said_day:
            return replace(
                moment, start=start + moment.start, end=start + moment.end, begin=None, until=None, grain="day"
            )
    return None


def _corrected(moment: Moment, following: Moment, text: str) -> bool:
    """Whether a moment is taken back by the next one: 明天不，后天 / 不是明天，是后天 / Thursday, I mean Friday."""
    between = text[moment.end : following.start]
    taken_back = len(between) <= 6 and _NOT_THIS.search(text[max(0, moment.start - 6) : moment.start]) is not None
    return taken_back or _CORRECTION.match(between) is not None


def _moment(item: TimeExpression, text: str) -> Moment | None:
    if item.kind in ("duration", "yearrange") or (item.start is None and item.end is None):
        return None
    start, end = item.span
    offset = item.text.startswith("后") and item.granularity == "minute" and _LENGTH.search(item.text)
    if offset and text[start - 1 : start] in ("课", "会", "饭"):
        return None  # 课后一小时 is no hour from now
    whole_days = item.kind in ("date", "daterange")
    role = _role(item, text[max(0, start - 30) : start], text[end : end + 6])
    opening, closing = item.start, item.end
    if role == "at" and opening is None:
        opening, closing = closing, None
    return Moment(
        start=start,
        end=end,
        text=item.text,
        days=_days(item),
        begin=None if whole_days or opening is None else opening.time(),
        until=None if whole_days or closing is None else _closing(closing),
        grain="day" if whole_days else item.granularity,
        role=role,
        said_day=item.day == "said",
        approx=item.approx,
        past=item.past,
    )


def _closing(end: datetime) -> time:
    return time(23, 59) if end.time() == time(0) else end.time()


def _role(item: TimeExpression, before: str, after: str) -> str:
    if _MOVED_TO.search(before):
        return "at"
    if item.start is None or _UNTIL_SAID.match(item.text) or _UNTIL_BEFORE.search(before):
        return "until"
    if _LEAVES.match(after):
        return "until"
    if _FINISH_AFTER.match(after) or _FINISH_BEFORE.search(before):
        return "finish"
    if _FROM_AFTER.match(after) or _OPENS_SAID.search(item.text):
        return "opens"
    if item.relation == "after":
        return "from"
    return "at"


def _days(item: TimeExpression) -> tuple[date, ...]:
    edge = item.start or item.end
    assert edge is not None
    if item.kind != "daterange" or item.start is None or item.end is None:
        return (edge.date(),)
    count = (item.end.date() - item.start.date()).days
    return tuple(item.start.date() + timedelta(days=n) for n in range(min(max(count, 1), _MAX_DAYS)))
