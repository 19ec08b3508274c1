"""A real process is killed with SIGKILL at every registered point; after a resume each effect exists once."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import surefoot.bootstrap  # noqa: F401 - importing everything registers every point
from surefoot.telemetry.crashpoint import declared

ROOT = Path(__file__).parents[2]
LOST = [{"tool": "charge", "kind": "after_commit_timeout"}]
SLOW_UNDO = [{"tool": "release", "kind": "after_commit_timeout"}]


@dataclass(frozen=True)
class Scenario:
    """A purchase, what the world does to it, and what must really have happened in the end."""

    text: str
    faults: list[dict[str, str]]
    status: str
    log: list[list[str]]


BOUGHT = Scenario("buy tea", LOST, "done", [["reserve", "tea"], ["charge", "tea"]])
UNDONE = Scenario("buy cursed", SLOW_UNDO, "undone", [["reserve", "cursed"], ["release", "cursed"]])

POINTS = [
    ("attempt.before_intent", BOUGHT, 1),
    ("attempt.before_intent", BOUGHT, 2),
    ("attempt.before_intent", UNDONE, 2),
    ("attempt.after_intent", BOUGHT, 1),
    ("attempt.after_intent", BOUGHT, 2),
    ("attempt.after_intent", UNDONE, 3),
    ("attempt.after_call", BOUGHT, 1),
    ("attempt.after_call", BOUGHT, 2),
    ("attempt.after_call", UNDONE, 3),
    ("attempt.after_outcome", BOUGHT, 1),
    ("attempt.after_outcome", BOUGHT, 2),
    ("attempt.after_outcome", UNDONE, 2),
    ("attempt.after_outcome", UNDONE, 3),
    ("graph.card_made", BOUGHT, 1),
    ("graph.card_made", UNDONE, 2),
    ("graph.consent_stored", BOUGHT, 1),
    ("graph.consent_stored", BOUGHT, 2),
    ("graph.before_recovery", BOUGHT, 1),
    ("graph.after_recovery", BOUGHT, 1),
    ("reconcile.before_verdict", BOUGHT, 1),
    ("reconcile.before_verdict", UNDONE, 1),
    ("runner.before_finish", BOUGHT, 1),
    ("runner.before_finish", UNDONE, 1),
    ("saga.before_undo", UNDONE, 1),
    ("saga.after_undo", UNDONE, 1),
]
"""Every declared point of the core, in each scenario in which it is reached, and at which time it is reached."""


def run(folder: Path, action: str, scenario: Scenario, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "shop.process", str(folder / "s.sqlite"), str(folder / "backend.json"), action]
    return subprocess.run(
        [*command, scenario.text, json.dumps(scenario.faults if action == "start" else [])],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src:tests", **environment},
        capture_output=True,
        text=True,
        timeout=200,
    )


def cards(output: str) -> list[str]:
    """Return what was asked, as step and arguments: a card made anew for the same thing is the same question."""
    return [json.loads(line)["card"] for line in output.splitlines() if "card" in line]


@pytest.mark.process
@pytest.mark.timeout(420)
@pytest.mark.parametrize(("point", "scenario", "nth"), POINTS, ids=[f"{p}-{s.status}-{n}" for p, s, n in POINTS])
def test_killed_at_a_point_and_resumed_every_effect_exists_once(
    point: str, scenario: Scenario, nth: int, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    crash = {"SUREFOOT_CRASH_AT": f"{point}#{nth}", "SUREFOOT_CRASH_MARK": str(mark)}
    first = run(tmp_path, "start", scenario, **crash)
    assert mark.exists(), f"{point} was not hit: {first.stdout}{first.stderr}"
    assert first.returncode == -signal.SIGKILL
    second = run(tmp_path, "resume", scenario)
    assert second.returncode == 0, second.stderr
    ended = json.loads(second.stdout.splitlines()[-1])
    assert ended["status"] == scenario.status
    assert ended["log"] == scenario.log
    asked = cards(first.stdout) + cards(second.stdout)
    assert len(asked) == len(set(asked)), "a card was asked twice"


def test_the_matrix_kills_at_every_declared_point() -> None:
    of_the_core = {point for point in declared() if not point.startswith("campus.")}
    assert of_the_core == {point for point, _, __ in POINTS}
    assert all(declared().values())
