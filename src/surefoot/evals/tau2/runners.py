"""Who is measured: LangChain's and LangGraph's own means; the RAC library and Surefoot have modules of their own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from surefoot.evals.tau2.scripted import Scripted
from surefoot.evals.tau2.stage import BackendUnavailable, Stage

RESUMES = 2
ENDS_THE_RUN = (TimeoutError, BackendUnavailable)
REQUEST = "Please do what my case needs."


@dataclass(frozen=True)
class Runner:
    """One way to run an agent. ``run`` plays the stage's script and returns the history, also of a run that died."""

    name: str
    settings: str
    run: Callable[[Stage, Scripted], list[BaseMessage]]
    close: Callable[[], None] = lambda: None


def bare() -> Runner:
    """``create_agent`` as it is."""
    from langchain.agents import create_agent

    def run(stage: Stage, model: Scripted) -> list[BaseMessage]:
        agent = create_agent(model, stage.tools(handled=True), checkpointer=InMemorySaver())
        return drive(agent)

    return Runner(
        "bare",
        "create_agent; tools with handle_tool_error=True; when an exception ends the run, the caller resumes it with "
        f"invoke(None) up to {RESUMES} times from an InMemorySaver checkpoint.",
        run,
    )


def tool_retry() -> Runner:
    """``create_agent`` with LangChain's ToolRetryMiddleware."""
    from langchain.agents import create_agent
    from langchain.agents.middleware import ToolRetryMiddleware

    def run(stage: Stage, model: Scripted) -> list[BaseMessage]:
        retry = ToolRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False, on_failure="continue")
        tools = stage.tools(handled=True)
        return drive(create_agent(model, tools, middleware=[retry], checkpointer=InMemorySaver()))

    return Runner(
        "tool-retry",
        "create_agent + ToolRetryMiddleware(max_retries=2, initial_delay=0, jitter=False, on_failure='continue'); "
        "tools with handle_tool_error=True, so that refusals are not retried.",
        run,
    )


def retry_policy() -> Runner:
    """A StateGraph of model and ToolNode, the ToolNode under LangGraph's RetryPolicy."""
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition
    from langgraph.types import RetryPolicy

    def run(stage: Stage, model: Scripted) -> list[BaseMessage]:
        tools = stage.tools(handled=True)
        bound = model.bind_tools(tools)

        def ask(state: MessagesState) -> dict[str, Any]:
            return {"messages": [bound.invoke(state["messages"])]}

        policy = RetryPolicy(max_attempts=3, initial_interval=0.0, jitter=False, retry_on=lambda _: True)
        graph = StateGraph(MessagesState)
        graph.add_node("model", ask)
        graph.add_node("tools", ToolNode(tools), retry_policy=policy)
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", tools_condition)
        graph.add_edge("tools", "model")
        return drive(graph.compile(checkpointer=InMemorySaver()))

    return Runner(
        "retry-policy",
        "StateGraph of model and ToolNode, the ToolNode with RetryPolicy(max_attempts=3, initial_interval=0, "
        "jitter=False, retry_on=everything); tools with handle_tool_error=True; resumed like bare.",
        run,
    )


def drive(agent: Any, who: str = "cell") -> list[BaseMessage]:
    """Invoke an agent to its end; an exception of the back end ends the run, and the caller resumes it.

    ``who`` names the thread and its user.
    """
    config: RunnableConfig = {"configurable": {"thread_id": who, "user_id": who}, "recursion_limit": 500}
    given: dict[str, Any] | None = {"messages": [HumanMessage(REQUEST)]}
    for _ in range(1 + RESUMES):
        try:
            agent.invoke(given, config)
        except ENDS_THE_RUN:
            given = None
        else:
            break
    messages: list[BaseMessage] = agent.get_state(config).values["messages"]
    return messages
