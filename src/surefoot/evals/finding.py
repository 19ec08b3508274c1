"""Which evals are installed (entry-point group ``surefoot.evals``), and where their data lies."""

import os
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, cast

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.texts import Text


class Eval(Protocol):
    """One eval: fills the report. Data is looked for with :func:`data_folder`."""

    def __call__(self, report: Report, data: Path | None, options: Sequence[str]) -> None:
        """Run. ``data`` is the folder of ``--data``; ``options`` are the words the command line did not know.

        Raises:
            InputInvalid: the data is absent, or an option is not known.
        """


def known_evals() -> list[str]:
    """Return the names of the installed evals, sorted."""
    return sorted(entry.name for entry in entry_points(group="surefoot.evals"))


def find_eval(name: str) -> Eval:
    """Return an eval by its name. Raises InputInvalid, naming the ones there are."""
    for entry in entry_points(group="surefoot.evals"):
        if entry.name == name:
            return cast(Eval, entry.load())
    known = ", ".join(known_evals())
    raise InputInvalid(
        Text(f"没有评测“{name}”；有：{known or '无'}", f"There is no eval {name!r}; installed: {known or 'none'}")
    )


def data_folder(given: Path | None, name: str) -> Path:
    """Return the folder ``name`` inside ``given`` or, without it, inside ``SUREFOOT_EXAMS``.

    Raises:
        InputInvalid: there is no such folder; the sentence says where it was looked for.
    """
    root = given or (Path(os.environ["SUREFOOT_EXAMS"]) if os.environ.get("SUREFOOT_EXAMS") else None)
    if root is None:
        zh = f"没有评测数据“{name}”：用 --data 文件夹，或设置 SUREFOOT_EXAMS。"
        raise InputInvalid(Text(zh, f"No data for {name!r}: give --data FOLDER or set SUREFOOT_EXAMS."))
    folder = root / name
    if not folder.is_dir():
        raise InputInvalid(Text(f"没有评测数据：{folder} 不存在。", f"No data for {name!r}: {folder} does not exist."))
    return folder
