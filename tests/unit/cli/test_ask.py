"""``surefoot ask`` without a terminal: what is printed, what is waited for, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
World = Callable[[], list[list[str]]]


def test_yes_confirms_each_card_by_flag_and_shows_plan_cards_and_answer(cli: Cli, ledger_of_the_world: World) -> None:
    code, out, err = cli("ask", "buy tea", "--app", "corner", "--yes")
    assert (code, err) == (0, "")
    for words in (
        "Plan: buy",
        "waits for you",
        "Take the money.",
        "Fee: 30 CNY",
        "Confirmed by --yes.",
        "done: buy tea",
    ):
        assert words in out
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]


def test_a_consent_by_flag_is_recorded_as_one(cli: Cli) -> None:
    cli("ask", "buy tea", "--app", "corner", "--yes")
    run_id = json.loads(cli("runs", "--json")[1])[0]["run_id"]
    assert "by --yes" in cli("trace", run_id)[1]


def test_without_a_terminal_and_without_yes_the_card_is_printed_and_the_run_waits(
    cli: Cli, ledger_of_the_world: World
) -> None:
    code, out, _ = cli("ask", "buy tea", "--app", "corner")
    assert code == 3
    assert "Put an article aside." in out
    assert "--confirm" in out
    assert "--decline" in out
    assert ledger_of_the_world() == []


def test_a_guess_is_shown_as_a_guess_with_its_reason(cli: Cli) -> None:
    out = cli("ask", "buy tea", "--app", "corner", "--yes")[1]
    amount = next(line for line in out.splitlines() if "Amount" in line)
    assert "a guess: a usual price" in amount


def test_the_same_is_said_in_chinese_and_the_language_follows_the_text(cli: Cli) -> None:
    out = cli("ask", "buy 茶", "--app", "corner", "--yes")[1]
    for words in ("计划：buy", "按规则选的", "猜的（未说明）", "您说的", "费用：30 元", "已按 --yes 确认。"):
        assert words in out


def test_yes_never_confirms_a_card_that_shows_a_duplicate(cli: Cli, ledger_of_the_world: World) -> None:
    cli("ask", "buy tea", "--app", "corner", "--yes")
    code, out, _ = cli("ask", "buy tea", "--app", "corner", "--yes")
    assert code == 3
    assert "You already have this one" in out
    assert len(ledger_of_the_world()) == 2


def test_yes_does_not_answer_questions(cli: Cli) -> None:
    code, out, _ = cli("ask", "buy", "--app", "corner", "--yes")
    assert code == 3
    assert "Buy what?" in out
    assert "  1. tea" in out
    assert "--choose 1" in out


def test_a_dry_run_shows_what_would_be_done_and_writes_nothing(cli: Cli, ledger_of_the_world: World) -> None:
    code, out, _ = cli("ask", "buy tea", "--app", "corner", "--dry-run")
    assert code == 0
    assert "dry run" in out
    assert ledger_of_the_world() == []


def test_json_prints_one_object_and_nothing_else(cli: Cli) -> None:
    code, out, err = cli("ask", "buy tea", "--app", "corner", "--json")
    assert (code, err) == (3, "")
    told = json.loads(out)
    assert set(told) == {"run_id", "status", "answer", "pending", "steps"}
    assert told["status"] == "waiting"
    assert told["pending"]["card"]["arguments"] == {"article": "tea"}
    assert [step["id"] for step in told["steps"]] == ["quote", "reserve", "charge", "greet"]


def test_json_with_yes_ends_with_the_answer(cli: Cli) -> None:
    code, out, _ = cli("ask", "buy tea", "--app", "corner", "--json", "--yes")
    told = json.loads(out)
    assert (code, told["status"], told["pending"]) == (0, "done", None)
    assert told["answer"][0] == {"kind": "text", "text": "done: buy tea"}
    assert {step["status"] for step in told["steps"]} == {"success"}


def test_every_kind_of_block_is_rendered_as_plain_text(cli: Cli) -> None:
    out = cli("ask", "buy tea", "--app", "corner", "--yes")[1]
    for words in ("! mind the step", "Prices", "面     —", "Wed 2 Dec", "10:00–10:45  tea", "◦ shop (31.0, 121.0)"):
        assert words in out
    assert "\x1b" not in out
    assert not [line for line in out.splitlines() if line != line.rstrip()]


def test_a_time_without_a_zone_is_local_time_of_the_app(cli: Cli) -> None:
    run_id = json.loads(cli("ask", "buy tea", "--app", "corner", "--json", "--at", "2026-12-01T10:00")[1])["run_id"]
    listed = json.loads(cli("runs", "--json")[1])
    assert [run["at"] for run in listed if run["run_id"] == run_id] == ["2026-12-01T10:00:00+08:00"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["", "--app", "corner"], 2, "The message is empty"),
        (["\x00\x1b\u202e", "--app", "corner"], 2, "The message is empty"),
        (["买" * 5000, "--app", "corner"], 2, "内容太长（5000 个字符"),
        (["buy tea", "--app", "corner", "--at", "noonish"], 2, "write it as 2026-12-01T10:00"),
        (["买茶", "--app", "corner", "--at", "中午"], 2, "请写成 2026-12-01T10:00"),
        (["buy tea", "--app", "nowhere"], 2, "no app is called 'nowhere'; installed: broken"),
        (["buy tea", "--app", "broken"], 2, "corner_shop_that_is_not_there is missing"),
        (["buy tea", "--lang", "fr"], 2, "--lang"),
        (["sell tea", "--app", "corner"], 5, ""),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    cli: Cli, ledger_of_the_world: World, words: list[str], code: int, said: str
) -> None:
    got, _, err = cli("ask", *words)
    assert got == code
    assert said in err
    assert err.count("\n") <= 1
    assert ledger_of_the_world() == []


def test_two_hundred_kilobytes_from_stdin_are_refused_in_one_line(process: Callable[..., object]) -> None:
    done = process("ask", "-", "--app", "corner", stdin="buy " * 50_000)
    assert done.returncode == 2  # type: ignore[attr-defined]
    assert "too long" in done.stderr  # type: ignore[attr-defined]
    assert done.stdout == ""  # type: ignore[attr-defined]


def test_a_sentence_may_come_from_stdin(process: Callable[..., object]) -> None:
    done = process("ask", "-", "--app", "corner", "--yes", stdin="buy 茶\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0  # type: ignore[attr-defined]
    assert "done: buy 茶" in done.stdout  # type: ignore[attr-defined]


def test_a_thread_that_has_a_waiting_run_is_busy(cli: Cli) -> None:
    cli("ask", "buy tea", "--app", "corner", "--thread", "t1")
    code, _, err = cli("ask", "buy 茶", "--app", "corner", "--thread", "t1")
    assert code == 6
    assert "会话 t1 正忙" in err


def test_a_refused_payment_is_undone_and_ends_with_its_own_code(cli: Cli, ledger_of_the_world: World) -> None:
    code, out, _ = cli("ask", "buy cursed", "--app", "corner", "--yes")
    assert code == 5
    assert "taken back" in out
    assert ledger_of_the_world() == [["reserve", "cursed"], ["release", "cursed"]]


def test_a_card_that_expires_again_and_again_is_not_confirmed_by_flag_for_ever(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, ledger_of_the_world: World
) -> None:
    monkeypatch.setenv("SUREFOOT_CARD_TTL_SECONDS", "0.000001")
    code, out, _ = cli("ask", "buy tea", "--app", "corner", "--yes")
    assert code == 3
    assert "The last card has expired" in out
    assert ledger_of_the_world() == []


def test_help_of_every_command_works_without_an_app(cli: Cli, home: Path) -> None:
    for command in (["ask"], ["resume"], ["runs"], ["trace"], ["effects", "list"], ["effects", "reconcile"], ["graph"]):
        assert cli(*command, "--help")[0] == 0
