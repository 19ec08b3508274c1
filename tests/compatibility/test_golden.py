"""Databases and checkpoints of every released version are loaded and gone on with."""

import base64
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shop.app import Backend
from shop.running import confirm_all, shop
from surefoot.runtime.runner import Runner
from surefoot.testing.in_memory import TEST_KEY

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.sqlite"))


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Runner, Backend]]:
    shutil.copyfile(request.param, tmp_path / "surefoot.sqlite")
    (tmp_path / "surefoot.key").write_bytes(base64.b64encode(TEST_KEY))
    (tmp_path / "surefoot.key").chmod(0o600)
    async with shop(tmp_path) as (runner, backend, _):
        yield runner, backend


async def run_on(runner: Runner, thread: str) -> str:
    return next(run.run_id for run in await runner.runs.newest() if run.thread_id == thread)


def test_there_is_a_golden_database() -> None:
    assert GOLDEN


async def test_a_finished_run_of_an_old_version_can_be_read(old: tuple[Runner, Backend]) -> None:
    runner, _ = old
    result = await runner.look(await run_on(runner, "finished"))
    assert result.status == "done"
    assert [record["status"] for record in result.state["execution"]["steps"].values()] == ["success"] * 4
    assert len(await runner.door.ledger.of_run(result.run_id)) == 2


async def test_a_waiting_run_of_an_old_version_goes_on(old: tuple[Runner, Backend]) -> None:
    runner, backend = old
    result = await confirm_all(runner, await runner.look(await run_on(runner, "waiting")))
    assert result.status == "done"
    assert backend.log == [("charge", "cake")]


async def test_a_run_of_an_old_version_that_was_cut_off_after_its_intent_goes_on(old: tuple[Runner, Backend]) -> None:
    runner, backend = old
    result = await runner.resume(await run_on(runner, "cut"), by="ann")
    result = await confirm_all(runner, result)
    assert result.status == "done"
    assert backend.log == [("reserve", "milk"), ("charge", "milk")]
