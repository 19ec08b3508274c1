"""A canary: secrets are planted, everything that was written is searched, and erasure leaves the skeleton."""

import json
from pathlib import Path

import pytest

from shop.app import Backend
from shop.running import buy, confirm, confirm_all, shop
from surefoot.errors import InputInvalid
from surefoot.execution.protocol import State
from surefoot.persistence.privacy import audit, erase_user
from surefoot.testing.faults import Fault
from surefoot.testing.memory_conformance import saying

SECRET = "canary-7f3a9-13800138000"


def found_in(folder: Path, words: str) -> list[str]:
    """Return the files that hold the words in clear, in any of the usual encodings."""
    needles = [words.encode(), words.encode("utf-16-le"), json.dumps(words).encode()]
    return [p.name for p in folder.rglob("*") if p.is_file() and any(n in p.read_bytes() for n in needles)]


async def test_no_secret_stands_in_clear_in_anything_that_was_written(tmp_path: Path) -> None:
    faults = [Fault("charge", "after_commit_timeout"), Fault("quote", "error_5xx")]
    async with shop(tmp_path, faults=faults) as (runner, _, __):
        result = await confirm_all(runner, await buy(runner, f"buy {SECRET}"))
        assert result.status == "done"
        assert any(SECRET in str(effect.arguments) for effect in await runner.door.ledger.all())
        assert SECRET in str(result.state)
        assert found_in(tmp_path, SECRET) == []
    assert found_in(tmp_path, SECRET) == []


async def test_the_key_file_is_the_owners_alone(tmp_path: Path) -> None:
    async with shop(tmp_path):
        assert (tmp_path / "surefoot.key").stat().st_mode & 0o777 == 0o600


async def test_erasure_leaves_no_private_value_and_the_skeleton_of_the_effects(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        done = await confirm_all(runner, await buy(runner, f"buy {SECRET}"))
        other = await confirm_all(runner, await buy(runner, "buy cake", user="bob"), by="bob")
        saver = runner.graph.checkpointer
        await runner.preferences.change("ann", "note", saying("note", SECRET))
        await runner.preferences.change("bob", "note", saying("note", "mild"))
        assert found_in(tmp_path, SECRET) == []
        erased = await erase_user(runner.runs._database, saver, "ann", "erased-1")  # type: ignore[arg-type]
        assert (erased.runs, erased.effects) == (1, 2)
        left = await runner.door.ledger.of_run(done.run_id)
        assert [(effect.tool, effect.state) for effect in left] == [
            ("reserve", State.COMMITTED),
            ("charge", State.COMMITTED),
        ]
        rows = await audit(runner.runs._database)
        assert SECRET not in json.dumps([*rows, *[str(effect) for effect in left]])
        assert "ann" not in {row.get("user_id") for row in rows}
        assert (await runner.look(done.run_id)).state == {}
        assert (await runner.preferences.shelf("ann")).items == {}
        assert (await runner.preferences.shelf("bob")).items["note"].value == "mild"
        assert (await runner.look(other.run_id)).state["planning"]["request"] == "buy cake"


async def test_erasure_waits_for_what_is_not_over(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        waiting = await buy(runner)
        with pytest.raises(InputInvalid, match=waiting.run_id):
            await erase_user(runner.runs._database, runner.graph.checkpointer, "ann", "x")  # type: ignore[arg-type]
        assert (await runner.look(waiting.run_id)).status == "waiting"


async def test_another_key_opens_nothing_and_destroys_nothing(tmp_path: Path) -> None:
    backend = Backend()
    async with shop(tmp_path, backend) as (runner, _, __):
        first = await buy(runner)
    key = (tmp_path / "surefoot.key").read_bytes()
    (tmp_path / "surefoot.key").unlink()
    async with shop(tmp_path, backend) as (runner, _, __):
        with pytest.raises(Exception, match="another key"):
            await runner.look(first.run_id)
    (tmp_path / "surefoot.key").write_bytes(key)
    async with shop(tmp_path, backend) as (runner, _, __):
        result = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        assert result.status == "waiting"
