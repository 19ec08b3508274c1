"""Every failure is one line and a code of its own; nobody sees a stack trace."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.cli.exits import ExitCode, of_status
from surefoot.cli.failures import Stopped, code_of, in_words, told_in
from surefoot.errors import (
    ConsentRefused,
    ContractError,
    Fenced,
    InputInvalid,
    NotWaiting,
    RunNotFound,
    StorageUnavailable,
    SurefootError,
    ThreadBusy,
)
from surefoot.texts import Text

Cli = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputInvalid(Text("不对", "wrong")), 2),
        (ContractError("bad key", file="a.yaml", line=3), 2),
        (RunNotFound("no run"), 2),
        (NotWaiting("ended"), 2),
        (ConsentRefused("foreign", "not yours"), 5),
        (ThreadBusy("t", "r-1"), 6),
        (StorageUnavailable("locked"), 7),
        (sqlite3.OperationalError("unable to open"), 7),
        (Fenced("epoch 2"), 8),
        (asyncio.CancelledError("fenced"), 8),
        (ZeroDivisionError("oops"), 1),
    ],
)
def test_each_error_has_its_code_and_one_line_in_both_languages(error: BaseException, code: int) -> None:
    assert code_of(error) == code
    for lang in ("zh", "en"):
        line = in_words(error, lang)
        assert line
        assert "\n" not in line


def test_every_error_of_the_tree_can_be_said() -> None:
    def below(kind: type[BaseException]) -> set[type[BaseException]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    for kind in below(SurefootError):
        error = kind.__new__(kind)
        Exception.__init__(error, "words")
        error.text, error.thread_id, error.run_id, error.reason = Text("话", "words"), "t", "r", "x"  # type: ignore[attr-defined]
        assert in_words(error, "en"), kind
        assert code_of(error) in set(ExitCode)


def test_a_contract_error_names_file_and_line() -> None:
    with pytest.raises(Stopped, match=r"a\.yaml:3: bad key"), told_in("en"):
        raise ContractError("bad key", file="a.yaml", line=3)


@pytest.mark.parametrize(
    ("status", "code"),
    [("done", 0), ("answered", 0), ("dry_run", 0), ("waiting", 3), ("handed_over", 4)]
    + [(status, 5) for status in ("refused", "declined", "failed", "undone")],
)
def test_each_status_has_its_exit_code(status: str, code: int) -> None:
    assert of_status(status) == code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["ask"], "Missing argument"),
        (["runs", "--limit", "many"], "--limit"),
        (["resume", "r-1", "--choose", "x"], "--choose"),
        (["graph", "corner", "--format", "png"], "--format"),
        (["runs", "--bogus"], "--bogus"),
    ],
)
def test_wrong_usage_is_one_line_that_points_at_the_help(cli: Cli, words: list[str], said: str) -> None:
    code, out, err = cli(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert "--help" in err
    assert err.count("\n") == 1


def test_a_database_that_is_none_is_left_alone(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    junk = home / "junk.sqlite"
    junk.write_bytes(b"this is not a database, it is a letter" * 200)
    monkeypatch.setenv("SUREFOOT_DATABASE_URL", f"sqlite:///{junk}")
    before = junk.read_bytes()
    for command in (["runs"], ["ask", "buy tea", "--app", "corner"], ["effects", "list"]):
        code, _, err = cli(*command)
        assert code == 7
        assert err.count("\n") == 1
    assert junk.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SUREFOOT_DATABASE_URL", "mysql://there"),
        ("SUREFOOT_DATABASE_URL", "::"),
        ("SUREFOOT_RUN_CALLS", "many"),
        ("SUREFOOT_ENCRYPTION_KEY", "short"),
    ],
)
def test_a_wrong_setting_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    code, _, err = cli("runs")
    assert code == 2
    assert name in err
    assert err.count("\n") == 1


def test_an_unexpected_error_is_one_line_and_debug_shows_the_trace(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "backend.json").write_text("{no json")
    code, _, err = cli("ask", "buy tea", "--app", "corner", "--yes")
    assert code == 1
    assert "Traceback" not in err
    assert err.count("\n") == 1
    assert "Please report" in err
    monkeypatch.setenv("SUREFOOT_DEBUG", "1")
    assert "Traceback" in cli("ask", "buy tea", "--app", "corner", "--yes")[2]


@pytest.mark.process
def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    command = f'{sys.executable} -c "from surefoot.cli.main import main; main()" graph corner --format svg | head -c 10'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60)
    assert "Error" not in done.stderr
    assert "Exception" not in done.stderr
