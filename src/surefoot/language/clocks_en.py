"""English clock times, parts of the day, class periods and the small words between them."""

import re

from surefoot.language.lengths import EN_LENGTH, EN_NUMBER, read_length
from surefoot.language.numerals import read_count, read_ordinal
from surefoot.language.pieces import (
    CalendarDay,
    Clock,
    DaySpan,
    Length,
    Mark,
    Number,
    Part,
    Periods,
    Value,
    Weekday,
    half_of,
)
from surefoot.language.scanning import Rule, Scan, dash, mark, rule
from surefoot.language.weeks_en import half_of_part, night
from surefoot.language.words_en import DIGITS, LETTERS, ORDINAL, PLURAL_DAY, WEEKDAY

_END = r"(?![a-z0-9])"
_HOUR_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MINUTE_WORD = (
    r"(?:(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|"
    r"seven|eight|nine))?|fifteen|ten|"
    r"oh[- ](?:one|two|three|four|five|six|seven|eight|nine))"
)
_HALF = r"(?: ?(?P<half>[ap]\.? ?m\.?)(?![a-z0-9]))"
_COUNTED = (
    r"people|ppl|persons?|students|of us|guys|rooms?|seats?|friends|others|colleagues|\w*mates|"
    r"min|hours?|hrs?|h\b|days?|weeks?|"
    r"months?|years?|pieces|times|slots?|or \d|pax|th\b|st\b|nd\b|rd\b|percent|"
    r"bookings?|stars?|papers?|more"
)


def _digital(match: re.Match[str], _scan: Scan) -> Clock:
    hour, half = int(match["h"]), half_of(match.groupdict().get("half"))
    exact = half is None and (match["h"].startswith("0") or hour > 12)
    return Clock(hour, int(match["m"] or 0), int(match["s"] or 0), half, exact)


_PART_FOLLOWS = re.compile(r" (?:in the (?:early )?(?:morning|afternoon|evening)|at night)(?![a-z])", re.IGNORECASE)


def _ish(match: re.Match[str], _scan: Scan) -> list[Value]:
    """ "7ish": about seven."""
    return [Mark.ABOUT, Clock(read_count(match["h"]))]


def _military(match: re.Match[str], _scan: Scan) -> Clock:
    return Clock(int(match["h"]), int(match["m"]), 0, None, exact=True)


def _military_end(match: re.Match[str], scan: Scan) -> Clock | None:
    """The second of "0730-0930"; other four digits after a hyphen are no time."""
    clocks = [token.value for token in scan.tokens[-2:]]
    if len(clocks) == 2 and isinstance(clocks[0], Clock) and clocks[0].exact and clocks[1] is Mark.TO:
        return _military(match, scan)
    return None


def _worded(match: re.Match[str], scan: Scan) -> Clock | None:
    parted = match["m"] is not None and _PART_FOLLOWS.match(scan.text, match.end()) is not None
    if match["half"] is None and match["clock"] is None and not parted and not _led(match, scan):
        return None
    said = match["m"]
    minute = read_count(said.lower().removeprefix("oh").strip(" -")) if said else 0
    return Clock(read_count(match["h"]), minute, 0, half_of(match.groupdict().get("half")))


def _led(match: re.Match[str], scan: Scan) -> bool:
    """Whether a number in words follows a word that makes it a time ("at seven thirty")."""
    if scan.before(match.start()) == "-":
        return False  # twenty-one
    before = scan.touching(match.start())
    if isinstance(before, CalendarDay) and before.day is not None:
        return match.groupdict().get("m") is not None  # "March eighteenth nine thirty"
    return isinstance(before, Mark) and before not in (Mark.COMMA, Mark.EVERY)


def _past(match: re.Match[str], _scan: Scan) -> Clock:
    said = match["n"].lower()
    minutes = {"half": 30, "quarter": 15, "a quarter": 15}.get(said) or read_count(said)
    hour = 12 if match["h"].lower() == "noon" else read_count(match["h"])
    if match["way"].lower() in ("to", "before", "of"):
        hour, minutes = (hour - 1) % 24 or 12, 60 - minutes
    return Clock(hour, minutes, 0, half_of(match.groupdict().get("half")))


