"""The thread of a database: order, errors, and waiters that go away."""

import asyncio
import threading

import pytest

from surefoot.persistence.lane import Lane


async def test_jobs_run_in_one_thread_in_the_order_they_were_handed_in() -> None:
    lane, seen = Lane("test"), []

    def job(n: int) -> int:
        seen.append((n, threading.current_thread().name))
        return n * n

    assert await asyncio.gather(*(lane.run(lambda n=n: job(n)) for n in range(50))) == [n * n for n in range(50)]
    assert seen == [(n, "test") for n in range(50)]
    lane.close()


async def test_what_a_job_raises_reaches_the_one_who_waits_and_the_lane_goes_on() -> None:
    lane = Lane("test")
    with pytest.raises(ZeroDivisionError):
        await lane.run(lambda: 1 // 0)
    assert await lane.run(lambda: "still here") == "still here"
    lane.close()


async def test_a_job_whose_waiter_was_cancelled_is_still_run_to_its_end() -> None:
    lane, gate, done = Lane("test"), threading.Event(), threading.Event()

    def job() -> None:
        gate.wait(10)
        done.set()

    waiter = asyncio.ensure_future(lane.run(job))
    await asyncio.sleep(0)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    gate.set()
    assert await lane.run(done.is_set)
    lane.close()


def test_a_job_that_ends_after_its_loop_was_closed_harms_nobody() -> None:
    lane, gate = Lane("test"), threading.Event()

    async def leave() -> None:
        asyncio.ensure_future(lane.run(lambda: gate.wait(10))).cancel()
        await asyncio.sleep(0)

    asyncio.run(leave())
    gate.set()
    lane.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "test"]
