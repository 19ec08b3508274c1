"""Joins tokens into phrases: which pieces say one moment, and which two moments bound a range.

No dates are worked out here; a phrase keeps the pieces as they were said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from surefoot.language.merging import many_days, merge_days
from surefoot.language.pieces import (
    Bad,
    CalendarDay,
    Clock,
    Day,
    DaySpan,
    Instant,
    Length,
    Mark,
    Number,
    Part,
    Periods,
    Token,
    Weekday,
)

_JOINING = (Mark.GLUE, Mark.HOUR, Mark.ABOUT)
_OPENING = {Mark.FROM, Mark.BETWEEN, Mark.BEFORE, Mark.AFTER, Mark.SINCE, Mark.UNTIL, Mark.TO, Mark.WITHIN,
            Mark.PAST, Mark.COMING, Mark.EVERY, Mark.ENDS_BEFORE, Mark.ENDS_AFTER}  # fmt: skip
_CLOSING = {Mark.INSIDE, Mark.ENDS_BEFORE, Mark.ENDS_AFTER, Mark.ENDS_SINCE, Mark.ENDS_BY,
            Mark.WITHIN}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """The pieces said about one moment; ``day_first`` tells 明天两点 from "2 pm tomorrow"."""

    start: int
    end: int
    day: Day | None = None
    part: Part | None = None
    time: Clock | Periods | Number | Instant | None = None
    length: Length | None = None
    bad: Bad | None = None
    about: bool = False
    day_first: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """One time expression as said: a moment, or two with what opens, joins and closes them."""

    start: int
    end: int
    left: Moment
    right: Moment | None = None
    opening: Mark | None = None
    closing: Mark | None = None
    length: Length | None = None  # said beside the moment: "from 3 pm for 2 hours"
    shift: Mark | None = None  # two days AFTER tomorrow: ``length`` moves the day


def phrases(tokens: Sequence[Token]) -> Iterator[Phrase]:
    """All phrases of a token sequence, in order; tokens that make no phrase are passed over."""
    at = 0
    while at < len(tokens):
        phrase, after = _phrase(tokens, at)
        if phrase is not None:
            yield phrase
        at = max(after, at + 1)


def _phrase(tokens: Sequence[Token], at: int) -> tuple[Phrase | None, int]:
    opening, start = None, at
    while at < len(tokens) and isinstance(tokens[at].value, Mark):
        if at > start and not _touch(tokens, at):
            return None, at
        mark = tokens[at].value
        if isinstance(mark, Mark) and mark in _OPENING:
            if opening not in (None, Mark.FROM, Mark.SINCE, Mark.WITHIN, Mark.ENDS_BEFORE, Mark.ENDS_AFTER):
                return None, at
            # "within the next 3 hours": the second word says which way
            opening = mark
        elif mark not in _JOINING:
            return None, at + 1
        at += 1
    if start < at < len(tokens) and not _touch(tokens, at):
        return None, at
    said_hour = any(token.value in _HOUR_WORDS for token in tokens[start:at])
    left, after = _moment(tokens, at, opening in _HOUR_OPENERS, said_hour)
    if left is None:
        return None, max(after, at)
    if any(token.value is Mark.ABOUT for token in tokens[start:at]):
        left = replace(left, about=True)
    if left.length is not None and opening is None:
        beside = _beside_length(tokens, start, after, left)
        if beside is not None:
            return beside
    if opening is None:
        opening, left, after = _inner_opening(tokens, after, left)
    return _continue(tokens, start, after, opening, left)


def _beside_length(tokens: Sequence[Token], start: int, at: int, left: Moment) -> tuple[Phrase, int] | None:
    """ "3 hours from 10 am" starts there; "two days after tomorrow" counts from there."""
    mark = _skip_glue(tokens, at)
    apart = _is(tokens, mark, Mark.COMMA)
    if apart:
        mark = _skip_glue(tokens, mark + 1)  # "for 3 days, from today"
    if not any(_is(tokens, mark, one) for one in (Mark.FROM, Mark.AFTER, Mark.BEFORE, Mark.SINCE)):
        return None
    inner, after = _moment(tokens, mark + 1, True)
    if inner is None or not _touch(tokens, mark + 1) or inner.length is not None:
        return None
    way = tokens[mark].value
    if way is Mark.FROM and (apart or _after_for(tokens, start)):
        way = Mark.SINCE  # "for 3 days from today" begins there; "3 days from today" is a day
    days = inner.day is not None and inner.time is None and inner.part is None
    first = _first_meaning(tokens, start)
    if days and left.length is not None and left.length.unit != "minute":
        inner = replace(inner, about=inner.about or left.about)
        phrase = Phrase(tokens[first].start, inner.end, inner, length=left.length, shift=way)  # type: ignore[arg-type]
        return phrase, after
    if way in (Mark.FROM, Mark.SINCE) and isinstance(inner.time, Clock | Number):
        return Phrase(tokens[first].start, inner.end, inner, opening=Mark.FROM, length=left.length), after
    return None


def _after_for(tokens: Sequence[Token], at: int) -> bool:
    while at > 0 and tokens[at - 1].value is Mark.GLUE:
        at -= 1
    return at > 0 and tokens[at - 1].value is Mark.FOR


_INNER = (Mark.FROM, Mark.BETWEEN, Mark.BEFORE, Mark.AFTER, Mark.SINCE, Mark.UNTIL)


def _inner_opening(tokens: Sequence[Token], at: int, left: Moment) -> tuple[Mark | None, Moment, int]:
    """ "tomorrow after 3", 明天从三点到五点: the day stands before the word that opens the time."""
    mark = _skip_glue(tokens, at)
    if left.day is None or left.time is not None or not any(_is(tokens, mark, one) for one in _INNER):
        return None, left, at
    inner, after = _moment(tokens, mark + 1, True)
    if inner is None or not _touch(tokens, mark + 1) or inner.day is not None or inner.length is not None:
        return None, left, at
    if many_days(left.day):
        return None, left, at
    if inner.part is not None and left.part is not None:
        return None, left, at
    joined = replace(
        left,
        end=inner.end,
        time=inner.time,
        part=inner.part or left.part,
        bad=left.bad or inner.bad,
        about=left.about or inner.about,
    )
    return tokens[mark].value, joined, after  # type: ignore[return-value]


def _continue(
    tokens: Sequence[Token], start: int, at: int, opening: Mark | None, left: Moment
) -> tuple[Phrase | None, int]:
    right, closing = None, None
    joint = _skip_glue(tokens, at)
    if _is_joint(tokens, joint):
        found, after = _moment(tokens, joint + 1, True)
        touching = joint + 1 < len(tokens) and _touch(tokens, joint + 1)
        if found is not None and touching and _ranges(tokens, joint, after, opening, left, found):
            right, at = found, after
    close = _skip_glue(tokens, at)
    mark = tokens[close].value if close < len(tokens) and _touch_all(tokens, at, close) else None
    if isinstance(mark, Mark) and mark in _CLOSING and (right is not None or mark is not Mark.INSIDE):
        closing, at = mark, close + 1
    length, at = _length_after(tokens, at, left, right, closing)
    first = _first_meaning(tokens, start)
    phrase = Phrase(tokens[first].start, tokens[at - 1].end, left, right, opening, closing, length)
    return phrase, at


def _length_after(
    tokens: Sequence[Token], at: int, left: Moment, right: Moment | None, closing: Mark | None
) -> tuple[Length | None, int]:
    """ "from 3 pm for 2 hours", 三点开始两小时: a length right after a point in time."""
    following = _skip_glue(tokens, at)
    if right is not None or not isinstance(left.time, Clock | Number) or following >= len(tokens):
        return None, at
    if _is(tokens, following, Mark.FOR):
        following = _skip_glue(tokens, following + 1)
    value = tokens[following].value if following < len(tokens) and _touch(tokens, following) else None
    apart = following > at or closing is Mark.ENDS_SINCE
    if not isinstance(value, Length) or not apart:
        return None, at
    return value, following + 1


def _ranges(tokens: Sequence[Token], joint: int, after: int, opening: Mark | None, left: Moment, right: Moment) -> bool:
    if not _comparable(left, right):
        return False
    if tokens[joint].value is not Mark.AND:
        return True
    return opening is Mark.BETWEEN or _is(tokens, _skip_glue(tokens, after), Mark.INSIDE)


def _comparable(left: Moment, right: Moment) -> bool:
    """Whether two moments can bound one range."""
    if right.length is not None or left.length is not None:
        return False
    if isinstance(left.time, Clock) and right.time is None and right.part is None and many_days(right.day):
        return False  # "3 pm - this week"
    if left.time is None and isinstance(right.time, Number):
        return isinstance(left.day, CalendarDay | DaySpan)
    # 上午到三点 says nothing about where it starts
    whole_part = left.part is not None and left.time is None
    return not (whole_part and isinstance(right.time, Clock) and right.part is None)


def _first_meaning(tokens: Sequence[Token], at: int) -> int:
    while tokens[at].value in _JOINING and tokens[at].value is not Mark.ABOUT:
        at += 1
    return at


def _touch(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].start == tokens[at - 1].end or tokens[at].start == tokens[at - 1].start


def _touch_all(tokens: Sequence[Token], first: int, last: int) -> bool:
    return all(_touch(tokens, at) for at in range(max(first, 1), last + 1))


def _is(tokens: Sequence[Token], at: int, mark: Mark) -> bool:
    return 0 < at < len(tokens) and tokens[at].value is mark and _touch(tokens, at)


def _is_joint(tokens: Sequence[Token], at: int) -> bool:
    return any(_is(tokens, at, mark) for mark in (Mark.TO, Mark.UNTIL, Mark.AND))


def _skip_glue(tokens: Sequence[Token], at: int) -> int:
    glue = (Mark.GLUE, Mark.ABOUT)
    while at < len(tokens) and tokens[at].value in glue and (at == 0 or _touch(tokens, at)):
        at += 1
    return at


def _moment(tokens: Sequence[Token], at: int, hour_next: bool, said_hour: bool = False) -> tuple[Moment | None, int]:
    """The moment that begins at ``at`` and the place after its last piece.

    ``hour_next``: a bare number that comes first may be an hour; ``said_hour``: it is one ("at 3").
    """
    moment: Moment | None = None
    after = at
    while at < len(tokens) and (moment is None or _touch(tokens, at)):
        value = tokens[at].value
        if isinstance(value, Mark):
            if value is Mark.COMMA and (moment is None or not _comma_joins(tokens, at, moment)):
                break
            if value not in _JOINING and value is not Mark.COMMA:
                break
            said_hour = said_hour or value in _HOUR_WORDS
            if value is Mark.ABOUT and moment is not None:
                moment = replace(moment, about=True)
        else:
            joined, following = _add_all(moment, tokens, at, said_hour, hour_next and moment is None)
            if joined is None:
                break
            moment, after, at = joined, following, following - 1
            said_hour = False
        at += 1
    return moment, at if moment is None else after


_HOUR_WORDS = (Mark.HOUR, Mark.ABOUT)
_HOUR_OPENERS = (Mark.FROM, Mark.BETWEEN, Mark.BEFORE, Mark.AFTER, Mark.SINCE, Mark.UNTIL, Mark.TO)


def _comma_joins(tokens: Sequence[Token], at: int, moment: Moment) -> bool:
    """A comma joins a date and its weekday, and in English ("Tuesday, Jan 15, 1 pm") a date and a time."""
    if at + 1 >= len(tokens) or not _touch(tokens, at + 1) or moment.day is None or moment.time is not None:
        return False
    following = tokens[at + 1].value
    if isinstance(following, Weekday | CalendarDay | DaySpan):
        return isinstance(moment.day, Weekday) != isinstance(following, Weekday) and moment.part is None
    return tokens[at].end - tokens[at].start == 2 and isinstance(following, Clock)


def _add_all(
    moment: Moment | None, tokens: Sequence[Token], at: int, said_hour: bool, hour_next: bool
) -> tuple[Moment | None, int]:
    """The moment with the piece at ``at``, or with all pieces that one word says (今晚), and what follows."""
    last = at
    while last + 1 < len(tokens) and tokens[last + 1].start == tokens[at].start:
        last += 1
    joined = moment
    for one in range(at, last + 1):
        joined = _add(joined, tokens[one], said_hour, hour_next or _range_follows(tokens, last))
        if joined is None:
            return None, at
    return joined, last + 1


def _range_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether the token at ``at`` begins a range: then a bare number may stand in it."""
    joint = _skip_glue(tokens, at + 1)
    if not _is_joint(tokens, joint):
        return False
    right = joint + 1
    while right < len(tokens) and tokens[right].value in _JOINING:
        right += 1
    return right < len(tokens) and isinstance(tokens[right].value, Number | Clock | Part | CalendarDay | DaySpan)


