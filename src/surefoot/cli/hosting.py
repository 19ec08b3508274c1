"""One event loop and one open runner, driven step by step from synchronous code."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from surefoot.app import App
from surefoot.bootstrap import Settings, open_runner
from surefoot.runtime.runner import Runner

T = TypeVar("T")


class Host:
    """Runs one step at a time. Between two steps nothing runs, so a prompt may block and Ctrl-C ends it."""

    def __init__(self, loop: asyncio.Runner, runner: Runner) -> None:
        self._loop, self.runner = loop, runner

    def do(self, step: Coroutine[Any, Any, T]) -> T:
        """Run one step to its end. Raises KeyboardInterrupt on Ctrl-C, after the step has cleaned up."""
        return self._loop.run(step)


@contextmanager
def hosted(app: App, settings: Settings) -> Iterator[Host]:
    """Open a runner for an app and close it at the end. Raises as :func:`surefoot.bootstrap.open_runner`."""
    with asyncio.Runner() as loop:
        opened: asyncio.Future[Runner] = loop.get_loop().create_future()
        close = asyncio.Event()
        # One task opens and closes: an app's systems may hold scopes that must not cross tasks.
        holding = loop.get_loop().create_task(_hold(app, settings, opened, close))
        try:
            yield Host(loop, loop.run(_first(opened, holding)))
        finally:
            close.set()
            loop.run(_wait(holding))


async def _hold(app: App, settings: Settings, opened: "asyncio.Future[Runner]", close: asyncio.Event) -> None:
    async with open_runner(app, settings) as runner:
        if not opened.cancelled():
            opened.set_result(runner)
        await close.wait()


async def _first(opened: "asyncio.Future[Runner]", holding: "asyncio.Task[None]") -> Runner:
    holding.add_done_callback(lambda _: opened.cancel())
    try:
        return await opened
    except asyncio.CancelledError:
        if holding.done():
            await holding
        raise


async def _wait(holding: "asyncio.Task[None]") -> None:
    await asyncio.wait({holding})
    if not holding.cancelled():
        holding.result()
