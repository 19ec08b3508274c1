"""What a run leaves for the next one on its thread: what holds, what was done, and what the planner keeps."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from surefoot.agents.deps import Deps, plan_of, slots_of
from surefoot.app import RunView
from surefoot.errors import SurefootError
from surefoot.memory.behaviour import Observation, weights
from surefoot.memory.item import Item, Source, remember, settle
from surefoot.memory.summary import Done, Summary
from surefoot.planning.plan import Origin, Slot
from surefoot.planning.planner import WORKING_CHARACTERS, Conversation, Proposal

_SOURCES: Mapping[Origin, Source] = {"said": "person", "confirmed": "card", "tool": "tool", "rule": "rule"}
DONE_VALUES, VALUE_CHARACTERS = 10, 60
"""How many values name a finished thing, and how long each may be."""

LAST_ANSWER = 600
"""How much of the last answer a further sentence may refer to (可以, "the second one")."""


class WorkingTooLarge(SurefootError):
    """A planner keeps more than it may from one sentence to the next."""

    code = "WORKING_TOO_LARGE"


async def conversation(state: Mapping[str, Any], deps: Deps) -> Conversation:
    """Return what this sentence stands on: the thread's memory and the person's preferences."""
    memory = state.get("memory") or {}
    shelf = await deps.preferences.shelf(state["session"]["user_id"])
    done = Summary.from_json(memory.get("summary")).done
    habits = await _habits(state["session"]["user_id"], deps) if deps.app.observe else {}
    return Conversation(memory.get("working") or {}, done, shelf.items, habits, memory.get("last_answer", ""))


async def _habits(user_id: str, deps: Deps) -> dict[str, dict[str, float]]:
    by_kind: defaultdict[str, list[Observation]] = defaultdict(list)
    for seen in await deps.behaviour.observed(user_id):
        by_kind[seen.kind].append(seen)
    return {kind: weights(seen, deps.session.now()) for kind, seen in by_kind.items()}


async def keep_habits(view: RunView, user_id: str, deps: Deps) -> None:
    """Keep what a finished run shows of the person's habits; without their permission nothing is kept."""
    if deps.app.observe is None:
        return
    for kind, choice in deps.app.observe(view):
        await deps.behaviour.observe(user_id, Observation(kind, choice, deps.session.now()))


async def keep_preferences(proposal: Proposal, user_id: str, deps: Deps) -> None:
    """Write the changes of preferences that the person asked for. Writing them twice changes nothing."""
    for item in proposal.remember:
        await deps.preferences.change(user_id, item.key, _settled(item))
    for key in proposal.forget:
        await deps.preferences.forget(user_id, key)


def _settled(item: Item) -> Any:
    return lambda old: settle(old, item)


def check_working(working: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a planner keeps, JSON-native.

    Raises:
        WorkingTooLarge: a thread's checkpoints must not grow with every sentence.
    """
    size = len(json.dumps(working, ensure_ascii=False))
    if size > WORKING_CHARACTERS:
        raise WorkingTooLarge(f"the planner keeps {size} characters; {WORKING_CHARACTERS} at most")
    return dict(working)


def after_run(state: Mapping[str, Any], deps: Deps, spoken: str) -> dict[str, Any]:
    """Return the thread's memory after this run. One that came to no plan leaves what holds and what was done."""
    planning = state["planning"]
    proposal = planning.get("proposal")
    if proposal is None:
        return {"last_answer": spoken[:LAST_ANSWER]}
    if not planning.get("plan"):
        return {"last_answer": spoken[:LAST_ANSWER], "working": planning.get("working", {})}
    summary = Summary.from_json((state.get("memory") or {}).get("summary"))
    if proposal.get("new_task", True):
        summary = summary.next_task()
    summary = summary.only(planning.get("slots", {})).holding(_constraints(state, deps.session.now()))
    for item in _done(state, deps):
        summary = summary.after(item)
    return {
        "summary": summary.to_json(),
        "working": planning.get("working", {}),
        "last_answer": spoken[:LAST_ANSWER],
    }


def _constraints(state: Mapping[str, Any], now: datetime) -> Iterator[Item]:
    confirmed = _confirmed_slots(state)
    for name, slot in slots_of(state).items():
        source: Source = "card" if name in confirmed else _SOURCES.get(slot.origin, "model")
        yield remember(name, slot.value, source=source, at=now, origin=_about(slot))


def _about(slot: Slot) -> str:
    return slot.note["en"] if slot.note else ""


def _confirmed_slots(state: Mapping[str, Any]) -> set[str]:
    """Return the slots whose values stood on a card that the person confirmed and that was carried out."""
    accepted = plan_of(state)
    if accepted is None:
        return set()
    records = state["execution"].get("steps", {})
    return {
        binding.slot
        for step in accepted.steps
        if records.get(step.id, {}).get("effect") == "committed"
        for name, binding in step.parameters.items()
        if binding.slot is not None and name not in records[step.id].get("edited", {})
    }


def _done(state: Mapping[str, Any], deps: Deps) -> Iterator[Done]:
    """Return what was committed and stands: the arguments and the scalar values that came back, cut short."""
    for record in state["execution"].get("steps", {}).values():
        if record["status"] != "success" or record.get("effect") != "committed":
            continue
        data = {**record["input"], **((record.get("output") or {}).get("data") or {})}
        private = set(deps.registry.contract(record["tool"]).private)
        named = {
            key: value if not isinstance(value, str) else value[:VALUE_CHARACTERS]
            for key, value in data.items()
            if isinstance(value, str | int | float) and key not in private
        }
        yield Done(record["tool"], dict(list(named.items())[:DONE_VALUES]))
