"""A worker that was paused and replaced writes neither an intent nor a checkpoint."""

import asyncio
from pathlib import Path

import pytest

from shop.running import buy, confirm, shop
from surefoot.errors import Fenced, ThreadBusy
from surefoot.runtime.runner import Runner


async def takes_over(runner: Runner, thread: str) -> int:
    """Another process claims the thread; the old one's lease is made to look expired."""
    await runner.door.ledger._database.run(  # type: ignore[attr-defined]
        lambda connection: connection.exec_driver_sql("UPDATE run_lease SET expires_at = 0")
    )
    return (await runner.leases.claim(thread, "other", "other", ttl_seconds=60)).epoch


async def checkpoints(runner: Runner, thread: str) -> int:
    return len([1 async for _ in runner.graph.checkpointer.alist({"configurable": {"thread_id": thread}})])  # type: ignore[union-attr]


async def test_a_zombie_is_stopped_at_its_next_checkpoint_and_writes_nothing(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        first = await buy(runner, thread_id="t")
        reached = asyncio.Event()
        go_on = asyncio.Event()

        async def pause() -> None:
            reached.set()
            await go_on.wait()

        ledger_begin = runner.door.ledger.begin

        async def slow_begin(*args: object, **kwargs: object) -> object:
            await pause()
            return await ledger_begin(*args, **kwargs)  # type: ignore[arg-type]

        object.__setattr__(runner.door.ledger, "begin", slow_begin)
        zombie = asyncio.create_task(runner.resume(first.run_id, by="ann", answer=confirm(first)))
        await reached.wait()
        await takes_over(runner, "t")
        before = await checkpoints(runner, "t")
        go_on.set()
        with pytest.raises(Fenced):
            await zombie
        assert await checkpoints(runner, "t") == before
        assert backend.log == []
        assert await runner.door.ledger.all() == []


async def test_a_zombie_that_only_checkpoints_is_stopped_too(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        first = await buy(runner, thread_id="t")
        lease = await runner.leases.claim("t", first.run_id, "me", ttl_seconds=60)
        runner.hold(lease)
        config = {"configurable": {"thread_id": "t"}}
        await runner.graph.aupdate_state(config, {"cache": {"a": 1}})  # type: ignore[arg-type]
        await takes_over(runner, "t")
        before = await checkpoints(runner, "t")
        with pytest.raises(Fenced):
            await runner.graph.aupdate_state(config, {"cache": {"a": 2}})  # type: ignore[arg-type]
        assert await checkpoints(runner, "t") == before


async def test_while_a_worker_lives_nobody_else_resumes_its_run(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        first = await buy(runner, thread_id="t")
        await runner.leases.claim("t", first.run_id, "elsewhere", ttl_seconds=60)
        with pytest.raises(ThreadBusy):
            await runner.resume(first.run_id, by="ann", answer=confirm(first))
