"""The embedded runner: starts, resumes and cancels runs in this process, one at a time per thread."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Overwrite

from surefoot.agents.deps import Deps
from surefoot.agents.plan_execute import RUN_LIMIT, Graph
from surefoot.app import App
from surefoot.contracts.clock import Clock, Deadline, StandingClock
from surefoot.contracts.registry import Registry
from surefoot.errors import ConsentRefused, Fenced, NotWaiting, RateLimited, StorageUnavailable
from surefoot.execution.budget import Limits, LoopDetector, RunBudget
from surefoot.execution.consent import Card, Reply, check_reply
from surefoot.execution.door import Door, Session
from surefoot.execution.lease import Lease, Leases
from surefoot.guardrails.input_text import clean
from surefoot.guardrails.rates import Rates, too_often
from surefoot.memory.behaviour import Behaviour
from surefoot.memory.preferences import Preferences
from surefoot.persistence.runs import OPEN, Run, SqlRuns
from surefoot.recovery.handover import Tickets
from surefoot.runtime.words import with_operators_words
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.telemetry.events import Events
from surefoot.texts import Text

BEFORE_FINISH = declare("runner.before_finish", "the graph has ended, the table of runs does not know it yet")
LEASE_SECONDS = 15.0
BEATS = 10
"""How often events are written between two renewals of the lease."""

CANCELLED = Text("已按您的要求停止。", "Stopped, as you asked.")

Watch = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class RunResult:
    """How a run stands after it stopped moving.

    ``status`` is a final status, or ``waiting``; then ``pending`` is the card or the question it waits on.
    ``answer`` is a list of blocks as JSON. ``state`` is the whole checkpointed state.
    """

    run_id: str
    status: str
    pending: dict[str, Any] | None
    answer: list[dict[str, Any]]
    state: Mapping[str, Any]


@dataclass(frozen=True)
class Runner:
    """Runs of one app. ``owner`` names this process in leases; ``new_id`` makes ids with a prefix.

    ``hold`` tells the checkpointer under which epoch it may write a thread's checkpoints.
    """

    app: App
    registry: Registry
    graph: Graph
    hold: Callable[[Lease], None]
    door: Door
    systems: Any
    runs: SqlRuns
    leases: Leases
    tickets: Tickets
    events: Events
    preferences: Preferences
    behaviour: Behaviour
    clock: Clock
    zone: tzinfo
    owner: Callable[[], str]
    new_id: Callable[[str], str]
    spread: Callable[[], float]
    rates: Rates
    message_limit: str
    limits: Limits = field(default_factory=Limits)

    async def start(
        self,
        text: str,
        *,
        user_id: str,
        lang: str,
        at: datetime | None = None,
        thread_id: str | None = None,
        dry_run: bool = False,
        watch: Watch | None = None,
    ) -> RunResult:
        """Start a run and go on until it waits or ends.

        Raises:
            InputInvalid: the message is empty or too long, or the thread is another person's; nothing was written.
            ThreadBusy: the thread has another run that is running or waiting.
            RateLimited: the person sends more than ``message_limit``.
        """
        request = clean(text)
        seconds = await self.rates.take(self.message_limit, user_id, "message")
        if seconds is not None:
            raise RateLimited(too_often(self.message_limit, seconds), seconds)
        run_id = self.new_id("r")
        run = Run(
            run_id=run_id,
            thread_id=thread_id or run_id,
            user_id=user_id,
            app=self.app.name,
            request=request,
            lang=lang,
            at=at.isoformat() if at else None,
            options={"dry_run": dry_run},
        )
        lease = await self.leases.claim(run.thread_id, run_id, self.owner(), ttl_seconds=LEASE_SECONDS)
        try:
            await self.runs.add(run)
        except BaseException:
            await self.leases.release(lease)
            raise
        now = (at or self.clock.now()).isoformat()
        return await self.go_on(run, lease, first_state(run, now), watch)

    async def resume(
        self, run_id: str, *, by: str, answer: dict[str, Any] | None = None, watch: Watch | None = None
    ) -> RunResult:
        """Go on with a run: after a crash (no answer), or with the answer it waits for.

        ``answer`` is a :class:`Reply` as JSON for a card, or ``{"choose": n}``, ``{"text": ...}``, ``{"stop": true}``
        for a question. A run that waits and gets no answer stays as it is; one that has ended is returned.

        Raises:
            RunNotFound, NotWaiting, ThreadBusy.
            ConsentRefused: the answer belongs to another card or another person; the run goes on waiting.
        """
        run = await self.runs.get(run_id)
        if run.status not in OPEN:
            if answer is not None:
                raise NotWaiting(f"run {run_id} has ended ({run.status}); it waits for no answer")
            return await self._result(run, run.status)
        if by != run.user_id:
            raise ConsentRefused("foreign", f"run {run_id} belongs to another person")
        lease = await self.leases.claim(run.thread_id, run_id, self.owner(), ttl_seconds=LEASE_SECONDS)
        try:
            _, pending = await self.checkpointed(run)
            if answer is not None:
                answer = _checked(run, pending, answer, by)
            else:
                answer = await self._stored_answer(pending)
            if answer is None and pending is not None:
                await self.runs.finish(run_id, lease, status="waiting")
                await self.leases.release(lease)
                return await self._result(run, "waiting")
            await self.runs.resumed(run_id, lease)
            start = await self._entry(run, answer)
        except BaseException:
            await self.leases.release(lease)
            raise
        return await self.go_on(run, lease, start, watch)

    async def _entry(self, run: Run, answer: dict[str, Any] | None) -> Any:
        """Return what the graph is entered with: an answer, nothing (go on), or the first state."""
        if answer is not None:
            return Command(resume=answer)
        state, _ = await self.checkpointed(run)
        return None if state else first_state(run, run.at or self.clock.now().isoformat())

    async def cancel(self, run_id: str, *, by: str, watch: Watch | None = None) -> RunResult:
        """Stop a run that waits or was cut off: settle what is unknown, take back what it committed, answer.

        Raises:
            RunNotFound, ThreadBusy.
            NotWaiting: the run has ended.
            ConsentRefused: the run belongs to another person.
        """
        run = await self.runs.get(run_id)
        if run.status not in OPEN:
            raise NotWaiting(f"run {run_id} has ended ({run.status}); there is nothing to cancel")
        if by != run.user_id:
            raise ConsentRefused("foreign", f"run {run_id} belongs to another person")
        lease = await self.leases.claim(run.thread_id, run_id, self.owner(), ttl_seconds=LEASE_SECONDS)
        try:
            self.hold(lease)
            start = await self._entry(run, None)
            if start is not None:
                await self.runs.finish(run_id, lease, status="declined")
                await self.leases.release(lease)
                return await self._result(run, "declined")
            stopped = {"status": "declined", "reason": CANCELLED.to_json()}
            await self.graph.aupdate_state(self.config(run), {"result": stopped}, as_node="clarify")
        except BaseException:
            await self.leases.release(lease)
            raise
        return await self.go_on(run, lease, None, watch)

    async def look(self, run_id: str) -> RunResult:
        """Return how a run stands, without touching it. Raises RunNotFound."""
        run = await self.runs.get(run_id)
        _, pending = await self.checkpointed(run)
        return await self._result(run, "waiting" if pending is not None and run.status in OPEN else run.status)

    async def go_on(self, run: Run, lease: Lease, start: Any, watch: Watch | None) -> RunResult:
        """Drive a claimed run until it waits or ends, and give the lease back. Raises Fenced."""
        try:
            self.hold(lease)
            deps = await self.deps(run, lease)
            async with self._heartbeat(lease):
                stream = self.graph.astream(
                    start, self.config(run), context=deps, durability="sync", stream_mode="values"
                )
                async for state in stream:
                    if watch is not None:
                        watch(state)
            state, pending = await self.checkpointed(run)
            if pending is not None:
                await self.runs.finish(run.run_id, lease, status="waiting")
                return await self._result(run, "waiting")
            reach(BEFORE_FINISH)
            status = state["result"]["status"]
            await self.runs.finish(run.run_id, lease, status=status, answer=state["result"]["answer"])
            return await self._result(run, status)
        finally:
            try:
                await self.events.flush()
            finally:
                await self.leases.release(lease)

    @asynccontextmanager
    async def _heartbeat(self, lease: Lease) -> AsyncIterator[None]:
        """Renew the lease and write events while a run goes on. Raises Fenced when the thread was taken over."""
        running = asyncio.current_task()
        fenced: list[Fenced] = []

        async def beat() -> None:
            while True:
                for _ in range(BEATS):
                    await asyncio.sleep(LEASE_SECONDS / 3 / BEATS)
                    with suppress(StorageUnavailable):
                        # Telemetry that cannot be written must not cost the run its lease.
                        await self.events.flush()
                try:
                    await self.leases.renew(lease, ttl_seconds=LEASE_SECONDS)
                except Fenced as taken:
                    fenced.append(taken)
                    if running is not None:
                        running.cancel()
                    return

        task = asyncio.create_task(beat())
        try:
            yield
        except asyncio.CancelledError:
            if fenced:
                raise fenced[0] from None
            raise
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def deps(self, run: Run, lease: Lease) -> Deps:
        """Return what the nodes of a claimed run may use."""
        clock = self.clock
        if run.at is not None:
            clock = StandingClock(self.zone, datetime.fromisoformat(run.at))
        budget = RunBudget(self.limits, Deadline.after(clock, self.limits.seconds), await self._spent(run))
        session = Session(
            user_id=run.user_id,
            permissions=self.app.permissions(run.user_id),
            lease=lease,
            budget=budget,
            loops=LoopDetector(),
            now=clock.now,
            systems=self.systems,
        )
        app = replace(self.app, compose=with_operators_words(self.app.compose))
        return Deps(
            app,
            self.registry,
            self.door,
            session,
            self.tickets,
            self.events,
            self.spread,
            self.preferences,
            self.behaviour,
        )

    async def _spent(self, run: Run) -> "Counter[tuple[str, str]]":
        """Rebuild the tries of a run: writes from the ledger, reads from the checkpointed records."""
        spent: Counter[tuple[str, str]] = Counter()
        for effect in await self.door.ledger.of_run(run.run_id):
            spent[effect.tool, effect.args_hash] += effect.attempts
        state, _ = await self.checkpointed(run)
        for record in state.get("execution", {}).get("steps", {}).values():
            if not record.get("effect_id"):
                spent[record["tool"], record["args_hash"]] += record["history"].get("spent", 0)
        return spent

    async def checkpointed(self, run: Run) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Return a run's checkpointed state and what it waits on; ``{}`` while the thread holds another run's."""
        snapshot = await self.graph.aget_state(self.config(run))
        if snapshot.values.get("session", {}).get("run_id") != run.run_id:
            return {}, None
        return snapshot.values, snapshot.interrupts[0].value if snapshot.interrupts else None

    async def _stored_answer(self, pending: dict[str, Any] | None) -> dict[str, Any] | None:
        """A card that was confirmed just before a crash is not shown again."""
        if pending is None or pending["kind"] != "card":
            return None
        reply = await self.door.consents.unspent(Card.from_json(pending["card"]))
        return reply.to_json() if reply is not None else None

    async def _result(self, run: Run, status: str) -> RunResult:
        state, waiting_on = await self.checkpointed(run)
        pending = waiting_on if status == "waiting" else None
        return RunResult(run.run_id, status, pending, state.get("result", {}).get("answer") or run.answer or [], state)

    def config(self, run: Run) -> RunnableConfig:
        """Return how the graph finds a run's thread."""
        return {"configurable": {"thread_id": run.thread_id}, "recursion_limit": RUN_LIMIT}


