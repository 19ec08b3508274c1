"""The report of an eval or a benchmark: flat figures ``runner.metric: number``, a table for people, one JSON object."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text as Words

from surefoot.errors import InputInvalid
from surefoot.texts import Text

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+")


class Report:
    """Collects figures in the order in which they come. A runner is what was measured: Surefoot or a peer."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._figures: dict[str, float | int] = {}
        self._notes: list[str] = []

    @property
    def figures(self) -> Mapping[str, float | int]:
        """The figures so far, by ``runner.metric``."""
        return dict(self._figures)

    def add(self, name: str, figure: float | int) -> None:
        """Add one figure.

        Raises:
            ValueError: the name is not ``runner.metric`` in lower case, stands already, or the figure is not finite.
        """
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no figure's name; write runner.metric in lower case")
        if name in self._figures:
            raise ValueError(f"the figure {name} stands already")
        if isinstance(figure, bool) or not math.isfinite(figure):
            raise ValueError(f"the figure {name} is {figure}, not a finite number")
        self._figures[name] = figure

    def note(self, sentence: str) -> None:
        """Add a sentence that people read under the table, for instance which peer could not be run and why."""
        self._notes.append(sentence)

    def show(self, console: Console | None = None) -> None:
        """Print the table: one row per metric, one column per runner."""
        console = console or Console()
        runners = list(dict.fromkeys(name.partition(".")[0] for name in self._figures))
        metrics = list(dict.fromkeys(name.partition(".")[2] for name in self._figures))
        table = Table(title=Words(self.title), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
        table.add_column("metric", overflow="fold")
        for runner in runners:
            table.add_column(runner, justify="right", overflow="fold")
        for metric in metrics:
            table.add_row(metric, *(_shown(self._figures.get(f"{runner}.{metric}")) for runner in runners))
        console.print(table)
        for sentence in self._notes:
            console.print(Words(f"· {sentence}"))

    def write(self, file: Path) -> None:
        """Write one flat JSON object of the figures. Raises InputInvalid when the file cannot be written."""
        try:
            file.write_text(json.dumps(self._figures, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            zh, en = f"不能写入 {file}：{error.strerror}", f"Cannot write {file}: {error.strerror}"
            raise InputInvalid(Text(zh, en)) from error


def _shown(figure: float | int | None) -> str:
    if figure is None:
        return "—"
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.4g}"
