"""``surefoot resume``: an answer by option, after a crash, of another person, or to nothing."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., tuple[int, str, str]]
World = Callable[[], list[list[str]]]


@pytest.fixture
def waiting(cli: Cli) -> str:
    """Return a run that waits for its first card."""
    return str(json.loads(cli("ask", "buy tea", "--app", "corner", "--json")[1])["run_id"])


@pytest.fixture
def asking(cli: Cli) -> str:
    """Return a run that waits for an answer to a question."""
    return str(json.loads(cli("ask", "buy", "--app", "corner", "--json")[1])["run_id"])


def test_confirming_goes_on_to_the_next_card_and_then_to_the_end(
    cli: Cli, waiting: str, ledger_of_the_world: World
) -> None:
    code, out, _ = cli("resume", waiting, "--confirm")
    assert code == 3
    assert "Take the money." in out
    assert ledger_of_the_world() == [["reserve", "tea"]]
    assert cli("resume", waiting, "--confirm")[0] == 0
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]


def test_declining_undoes_what_was_done_and_says_so(cli: Cli, waiting: str, ledger_of_the_world: World) -> None:
    cli("resume", waiting, "--confirm")
    code, out, _ = cli("resume", waiting, "--decline")
    assert code == 5
    assert "declined" in out
    assert ledger_of_the_world() == [["reserve", "tea"], ["release", "tea"]]


def test_a_change_shows_a_new_card_with_the_changed_value(cli: Cli, waiting: str) -> None:
    cli("resume", waiting, "--confirm")
    code, out, _ = cli("resume", waiting, "--change", "amount 20")
    assert code == 3
    amount = next(line for line in out.splitlines() if "Amount" in line)
    assert "20" in amount
    assert "confirmed" in amount
    assert "Fee: 20 CNY" in out


def test_a_change_that_breaks_a_rule_shows_the_old_card_with_the_reason(cli: Cli, waiting: str) -> None:
    cli("resume", waiting, "--confirm")
    code, out, _ = cli("resume", waiting, "--change", "amount 501")
    assert code == 3
    assert "Your change was not made: At most 500 at once." in out
    assert "Fee: 30 CNY" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--change", "something else"], "I did not understand the change."),
        (["--choose", "1"], "waits for a card; use --confirm, --change, --decline"),
        (["--confirm", "--decline"], "Use only one of"),
    ],
)
def test_an_answer_that_does_not_fit_a_card_leaves_it_waiting(
    cli: Cli, waiting: str, options: list[str], said: str
) -> None:
    cli("resume", waiting, "--confirm")
    code, out, err = cli("resume", waiting, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert cli("resume", waiting)[0] == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--choose", "2"], "Choose 1 to 1: tea"),
        (["--choose", "0"], "Choose 1 to 1: tea"),
        (["--text", " "], "The answer is empty."),
        (["--confirm"], "waits for an answer to a question; use --choose, --text, --stop"),
    ],
)
def test_an_answer_that_does_not_fit_a_question_leaves_it_waiting(
    cli: Cli, asking: str, options: list[str], said: str
) -> None:
    code, _, err = cli("resume", asking, *options)
    assert code == 2
    assert said in err
    assert cli("resume", asking)[0] == 3


@pytest.mark.parametrize(("options", "article"), [(["--choose", "1"], "tea"), (["--text", "coffee"], "coffee")])
def test_a_question_is_answered_by_number_or_in_words(
    cli: Cli, asking: str, options: list[str], article: str, ledger_of_the_world: World
) -> None:
    assert cli("resume", asking, *options, "--yes")[0] == 0
    assert ledger_of_the_world()[-1] == ["charge", article]


def test_stopping_at_a_question_ends_the_run(cli: Cli, asking: str) -> None:
    assert cli("resume", asking, "--stop")[0] == 5
    assert cli("resume", asking)[0] == 5
    code, _, err = cli("resume", asking, "--stop")
    assert code == 2
    assert "waits for no answer" in err


def test_nobody_confirms_the_card_of_somebody_else(cli: Cli, waiting: str, ledger_of_the_world: World) -> None:
    code, _, err = cli("resume", waiting, "--confirm", "--user", "mallory")
    assert code == 5
    assert err == "surefoot: This card belongs to another person; you cannot answer it.\n"
    assert ledger_of_the_world() == []
    assert cli("resume", waiting)[0] == 3


def test_a_run_that_does_not_exist_is_said_in_one_line(cli: Cli) -> None:
    assert cli("resume", "r-nope") == (2, "", "surefoot: there is no run r-nope; `surefoot runs` lists them\n")


def test_a_run_that_has_ended_shows_its_answer_again(cli: Cli) -> None:
    run_id = json.loads(cli("ask", "buy tea", "--app", "corner", "--yes", "--json")[1])["run_id"]
    code, out, _ = cli("resume", run_id)
    assert code == 0
    assert "done: buy tea" in out


@pytest.mark.process
def test_killed_after_the_answer_of_the_back_end_a_resume_books_nothing_twice(
    process: Callable[..., "subprocess.CompletedProcess[str]"], cli: Cli, home: Path, ledger_of_the_world: World
) -> None:
    mark = home / "mark"
    crash = {"SUREFOOT_CRASH_AT": "attempt.after_call#2", "SUREFOOT_CRASH_MARK": str(mark)}
    killed = process("ask", "buy tea", "--app", "corner", "--yes", **crash)
    assert killed.returncode == -signal.SIGKILL
    assert mark.exists()
    run: dict[str, Any] = json.loads(cli("runs", "--json")[1])[0]
    assert run["status"] == "running"
    code, out, _ = cli("resume", run["run_id"])
    assert code == 0
    assert "found by asking back" in out
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]
