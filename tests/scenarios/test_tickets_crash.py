"""A process that resolves a ticket dies before any of its durable writes; resolving again goes on, each effect once."""

import copy
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shop.app import Backend
from shop.running import buy, confirm_all, shop
from surefoot.persistence.checkpoints import FencedSaver
from surefoot.persistence.database import Database
from surefoot.runtime.operator import resolve
from surefoot.testing.faults import Fault

SILENT = Fault("find_order", "before_commit_timeout", times=99)
PAID = [("reserve", "tea"), ("charge", "tea")]


class Cut(BaseException):
    """The process stops here."""


class Dying:
    """Lets ``left`` durable writes through; from then on the process is dead."""

    def __init__(self, left: int) -> None:
        self.left = left

    def write(self) -> None:
        """Count one write, or be dead."""
        if self.left <= 0:
            raise Cut
        self.left -= 1


@dataclass(frozen=True)
class Case:
    """What really happened to the payment, what the operator says and wants, and how all must end."""

    fault: str
    verdict: str
    then: str
    status: str
    log: list[tuple[str, str]]


CASES = [
    Case("after_commit_timeout", "present", "finish", "handed_over", PAID),
    Case("after_commit_timeout", "present", "continue", "done", PAID),
    Case("after_commit_timeout", "present", "undo", "undone", [*PAID, ("refund", "tea"), ("release", "tea")]),
    Case("before_commit_timeout", "absent", "continue", "done", PAID),
    Case("before_commit_timeout", "absent", "undo", "undone", [("reserve", "tea"), ("release", "tea")]),
]


def break_after(monkeypatch: pytest.MonkeyPatch, writes: int) -> Dying:
    """Let the process die before its next durable write after ``writes``."""
    dying, run, put = Dying(writes), Database.run, FencedSaver.aput

    async def run_or_die(self: Any, work: Any, *args: Any, **kwargs: Any) -> Any:
        dying.write()
        return await run(self, work, *args, **kwargs)

    async def put_or_die(self: Any, *args: Any) -> Any:
        dying.write()
        return await put(self, *args)

    monkeypatch.setattr(Database, "run", run_or_die)
    monkeypatch.setattr(FencedSaver, "aput", put_or_die)
    return dying


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Return the folder that every death starts from."""
    folder = tmp_path / "base"
    folder.mkdir()
    return folder


async def handed_over(folder: Path, case: Case) -> tuple[Backend, str]:
    faults = [Fault("charge", case.fault, times=99), SILENT]  # type: ignore[arg-type]
    async with shop(folder, faults=faults) as (runner, backend, _):
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "handed_over"
        return backend, result.run_id


def forget_the_dead(folder: Path) -> None:
    """The test's process lives on, so its lease would look alive; a dead one's is taken over at once."""
    with sqlite3.connect(folder / "surefoot.sqlite") as connection:
        connection.execute("UPDATE run_lease SET expires_at = 0")
    connection.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.verdict}-{case.then}")
@pytest.mark.timeout(300)
async def test_killed_before_any_write_and_resolved_again_everything_exists_once(
    case: Case, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, run_id = await handed_over(base, case)
    effect_id, cuts = f"{run_id}/charge#1", 0
    wish: Any = {"by": "olga", "verdicts": {effect_id: case.verdict}, "then": case.then, "note": "Looked it up."}
    if case.verdict == "present":
        wish["results"] = {effect_id: {"charge_id": "C2"}}
    while True:
        folder = tmp_path / f"cut{cuts}"
        shutil.copytree(base, folder)
        backend = copy.deepcopy(world)
        with monkeypatch.context() as patched:
            dying = break_after(patched, cuts)
            died = False
            async with shop(folder, backend) as (runner, _, __):
                try:
                    await resolve(runner, f"T-{run_id}", **wish)
                except Cut:
                    died = True
        forget_the_dead(folder)
        async with shop(folder, backend) as (runner, _, __):
            resolved = await resolve(runner, f"T-{run_id}", **wish)
            last = await confirm_all(runner, resolved.run)
            assert (last.status, backend.log) == (case.status, case.log), f"after {cuts} writes"
            ticket = await runner.tickets.get(f"T-{run_id}")
            assert (ticket.status, ticket.unknown, ticket.claimed_by) == ("resolved", [], "olga"), (
                f"after {cuts} writes"
            )
            assert any("Looked it up." in str(block.get("text")) for block in last.answer), f"after {cuts} writes"
        if not died:
            assert dying.left >= 0
            break
        cuts += 1
    assert cuts > 8
