"""Reading people: time expressions over a calendar that the app supplies, numbers, sizes, lengths.

Chinese and English. Nothing here reads a clock, a network or a model: the same text, now and calendar
give the same reading.
"""

from surefoot.language.calendar import DAY_PARTS, Calendar, ImpossibleTime, Period
from surefoot.language.expressions import TimeExpression, TimeProblem, TimeReading
from surefoot.language.lengths import Duration, read_durations
from surefoot.language.normalise import Language, Normalised, detect_language, normalise
from surefoot.language.numerals import NotANumber, read_count, read_number, read_ordinal
from surefoot.language.people import PartySize, read_party_size
from surefoot.language.times import read_times

__all__ = [
    "DAY_PARTS",
    "Calendar",
    "Duration",
    "ImpossibleTime",
    "Language",
    "Normalised",
    "NotANumber",
    "PartySize",
    "Period",
    "TimeExpression",
    "TimeProblem",
    "TimeReading",
    "detect_language",
    "normalise",
    "read_count",
    "read_durations",
    "read_number",
    "read_ordinal",
    "read_party_size",
    "read_times",
]
