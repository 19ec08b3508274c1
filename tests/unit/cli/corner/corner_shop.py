"""The shop as an installed app for tests of the command line; its back end is a file that survives the process."""

import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import typer

from shop.app import Backend, shop_app
from shop.process import FileBackend
from surefoot.app import App, Block, RunView
from surefoot.evals.finding import data_folder
from surefoot.evals.report import Report
from surefoot.testing.faults import Fault, FaultInjector
from surefoot.texts import Text

commands = typer.Typer(help="The corner shop's own commands.")
TEA_TIME = {
    "start": "2026-12-02T10:00:00+08:00",
    "end": "2026-12-02T10:45:00+08:00",
    "title": "tea",
    "detail": "hot",
}


@commands.command("hello")
def hello() -> None:
    """Say hello."""
    typer.echo("hello from the shop")


@commands.command("bye")
def bye() -> None:
    """Say goodbye."""
    typer.echo("bye")


def read_edit(words: str, arguments: Mapping[str, Any], now: datetime) -> Mapping[str, Any] | Text:
    """Read ``amount 20``."""
    number = "".join(char for char in words if char.isdigit())
    if not number or "amount" not in arguments:
        return Text("没有看懂要改什么。", "I did not understand the change.")
    return {"amount": int(number)}


def compose(view: RunView) -> list[Block]:
    """Answer with one block of every kind."""
    return [
        Block("text", {"text": f"{view.status}: {view.request}"}),
        Block("notice", {"level": "warning", "text": "mind the step"}),
        Block("table", {"title": "Prices", "columns": ["what", "price"], "rows": [["tea", 30], ["面", None]]}),
        Block("timeline", {"items": [TEA_TIME]}),
        Block("map", {"points": [{"name": "shop", "lat": 31.0, "lon": 121.0}]}),
    ]  # fmt: skip


class ClosableBackend(FileBackend):
    """Unreachable while the file ``closed`` lies beside it."""

    def check(self) -> None:
        """Fail while closed."""
        self.reachable = not self._path.with_name("closed").exists()
        super().check()


def corner_app() -> App:
    """Return the app over the file that the environment names."""
    backend = Path(os.environ.get("CORNER_BACKEND", "backend.json"))
    faults = [Fault(**fault) for fault in json.loads(os.environ.get("CORNER_FAULTS", "[]"))]

    @asynccontextmanager
    async def systems() -> AsyncIterator[Backend]:
        yield ClosableBackend(backend)

    labels = {"article": Text("商品", "Article"), "amount": Text("金额", "Amount")}
    app = replace(
        shop_app(Backend()), name="corner", open=systems, compose=compose, read_edit=read_edit, labels=labels
    )  # fmt: skip
    return FaultInjector(faults).wrap(app)


app = corner_app()


def count_data(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """An eval that counts files."""
    folder = data_folder(data, "corner")
    report.add("surefoot.files", len(list(folder.iterdir())))
    report.add("peer.files", 0.5)
    report.note(f"options: {' '.join(options)}")
