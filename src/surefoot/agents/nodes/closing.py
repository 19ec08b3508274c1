"""Nodes that close a run: validate the whole plan, and answer."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from surefoot.agents.deps import Deps, view_of
from surefoot.agents.remembering import after_run, keep_habits
from surefoot.agents.state import RunState
from surefoot.app import Answer


async def validate(state: RunState, runtime: Runtime[Deps]) -> dict[str, Any]:
    """Look at what only the whole plan shows; a fatal finding leads to undo."""
    deps = runtime.context
    status = "dry_run" if state["session"].get("dry_run") else "done"
    view = view_of(state, deps, status=status)
    findings = [finding for check in deps.app.validators for finding in check(view)]
    listed = [{"code": f.code, "text": f.text.to_json(), "steps": list(f.steps), "fatal": f.fatal} for f in findings]
    fatal = next((finding for finding in findings if finding.fatal), None)
    if fatal is not None:
        deps.emit(state, "invalid", code=fatal.code)
        why = fatal.text.to_json()
        return {"result": {"findings": listed}, "reliability": {"decision": {"kind": "undo", "why": why}}}
    return {"result": {"findings": listed, "status": status}, "reliability": {"decision": None}}


async def respond(state: RunState, runtime: Runtime[Deps]) -> dict[str, Any]:
    """Compose the answer in the person's language. This is the only place a run ends."""
    deps = runtime.context
    status = state["result"].get("status") or "failed"
    view = view_of(state, deps, status=status)
    answer: Answer = deps.app.compose(view)
    blocks = [block.to_json() for block in answer]
    await keep_habits(view, state["session"]["user_id"], deps)
    deps.emit(state, "answer", status=status)
    spoken = "\n".join(str(block["text"]) for block in blocks if block.get("text"))
    return {
        "result": {"status": status, "answer": blocks, "terminated": True},
        "messages": [AIMessage(spoken)],
        "memory": after_run(state, deps, spoken),
    }