def _part(match: re.Match[str], scan: Scan) -> Part:
    said = match["part"].lower()
    name = {"midday": "noon", "lunchtime": "noon", "lunch time": "noon"}.get(said, said)
    return Part(night(scan) if name == "night" else name, half_of_part(match.groupdict().get("bit")))


def _half_day(match: re.Match[str], scan: Scan) -> Part | None:
    """ "tomorrow am": half a day, said right after a day."""
    if not isinstance(scan.touching(match.start()), DaySpan | Weekday | CalendarDay):
        return None
    return Part("morning" if match[0].lower() == "am" else "afternoon")


def _hour_of_part(match: re.Match[str], _scan: Scan) -> Clock:
    return Clock(read_count(match["h"]))


def _next_hour(match: re.Match[str], _scan: Scan) -> list[Value]:
    way = Mark.COMING if match["way"].lower() == "next" else Mark.PAST
    return [way, read_length("1 " + match["unit"], "en")]


def _at_night(_match: re.Match[str], scan: Scan) -> Part:
    return Part(night(scan))


def _periods(match: re.Match[str], _scan: Scan) -> Periods:
    first = read_count(match["a"])
    return Periods(first, read_count(match["b"]) if match["b"] else first)


def _ranked(match: re.Match[str], _scan: Scan) -> Periods:
    first = read_ordinal(match["a"])
    return Periods(first, read_ordinal(match["b"]) if match["b"] else first, rank=True)


def _first_periods(match: re.Match[str], _scan: Scan) -> Periods:
    return Periods(1, read_count(match["n"]))


def _number(match: re.Match[str], _scan: Scan) -> Number:
    return Number(read_count(match[0]))


def _word_number(match: re.Match[str], scan: Scan) -> Number | None:
    ranged = match["to"] is not None
    return Number(read_count(match["h"])) if ranged or _led(match, scan) else None


def _length(match: re.Match[str], _scan: Scan) -> Length | None:
    length = read_length(match[0], "en")
    return length if length.months or length.rest or length.periods else None


def _about(match: re.Match[str], scan: Scan) -> Mark | None:
    """ "about 3", but not "how about 3"."""
    asking = re.search(r"(?:how|what|talk\w{0,5}) $", scan.before(match.start(), 10), re.IGNORECASE)
    return None if asking else Mark.ABOUT


_VERB = re.compile(
    r"(?:n't|will|would|should|could|can|to|must|may|might|does|did|do|not|they|it|we|i) $", re.IGNORECASE
)


def _last(match: re.Match[str], scan: Scan) -> Mark | None:
    """ "the last two hours", but not "it will last two hours"."""
    lasts = match[0].lower() == "last" and _VERB.search(scan.before(match.start(), 8)) is not None
    return None if lasts else Mark.PAST


_JOINT = r" ?(?:-|to|and|&|through) ?"

