"""Helpers to run the campus application in this process, on a fresh sample campus."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from surefoot.bootstrap import Settings, find_app, open_runner
from surefoot.persistence.database import sqlite_url
from surefoot.runtime.runner import Runner, RunResult

ZONE = ZoneInfo("Asia/Shanghai")
TUESDAY = datetime(2026, 12, 1, 10, tzinfo=ZONE)


@asynccontextmanager
async def campus(folder: Path, monkeypatch: pytest.MonkeyPatch, sample: str = "lakeside") -> AsyncIterator[Runner]:
    """Open a runner on a sample campus of its own."""
    monkeypatch.setenv("SUREFOOT_CAMPUS_DATABASE", str(folder / "campus.sqlite"))
    monkeypatch.setenv("SUREFOOT_CAMPUS_SAMPLE", sample)
    monkeypatch.delenv("SUREFOOT_CAMPUS_URL", raising=False)
    async with open_runner(find_app("campus"), Settings(database_url=sqlite_url(folder / "s.sqlite"))) as runner:
        yield runner


async def ask(runner: Runner, text: str, *, user: str = "student", at: datetime = TUESDAY) -> RunResult:
    """Start a run and confirm each card, so that it ends or asks a question."""
    lang = "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
    result = await runner.start(text, user_id=user, lang=lang, at=at)
    while result.pending is not None and result.pending["kind"] == "card":
        card = result.pending["card"]
        answer = {"card_id": card["card_id"], "nonce": card["nonce"], "decision": "confirm", "by": user}
        result = await runner.resume(result.run_id, by=user, answer=answer)
    return result


def steps(result: RunResult) -> dict[str, str]:
    """Return each step's tool and status."""
    records: dict[str, Any] = result.state["execution"]["steps"]
    return {record["tool"]: record["status"] for record in records.values()}


def words(result: RunResult) -> str:
    """Return everything that the answer, or the question, says."""
    return str(result.answer) + str(result.pending)
