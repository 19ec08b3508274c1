"""``surefoot eval slots``: prices per head and ratings in restaurant turns of CrossWOZ (Tsinghua, Apache-2.0).

``--data FOLDER`` holds ``crosswoz/restaurant_user_turns_*.json[.gz]``: turns with dialogue acts. An act
``[Inform, 餐馆, 人均消费 | 评分, value]`` counts as found when the sentence is read to exactly that value.
``--failures`` lists the turns that were not read right.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.errors import InputInvalid
from surefoot.evals.finding import data_folder
from surefoot.evals.report import Report
from surefoot.language.amounts import prices, ratings
from surefoot.texts import Text

READERS: Mapping[str, tuple[str, Callable[[str], list[str]]]] = {
    "price": ("人均消费", lambda text: [price.say() for price in prices(text)]),
    "rating": ("评分", lambda text: [rating.say() for rating in ratings(text)]),
}


def slots(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Read every turn and report precision and recall per slot.

    Raises:
        InputInvalid: the data is absent, or an option is not known.
    """
    unknown = [option for option in options if option != "--failures"]
    if unknown:
        zh = f"不认识的选项 {unknown[0]}；可用 --failures。"
        raise InputInvalid(Text(zh, f"Unknown option {unknown[0]}; there is --failures."))
    turns = list(_turns(data_folder(data, "crosswoz")))
    for name, (slot, read) in READERS.items():
        hits = extra = missing = 0
        for turn in turns:
            gold, found = _gold(turn, slot), Counter(set(read(turn["text"])))
            hits += (gold & found).total()
            extra += (found - gold).total()
            missing += (gold - found).total()
            if gold != found and "--failures" in options:
                report.note(f"{slot} {turn['text']} gold {sorted(gold)} read {sorted(found)}")
        report.add(f"{name}.turns", len(turns))
        report.add(f"{name}.wanted", hits + missing)
        report.add(f"{name}.precision", round(hits / max(1, hits + extra), 4))
        report.add(f"{name}.recall", round(hits / max(1, hits + missing), 4))
    report.note("names of dishes are not read: they need a menu to be told from other words")


def _gold(turn: Mapping[str, Any], slot: str) -> "Counter[str]":
    return Counter(value for act, _, name, value in turn["acts"] if (act, name) == ("Inform", slot))


def _turns(folder: Path) -> Iterable[Mapping[str, Any]]:
    for file in sorted(folder.glob("restaurant_user_turns_*.json*")):
        raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        yield from json.loads(raw)
