"""What a phrase's meaning is made of: where it stands, what it says, and what it leaves to those after it."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from surefoot.language.bounds import Bounds, bounds_of
from surefoot.language.calendar import Calendar, ImpossibleTime
from surefoot.language.expressions import DaySource, Kind, Relation, TimeExpression
from surefoot.language.normalise import Language
from surefoot.language.phrases import Moment, Phrase
from surefoot.language.pieces import Grain
from surefoot.language.resolving import Days, moment_of, resolve_day
from surefoot.language.wording import clock_words, moment_words, reading_words

CARRIED_DAYS = timedelta(days=31)  # a longer range does not say which days


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds where a phrase stands: now, the calendar, the language, and the days and part of the day
    that earlier expressions left behind. ``text``: what the phrase covers. ``moved``: its time is moved to
    or from (从三点挪到四点)."""

    now: datetime
    calendar: Calendar
    language: Language
    text: str = ""
    days: Days | None = None
    part: str | None = None
    moved: bool = False

    @property
    def today(self) -> date:
        """The day that now lies on."""
        return self.now.date()

    def midnight(self, day: date) -> datetime:
        """The start of a day."""
        return moment_of(day, timedelta(), self.calendar)

    def at(self, day: date, offset: timedelta) -> datetime:
        """A time of a day, by its offset from midnight."""
        return moment_of(day, offset, self.calendar)

    def day_words(self, day: date) -> str:
        """A day in words."""
        return moment_words(self.midnight(day), self.language, True)


@dataclass(frozen=True, slots=True)
class Meaning:
    """An expression, and the days and part of the day it leaves behind."""

    expression: TimeExpression
    days: Days | None = None
    part: str | None = None


def told(
    setting: Setting,
    kind: Kind,
    start: datetime | None,
    end: datetime | None,
    grain: Grain,
    relation: Relation | None,
    source: DaySource = "said",
    others: tuple[str, ...] = (),
    approx: bool = False,
) -> TimeExpression:
    """An expression whose span is still to be filled in."""
    past = relation == "at" and start is not None and start < setting.now
    if end is not None:
        past = end <= setting.now
    reading = reading_words(start, end, grain, relation, setting.language)
    return TimeExpression(
        (0, 0), setting.text, kind, start, end, grain, reading, approx, relation, others, past, source
    )


def said_days(phrase: Phrase, setting: Setting) -> tuple[Days, DaySource]:
    """The day that a phrase with a time of day is about, and where it comes from."""
    if phrase.left.day is not None:
        return resolve_day(phrase.left.day, setting.today), "said"
    if setting.days is None:
        return one_day(setting.today), "assumed"
    if setting.days.single:
        return setting.days, "carried"
    first = max(setting.days.first, min(setting.today, setting.days.until - timedelta(days=1)))
    return one_day(first), "each"


def one_day(day: date) -> Days:
    """A single day as days."""
    return Days(day, day + timedelta(days=1))


def left_bounds(moment: Moment, days: Days, source: DaySource, setting: Setting) -> Bounds:
    """The bounds of one moment on its day, the part of the day carried over where no day is said."""
    part = setting.part if source != "said" else None
    return prefer_future(bounds_of(moment, setting.calendar, part), days, setting)


def prefer_future(bounds: Bounds, days: Days, setting: Setting) -> Bounds:
    """On this day a reading that has passed gives way to one that has not."""
    if bounds.other is None or days.first != setting.today:
        return bounds
    over = (
        setting.at(days.first, bounds.start) < setting.now
        if bounds.end is None
        else setting.at(days.first, bounds.end) <= setting.now
    )
    other_last = bounds.other[0] if bounds.other[1] is None else bounds.other[1]
    if over and setting.now <= setting.at(days.first, other_last):
        return replace(bounds, start=bounds.other[0], end=bounds.other[1], other=(bounds.start, bounds.end))
    return bounds


def others_of(bounds: Bounds, days: Days, setting: Setting) -> tuple[str, ...]:
    """The other readings in words."""
    others = []
    if bounds.other is not None:
        words = clock_words(setting.at(days.first, bounds.other[0]))
        if bounds.other[1] is not None:
            words += "–" + clock_words(setting.at(days.first, bounds.other[1]))
        others.append(words)
    if days.also is not None:
        others.append(setting.day_words(days.also))
    return tuple(others)


def sided(start: datetime, end: datetime, relation: Relation | None) -> tuple[datetime | None, datetime | None]:
    """The sides of a range, or of what lies before or after it."""
    if relation == "before":
        return None, start
    return (end, None) if relation == "after" else (start, end)


def timed_kind(source: DaySource, point: bool) -> Kind:
    """The kind of an expression with a time of day."""
    if source == "said":
        return "datetime" if point else "datetimerange"
    return "time" if point else "timerange"


def in_order(start: datetime, end: datetime) -> None:
    """Raises ImpossibleTime unless ``start`` is before ``end``."""
    if end <= start:
        raise ImpossibleTime("END_BEFORE_START", "结束时间早于开始时间。", "The end is before the start.")
