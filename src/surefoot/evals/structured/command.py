"""``surefoot eval structured``: two stages beside one, and beside LangChain's own ``response_format``, same scripts.

The model is scripted and served over a real socket; each arm talks to it through langchain-openai. It calls the tool
once, then says what the task's flaw makes it say. Unrecoverable tasks must end in a typed failure, never in an object.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_core.tools import BaseTool, tool
from pydantic import ValidationError

from surefoot.agents.react import FORMAT, build_react
from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.evals.structured.tasks import Task, tasks
from surefoot.llm.accounting import Meter
from surefoot.llm.calling import Caller
from surefoot.llm.models import ModelSettings, open_model
from surefoot.testing.model_server import ModelServer, Reply, Say, Use
from surefoot.texts import Text

ATTEMPTS = 3
KEY = "SUREFOOT_EVAL_KEY"
TWO = "You look things up."
ONE = "Look things up, then answer with JSON for this schema:"
STEPS = 14
"""Super-steps an arm may take: LangChain's own loop of corrections knows no end."""

Arm = Callable[[BaseChatModel, BaseTool, Task, Meter], Awaitable[tuple[Any, bool]]]
"""``async arm(model, tool, task, meter) -> (object or None, whether it ended in a typed failure)``."""


def structured(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Play every task with every arm. Raises InputInvalid for an option that is not known."""
    if options:
        raise InputInvalid(
            Text(f"不认识的选项 {options[0]}；没有选项。", f"Unknown option {options[0]}; there are none.")
        )
    os.environ.setdefault(KEY, "the server is ours and asks for none")
    asyncio.run(_play(report, list(tasks())))
    report.note(f"{ATTEMPTS} attempts in stage two; {STEPS} super-steps for create_agent(response_format=...)")
    report.note("tool_calls_kept: the share of tasks whose tool was called exactly once")


async def _play(report: Report, played: Sequence[Task]) -> None:
    report.add("tasks.all", len(played))
    report.add("tasks.recoverable", sum(task.recoverable for task in played))
    for name, arm in ARMS.items():
        counts: Counter[str] = Counter()
        tokens = 0
        for task in played:
            valid, typed, kept, asked, spent = await _one(arm, task)
            counts["valid"] += valid and task.recoverable
            counts["false"] += valid and not task.recoverable
            counts["honest"] += valid if task.recoverable else typed
            counts["kept"] += kept
            counts["asked"] += asked
            tokens += spent
        recoverable = sum(task.recoverable for task in played)
        report.add(f"{name}.valid", round(counts["valid"] / recoverable, 4))
        report.add(f"{name}.valid_or_typed_failure", round(counts["honest"] / len(played), 4))
        report.add(f"{name}.objects_where_none_can_be", counts["false"])
        report.add(f"{name}.tool_calls_kept", round(counts["kept"] / len(played), 4))
        report.add(f"{name}.requests_per_task", round(counts["asked"] / len(played), 2))
        report.add(f"{name}.tokens_per_task", round(tokens / len(played)))


async def _one(arm: Arm, task: Task) -> tuple[bool, bool, bool, int, int]:
    calls: list[str] = []

    @tool
    def look_up(name: str) -> str:
        """Look something up."""
        calls.append(name)
        return json.dumps(task.right)

    with ModelServer(_says(task)) as server:
        value, typed = await arm(open_model(_settings(server)), look_up, task, Meter())
        valid = value is not None and _same(value, task)
        spent = sum(len(json.dumps(request["messages"])) // 4 for request in server.requests)
        return valid, typed, calls == [task.name], server.calls, spent


def _says(task: Task) -> Callable[[dict[str, Any]], Reply]:
    """The model: first the tool; then an answer in words, where a formatter will come, or at once the flawed object."""

    def say(request: dict[str, Any]) -> Reply:
        messages = request["messages"]
        system = str(messages[0].get("content", ""))
        before = sum(message["role"] == "assistant" for message in messages)
        if system.startswith(FORMAT):
            return _nth(task, before)
        if before == 0:
            return Use((("look_up", {"name": task.name}),))
        if system == TWO:
            return Say("I have looked it up.")
        return _as_text(_nth(task, before - 1)) if system.startswith(ONE) else _nth(task, before - 1)

    return say


def _as_text(reply: Reply) -> Reply:
    """Where the form is no tool, what the model would have called it with is written as text."""
    if not isinstance(reply, Use):
        return reply
    ((_, given),) = reply.calls
    return Say(given if isinstance(given, str) else json.dumps(given))


def _nth(task: Task, number: int) -> Reply:
    return task.replies[min(number, len(task.replies) - 1)]


def _same(value: Any, task: Task) -> bool:
    found = value.model_dump() if hasattr(value, "model_dump") else value
    return bool(found == task.right)


async def _two_stage(model: BaseChatModel, looked: BaseTool, task: Task, meter: Meter) -> tuple[Any, bool]:
    agent = build_react(
        model,
        [looked],
        TWO,
        task.schema,
        caller=lambda: Caller(meter),
        attempts=ATTEMPTS,
    )
    done = await agent.ainvoke({"messages": [HumanMessage(f"Look up {task.name}.")]})
    return done["structured_response"], done["failure"] is not None


async def _one_stage(model: BaseChatModel, looked: BaseTool, task: Task, meter: Meter) -> tuple[Any, bool]:
    """Tools and the form in one prompt; the last message is parsed as it is, as most agents do."""
    form = json.dumps(task.schema.model_json_schema())
    agent = create_agent(model, [looked], system_prompt=f"{ONE} {form}")
    done = await agent.ainvoke({"messages": [HumanMessage(f"Look up {task.name}.")]}, {"recursion_limit": STEPS})
    last = done["messages"][-1]
    try:
        return task.schema.model_validate_json(last.text), False
    except ValidationError:
        return None, False


async def _create_agent(model: BaseChatModel, looked: BaseTool, task: Task, meter: Meter) -> tuple[Any, bool]:
    agent = create_agent(model, [looked], system_prompt="Look things up.", response_format=task.schema)
    try:
        done = await agent.ainvoke({"messages": [HumanMessage(f"Look up {task.name}.")]}, {"recursion_limit": STEPS})
    except Exception:  # noqa: BLE001 - a peer that raises has given no object; what it raises is not ours to sort
        return None, False
    return done.get("structured_response"), False


ARMS: dict[str, Arm] = {"two_stage": _two_stage, "one_stage": _one_stage, "create_agent": _create_agent}


def _settings(server: ModelServer) -> ModelSettings:
    return ModelSettings(name="openai:scripted", base_url=server.url, key_env=KEY)
