"""What Surefoot costs: the door per read and write, the graph per step beside bare LangGraph, import, growth.

``python benchmarks/overhead.py [--json FILE]``. Both sides of each comparison run in this one process, turn by turn,
on the same disk; medians throughout. The tools are those of the tests' shop, which do next to nothing themselves.
"""

import argparse
import asyncio
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from langgraph.graph import StateGraph
from langgraph.types import Command, Send
from sqlalchemy import create_engine

from shop.app import Backend, ShopPlanner, bilingual, shop_app
from surefoot.agents.deps import Deps
from surefoot.agents.plan_execute import RUN_LIMIT
from surefoot.agents.state import RunState
from surefoot.bootstrap import Settings, open_runner
from surefoot.contracts import Deadline
from surefoot.evals.report import Report
from surefoot.execution import Call, LoopDetector, Ready, Reply, RunBudget, Session
from surefoot.execution.budget import Limits
from surefoot.persistence.database import sqlite_url
from surefoot.persistence.schema import metadata
from surefoot.planning import Binding, Plan, Proposal, Request, Step
from surefoot.runtime.runner import Run, Runner, first_state

CALLS, RUNS, CHAIN, TURNS, IMPORTS = 300, 20, 8, 200, 7
PLENTY = Limits(attempts_per_call=10**6, calls=10**6, seconds=3600.0)


class Chain(ShopPlanner):
    """Plans a chain of small reads, one after the other."""

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return ``CHAIN`` greetings, each waiting for the one before."""
        steps = tuple(
            Step(
                id=f"s{n}",
                tool="greet",
                description=bilingual("greet"),
                depends_on=(f"s{n - 1}",) if n else (),
                parameters={"to": Binding(literal=f"guest {n}")},
            )
            for n in range(CHAIN)
        )
        return Proposal(plan=Plan(goal=bilingual("greet"), steps=steps))


async def timed(action: Callable[[], Awaitable[Any]]) -> float:
    """Return the milliseconds that an action took."""
    began = time.perf_counter()
    await action()
    return (time.perf_counter() - began) * 1000


def session_of(runner: Runner, lease: Any) -> Session:
    """Return a session whose budgets never end."""
    budget = RunBudget(PLENTY, Deadline.after(runner.clock, 3600), Counter())
    return Session("ann", {"shop"}, lease, budget, LoopDetector(), runner.clock.now, runner.systems)


async def door_costs(runner: Runner, report: Report, folder: Path) -> None:
    """Measure reads and writes through the door beside the bare function and the bare commits."""
    lease = await runner.leases.claim("bench", "bench", "bench", ttl_seconds=3600)
    session = session_of(runner, lease)
    greet = runner.registry["greet"].function
    direct, through, writes, consents, commits = [], [], [], [], []
    for n in range(CALLS):
        call = Call(f"bench/r{n}", "bench", "bench", f"r{n}", "ann", "greet", {"to": f"guest {n}"})
        ctx = runner.door.context(call, session)
        direct.append(await timed(lambda call=call, ctx=ctx: greet(**call.arguments, ctx=ctx)))
        through.append(await timed(lambda call=call: read_through(runner, session, call)))
    raw = same_tables(folder)
    with ThreadPoolExecutor(1) as thread:
        for n in range(CALLS):
            door_ms, consent_ms = await write_through(runner, session, n)
            writes.append(door_ms)
            consents.append(consent_ms)
            commits.append(await its_commits(raw, thread, n))
    raw.close()
    await runner.leases.release(lease)
    report.add("door.read_ms", statistics.median(through) - statistics.median(direct))
    report.add("door.write_ms", statistics.median(writes))
    report.add("door.consent_ms", statistics.median(consents))
    report.add("door.its_commits_ms", statistics.median(commits))
    report.add("door.write_beside_commits_ms", statistics.median(writes) - statistics.median(commits))


async def read_through(runner: Runner, session: Session, call: Call) -> None:
    """One read: prepare and attempt."""
    ready = await runner.door.prepare(call, session)
    assert isinstance(ready, Ready)
    outcome = await runner.door.attempt(ready, session)
    assert outcome.kind == "ok", outcome


async def write_through(runner: Runner, session: Session, n: int) -> tuple[float, float]:
    """One write; return the milliseconds of the door (prepare with its card, attempt) and of storing the consent.

    The door commits twice: {consent spent, intent written}, and the outcome. The consent is stored by whoever asks
    the person, in a commit of its own.
    """
    call = Call(f"bench/w{n}", "bench", "bench", f"w{n}", "ann", "reserve", {"article": f"article {n}"})
    began = time.perf_counter()
    ready = await runner.door.prepare(call, session)
    prepared = time.perf_counter()
    assert isinstance(ready, Ready)
    assert ready.card is not None
    reply = Reply(ready.card.card_id, ready.card.nonce, "confirm", "ann")
    consent_id = await runner.door.consents.grant(ready.card, reply)
    granted = time.perf_counter()
    outcome = await runner.door.attempt(ready, session, consent_id=consent_id)
    assert outcome.kind == "ok", outcome
    consent_ms = (granted - prepared) * 1000
    return (time.perf_counter() - began) * 1000 - consent_ms, consent_ms


def same_tables(folder: Path) -> sqlite3.Connection:
    """Return a bare connection to a second file with the ledger's own tables and settings."""
    engine = create_engine(sqlite_url(folder / "commits.sqlite"))
    metadata.create_all(engine)
    engine.dispose()
    raw = sqlite3.connect(folder / "commits.sqlite", isolation_level=None, check_same_thread=False)
    raw.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
    return raw


