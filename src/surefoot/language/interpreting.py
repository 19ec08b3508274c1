"""Gives a phrase its meaning: one expression with its dates, or the problem that stands in its way."""

from surefoot.language.calendar import ImpossibleTime
from surefoot.language.clock_meanings import (
    from_now_meaning,
    open_range_meaning,
    point_meaning,
    range_meaning,
    stretch_meaning,
    until_now_meaning,
)
from surefoot.language.day_meanings import counted_meaning, day_range_meaning, days_meaning, length_meaning
from surefoot.language.expressions import Relation
from surefoot.language.meanings import Meaning, Setting
from surefoot.language.phrases import Moment, Phrase
from surefoot.language.pieces import Clock, Instant, Mark
from surefoot.language.settling import OPENS_AFTER, OPENS_BEFORE, settle

_ENDS_BEFORE = frozenset({Mark.ENDS_BEFORE, Mark.ENDS_BY})
_ENDS_AFTER = frozenset({Mark.ENDS_AFTER, Mark.ENDS_SINCE})


def interpret(phrase: Phrase, setting: Setting) -> Meaning | None:
    """The meaning of ``phrase``, or None when its numbers turn out to say no time. Raises ImpossibleTime."""
    for moment in (phrase.left, phrase.right):
        if moment is not None and moment.bad is not None:
            raise ImpossibleTime(moment.bad.code, moment.bad.zh, moment.bad.en)
    if phrase.opening is Mark.EVERY and setting.language == "en":
        return None  # "every Monday" says no one day
    if phrase.left.length is not None:
        return Meaning(length_meaning(phrase, phrase.left.length, setting))
    settled = settle(phrase)
    if settled is None:
        return None
    relation = _relation(settled, setting)
    if settled.right is not None:
        return _range(settled, settled.right, setting, relation)
    return _one(settled, setting, relation)


def _one(phrase: Phrase, setting: Setting, relation: Relation | None) -> Meaning | None:
    if phrase.shift is not None and phrase.length is not None:
        return counted_meaning(phrase, phrase.length, setting)
    if _is_plain_day(phrase.left):
        return days_meaning(phrase, setting, relation)
    if phrase.length is not None and isinstance(phrase.left.time, Clock):
        return stretch_meaning(phrase, phrase.length, setting)
    return point_meaning(phrase, setting, relation)


def _range(phrase: Phrase, right: Moment, setting: Setting, relation: Relation | None) -> Meaning | None:
    if isinstance(right.time, Instant):
        return until_now_meaning(phrase, right.time.at, setting)
    if isinstance(phrase.left.time, Instant) and _is_plain_day(right):
        return from_now_meaning(phrase.left.time.at, right, setting)
    if _is_plain_day(phrase.left):
        # "Monday to 3 pm" gives no start by the clock
        return day_range_meaning(phrase, right, setting, relation) if _is_plain_day(right) else None
    if _is_plain_day(right):
        return open_range_meaning(phrase, right, setting)
    return range_meaning(phrase, right, setting, relation)


def _relation(phrase: Phrase, setting: Setting) -> Relation | None:
    if phrase.closing in _ENDS_BEFORE:
        return "before"
    if phrase.closing in _ENDS_AFTER:
        return "after"
    if phrase.right is not None or setting.moved:
        return None
    if phrase.opening is Mark.TO and (setting.language == "en" or _is_plain_day(phrase.left)):
        return None
    if phrase.opening in OPENS_BEFORE:
        return "before"
    return "after" if phrase.opening in OPENS_AFTER else None


def _is_plain_day(moment: Moment) -> bool:
    return moment.time is None and moment.part is None
