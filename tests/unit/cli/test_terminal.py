"""A person at a real terminal (a pty): the live plan, the card's three answers, questions, Ctrl-C."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parents[3]
World = Callable[[], list[list[str]]]

pytestmark = pytest.mark.process


@pytest.fixture
def at_terminal(home: Path) -> Iterator[Callable[..., "pexpect.spawn[str]"]]:
    """Start a command at a terminal of 100 columns."""
    started: list[pexpect.spawn[str]] = []

    def start(*words: str) -> "pexpect.spawn[str]":
        command = ["-c", "from surefoot.cli.main import main; main()", *words]
        environment = {**os.environ, "TERM": "xterm"}
        child = pexpect.spawn(
            sys.executable, command, cwd=str(ROOT), env=environment, encoding="utf-8", dimensions=(50, 100), timeout=30
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def ended(child: "pexpect.spawn[str]") -> int:
    """Wait for the end and return the exit code."""
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus or 0)


def test_confirm_confirm_done(at_terminal: Callable[..., "pexpect.spawn[str]"], ledger_of_the_world: World) -> None:
    child = at_terminal("ask", "buy tea", "--app", "corner")
    child.expect("Plan: buy")
    child.expect(r"\[1\] confirm")
    child.sendline("1")
    child.expect("Take the money")
    child.expect(r"\[1\] confirm")
    child.sendline("y")
    child.expect("done: buy tea")
    assert ended(child) == 0
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]


def test_a_change_is_read_said_back_when_not_understood_and_shown_on_a_new_card(
    at_terminal: Callable[..., "pexpect.spawn[str]"], ledger_of_the_world: World
) -> None:
    child = at_terminal("ask", "buy tea", "--app", "corner")
    child.expect(r"\[1\] confirm")
    child.sendline("what?")
    child.expect(r"\[1\] confirm")
    child.sendline("confirm")
    child.expect("Take the money")
    child.expect(r"\[1\] confirm")
    child.sendline("2")
    child.expect("What should change")
    child.sendline("make it cheaper")
    child.expect("did not understand")
    child.expect(r"\[1\] confirm")
    child.sendline("change")
    child.expect("What should change")
    child.sendline("20")
    child.expect("Fee: 20 CNY")
    child.expect(r"\[1\] confirm")
    child.sendline("3")
    assert ended(child) == 5
    assert ledger_of_the_world() == [["reserve", "tea"], ["release", "tea"]]


def test_a_question_is_asked_with_numbers_even_with_yes(at_terminal: Callable[..., "pexpect.spawn[str]"]) -> None:
    child = at_terminal("ask", "buy", "--app", "corner", "--yes")
    child.expect("1. tea")
    child.expect("number or answer")
    child.sendline("1")
    child.expect("done: buy")
    assert ended(child) == 0


def test_ctrl_c_at_the_prompt_leaves_the_run_resumable_and_says_how(
    at_terminal: Callable[..., "pexpect.spawn[str]"], ledger_of_the_world: World
) -> None:
    child = at_terminal("ask", "买 tea", "--app", "corner", "--lang", "zh")
    child = at_terminal("ask", "buy tea", "--app", "corner", "--lang", "zh")
    child.expect(r"\[1\] 确认")
    child.sendintr()
    child.expect(r"继续：surefoot resume (r-\w+)")
    assert isinstance(child.match, object)
    run_id = child.match.group(1)  # type: ignore[union-attr]
    assert ended(child) == 130
    again = at_terminal("resume", run_id, "--yes")
    again.expect("done: buy tea")
    assert ended(again) == 0
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]


def test_ctrl_c_while_a_tool_is_working_loses_nothing(
    at_terminal: Callable[..., "pexpect.spawn[str]"], monkeypatch: pytest.MonkeyPatch, ledger_of_the_world: World
) -> None:
    monkeypatch.setenv("CORNER_FAULTS", '[{"tool": "charge", "kind": "slow", "seconds": 0.4}]')
    child = at_terminal("ask", "buy tea", "--app", "corner")
    for _ in range(2):
        child.expect(r"\[1\] confirm")
        child.sendline("1")
    child.expect("under way|waits for you")
    child.sendintr()
    child.expect(r"surefoot resume (r-\w+)")
    run_id = child.match.group(1)  # type: ignore[union-attr]
    assert ended(child) == 130
    monkeypatch.delenv("CORNER_FAULTS")
    again = at_terminal("resume", run_id, "--yes")
    again.expect("done: buy tea")
    assert ended(again) == 0
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]


def test_the_end_of_the_input_leaves_the_card_waiting(at_terminal: Callable[..., "pexpect.spawn[str]"]) -> None:
    child = at_terminal("ask", "buy tea", "--app", "corner")
    child.expect(r"\[1\] confirm")
    child.sendeof()
    child.expect("--confirm")
    assert ended(child) == 3
