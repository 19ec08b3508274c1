"""The plan as it runs: a table that follows the state, live on a terminal."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text as Words

from surefoot.cli.speaking import STEP_STATES, clean, said, value_in_words
from surefoot.texts import Text

State = Mapping[str, Any]

HEADS = (Text("步骤", "Step"), Text("工具", "Tool"), Text("状态", "Status"), Text("用时", "Time"))
PLAN = Text("计划", "Plan")
STYLES = {
    "success": "green", "reconciled": "green", "dry_run": "green", "working": "cyan", "asking": "cyan",
    "asking_back": "yellow", "unknown": "yellow", "empty": "yellow", "refused": "red", "failed": "red",
    "timeout": "red", "residue": "red", "skipped": "dim", "pending": "dim", "compensated": "dim",
}  # fmt: skip


class Progress:
    """Follows one run. ``watch`` is the runner's callback; ``run_id`` is known as soon as a state was seen."""

    def __init__(self, console: Console, lang: str, *, quiet: bool = False) -> None:
        self._console, self._lang, self._quiet = console, lang, quiet
        self._live: Live | None = None
        self.run_id: str | None = None

    def watch(self, state: State) -> None:
        """Take a new state."""
        self.run_id = state.get("session", {}).get("run_id", self.run_id)
        if self._live is not None:
            self._live.update(plan_table(state, self._lang) or Words(""))

    @contextmanager
    def live(self) -> Iterator[None]:
        """Show the table while a step runs; it leaves nothing behind, so that what follows stands alone."""
        if self._quiet or not self._console.is_terminal:
            yield
            return
        with Live(console=self._console, transient=True, refresh_per_second=8) as live:
            self._live = live
            try:
                yield
            finally:
                self._live = None


def plan_table(state: State, lang: str) -> RenderableType | None:
    """Return the plan's table, or ``None`` while there is no plan."""
    plan = state.get("planning", {}).get("plan")
    steps = state.get("execution", {}).get("steps", {})
    if not plan or not steps:
        return None
    goal = value_in_words(plan["goal"], lang)
    title = f"{PLAN.say(lang)}：{goal}" if lang == "zh" else f"{PLAN.say(lang)}: {goal}"
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in HEADS:
        table.add_column(head.say(lang), overflow="fold", justify="right" if head is HEADS[-1] else "left")
    for step in plan["steps"]:
        record = steps.get(step["id"])
        if record is not None:
            status = status_of(record, state)
            word = Words(said(STEP_STATES, status, lang), style=STYLES.get(status, ""))
            table.add_row(
                Words(value_in_words(step["description"], lang)), clean(record["tool"]), word, time_of(record)
            )
    return Group(Words(title, style="bold"), table)


def status_of(record: Mapping[str, Any], state: State) -> str:
    """Return the key in ``STEP_STATES`` that tells most truly how a step stands."""
    undone = {item["effect_id"]: item["state"] for item in state.get("result", {}).get("undone") or []}
    if record.get("effect_id") in undone:
        return str(undone[record["effect_id"]])
    decision = state.get("reliability", {}).get("decision") or {}
    if decision.get("kind") == "ask_back" and decision.get("step") == record["id"]:
        return "asking_back"
    status: str = record["status"]
    if status == "success" and record.get("reconciled"):
        return "reconciled"
    if status != "pending" or state.get("result", {}).get("terminated"):
        return status
    execution = state.get("execution", {})
    current = execution.get("current") == record["id"]
    if current and execution.get("card") and not execution.get("consent_id"):
        return "asking"
    return "working" if record.get("input") and (current or not execution.get("current")) else "pending"


def time_of(record: Mapping[str, Any]) -> str:
    """Return how long the last call took, as the tool's envelope says; empty before the first call."""
    envelope = record.get("output") or {}
    latency = (envelope.get("metadata") or {}).get("latency_ms")
    if not latency:
        return ""
    return f"{latency / 1000:.1f} s" if latency >= 1000 else f"{latency:.0f} ms"


def steps_as_data(state: State) -> list[dict[str, Any]]:
    """Return the steps in the plan's order as JSON-native data for ``--json``."""
    steps = state.get("execution", {}).get("steps", {})
    plan = state.get("planning", {}).get("plan") or {"steps": []}
    order = [step["id"] for step in plan["steps"] if step["id"] in steps]
    keys = ("id", "tool", "status", "input", "retries", "effect_id", "effect", "reconciled", "error", "notes")
    return [{key: steps[name].get(key) for key in keys} for name in order]
