"""Settles what a phrase leaves to its neighbours: bare numbers become hours, days or periods, and noon
becomes twelve sharp where it bounds something."""

from dataclasses import replace

from surefoot.language.phrases import Moment, Phrase
from surefoot.language.pieces import CalendarDay, Clock, Mark, Number, Part, Periods

OPENS_BEFORE = frozenset({Mark.BEFORE, Mark.UNTIL, Mark.TO})
OPENS_AFTER = frozenset({Mark.AFTER, Mark.SINCE, Mark.FROM})
OPENS_AN_HOUR = frozenset({Mark.BEFORE, Mark.AFTER, Mark.SINCE, Mark.UNTIL, Mark.FROM, Mark.BETWEEN})


def settle(phrase: Phrase) -> Phrase | None:
    """The phrase without bare numbers, or None when they turn out to say no time."""
    settled = _numbers(phrase)
    return None if settled is None else _noon_is_an_hour(settled)


def _numbers(phrase: Phrase) -> Phrase | None:
    """Makes bare numbers hours, days or periods as their neighbours demand; None when they are neither."""
    left, right = phrase.left, phrase.right
    if right is None:
        if not isinstance(left.time, Number):
            return phrase
        return replace(phrase, left=_as_hour(left, left.time)) if phrase.opening in OPENS_AN_HOUR else None
    if isinstance(left.time, Number) and isinstance(right.time, Number):
        return _settle_both(phrase, left.time, right, right.time)
    if isinstance(left.time, Number):
        return _settle_left(phrase, left.time, right)
    if isinstance(right.time, Number):
        return _settle_right(phrase, right, right.time)
    return phrase


def _settle_both(phrase: Phrase, first: Number, right: Moment, second: Number) -> Phrase | None:
    left = phrase.left
    if not (phrase.opening in OPENS_AN_HOUR or left.day or left.part or right.day or right.part):
        return None
    if isinstance(left.day, CalendarDay) and left.day.day is None and left.day.month and right.day is None:
        right = _as_day(right, second, left.day)
        return replace(phrase, left=_as_day(left, first, left.day), right=right)
    month = right.day
    if isinstance(month, CalendarDay) and month.day is None and month.month and left.day is None:
        # from 4 to 23 next month
        return replace(phrase, left=_as_day(left, first, month), right=_as_day(right, second, month))
    return replace(phrase, left=_as_hour(left, first), right=_as_hour(right, second))


def _settle_left(phrase: Phrase, number: Number, right: Moment) -> Phrase:
    left = phrase.left
    if isinstance(right.time, Periods):
        left = replace(left, time=Periods(number.value, number.value))
    elif isinstance(right.day, CalendarDay) and right.time is None and left.day is None:
        left = _as_day(left, number, right.day)
    else:
        left = _as_hour(left, number)
    return replace(phrase, left=left)


def _settle_right(phrase: Phrase, right: Moment, number: Number) -> Phrase:
    left = phrase.left
    if isinstance(left.time, Periods):
        right = replace(right, time=Periods(number.value, number.value))
    elif left.time is None and isinstance(left.day, CalendarDay) and left.day.day is not None:
        right = _as_day(right, number, CalendarDay())
    elif left.time is None and isinstance(left.day, CalendarDay) and left.day.month is None:
        return replace(phrase, right=None, end=left.end)
    else:
        right = _as_hour(right, number)
    return replace(phrase, right=right)


def _as_hour(moment: Moment, number: Number) -> Moment:
    return replace(moment, time=Clock(number.value))


def _as_day(moment: Moment, number: Number, month: CalendarDay) -> Moment:
    return replace(moment, time=None, day=replace(month, day=number.value))


def _noon_is_an_hour(phrase: Phrase) -> Phrase:
    """ "before noon" and "from noon to 2" mean twelve sharp; "at noon" alone may be the window."""
    related = phrase.right is not None or phrase.opening in OPENS_BEFORE | OPENS_AFTER or phrase.closing is not None
    if not related:
        return phrase

    def sharpen(moment: Moment) -> Moment:
        if moment.part == Part("noon") and moment.time is None:
            return replace(moment, part=None, time=Clock(12))
        return moment

    right = None if phrase.right is None else sharpen(phrase.right)
    return replace(phrase, left=sharpen(phrase.left), right=right)
