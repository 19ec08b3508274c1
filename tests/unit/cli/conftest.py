"""The corner shop, installed by its entry points; every test has a database and a back end of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.cli.main import run

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ENTRY_POINTS = """\
[surefoot.apps]
corner = corner_shop:app
broken = corner_shop_that_is_not_there:app

[surefoot.commands]
corner = corner_shop:commands
campus = surefoot_campus.commands:commands

[surefoot.evals]
corner = corner_shop:count_data
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder in which the corner shop is installed, with the environment pointing at it."""
    info = tmp_path / "installed" / "corner_shop-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corner-shop\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    for path in (str(info.parent), str(HERE / "corner")):
        monkeypatch.syspath_prepend(path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(info.parent), str(HERE / "corner"), "src", "tests"]))
    monkeypatch.setenv("SUREFOOT_DATABASE_URL", f"sqlite:///{tmp_path / 'surefoot.sqlite'}")
    monkeypatch.setenv("CORNER_BACKEND", str(tmp_path / "backend.json"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("SUREFOOT_USER", "SUREFOOT_DEBUG", "SUREFOOT_EXAMS", "COLUMNS", "CORNER_FAULTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "stdin", open(os.devnull, encoding="utf-8"))  # noqa: SIM115 - closed with the test
    yield tmp_path
    sys.stdin.close()
    sys.modules.pop("corner_shop", None)


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run one command in this process; returns exit code, stdout and stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        sys.modules.pop("corner_shop", None)
        code = run(words)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


@pytest.fixture
def process(home: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run one command as a process of its own."""

    def call(*words: str, stdin: str | None = None, **environment: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-c", "from surefoot.cli.main import main; main()", *words]
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return call


@pytest.fixture
def ledger_of_the_world(home: Path) -> Callable[[], list[list[str]]]:
    """Return what the shop's own system really did, in order."""

    def read() -> list[list[str]]:
        path = home / "backend.json"
        return json.loads(path.read_text())["log"] if path.exists() else []

    return read
