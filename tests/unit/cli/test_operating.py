"""The operators' switches: pause and allow writes, erase a person, export the audit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SUREFOOT = str(Path(sys.executable).parent / "surefoot")
AT = ("--at", "2026-12-01T10:00")


@pytest.fixture
def surefoot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("SUREFOOT_DATABASE_URL", f"sqlite:///{tmp_path / 's.sqlite'}")
    monkeypatch.setenv("SUREFOOT_CAMPUS_DATABASE", str(tmp_path / "campus.sqlite"))
    monkeypatch.setenv("LANG", "C.UTF-8")

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([SUREFOOT, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)

    return run


def test_while_writes_are_paused_nothing_is_booked(surefoot: object) -> None:
    run = surefoot
    assert run("writes", "pause", "repairs").returncode == 0  # type: ignore[operator]
    assert "repairs" in run("writes", "state").stdout  # type: ignore[operator]
    stopped = run("ask", "帮我预约YX-201，明天下午两点到三点，6个人", *AT, "--yes")  # type: ignore[operator]
    assert stopped.returncode == 5
    assert "暂停" in stopped.stdout
    run("writes", "allow")  # type: ignore[operator]
    done = run("ask", "帮我预约YX-201，明天下午两点到三点，6个人", *AT, "--yes")  # type: ignore[operator]
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_waiting_run_is_cancelled_and_an_effect_that_does_not_exist_is_said(surefoot: object) -> None:
    run = surefoot
    told = run("ask", "帮我预约YX-201，明天下午两点到三点，6个人", *AT, "--json")  # type: ignore[operator]
    run_id = json.loads(told.stdout)["run_id"]
    cancelled = run("cancel", run_id)  # type: ignore[operator]
    assert cancelled.returncode == 5, cancelled.stdout + cancelled.stderr
    again = run("cancel", run_id)  # type: ignore[operator]
    assert again.returncode == 2
    missing = run("effects", "settle", "nothing#1", "present")  # type: ignore[operator]
    assert (missing.returncode, "Traceback" in missing.stderr) == (2, False)


def test_a_person_is_erased_and_the_audit_keeps_the_skeleton(surefoot: object, tmp_path: Path) -> None:
    run = surefoot
    run("ask", "帮我预约YX-201，明天下午两点到三点，6个人", *AT, "--yes")  # type: ignore[operator]
    assert "--yes" in run("privacy", "erase", "student").stdout  # type: ignore[operator]
    erased = run("privacy", "erase", "student", "--yes")  # type: ignore[operator]
    assert erased.returncode == 0, erased.stderr
    out = tmp_path / "audit.jsonl"
    run("privacy", "audit", "-o", str(out))  # type: ignore[operator]
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    effects = [row for row in rows if row["kind"] == "effect"]
    assert [(row["tool"], row["state"]) for row in effects] == [("book_room", "committed")]
    assert "student" not in out.read_text(encoding="utf-8")
