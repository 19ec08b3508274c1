"""``surefoot campus init`` and ``surefoot campus serve``."""

import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

Cli = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def campus_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the campus' database that the environment names."""
    monkeypatch.setenv("SUREFOOT_CAMPUS_DATABASE", str(home / "campus.sqlite"))
    return home / "campus.sqlite"


def rooms(database: Path) -> int:
    with sqlite3.connect(database) as connection:
        (count,) = connection.execute("SELECT count(*) FROM room").fetchone()
    connection.close()
    return int(count)


def test_init_makes_the_sample_once_and_again_only_by_force(cli: Cli, campus_file: Path) -> None:
    code, out, _ = cli("campus", "init")
    assert code == 0
    assert out.startswith(f"Made {campus_file}: ")
    before = campus_file.read_bytes()
    code, _, err = cli("campus", "init", "--sample", "harbour")
    assert code == 2
    assert "--force" in err
    assert campus_file.read_bytes() == before
    assert cli("campus", "init", "--sample", "harbour", "--force")[0] == 0
    assert campus_file.read_bytes() != before


def test_init_takes_a_folder_of_ones_own_files(cli: Cli, home: Path) -> None:
    folder = ROOT / "src" / "surefoot_campus" / "data" / "yunshan"
    assert cli("campus", "init", "--from", str(folder), "--database", str(home / "own.sqlite"))[0] == 0
    assert rooms(home / "own.sqlite") > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["init", "--sample", "nowhere"], "Samples: "),
        (["init", "--from", "nowhere"], "There is no folder nowhere."),
        (["init", "--from", ".", "--sample", "harbour"], "Use only one of"),
        (["serve", "--faults", "book=melt"], "cannot read the fault"),
        (["serve", "--port", "99999"], "--port"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line_and_makes_no_file(
    cli: Cli, campus_file: Path, words: list[str], said: str
) -> None:
    code, out, err = cli("campus", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not campus_file.exists()


def test_a_taken_port_is_said_in_one_line(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, err = cli("campus", "serve", "--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "Cannot serve on" in err
    assert err.count("\n") == 1


@pytest.mark.process
def test_serve_answers_over_http_until_it_is_stopped(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-c",
        "from surefoot.cli.main import main; main()",
        "campus",
        "serve",
        "--port",
        str(port),
    ]
    with subprocess.Popen(command, cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE) as server:
        try:
            assert profile(f"http://127.0.0.1:{port}/v1/profile")["code"] == 0
        finally:
            server.terminate()
    assert (home / "campus.sqlite").exists()


def profile(url: str) -> dict[str, object]:
    """Ask until the server is up."""
    for _ in range(200):
        try:
            answer: dict[str, object] = httpx.post(url, json={}, timeout=5).json()
        except httpx.ConnectError:
            time.sleep(0.1)
        else:
            return answer
    raise AssertionError("the server never came up")