CLOCKS: tuple[Rule, ...] = (
    rule(DIGITS, rf"(?P<h>\d{{1,2}})[:.](?P<m>\d\d)(?::(?P<s>\d\d))?{_HALF}(?!\d)", _digital),
    rule(
        DIGITS,
        r"(?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<s>\d\d))?(?![\d:])(?: ?(?:o'?clock|h(?:rs)?)"
        r"(?![a-z]))?",
        _digital,
    ),
    rule(DIGITS, rf"(?P<h>\d{{1,2}})(?P<m>)(?P<s>)(?:\.(?= ?[ap]))?{_HALF}", _digital),
    rule(
        "012",
        r"(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?P<s>)(?=-(?:[01]\d|2[0-3])[0-5]\d(?!\d)| ?h(?:rs?|ours)\b)"
        r"(?: ?h(?:rs?|ours))?",
        _military,
    ),
    rule("012", r"(?<=\d-)(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?P<s>)(?!\d)", _military_end),
    rule(DIGITS, rf"(?P<h>\d{{1,2}})(?::(?P<m>\d\d))?(?P<s>)(?P<half>[ap]){_END}", _digital),
    rule(
        DIGITS,
        r"(?P<h>\d{1,2})(?P<m>)(?P<s>) ?(?P<clock>o'?clock)(?: ?(?P<half>[ap]\.?m)"
        r")?(?![a-z])",
        _digital,
    ),
    rule(
        "otfsent",
        rf"(?P<h>{_HOUR_WORD})(?:[ :-](?P<m>{_MINUTE_WORD}))?(?P<clock> o'?clock)?{_HALF}?{_END}(?!"
        rf" ?-?(?:{_COUNTED}))",
        _worded,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?P<n>half|(?:a )?quarter|{EN_NUMBER})(?: min(?:ute)?s?)? (?P<way>past|"
        rf"after) (?P<h>{_HOUR_WORD}|1[0-2]|[1-9]|noon)(?![\d:]){_HALF}?{_END}",
        _past,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?P<n>(?:a )?quarter|{EN_NUMBER}(?= min))(?: min(?:ute)?s?)? (?P<way>to|"
        rf"before|of) (?P<h>{_HOUR_WORD}|1[0-2]|[1-9]|noon)(?![\d:]){_HALF}?{_END}",
        _past,
    ),
    rule("n", rf"(?P<part>noon){_END}", _part),
    rule(DIGITS, rf"(?P<h>\d{{1,2}}) ?-?ish{_END}", _ish),
    rule("otfsent", rf"(?P<h>{_HOUR_WORD}) ?-?ish{_END}", _ish),
    rule("1234567890", rf"(?P<h>1[0-2]|0?[1-9])(?P<m>[0-5]\d)(?P<s>){_HALF}", _digital),
    rule("n", rf"noonish{_END}", lambda _m, _s: [Mark.ABOUT, Clock(12, exact=True)]),
    rule("am", rf"(?:at )?(?:12 )?mid[- ]?night{_END}", lambda _m, _s: Clock(24)),
    rule("a", rf"at (?:12 )?(?:noon|midday){_END}", lambda _m, _s: Clock(12, exact=True)),
    rule("1", rf"12 ?noon{_END}", lambda _m, _s: Clock(12, exact=True)),
    rule(
        "mnaeldi",
        r"(?<!good )(?:in the (?=early|late|morning|afternoon|evening))?"
        r"(?:(?P<bit>early|late|later|earlier) (?:in the )?)?"
        rf"(?P<part>morning|afternoon|evening|night|midday|lunch ?time){_END}",
        _part,
    ),
    rule("a", rf"at night{_END}", _at_night),
    rule("ap", rf"[ap]m{_END}", _half_day),
    rule(
        "otfsent" + DIGITS,
        rf"(?P<h>{_HOUR_WORD}|1[0-2]|[1-9])(?= (?:in the (?:early )?(?:morning|afternoon|evening)"
        rf"|at night){_END})",
        _hour_of_part,
    ),
    rule("tnlp", rf"(?:the )?(?P<way>next|last|past) (?P<unit>hour|minute){_END}", _next_hour),
    rule(
        "p",
        rf"periods? (?P<a>\d{{1,2}}|{_HOUR_WORD})(?:{_JOINT}(?:period )?(?P<b>\d{{1,2}}|{_HOUR_WORD}"
        rf"))?{_END}",
        _periods,
    ),
    rule(
        LETTERS + DIGITS,
        rf"(?:the )?(?P<a>{ORDINAL})(?:{_JOINT}(?:the )?(?P<b>{ORDINAL}))? (?:class )?periods?{_END}",
        _ranked,
    ),
    rule("tf", rf"(?:the )?first (?P<n>\d{{1,2}}|{_HOUR_WORD}) (?:class )?periods{_END}", _first_periods),
    rule(LETTERS + DIGITS, rf"{EN_LENGTH}{_END}", _length),
    rule(
        DIGITS,
        rf"\d{{1,2}}(?![\d:/%a-z]|[.,]\d| ?-?(?:{_COUNTED})| ?(?:-|to|or) ?\d{{1,3}}[ -]?(?:{_COUNTED}"
        r"))",
        _number,
    ),
    rule(
        "otfsent",
        rf"(?P<h>{_HOUR_WORD})(?P<to>(?= to {_HOUR_WORD}{_END}(?! ?-?(?:{_COUNTED})"
        rf")))?{_END}(?! ?-?(?:{_COUNTED}))",
        _word_number,
    ),
)

