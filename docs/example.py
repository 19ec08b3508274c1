"""Runs the README's example on a fresh sample campus and takes out what differs from run to run."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SENTENCE = (
    "我明天上午第二节没课，想找一个空研讨间做小组展示排练，"
    "排练结束后再推荐一个附近人少、味道不错的食堂，帮我把时间安排好。"
)
VARYING = [
    (re.compile(r"r-[0-9a-f]{8}"), "r-1a2b3c4d"),
    (re.compile(r"\d+ ms"), "2 ms"),
    (re.compile(r"有效至 [\d:]+( *)"), r"有效至 10:10:00\1"),
    (re.compile(r"─{5,}"), "─" * 40),
]


TRIES = 5


def alike(one: str, other: str) -> bool:
    """Return whether two texts differ only in how far columns are apart: a slow machine widens the column of times."""
    return re.sub(r" +", " ", one) == re.sub(r" +", " ", other)


def printed() -> str:
    """Return what the example prints, in the form that the README shows."""
    for _ in range(TRIES):
        text = _run()
        if not re.search(r"\d\d ms", text):
            break
    for pattern, fixed in VARYING:
        text = pattern.sub(fixed, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def _run() -> str:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "SUREFOOT_DATABASE_URL": f"sqlite:///{folder}/surefoot.sqlite",
            "SUREFOOT_CAMPUS_DATABASE": f"{folder}/campus.sqlite",
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }
        environment.pop("SUREFOOT_CAMPUS_URL", None)
        command = [str(Path(sys.executable).parent / "surefoot"), "ask", SENTENCE, "--at", "2026-12-01T10:00", "--yes"]
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"the example ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()
