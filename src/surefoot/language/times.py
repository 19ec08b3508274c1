"""Reads the time expressions of a sentence against a calendar, Chinese and English."""

from dataclasses import replace
from datetime import datetime
from itertools import zip_longest

from surefoot.language import times_en, times_zh
from surefoot.language.calendar import Calendar, ImpossibleTime
from surefoot.language.expressions import TimeExpression, TimeProblem, TimeReading
from surefoot.language.holidays import holiday_rules
from surefoot.language.interpreting import interpret
from surefoot.language.meanings import CARRIED_DAYS, Meaning, Setting
from surefoot.language.merging import many_days
from surefoot.language.normalise import Language, Normalised, detect_language, normalise
from surefoot.language.phrases import Phrase, phrases
from surefoot.language.pieces import Mark
from surefoot.language.resolving import Days, resolve_day
from surefoot.language.scanning import ReadyRule, RuleTable, tokenise

_MOVES = frozenset("挪改调换推移提延")


def read_times(text: str, *, now: datetime, calendar: Calendar, lang: Language | None = None) -> TimeReading:
    """All time expressions in ``text``, in order, and the times in it that cannot exist.

    ``now`` must be aware; it is moved to the calendar's zone, in which all results are given. ``lang``
    sets whose rules lead and the language of ``reading`` (default: detected); English words are read
    inside Chinese too. A clock time without a day takes the day said nearest before it, else the one day
    that the text names by itself, else today (see ``TimeExpression.day``).
    Raises ValueError for a naive ``now``. What is impossible is a problem, never an exception.
    """
    if now.tzinfo is None:
        raise ValueError("now must carry a time zone")
    folded = normalise(text)
    language = lang or detect_language(folded.text)
    setting = Setting(now.astimezone(calendar.zone), calendar, language)
    tokens = tokenise(folded.text, _rules(language, calendar), setting.now, calendar)
    return _read(list(phrases(tokens)), setting, folded)


def _rules(language: Language, calendar: Calendar) -> RuleTable:
    # The calendar's own holidays come first: of two rules that read as much the first one wins.
    tables = [holiday_rules(calendar)]
    tables += [times_zh.rules(), times_en.inside_chinese()] if language == "zh" else [times_en.rules()]
    merged: dict[str, list[ReadyRule]] = {}
    for table in tables:
        for char, rules in table.items():
            merged.setdefault(char, []).extend(rules)
    return merged


def _read(found: list[Phrase], setting: Setting, folded: Normalised) -> TimeReading:
    expressions: list[TimeExpression] = []
    problems: list[TimeProblem] = []
    setting = replace(setting, days=_lone_day(found, setting))
    for phrase, following in zip_longest(found, found[1:]):
        span = folded.span(_first_of(phrase, setting), phrase.end)
        said = folded.original[span[0] : span[1]]
        here = replace(setting, text=said, moved=_is_moved(folded.text, phrase))
        try:
            meaning = interpret(phrase, _with_days_after(phrase, following, here, folded.text))
        except ImpossibleTime as error:
            problems.append(TimeProblem(span, said, error.code, error.zh, error.en))
            continue
        except OverflowError:
            problems.append(_outside(span, said))
            continue
        if meaning is not None:
            expressions.append(replace(meaning.expression, span=span))
            setting = _carry(setting, meaning)
    return TimeReading(tuple(expressions), tuple(problems))


def _with_days_after(phrase: Phrase, following: Phrase | None, setting: Setting, text: str) -> Setting:
    """ "2-4pm next week": days said right after a time that has none."""
    if following is None or phrase.left.day is not None or following.left.day is None:
        return setting
    if following.left.time or following.left.part or following.right or following.opening or following.closing:
        return setting
    between = text[phrase.end : following.start]
    if between.strip() not in ("", "on", "in", "of", "the", "during") or not many_days(following.left.day):
        return setting
    days = resolve_day(following.left.day, setting.today)
    return replace(setting, days=days) if days.until - days.first <= CARRIED_DAYS else setting


def _first_of(phrase: Phrase, setting: Setting) -> int:
    """ "change it to 8:30": the "to" bounds nothing there and is no part of the time; 到 does (学到十点)."""
    unbound = phrase.opening is Mark.TO and phrase.right is None and setting.language == "en"
    return phrase.left.start if unbound else phrase.start


def _outside(span: tuple[int, int], said: str) -> TimeProblem:
    return TimeProblem(span, said, "OUT_OF_RANGE", "这个时间超出了日历。", "That time lies outside the calendar.")


def _carry(setting: Setting, meaning: Meaning) -> Setting:
    if meaning.days is not None:
        return replace(setting, days=meaning.days, part=meaning.part)
    return replace(setting, part=meaning.part or setting.part)


def _lone_day(found: list[Phrase], setting: Setting) -> Days | None:
    """The day for clock times that come before any day (三点到五点我有安排吗，今天)."""
    lone: set[Days] = set()
    for phrase in found:
        day = phrase.left.day
        if day is None:
            continue
        if phrase.right or phrase.left.part or phrase.left.time or phrase.opening or phrase.closing:
            return None
        try:
            lone.add(resolve_day(day, setting.now.date()))
        except (ImpossibleTime, OverflowError):
            return None
    days = lone.pop() if len(lone) == 1 else None
    return days if days is not None and days.single and days.first >= setting.now.date() else None


def _is_moved(text: str, phrase: Phrase) -> bool:
    """Whether a time is moved from or to (从三点挪到四点), which makes its 从 or 到 no bound."""
    return text[phrase.start - 1 : phrase.start] in _MOVES or text[phrase.end : phrase.end + 1] in _MOVES
