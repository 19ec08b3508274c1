"""The options of ``surefoot eval tau2`` that follow its name."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from surefoot.errors import InputInvalid
from surefoot.texts import Text

RUNNERS = ("surefoot", "bare", "tool-retry", "retry-policy", "rac-library")


@dataclass(frozen=True)
class Options:
    """What to run. No runner named: all of them."""

    domain: str
    runners: tuple[str, ...]
    contracts: Path | None
    limit: int | None
    plot: Path | None
    undo: bool


def read_options(words: Sequence[str]) -> Options:
    """Read the options. Raises InputInvalid, saying which one is wrong."""
    parser = _Parser(prog="surefoot eval tau2", add_help=False, allow_abbrev=False)
    parser.add_argument("--domain", default="retail")
    parser.add_argument("--runner", action="append", choices=RUNNERS, default=[])
    parser.add_argument("--contracts", type=Path)
    parser.add_argument("--limit", type=_count)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--undo", action="store_true")
    given = parser.parse_args(list(words))
    if not given.domain.isidentifier():
        parser.error(f"argument --domain: {given.domain!r} is no name of a domain")
    return Options(
        domain=given.domain,
        runners=tuple(dict.fromkeys(given.runner)),
        contracts=given.contracts,
        limit=given.limit,
        plot=given.plot,
        undo=given.undo,
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        zh, en = f"评测 tau2 的选项有误：{message}", f"The options of the eval tau2 are wrong: {message}"
        raise InputInvalid(Text(zh, en))


def _count(words: str) -> int:
    if not words.isdecimal() or int(words) < 1:
        raise argparse.ArgumentTypeError(f"{words!r} is no number of tasks")
    return int(words)
