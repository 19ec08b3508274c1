"""``surefoot eval time``: time expressions read exactly, per type, beside peers in the same run.

``--data FOLDER`` holds ``time_zh`` and ``time_en``. ``--lang zh|en`` takes one language, ``--failures`` lists what
Surefoot did not read right.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from surefoot.errors import InputInvalid
from surefoot.evals.finding import data_folder
from surefoot.evals.report import Report
from surefoot.evals.time.readers import Read, Reader, jionlp, recognizers, surefoot
from surefoot.evals.time.specs import Expected, Item, read_items
from surefoot.texts import Text

SAME_SPAN = 0.6
"""Two spans are the same when what they share is at least this part of what they cover together."""

MAKERS: dict[str, tuple[Callable[[str], Reader], tuple[str, ...]]] = {
    "surefoot": (surefoot, ("zh", "en")),
    "recognizers": (recognizers, ("zh", "en")),
    "jionlp": (jionlp, ("zh",)),
}
RULES = (
    "exact: one of the listed values for the same span (spans share at least 60 %). A sentence without a time is "
    "of type none, and a span that the exam itself resolves to nothing (every day, 30 February) of type unresolved: "
    "right when no value is given. Lunar dates are left out.",
    "Both ways of writing the end of a range are taken as the same: half open, or the last day, month or year that "
    "was said, by its first day.",
    "wrong: a value is given that is not among the listed ones, and it was neither called ambiguous nor a window "
    "whose bounds were not said (morning); wrong_strict counts such windows too.",
)


def time(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Read every item with every reader that is installed.

    Raises:
        InputInvalid: the data is absent, or an option is not known.
    """
    languages, failures = _options(options)
    for lang in languages:
        items = [item for item in read_items(data_folder(data, f"time_{lang}")) if not item.lunar]
        for name, (make, spoken) in MAKERS.items():
            if lang not in spoken:
                continue
            try:
                reader = make(lang)
            except ModuleNotFoundError as error:
                report.note(f"{name} ({lang}) was not run: {error.name} is not installed")
                continue
            _examine(report, f"{name}-{lang}", reader, items, failures and name == "surefoot")
    for rule in RULES:
        report.note(rule)


def _examine(report: Report, name: str, reader: Reader, items: Sequence[Item], failures: bool) -> None:
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wrong = strict = 0
    for item in items:
        found = reader(item)
        if not item.expected:
            asked["none"] += 1
            right["none"] += not found
            if failures and found:
                report.note(f"none {item.text!r} {item.now:%F} read {[item.text[slice(*one.span)] for one in found]}")
        for expected in item.expected:
            kind = expected.kind if expected.values else "unresolved"
            asked[kind] += 1
            read = _at(found, expected)
            hit = _is_right(read, expected)
            right[kind] += hit
            sure = read is not None and bool(read.values) and not read.unsure
            strict += not hit and sure
            wrong += not hit and sure and read is not None and not read.approx
            if failures and not hit:
                flags = f"{' unsure' * (read.unsure)}{' approx' * read.approx}" if read else ""
                said = f"{sorted(read.values)[:2]}{flags}" if read else "nothing"
                wanted = sorted(expected.values)[:2]
                span = item.text[slice(*expected.span)]
                report.note(f"{expected.kind} {item.text!r} [{span}] {item.now:%F} wanted {wanted} read {said}")
    report.add(f"{name}.items", asked.total())
    report.add(f"{name}.exact", round(right.total() / max(1, asked.total()), 4))
    report.add(f"{name}.wrong", round(wrong / max(1, asked.total()), 4))
    report.add(f"{name}.wrong_strict", round(strict / max(1, asked.total()), 4))
    for kind in sorted(asked):
        report.add(f"{name}.{kind}", round(right[kind] / asked[kind], 4))


def _is_right(read: Read | None, expected: Expected) -> bool:
    if not expected.values:
        return read is None or not read.values
    return read is not None and bool(read.values & expected.values)


def _at(found: Sequence[Read], expected: Expected) -> Read | None:
    best = max(found, key=lambda read: _overlap(read.span, expected.span), default=None)
    return best if best is not None and _overlap(best.span, expected.span) >= SAME_SPAN else None


def _overlap(one: tuple[int, int], two: tuple[int, int]) -> float:
    shared = min(one[1], two[1]) - max(one[0], two[0])
    return max(0, shared) / max(1, max(one[1], two[1]) - min(one[0], two[0]))


def _options(options: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    languages, failures, left = ("zh", "en"), False, list(options)
    while left:
        word = left.pop(0)
        if word == "--failures":
            failures = True
        elif word == "--lang" and left and left[0] in languages:
            languages = (left.pop(0),)  # type: ignore[assignment]
        else:
            raise InputInvalid(
                Text(f"不认识的选项 {word}；可用 --lang zh|en、--failures。",
                     f"Unknown option {word}; there are --lang zh|en and --failures.")
            )  # fmt: skip
    return languages, failures