def _add(moment: Moment | None, token: Token, said_hour: bool, number_fits: bool) -> Moment | None:
    value = token.value
    base = moment or Moment(token.start, token.end)
    base = replace(base, end=token.end)
    if isinstance(value, Bad):
        return replace(base, bad=base.bad or value)
    if isinstance(value, Length):
        return replace(base, length=value) if moment is None else None
    if base.length is not None:
        return None
    if isinstance(value, Part | Clock | Periods | Instant) and many_days(base.day):
        return None  # 下周上午 says a time of each of those days
    if isinstance(value, Part):
        return replace(base, part=value) if base.part is None and not isinstance(base.time, Instant) else None
    if isinstance(value, Number):
        if base.time is not None or not (said_hour or number_fits) or many_days(base.day):
            return None
        return replace(base, time=Clock(value.value) if said_hour and not number_fits else value)
    if isinstance(value, Clock | Periods | Instant):
        return replace(base, time=value) if base.time is None else None
    return _add_day(base, value)  # type: ignore[arg-type]


def _add_day(base: Moment, day: Day) -> Moment | None:
    if base.day is None:
        timed = base.time is not None or base.part is not None
        if isinstance(base.time, Instant) or (timed and many_days(day) and not isinstance(base.time, Number)):
            return None
        return replace(base, day=day, day_first=not timed)
    if base.time is not None or base.part is not None:
        return None
    merged = merge_days(base.day, day)
    return None if merged is None else replace(base, day=merged)