WORDS: tuple[Rule, ...] = (
    mark("aoitd ", rf" |(?:on|in|the|of|during|or on){_END}", Mark.GLUE),
    mark("a@", rf"at{_END}|@", Mark.HOUR),
    mark(",", r", ?", Mark.COMMA),
    mark("t", rf"(?:to|through|thru){_END}", Mark.TO),
    rule(" -~", r" ?[-~]{1,2} ?", dash),
    mark("tu", rf"(?:until|till|til){_END}", Mark.UNTIL),
    mark("'", r"'til", Mark.UNTIL),
    mark("bn", rf"(?:by|no later than){_END}", Mark.UNTIL),
    mark("a&", rf"and{_END}|&", Mark.AND),
    mark("f", rf"from{_END}", Mark.FROM),
    mark("sb", rf"(?:starting(?: from| on| at)?|beginning (?:from|on|at)){_END}", Mark.SINCE),
    mark("yt", r"(?:the )?year(?= [12]\d{3})", Mark.GLUE),
    mark("b", rf"between{_END}", Mark.BETWEEN),
    mark("be", rf"(?:before|earlier than|prior to){_END}", Mark.BEFORE),
    mark("al", rf"(?:after|later than|any ?time after){_END}", Mark.AFTER),
    mark("sa", rf"(?:since|as of){_END}", Mark.SINCE),
    mark(
        "oa",
        rf"(?:or|and) (?:later|after(?=$| ?[,.;?!)]| on )|onwards?){_END}|onwards?{_END}",
        Mark.ENDS_SINCE,
    ),
    mark("oa", rf"(?:or|and) (?:earlier|before(?=$| ?[,.;?!)]| on )){_END}", Mark.ENDS_BY),
    mark("f", rf"for{_END}", Mark.FOR),
    mark("w", rf"within{_END}", Mark.WITHIN),
    rule(
        "tlpri",
        r"(?:in |over |during |for )?(?:the |these )?(?:last|past|previous|recent)"
        rf"(?= (?:{EN_NUMBER}|few|couple))",
        _last,
    ),
    mark(
        "tnci",
        rf"(?:in |over |during |for )?(?:the )?(?:next|coming|following)(?= (?:{EN_NUMBER}|"
        r"few|couple))",
        Mark.COMING,
    ),
    mark("alcr", rf"(?:around|approximately|circa|roughly){_END}", Mark.ABOUT),
    rule(
        "a",
        rf"about{_END}(?= (?:\d|{_HOUR_WORD}{_END}|half|a quarter|an? |noon|mid|the |to(?:day|morrow)|next))",
        _about,
    ),
    mark(
        "mlsfgaunoh",
        r"(?:(?:not? )?(?:more|less|longer|shorter|fewer|greater|higher) than|at (?:least|most)|over|under|up to)"
        rf"(?= {EN_LENGTH})",
        Mark.ABOUT,
    ),
    mark("ea", rf"(?:every|each|any)(?: other)?{_END}", Mark.EVERY),
    mark("mtwfsae", rf"{PLURAL_DAY}{_END}|{WEEKDAY} (?:mornings|afternoons|evenings|nights){_END}", Mark.EVERY),
    mark("><", r"> ?=(?= ?[12]\d{3})", Mark.SINCE),
    mark("><", r"< ?=(?= ?[12]\d{3})", Mark.UNTIL),
    mark("><", r">(?= ?[12]\d{3})", Mark.AFTER),
    mark("><", r"<(?= ?[12]\d{3})", Mark.BEFORE),
    mark("gl", r"(?:greater|later|more) than(?= (?:the year )?[12]\d{3})", Mark.AFTER),
)