async def its_commits(raw: sqlite3.Connection, thread: ThreadPoolExecutor, n: int) -> float:
    """Return the milliseconds of the door's two commits as the barest asynchronous program would make them.

    The same tables and settings, ready values, plain sqlite3 in a thread, one hop per transaction: consent spent
    and intent written; outcome written. No reads, no checks, no sealing.
    """
    loop = asyncio.get_running_loop()
    consent_of(raw, n)
    began = time.perf_counter()
    await loop.run_in_executor(thread, intent_of, raw, n)
    await loop.run_in_executor(thread, outcome_of, raw, n)
    return (time.perf_counter() - began) * 1000


def consent_of(raw: sqlite3.Connection, n: int) -> None:
    """Write the consent that the intent spends; not part of what is measured."""
    values = (f"c{n}", f"k{n}", "r", f"r/{n}", "ann", "reserve", "h" * 32, 1, 1, "person", "x" * 900, "", 4e9, 1.7e9, 0)
    raw.execute(
        "INSERT INTO consent (consent_id, card_id, run_id, call_id, user_id, tool, args_hash, contract_version,"
        f" plan_version, via, card, shown, expires_at, decided_at, epoch) VALUES ({', '.join('?' * 15)})",
        values,
    )


def intent_of(raw: sqlite3.Connection, n: int) -> None:
    """Spend the consent and write the intent, in one durable transaction."""
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("UPDATE consent SET spent_at = 1.7e9, spent_by = ? WHERE consent_id = ?", (f"e{n}", f"c{n}"))
    values = (f"e{n}", n, f"r/{n}", "r", "t", "s", "ann", "reserve", 1, "x" * 200, "h" * 32, f"b{n}", 1, "intended")
    raw.execute(
        "INSERT INTO effect (effect_id, seq, call_id, run_id, thread_id, step_id, user_id, tool, contract_version,"
        " arguments, args_hash, base, generation, state, attempts, deadline_at, undo_on_failure, epoch, created_at,"
        f" updated_at) VALUES ({', '.join('?' * 14)}, 1, 1.7e9, 1, 1, 1.7e9, 1.7e9)",
        values,
    )
    raw.execute("COMMIT")


def outcome_of(raw: sqlite3.Connection, n: int) -> None:
    """Write the outcome, in one durable transaction."""
    raw.execute("BEGIN IMMEDIATE")
    query = "UPDATE effect SET state = 'committed', commit_seq = ?, result = ? WHERE effect_id = ?"
    raw.execute(query, (n, "x" * 200, f"e{n}"))
    raw.execute(
        "INSERT INTO effect_event (effect_id, seq, event, writer, state, epoch, at)"
        " VALUES (?, 1, 'succeeded', 'caller', 'committed', 1, 1.7e9)",
        (f"e{n}",),
    )
    raw.execute("COMMIT")


async def graph_costs(runner: Runner, report: Report) -> None:
    """Run the same steps through our graph and through a bare one that replays the same updates."""
    lease = await runner.leases.claim("graph", "graph", "graph", ttl_seconds=3600)
    runner.hold(lease)
    recorded = [part async for part in runner.graph.astream(**run_of(runner, lease), stream_mode="updates")]
    bare = bare_graph(runner, recorded)
    ours_ms, bare_ms = [], []
    for _ in range(RUNS):
        ours_ms.append(await timed(lambda: runner.graph.ainvoke(**run_of(runner, lease))))
        bare_ms.append(await timed(lambda: bare.ainvoke(**run_of(runner, lease, thread="bare"))))
    await runner.leases.release(lease)
    report.add("graph.steps", len(recorded))
    report.add("graph.step_ms", statistics.median(ours_ms) / len(recorded))
    report.add("graph.bare_step_ms", statistics.median(bare_ms) / len(recorded))
    report.add("graph.step_ratio", statistics.median(ours_ms) / statistics.median(bare_ms))


