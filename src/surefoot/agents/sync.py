"""The portal: one background event loop, for callers that have none and for work that must outlive theirs."""

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

A = TypeVar("A")
T = TypeVar("T")

HANDLER_THREADS = 64
"""How many blocking calls may be under way at once; a call that hangs keeps its thread."""


class Portal:
    """An event loop in a thread of its own, started on first use. It lives as long as the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = ThreadPoolExecutor(HANDLER_THREADS, thread_name_prefix="surefoot-call")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` on the portal's loop and wait for it in this thread. Raises what it raises."""
        return asyncio.run_coroutine_threadsafe(work, self._started()).result()

    async def await_there(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` on the portal's loop and wait for it on this one. Cancelling cancels the work."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._started()))

    def blocking(self, call: Callable[[A], T]) -> Callable[[A], Awaitable[T]]:
        """Return how to make a blocking call from the portal, with the context variables of this moment."""
        context = contextvars.copy_context()

        async def make(argument: A) -> T:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, context.copy().run, call, argument)

        return make

    def at_home(self, call: Callable[[A], Awaitable[T]]) -> Callable[[A], Awaitable[T]]:
        """Return how to await a call on the loop that runs now, from the portal, with the context of this moment."""
        context, home = contextvars.copy_context(), asyncio.get_running_loop()

        async def make(argument: A) -> T:
            done: Future[T] = Future()

            async def there() -> T:
                return await call(argument)

            home.call_soon_threadsafe(_start, home, there, context.copy(), done)
            return await asyncio.wrap_future(done)

        return make

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="surefoot-portal", daemon=True).start()
            return self._loop


def _start(
    home: asyncio.AbstractEventLoop,
    call: Callable[[], Coroutine[Any, Any, T]],
    context: contextvars.Context,
    done: "Future[T]",
) -> None:
    task = home.create_task(call(), context=context)

    def finish(finished: "asyncio.Task[T]") -> None:
        if not done.set_running_or_notify_cancel():
            return
        if finished.cancelled():
            done.set_exception(ConnectionAbortedError("the caller's event loop gave the call up"))
        elif (error := finished.exception()) is not None:
            done.set_exception(error)
        else:
            done.set_result(finished.result())

    task.add_done_callback(finish)


PORTAL = Portal()
"""The one portal of the process; its thread starts with the first work."""
