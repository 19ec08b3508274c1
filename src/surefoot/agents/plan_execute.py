"""The plan_execute graph: guard, plan, check, then the loop of reads and consented writes, and recovery."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from surefoot.agents import nodes, routing
from surefoot.agents.deps import Deps
from surefoot.agents.state import RunState

RUN_LIMIT = 400
"""Super-steps a run may take; its budgets of calls and of recoveries end it before. LangGraph's own default (10,007)
would let a loop run for a quarter of a minute."""

Graph = CompiledStateGraph[RunState, Deps, RunState, RunState]


def build(checkpointer: "BaseCheckpointSaver[Any] | None" = None) -> Graph:
    """Return the compiled graph. Give :class:`Deps` as context and set ``durability="sync"`` on every run."""
    graph = StateGraph(RunState, context_schema=Deps)
    graph.add_node("guard", nodes.guard)
    graph.add_node("plan", nodes.plan)
    graph.add_node("check", nodes.check)
    graph.add_node("clarify", nodes.clarify)
    graph.add_node("bind", nodes.bind, destinations=("read", "prepare", "verify", "settle", "validate"))
    graph.add_node("read", nodes.read)
    graph.add_node("prepare", nodes.prepare, destinations=("approve", "attempt", "bind", "verify", "settle"))
    graph.add_node("approve", nodes.approve, destinations=("attempt", "prepare", "bind", "undo"))
    graph.add_node("attempt", nodes.attempt, destinations=("verify", "settle", "prepare"))
    graph.add_node("settle", nodes.settle)
    graph.add_node("recover", nodes.recover)
    graph.add_node("verify", nodes.verify)
    graph.add_node("undo", nodes.undo)
    graph.add_node("hand_over", nodes.hand_over)
    graph.add_node("validate", nodes.validate)
    graph.add_node("respond", nodes.respond)
    graph.add_edge(START, "guard")
    graph.add_conditional_edges("guard", routing.after_guard, ["plan", "respond"])
    graph.add_conditional_edges("plan", routing.after_plan, ["check", "clarify", "respond"])
    graph.add_conditional_edges("check", routing.after_check, ["bind", "respond", "undo"])
    graph.add_conditional_edges("clarify", routing.after_clarify, ["plan", "undo"])
    graph.add_conditional_edges("read", routing.to_judge, ["verify", "settle"])
    graph.add_conditional_edges("settle", routing.after_settle, ["bind", "recover", "clarify", "undo", "hand_over"])
    graph.add_conditional_edges("recover", routing.after_recover, ["verify", "settle", "attempt", "bind"])
    graph.add_edge("verify", "settle")
    graph.add_conditional_edges("validate", routing.after_validate, ["respond", "undo"])
    graph.add_conditional_edges("undo", routing.after_undo, ["respond", "hand_over"])
    graph.add_edge("hand_over", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=checkpointer, name="plan_execute")
