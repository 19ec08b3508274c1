"""The RAC library (react-agent-compensation) around the same tools, with the undo knowledge that Surefoot has."""

import json
import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver

from surefoot.contracts.paths import is_path, look_up
from surefoot.evals.tau2.contracts import Contract
from surefoot.evals.tau2.runners import Runner, drive
from surefoot.evals.tau2.scripted import Scripted
from surefoot.evals.tau2.stage import Stage

NO_INVERSE = ""
"""The library retries only tools that have a compensator; an empty name gives the retry and no undo."""

RETRYABLE = ["timeout", "timed out", "connection", "rate_limit", "overload", "temporarily", "busy", "503", "502", "504"]


def rac_library(contracts: Mapping[str, Contract]) -> Runner:
    """``create_agent`` over tools wrapped by the library.

    Raises:
        ModuleNotFoundError: the library is not installed.
    """
    from langchain.agents import create_agent

    library = import_module("react_agent_compensation.langchain_adaptor")
    # It logs each fault as an error; the table says the same in one line.
    logging.getLogger("react_agent_compensation").setLevel(logging.CRITICAL)
    undo = {name: contract["compensate"] for name, contract in contracts.items() if contract.get("compensate")}
    writes = [name for name, contract in contracts.items() if contract["effect"] == "write"]

    def run(stage: Stage, model: Scripted) -> list[BaseMessage]:
        old: dict[str, Any] = {}
        tools = [_remembering(tool, stage, contracts, old) for tool in stage.tools(handled=False)]
        middleware = library.CompensationMiddleware(
            compensation_mapping={name: undo[name]["tool"] if name in undo else NO_INVERSE for name in writes},
            tools=tools,
            retry_policy=library.RetryPolicy(
                max_retries=3,
                initial_delay=0.001,
                jitter=False,
                retryable_errors=RETRYABLE,
            ),
            state_mappers={name: _mapper(undo[name]["arguments"], name, old) for name in undo},
        )
        wrap = library.wrap_tool_with_compensation
        wrapped = [wrap(tool, middleware) for tool in tools]
        for tool in wrapped:
            tool.handle_tool_error = True
        return drive(create_agent(model, wrapped, checkpointer=InMemorySaver()))

    pairs = ", ".join(f"{name} -> {undo[name]['tool']}" for name in undo) or "none"
    return Runner(
        "rac-library",
        "react-agent-compensation, wrap_tool_with_compensation under create_agent (its own factory is the older "
        "create_react_agent with the same wrapper); all writes tracked, so that it retries them; "
        "RetryPolicy(max_retries=3, no waiting, retryable_errors with 'timed out' added); auto_rollback on; pairs with "
        f"state mappers for old values: {pairs}. A retried call comes back as the repr of a result object under status "
        "success, also when it was refused.",
        run,
    )


def _remembering(tool: BaseTool, stage: Stage, contracts: Mapping[str, Contract], old: dict[str, Any]) -> BaseTool:
    """Let a tool that can be undone look at what it is going to change: the library keeps no state from before."""
    contract = contracts[tool.name]
    if not contract.get("compensate"):
        return tool

    def call(**arguments: Any) -> str:
        seen: dict[str, Any] = {}
        for name, look in contract.get("before", {}).items():
            given = _resolved(look["arguments"], {"arguments": arguments})
            try:
                seen[name] = json.loads(stage.call(look["tool"], given))
            except ToolException:
                seen[name] = None
        old[_key(tool.name, arguments)] = seen
        return stage.call(tool.name, arguments)

    return StructuredTool.from_function(
        func=call, name=tool.name, description=tool.description, args_schema=tool.args_schema, infer_schema=False
    )


def _mapper(
    wanted: Mapping[str, Any], name: str, old: Mapping[str, Any]
) -> Callable[[Any, dict[str, Any]], dict[str, Any]]:
    def mapped(result: Any, params: dict[str, Any]) -> dict[str, Any]:
        return _resolved(wanted, {"arguments": params, "before": old[_key(name, params)]})

    return mapped


def _resolved(wanted: Mapping[str, Any], root: Any) -> dict[str, Any]:
    return {name: look_up(value, root) if is_path(value) else value for name, value in wanted.items()}


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([name, arguments], sort_keys=True)
