"""Says a reading back in words, in Chinese or English."""

from datetime import date, datetime, timedelta

from surefoot.language.expressions import Relation
from surefoot.language.normalise import Language
from surefoot.language.pieces import Grain

_ZH_DAYS = "一二三四五六日"
_EN_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EN_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(day: date, language: Language) -> str:
    """A date with its weekday: 2026年12月2日（周三）, "Wed 2 Dec 2026"."""
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日（周{_ZH_DAYS[day.weekday()]}）"
    return f"{_EN_DAYS[day.weekday()]} {day.day} {_EN_MONTHS[day.month - 1]} {day.year}"


def clock_words(at: datetime) -> str:
    """ "09:05", with seconds only where there are any."""
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"


def moment_words(at: datetime, language: Language, whole_day: bool) -> str:
    """A moment, or its day alone."""
    day = day_words(at.date(), language)
    return day if whole_day else f"{day}{' ' if language == 'en' else ''}{clock_words(at)}"


def reading_words(
    start: datetime | None, end: datetime | None, grain: Grain, relation: Relation | None, language: Language
) -> str:
    """One sentence for a reading; ``end`` is half-open, as everywhere."""
    zh = language == "zh"
    whole = grain in ("day", "week", "month", "year") or (grain == "part" and _midnight(start) and _midnight(end))
    if relation == "before" and end is not None:
        words = moment_words(end, language, whole and _midnight(end))
        return f"{words}之前。" if zh else f"Before {words}."
    if relation == "after" and start is not None:
        words = moment_words(start, language, whole and _midnight(start))
        return f"{words}起。" if zh else f"From {words} on."
    if start is None:
        return "一段时长。" if zh else "A length of time."
    if end is None:
        words = moment_words(start, language, whole)
        return f"{words}。" if zh else f"{words}."
    return _range_words(start, end, whole, language)


def _midnight(at: datetime | None) -> bool:
    return at is not None and (at.hour, at.minute, at.second) == (0, 0, 0)


def _range_words(start: datetime, end: datetime, whole: bool, language: Language) -> str:
    stop = "。" if language == "zh" else "."
    joint = "到" if language == "zh" else " to "
    if whole:
        last = end - timedelta(days=1)
        if last.date() <= start.date():
            return day_words(start.date(), language) + stop
        return day_words(start.date(), language) + joint + day_words(last.date(), language) + stop
    first = moment_words(start, language, False)
    last_words = clock_words(end) if end.date() == start.date() else moment_words(end, language, False)
    return f"{first}{joint}{last_words}{stop}"


def length_words(minutes: int | None, text: str, language: Language) -> str:
    """One sentence for a length of time."""
    if minutes is None:
        return f"时长：{text}。" if language == "zh" else f"A length of {text}."
    return f"时长{minutes}分钟。" if language == "zh" else f"A length of {minutes} minutes."
