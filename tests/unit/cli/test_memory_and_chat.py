"""What is remembered can be seen, corrected, deleted and taken along; a chat goes on from sentence to sentence."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SUREFOOT = str(Path(sys.executable).parent / "surefoot")
AT = ("--at", "2026-12-01T10:00")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def surefoot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SUREFOOT_DATABASE_URL", f"sqlite:///{tmp_path / 's.sqlite'}")
    monkeypatch.setenv("SUREFOOT_CAMPUS_DATABASE", str(tmp_path / "campus.sqlite"))
    monkeypatch.setenv("LANG", "C.UTF-8")

    def run(*words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run([SUREFOOT, *words], input=typed, capture_output=True, text=True, timeout=100)

    return run


def test_a_preference_is_seen_corrected_exported_and_forgotten(surefoot: Run) -> None:
    assert surefoot("ask", "记住，我不吃辣，预算十五块", *AT).returncode == 0
    shown = surefoot("memory", "show").stdout
    assert "price_max: 15 (you said)" in shown
    assert surefoot("memory", "correct", "price_max", "20").returncode == 0
    exported = json.loads(surefoot("memory", "export").stdout)
    by_key = {item["key"]: item for item in exported["preferences"]}
    assert (by_key["price_max"]["value"], by_key["price_max"]["standing"]) == (20, "said")
    assert surefoot("memory", "forget", "price_max").stdout.strip() == "Deleted 1."
    assert "price_max" not in surefoot("memory", "show").stdout
    assert surefoot("memory", "show", "--user", "bob").stdout.strip() == "Nothing is remembered of bob."
    surefoot("memory", "forget")
    assert json.loads(surefoot("memory", "show", "--json").stdout)["preferences"] == []


def test_the_permission_for_habits_is_given_and_taken_back(surefoot: Run) -> None:
    assert surefoot("memory", "allow", "true").returncode == 0
    assert "allow_behaviour: true" in surefoot("memory", "show").stdout
    assert surefoot("memory", "allow", "false").returncode == 0
    assert "allow_behaviour" not in surefoot("memory", "show").stdout


def test_a_chat_goes_on_from_sentence_to_sentence(surefoot: Run) -> None:
    typed = "明天下午两点到四点找间研讨间\n五个人，要白板\n\nq\n"
    told = surefoot("chat", *AT, typed=typed)
    assert told.returncode == 0, told.stderr
    assert "Traceback" not in told.stdout + told.stderr
    last = told.stdout.split("›")[-3]
    assert "14:00" in last
    assert told.stdout.count("›") == 4


def test_a_chat_that_meets_an_error_says_so_and_goes_on(surefoot: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREFOOT_MESSAGE_LIMIT", "1/hour")
    told = surefoot("chat", *AT, typed="明天有课吗\n后天有课吗\n")
    assert "Traceback" not in told.stdout + told.stderr
    assert "操作太频繁" in told.stdout
