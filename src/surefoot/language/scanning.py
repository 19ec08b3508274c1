"""Turns a text into tokens: at each place the rule that reads most wins.

Every rule matches a bounded stretch, and rules are found by their first character, so the time
taken grows linearly with the text whatever it holds.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from surefoot.language.calendar import Calendar, ImpossibleTime
from surefoot.language.datemath import add_months, add_months_to_moment
from surefoot.language.numerals import ZH_DIGITS, NotANumber
from surefoot.language.pieces import Bad, DaySpan, Instant, Length, Mark, Token, Value


@dataclass(frozen=True, slots=True)
class Scan:
    """What a rule may look at besides its own match."""

    text: str
    now: datetime
    calendar: Calendar
    tokens: list[Token] = field(default_factory=list)

    def touching(self, at: int) -> Value | None:
        """The value of the token that ends at ``at``, glue skipped, or None."""
        for token in reversed(self.tokens):
            if token.end != at:
                return None
            if token.value is not Mark.GLUE:
                return token.value
            at = token.start
        return None

    def before(self, at: int, length: int = 1) -> str:
        """The ``length`` characters before ``at`` (fewer at the start of the text)."""
        return self.text[max(0, at - length) : at]


Build = Callable[[re.Match[str], Scan], Sequence[Value] | Value | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """``pattern`` matched at a place whose first character is in ``first``; ``build`` may decline (None)."""

    first: frozenset[str]
    pattern: str
    build: Build


@dataclass(frozen=True, slots=True)
class ReadyRule:
    """A rule whose pattern is compiled."""

    pattern: re.Pattern[str]
    build: Build


RuleTable = Mapping[str, Sequence[ReadyRule]]


def rule(first: str, pattern: str, build: Build) -> Rule:
    """A rule for matches of ``pattern`` that begin with a character of ``first``."""
    return Rule(frozenset(first), pattern, build)


def mark(first: str, pattern: str, value: Mark) -> Rule:
    """A rule whose every match is ``value``."""
    return rule(first, pattern, lambda _match, _scan: value)


def dash(match: re.Match[str], scan: Scan) -> Mark | None:
    """A dash joins a range only right after a piece; elsewhere it belongs to a name or a list."""
    before = scan.touching(match.start())
    return None if before is None or isinstance(before, Mark) else Mark.TO


def table(rules: Iterable[Rule]) -> dict[str, list[ReadyRule]]:
    """Rules by first character, in their order. The patterns are compiled here and not at import: all of
    a language's take a tenth of a second or two."""
    out: dict[str, list[ReadyRule]] = {}
    for one in rules:
        ready = ReadyRule(re.compile(one.pattern, re.IGNORECASE), one.build)
        for char in sorted(one.first):
            out.setdefault(char, []).append(ready)
    return out


def shifted(scan: Scan, length: Length, sign: int) -> DaySpan | Instant:
    """Now moved by ``length``, forward (1) or back (-1): a day where the length is in days or more."""
    if length.unit in ("minute", "part"):
        moved = scan.now.astimezone(UTC) + sign * length.rest
        return Instant(add_months_to_moment(moved.astimezone(scan.now.tzinfo), sign * length.months))
    day = add_months(scan.now.date(), sign * length.months) + sign * length.rest
    return DaySpan(day, day + timedelta(days=1), "day")


def tokenise(text: str, rules: RuleTable, now: datetime, calendar: Calendar) -> tuple[Token, ...]:
    """All tokens of ``text``, left to right; characters that no rule reads lie between them."""
    scan = Scan(text, now, calendar)
    at = 0
    while at < len(text):
        found = _longest(scan, rules.get(text[at].lower(), ()), at) if _may_start(scan, at) else None
        if found is None:
            at += 1
            continue
        end, values = found
        scan.tokens.extend(Token(at, end, value) for value in values)
        at = end
    return tuple(scan.tokens)


def _longest(scan: Scan, rules: Sequence[ReadyRule], at: int) -> tuple[int, Sequence[Value]] | None:
    best: tuple[int, Sequence[Value]] | None = None
    for one in rules:
        match = one.pattern.match(scan.text, at)
        if match is None or match.end() <= (best[0] if best else at):
            continue
        values = _built(one, match, scan)
        if values:
            best = match.end(), values
    return best


def _built(one: ReadyRule, match: re.Match[str], scan: Scan) -> Sequence[Value]:
    try:
        built = one.build(match, scan)
    except NotANumber:
        return ()
    except ImpossibleTime as error:
        return (Bad(error.code, error.zh, error.en),)
    except OverflowError:
        return (Bad("OUT_OF_RANGE", "这个时间超出了日历。", "That time lies outside the calendar."),)
    if built is None:
        return ()
    return built if isinstance(built, Sequence) else (built,)


def _may_start(scan: Scan, at: int) -> bool:
    """Whether a token may begin at ``at``: not inside a word, a number, or an identifier."""
    char, before = scan.text[at], scan.before(at)
    if not before or (scan.tokens and scan.tokens[-1].end == at):
        return True
    if char.isascii() and char.isalnum():
        if before.isascii() and (before.isalnum() or before in "_#@"):
            return False
        # 192.168.1.1, BK-10, 4.5, 1,200: the digits belong to what stands before them
        last = scan.text[at - 2] if at > 1 else " "
        if before in ".-/:,":
            return not (last.isascii() and (last.isalnum() if before in "-/" else last.isdigit()))
        return True
    return not (char in ZH_DIGITS and before in ZH_DIGITS)
