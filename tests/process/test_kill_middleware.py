"""create_agent with the middleware, killed with SIGKILL at each point of door, recovery and undo, and resumed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = ({"pay": ["after_timeout", "before_timeout"]}, ["pay", "pay", "ship"])
UNDONE = (
    {"pay": ["", "after_timeout"], "ship": ["refuse", "refuse"], "refund": ["after_timeout", "before_timeout"]},
    ["pay", "pay", "refund", "refund"],
)
POINTS = [
    *[("attempt.before_intent", KEPT, nth) for nth in (1, 3)],
    *[("attempt.after_intent", KEPT, nth) for nth in (1, 2, 3)],
    *[("attempt.after_call", KEPT, nth) for nth in (1, 2, 3)],
    *[("attempt.after_outcome", KEPT, nth) for nth in (1, 3)],
    *[("reconcile.before_verdict", KEPT, nth) for nth in (1, 2)],
    *[("attempt.after_intent", UNDONE, nth) for nth in (3, 4, 5)],
    *[("attempt.after_call", UNDONE, nth) for nth in (3, 4, 5)],
    *[("attempt.after_outcome", UNDONE, nth) for nth in (3, 4, 5)],
    *[("reconcile.before_verdict", UNDONE, nth) for nth in (1, 2, 3)],
    *[("saga.before_undo", UNDONE, nth) for nth in (1, 2)],
    *[("saga.after_undo", UNDONE, nth) for nth in (1, 2)],
]


def run(folder: Path, action: str, faults: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bank.process", str(folder), action, json.dumps(faults)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src:tests", **environment},
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.mark.process
@pytest.mark.timeout(420)
@pytest.mark.parametrize(
    ("point", "scenario", "nth"), POINTS, ids=[f"{p}-{'kept' if s is KEPT else 'undone'}-{n}" for p, s, n in POINTS]
)
def test_an_agent_killed_at_a_point_and_resumed_keeps_or_undoes_each_effect_once(
    point: str, scenario: tuple[dict[str, list[str]], list[str]], nth: int, tmp_path: Path
) -> None:
    faults, expected = scenario
    mark = tmp_path / "mark"
    first = run(
        tmp_path, "start", faults, SUREFOOT_CRASH_AT=f"{point}#{nth}", SUREFOOT_CRASH_MARK=str(mark)
    )  # fmt: skip
    assert mark.exists(), f"{point} was not hit: {first.stdout}{first.stderr}"
    assert first.returncode == -signal.SIGKILL
    second = run(tmp_path, "resume", faults)
    assert second.returncode == 0, second.stderr
    ended = json.loads(second.stdout.splitlines()[-1])
    assert [name for name, _ in ended["done"]] == expected
    if scenario is UNDONE:
        refunded = [what["payment_id"] for name, what in ended["done"] if name == "refund"]
        assert refunded == ["P2", "P1"]
        assert ended["told"][-1]["status"] == "refused"
        assert {item["state"] for item in ended["told"][-1]["taken_back"]} == {"compensated"}