def run_of(runner: Runner, lease: Any, *, thread: str = "graph") -> dict[str, Any]:
    """Return the arguments of one graph run on the benchmark's thread."""
    run = Run("graph", "graph", "ann", "shop", "greet", "en", None, {})
    deps = Deps(
        runner.app,
        runner.registry,
        runner.door,
        session_of(runner, lease),
        runner.tickets,
        runner.events,
        lambda: 0.0,
        runner.preferences,
        runner.behaviour,
    )
    return {
        "input": first_state(run, "2026-12-01T10:00:00+08:00"),
        "config": {"configurable": {"thread_id": thread}, "recursion_limit": RUN_LIMIT},
        "context": deps,
        "durability": "sync",
    }


def bare_graph(runner: Runner, recorded: list[dict[str, Any]]) -> Any:
    """Return a plain LangGraph graph whose nodes return the recorded updates, and call the tool themselves."""
    order = [(name, update) for part in recorded for name, update in part.items()]
    position = {"at": 0}
    greet = runner.registry["greet"].function

    async def node(state: Any, runtime: Any) -> Any:
        name, update = order[position["at"] % len(order)]
        position["at"] += 1
        at = position["at"] % len(order)
        following = order[at][0] if at else None
        if name == "read":
            session = runtime.context.session
            call = Call("b", "b", "b", "b", "ann", "greet", {"to": "guest"})
            await greet(to="guest", ctx=runtime.context.door.context(call, session))
            return update
        if following is None:
            return update
        goto = [Send("read", {"record": {}})] if following == "read" else following
        return Command(update=update, goto=goto)

    graph: Any = StateGraph(RunState, context_schema=Deps)
    names = dict.fromkeys(name for name, _ in order)
    for name in names:
        graph.add_node(name, node)
    graph.add_edge("__start__", order[0][0])
    graph.add_edge("read", "settle")
    return graph.compile(checkpointer=runner.graph.checkpointer)


async def growth(runner: Runner, report: Report, file: Path) -> None:
    """Talk on one thread for many turns and compare the bytes that a late and an early turn add."""
    added, before = [], 0
    for _ in range(TURNS):
        await runner.start("greet", user_id="ann", lang="en", thread_id="long")
        after = stored(file)
        added.append(after - before)
        before = after
    report.add("growth.bytes_turn_10", round(statistics.mean(added[9:14])))
    report.add("growth.bytes_turn_200", round(statistics.mean(added[-5:])))
    report.add("growth.ratio", statistics.mean(added[-5:]) / statistics.mean(added[9:14]))


def stored(file: Path) -> int:
    """Return the bytes of the long thread's checkpoints and writes."""
    connection = sqlite3.connect(file)
    query = (
        "SELECT (SELECT total(length(checkpoint) + length(metadata)) FROM checkpoints WHERE thread_id = 'long')"
        " + (SELECT total(length(value)) FROM writes WHERE thread_id = 'long')"
    )
    size = int(connection.execute(query).fetchone()[0])
    connection.close()
    return size


def import_seconds() -> float:
    """Return the median seconds of ``import surefoot`` in a fresh process, which must not import LangGraph."""
    code = (
        "import time, sys; began = time.perf_counter(); import surefoot; took = time.perf_counter() - began;"
        "assert 'langgraph' not in sys.modules; print(took)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(IMPORTS)
    ]
    return statistics.median(float(run.stdout) for run in runs)


async def main(json_file: Path | None) -> None:
    """Measure everything and report."""
    report = Report("What Surefoot costs (medians)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = replace(shop_app(Backend()), planner=Chain())
        settings = Settings(database_url=sqlite_url(folder / "surefoot.sqlite"), message_limit="100000/second")
        async with open_runner(app, settings) as runner:
            await door_costs(runner, report, folder)
            await graph_costs(runner, report)
            await growth(runner, report, folder / "surefoot.sqlite")
    report.add("import.seconds", import_seconds())
    report.note(f"{CALLS} calls, {RUNS} runs of {CHAIN} reads each, {TURNS} turns, {IMPORTS} imports")
    report.show()
    if json_file is not None:
        report.write(json_file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=None, help="write the figures as one flat JSON object")
    asyncio.run(main(parser.parse_args().json))
