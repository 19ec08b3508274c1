"""``runs``, ``trace``, ``effects list`` and ``effects reconcile``: what operators see and do."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
World = Callable[[], list[list[str]]]
Process = Callable[..., "subprocess.CompletedProcess[str]"]
LOST = json.dumps(
    [
        {"tool": "charge", "kind": "after_commit_timeout", "times": 99},
        {"tool": "find_order", "kind": "before_commit_timeout", "times": 99},
    ]
)


@pytest.fixture
def handed_over(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a run whose payment got no answer from a back end that then stayed unreachable."""
    monkeypatch.setenv("CORNER_FAULTS", LOST)
    code, out, err = cli("ask", "buy tea", "--app", "corner", "--json", "--yes")
    assert code == 4, out + err
    monkeypatch.delenv("CORNER_FAULTS")
    return str(json.loads(out)["run_id"])


def test_with_no_runs_and_no_effects_the_lists_say_so(cli: Cli) -> None:
    assert cli("runs") == (0, "There are no runs yet.\n", "")
    assert cli("effects", "list") == (0, "There are no such effects.\n", "")
    assert cli("runs", "--json")[1] == "[]\n"


def test_runs_are_listed_newest_first_and_limited(cli: Cli) -> None:
    for article in ("tea", "coffee", "milk"):
        cli("ask", f"buy {article}", "--app", "corner")
    assert [run["request"] for run in json.loads(cli("runs", "--json", "--limit", "2")[1])] == [
        "buy milk",
        "buy coffee",
    ]
    out = cli("runs")[1]
    assert out.index("buy milk") < out.index("buy tea")
    assert "waiting for an answer" in out


def test_the_trace_tells_events_consents_and_the_history_of_effects(cli: Cli) -> None:
    run_id = json.loads(cli("ask", "buy tea", "--app", "corner", "--yes", "--json")[1])["run_id"]
    code, out, _ = cli("trace", run_id)
    assert code == 0
    for words in ("request: buy tea", "plan: version 1", "card shown: reserve", "consent given", f"{run_id}/charge#1"):
        assert words in out
    assert "the back end answered: done (the call) → committed" in out
    assert "by consent consent-card-" in out


def test_the_trace_of_a_chinese_run_is_chinese(cli: Cli) -> None:
    run_id = json.loads(cli("ask", "buy 茶", "--app", "corner", "--yes", "--json")[1])["run_id"]
    out = cli("trace", run_id)[1]
    assert "得到确认：由 --yes" in out
    assert "对方答复办成（调用结果） → 已办成" in out


def test_effects_are_listed_newest_first_and_filtered(cli: Cli) -> None:
    run_id = json.loads(cli("ask", "buy tea", "--app", "corner", "--yes", "--json")[1])["run_id"]
    cli("ask", "buy cursed", "--app", "corner", "--yes")
    tools = [effect["tool"] for effect in json.loads(cli("effects", "list", "--json")[1])]
    assert tools == ["release", "charge", "reserve", "charge", "reserve"]
    own = json.loads(cli("effects", "list", "--json", "--run", run_id)[1])
    assert [effect["tool"] for effect in own] == ["charge", "reserve"]
    undone = json.loads(cli("effects", "list", "--json", "--state", "compensated")[1])
    assert [effect["arguments"] for effect in undone] == [{"article": "cursed"}]
    assert "compensated" not in cli("effects", "list")[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--state", "lost"], "There is no state 'lost'; there are: intended, not_sent, committed"),
        (["--run", "r-nope"], "there is no run r-nope"),
    ],
)
def test_a_filter_that_is_wrong_says_what_would_be_right(cli: Cli, options: list[str], said: str) -> None:
    code, _, err = cli("effects", "list", *options)
    assert code == 2
    assert said in err


def test_an_unknown_effect_is_settled_when_the_back_end_is_back(
    cli: Cli, handed_over: str, home: Path, ledger_of_the_world: World
) -> None:
    (home / "closed").touch()
    code, out, _ = cli("effects", "reconcile", "--app", "corner", "--json")
    assert code == 4
    assert [(one["before"], one["after"]) for one in json.loads(out)] == [("unknown", "unknown")]
    assert "Ticket T-" + handed_over + " (open)" in cli("trace", handed_over)[1]
    (home / "closed").unlink()
    code, out, _ = cli("effects", "reconcile", "--app", "corner")
    assert code == 0
    assert f"{handed_over}/charge#1" in out
    story = cli("trace", handed_over)[1]
    assert "(resolved)" in story
    assert "asked back: it is there (the reconciler) → committed" in story
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]
    assert "nothing to ask back" in cli("effects", "reconcile", "--app", "corner")[1]


@pytest.mark.process
def test_after_a_kill_reconcile_settles_the_effect_and_the_resume_does_not_repeat_it(
    process: Process, cli: Cli, home: Path, ledger_of_the_world: World
) -> None:
    crash = {"SUREFOOT_CRASH_AT": "attempt.after_call#2", "SUREFOOT_CRASH_MARK": str(home / "mark")}
    process("ask", "buy tea", "--app", "corner", "--yes", **crash)
    out = cli("effects", "reconcile", "--app", "corner", "--json")[1]
    assert [(one["before"], one["after"]) for one in json.loads(out)] == [("intended", "committed")]
    run_id = json.loads(cli("runs", "--json")[1])[0]["run_id"]
    assert cli("resume", run_id)[0] == 0
    assert ledger_of_the_world() == [["reserve", "tea"], ["charge", "tea"]]
