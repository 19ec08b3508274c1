"""Private data in free text: phones, ids, e-mail, cards, secrets; found by shape and checksum, masked by type.

For logs and for whatever goes to a model. Works on Chinese and English, also where no space stands between them. Ids
follow GB 11643-1999 (ISO 7064 MOD 11-2), cards ISO/IEC 7812 (Luhn). Every repetition is bounded: no text makes a
pattern slow.
"""

import re
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

Kind = Literal["secret", "email", "id_card", "bank_card", "phone"]

_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}

_VALUE = r"[A-Za-z0-9!@#$%^&*_.+/~?-]{4,128}"
_SECRET_WORD = r"(?:密码|口令|password|passwd|passcode|pwd|secret|token|api[_ -]?key)"
_SHAPES = (
    r"sk-[A-Za-z0-9_-]{16,200}",
    r"gh[pousr]_[A-Za-z0-9]{20,100}",
    r"glpat-[A-Za-z0-9_-]{16,100}",
    r"xox[abprs]-[A-Za-z0-9-]{16,200}",
    r"AKIA[0-9A-Z]{16}",
    r"AIza[A-Za-z0-9_-]{30,60}",
    r"ya29\.[A-Za-z0-9_-]{16,200}",
    r"eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}",
)
_SECRETS = (
    re.compile(rf"(?<![A-Za-z0-9])(?P<it>{'|'.join(_SHAPES)})"),
    re.compile(r"\bbearer {1,4}(?P<it>[A-Za-z0-9._~+/-]{12,2000})", re.IGNORECASE),
    re.compile(rf"{_SECRET_WORD}(?: {{0,3}}(?:[:=：]|是|为|is) {{0,3}}| {{1,3}})(?P<it>{_VALUE})", re.IGNORECASE),
)
_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+'-])(?P<it>[A-Za-z0-9][A-Za-z0-9._%+'-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}"
    r"(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,6}\.[A-Za-z]{2,24})(?![A-Za-z0-9@])"
)
_ID = re.compile(r"(?<!\d)(?P<it>\d{17}[\dXx])(?![\dA-Za-z])")
_CARD = re.compile(r"(?<![\d.])(?P<it>\d(?:[ -]?\d){12,18})(?!\.?\d)")
_PHONES = (
    re.compile(r"(?<!\d)(?P<it>\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d(?:[ -]?\d){6,12})(?!\d)"),
    re.compile(r"(?<![\d.])(?P<it>(?:(?:\+|00)86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4})(?!\d)"),
    re.compile(r"(?<![\d-])(?P<it>(?:\(0\d{2,3}\)|0\d{2,3}-)\d{7,8})(?!\d)"),
    re.compile(r"(?<![\d-])(?P<it>[48]00-\d{3}-\d{4})(?![\d-])"),
    re.compile(r"(?<![\d.-])(?P<it>(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4})(?![\d.-]?\d)"),
    re.compile(r"(?:电话|座机|手机|号码|tel|phone)[ :：.]{0,3}(?P<it>\d{7,8})(?!\d)", re.IGNORECASE),
)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ISSUERS = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|2[2-7]|35|6011|64|65"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"62"), (16, 17, 18, 19)),
)


@dataclass(frozen=True, slots=True)
class Private:
    """One private value: what it is, and where (half open, in the text as given)."""

    kind: Kind
    start: int
    end: int


def find_private(text: str) -> list[Private]:
    """Return every private value in ``text``, in order, without overlaps.

    A number is taken for the most specific thing that it can be: an id before a card before a phone.
    """
    plain = text.translate(_HALF_WIDTH)
    found: list[Private] = []
    for candidate in _candidates(plain):
        if all(candidate.end <= other.start or other.end <= candidate.start for other in found):
            found.append(candidate)
    return sorted(found, key=lambda item: item.start)


def mask(text: str) -> str:
    """Return ``text`` with each private value replaced by its type in brackets, such as ``[phone]``."""
    masked, at = [], 0
    for item in find_private(text):
        masked += [text[at : item.start], f"[{item.kind}]"]
        at = item.end
    return "".join([*masked, text[at:]])


class Veil:
    """Masks private values so that they can be put back: for text that a model reads and values that it returns.

    The same value gets the same mark everywhere (``[phone 1]``), so that a model can still tell two apart.
    """

    def __init__(self) -> None:
        self._marks: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def hide(self, text: str) -> str:
        """Return ``text`` with a mark for each private value."""
        hidden, at = [], 0
        for item in find_private(text):
            hidden += [text[at : item.start], self._mark(item.kind, text[item.start : item.end])]
            at = item.end
        return "".join([*hidden, text[at:]])

    def _mark(self, kind: str, value: str) -> str:
        known = next((mark for mark, hidden in self._marks.items() if hidden == value), None)
        if known is not None:
            return known
        self._counts[kind] = self._counts.get(kind, 0) + 1
        mark = f"[{kind} {self._counts[kind]}]"
        self._marks[mark] = value
        return mark

    def reveal(self, value: Any) -> Any:
        """Return JSON-native data with every mark that this veil has made replaced by what it hides."""
        if isinstance(value, str):
            for mark, hidden in self._marks.items():
                value = value.replace(mark, hidden)
            return value
        if isinstance(value, dict):
            return {key: self.reveal(item) for key, item in value.items()}
        return [self.reveal(item) for item in value] if isinstance(value, list) else value


def mask_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Mask private values in everything that a log line says (a structlog processor)."""
    for key, value in event.items():
        event[key] = _masked(value)
    return event


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {_masked(key): _masked(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_masked(item) for item in value]
    return value if isinstance(value, bool | int | float | None) else mask(str(value))


def _candidates(plain: str) -> Iterator[Private]:
    for pattern in _SECRETS:
        for match in pattern.finditer(plain):
            value = match["it"].rstrip(".?!")
            if any(character.isdigit() for character in value):
                start = match.start("it")
                yield Private("secret", start, start + len(value))
    yield from _matches("email", _EMAIL, plain)
    yield from (item for item in _matches("id_card", _ID, plain) if is_id_card(plain[item.start : item.end]))
    yield from (item for item in _matches("bank_card", _CARD, plain) if is_bank_card(plain[item.start : item.end]))
    for pattern in _PHONES:
        yield from _matches("phone", pattern, plain)


def _matches(kind: Kind, pattern: re.Pattern[str], plain: str) -> Iterator[Private]:
    for match in pattern.finditer(plain):
        yield Private(kind, match.start("it"), match.end("it"))


def is_id_card(number: str) -> bool:
    """Return whether 18 characters are a resident identity number: a date of birth, and the right check character."""
    try:
        date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(number[:17], _ID_WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == number[17].upper()


def is_bank_card(number: str) -> bool:
    """Return whether digits (blanks and hyphens left aside) are a card number of a known issuer with a right check."""
    digits = re.sub(r"\D", "", number)
    if not any(prefix.match(digits) and len(digits) in lengths for prefix, lengths in _ISSUERS):
        return False
    doubled = [int(digit) * (2 if at % 2 else 1) for at, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