def first_state(run: Run, now: str) -> dict[str, Any]:
    """Return the input that starts a run: all is overwritten but the thread's messages, memory and good answers."""
    session = {
        "run_id": run.run_id,
        "thread_id": run.thread_id,
        "user_id": run.user_id,
        "app": run.app,
        "lang": run.lang,
        "now": now,
        "dry_run": bool(run.options.get("dry_run")),
    }
    domains = {
        "session": session,
        "planning": {"request": run.request, "slots": {}},
        "execution": {"steps": {}},
        "reliability": {"degradation": "normal"},
        "result": {},
    }
    return {name: Overwrite(value) for name, value in domains.items()}


def _checked(run: Run, pending: dict[str, Any] | None, answer: dict[str, Any], by: str) -> dict[str, Any]:
    """Return the answer with its true author, or refuse one that does not belong to what the run waits for."""
    if pending is None:
        raise NotWaiting(f"run {run.run_id} waits for no answer; resume it without one")
    if not isinstance(answer, dict):
        raise NotWaiting("an answer is a mapping: a reply to the card, or choose, text or stop")
    if pending["kind"] == "card":
        if "decision" not in answer:
            raise NotWaiting(f"run {run.run_id} waits for a card: confirm, change or decline it")
        missing = {"card_id", "nonce"} - set(answer)
        if missing:
            raise NotWaiting(f"an answer to a card names its {' and '.join(sorted(missing))}")
        reply = Reply.from_json({**answer, "by": by})
        check_reply(Card.from_json(pending["card"]), reply)
        return reply.to_json()
    options = pending["question"]["options"]
    if "decision" in answer:
        raise NotWaiting(f"run {run.run_id} waits for an answer to a question, not for a card")
    if "choose" in answer:
        chosen = str(answer["choose"])
        if not chosen.isdecimal() or not 1 <= int(chosen) <= len(options):
            raise NotWaiting(f"choose a number from 1 to {len(options)}")
    elif not answer.get("stop") and not str(answer.get("text", "")).strip():
        raise NotWaiting(f"run {run.run_id} waits for an answer: choose a number, or write one")
    return answer
