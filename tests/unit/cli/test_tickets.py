"""``surefoot tickets``: the queue, claims, and what an operator makes of a run, through the command line."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.bootstrap import load_settings, sqlite_ledger
from surefoot.persistence.database import sqlite_path
from surefoot.recovery.handover import write_ticket

Cli = Callable[..., tuple[int, str, str]]
World = Callable[[], list[list[str]]]
SILENT = {"tool": "find_order", "kind": "before_commit_timeout", "times": 99}
PAID = [["reserve", "tea"], ["charge", "tea"]]


def buy_and_lose(cli: Cli, monkeypatch: pytest.MonkeyPatch, kind: str) -> str:
    monkeypatch.setenv("CORNER_FAULTS", json.dumps([{"tool": "charge", "kind": kind, "times": 99}, SILENT]))
    code, out, err = cli("ask", "buy tea", "--app", "corner", "--json", "--yes")
    assert code == 4, out + err
    monkeypatch.delenv("CORNER_FAULTS")
    return str(json.loads(out)["run_id"])


@pytest.fixture
def paid(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a run that paid without getting an answer."""
    return buy_and_lose(cli, monkeypatch, "after_commit_timeout")


@pytest.fixture
def unpaid(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a run that did not pay and does not know it."""
    return buy_and_lose(cli, monkeypatch, "before_commit_timeout")


def test_an_empty_queue_says_so(cli: Cli) -> None:
    assert cli("tickets", "list") == (0, "There are no such tickets.\n", "")
    assert cli("tickets", "list", "--json", "--status", "all")[1] == "[]\n"


def test_the_queue_lists_what_waits_and_show_tells_how_to_undo_it(cli: Cli, paid: str) -> None:
    code, out, _ = cli("tickets", "list", "--json")
    (row,) = json.loads(out)
    assert (code, row["ticket_id"], row["unknown"]) == (0, f"T-{paid}", [f"{paid}/charge#1"])
    assert f"T-{paid}" in cli("tickets", "list")[1]
    code, out, _ = cli("tickets", "show", f"T-{paid}")
    assert code == 0
    for words in (
        "request: buy tea", f"Unknown: {paid}/charge#1", "Not done: greet", "release: reservation_id R1",
        "refund: its arguments depend on a result", "opened (the run)",
    ):  # fmt: skip
        assert words in out
    assert json.loads(cli("tickets", "show", f"T-{paid}", "--json")[1])["status"] == "open"


def test_tickets_are_told_in_chinese(cli: Cli, paid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    out = cli("tickets", "show", f"T-{paid}")[1]
    for words in ("待处理", "请求：buy tea", "还没有做：greet", "如需人工撤销", "转人工 (任务本身)"):
        assert words in out
    assert "由 olga 认领" in cli("tickets", "claim", f"T-{paid}", "--as", "olga")[1]
    assert "已由 olga 认领" in cli("tickets", "claim", f"T-{paid}", "--as", "peter")[2]
    assert "处理中" in cli("tickets", "list")[1]


def test_a_ticket_is_claimed_once_and_released_by_force(cli: Cli, paid: str) -> None:
    assert cli("tickets", "claim", f"T-{paid}", "--as", "olga")[0] == 0
    code, _, err = cli("tickets", "claim", f"T-{paid}", "--as", "peter")
    assert (code, "claimed by olga" in err) == (2, True)
    assert cli("tickets", "release", f"T-{paid}", "--as", "peter")[0] == 2
    assert cli("tickets", "release", f"T-{paid}", "--as", "peter", "--force")[0] == 0
    assert cli("tickets", "claim", f"T-{paid}", "--as", "peter")[0] == 0
    assert "claimed (peter)" in cli("tickets", "list", "--status", "claimed")[1]
    assert cli("tickets", "list", "--status", "open")[1] == "There are no such tickets.\n"


def test_present_and_continue_ends_done(cli: Cli, paid: str, ledger_of_the_world: World) -> None:
    code, out, err = cli(
        "tickets", "resolve", f"T-{paid}", "--as", "olga", "--present", f"{paid}/charge#1",
        "--result", '{"charge_id": "C2"}', "--continue", "--note", "The bank has it.",
    )  # fmt: skip
    assert code == 0, out + err
    assert "An operator: The bank has it." in out
    assert f"Ticket T-{paid}: resolved" in out
    assert ledger_of_the_world() == PAID
    story = cli("trace", paid)[1]
    assert "an operator decided: olga → continue" in story
    assert "(a person) → committed" in story
    assert f"Ticket T-{paid} (resolved)" in story


def test_absent_and_continue_waits_for_the_person_who_then_confirms(
    cli: Cli, unpaid: str, ledger_of_the_world: World
) -> None:
    words = ("tickets", "resolve", f"T-{unpaid}", "--as", "olga", "--absent", f"{unpaid}/charge#1", "--continue")
    code, out, err = cli(*words, "--note", "Not there.")
    assert (code, f"surefoot resume {unpaid}" in out) == (3, True), out + err
    assert ledger_of_the_world() == [["reserve", "tea"]]
    assert cli(*words, "--note", "Not there.")[0] == 3
    assert cli("resume", unpaid, "--confirm", "--yes")[0] == 0
    assert ledger_of_the_world() == PAID


def test_undo_takes_back_what_stands(cli: Cli, unpaid: str, ledger_of_the_world: World) -> None:
    code, out, _ = cli(
        "tickets", "resolve", f"T-{unpaid}", "--as", "olga", "--absent", f"{unpaid}/charge#1", "--undo",
        "--note", "No stock.", "--json",
    )  # fmt: skip
    told = json.loads(out)
    assert (code, told["run"]["status"], told["ticket"]["status"]) == (5, "undone", "resolved")
    assert ledger_of_the_world() == [["reserve", "tea"], ["release", "tea"]]


def test_finish_is_the_default_and_leaves_the_world_alone(
    cli: Cli, paid: str, home: Path, ledger_of_the_world: World
) -> None:
    (home / "closed").touch()
    code, out, _ = cli("tickets", "resolve", f"T-{paid}", "--as", "olga", "--note", "Handled at the desk.")
    assert (code, "An operator: Handled at the desk." in out) == (0, True)
    assert ledger_of_the_world() == PAID
    assert f"T-{paid}" in cli("tickets", "list", "--status", "resolved")[1]
    assert cli("tickets", "list")[1] == "There are no such tickets.\n"


def test_a_run_that_is_handed_over_again_keeps_its_ticket(cli: Cli, paid: str, home: Path) -> None:
    (home / "closed").touch()
    code, out, _ = cli("tickets", "resolve", f"T-{paid}", "--as", "olga", "--continue", "--note", "Try again.")
    assert (code, f"Ticket T-{paid}: claimed" in out) == (4, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--finish", "--undo"], "Use only one of --finish, --continue, --undo"),
        (["--present", "x#1"], "This run has no effect x#1"),
        (["--present", "E", "--absent", "E"], "cannot be both present and absent"),
        (["--present", "E", "--result", "{"], "--result is no JSON"),
        (["--present", "E", "--result", "[1]"], "must be a JSON object"),
        (["--present", "E", "--result", "{}", "--result", "{}"], "one --result for each --present"),
        (["--present", "E", "--result", "{}"], "does not fit the contract of charge"),
        (["--as", " "], "Say who you are"),
    ],
)
def test_what_does_not_fit_is_one_line_and_changes_nothing(cli: Cli, paid: str, options: list[str], said: str) -> None:
    given = [f"{paid}/charge#1" if word == "E" else word for word in options]
    code, _, err = cli("tickets", "resolve", f"T-{paid}", "--as", "olga", "--note", "n", *given)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
    assert json.loads(cli("tickets", "list", "--json")[1])[0]["status"] == "open"


@pytest.mark.parametrize("command", ["show", "claim", "release", "resolve"])
def test_a_ticket_that_is_not_there_is_one_line(cli: Cli, command: str) -> None:
    options = {"show": [], "resolve": ["--as", "olga", "--note", "n"]}.get(command, ["--as", "olga"])
    code, _, err = cli("tickets", command, "T-nope", *options)
    assert (code, err) == (2, "surefoot: There is no ticket T-nope; `surefoot tickets list` lists them.\n")
    code, _, err = cli("tickets", "list", "--status", "lost")
    assert (code, "there are: open, claimed, resolved, all" in err) == (2, True)


def test_a_ticket_of_another_host_is_closed_without_a_run(cli: Cli) -> None:
    async def open_one() -> None:
        stores = await sqlite_ledger(sqlite_path(load_settings().database_url))()
        await stores.tickets.open(write_ticket("turn-1", "ann", "pay", {"zh": "不清楚", "en": "not known"}, []))
        await stores.close()

    asyncio.run(open_one())
    words = ("tickets", "resolve", "T-turn-1", "--as", "olga", "--note", "Paid by hand.")
    code, _, err = cli(*words, "--continue")
    assert (code, "only --finish" in err) == (2, True)
    assert cli(*words) == (0, "Ticket T-turn-1: resolved\n", "")
    assert cli(*words)[0] == 0
    assert "resolved (olga): Paid by hand." in cli("tickets", "show", "T-turn-1")[1]
