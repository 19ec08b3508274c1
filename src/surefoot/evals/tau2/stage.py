"""One cell's world: a fresh environment behind tools, one fault, and a record of what really happened."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from surefoot.evals.tau2.domain import Action, Domain, Task
from surefoot.execution.call import canonical


class Fault(StrEnum):
    """What goes wrong with one write. The layer under test is never told which."""

    BEFORE_TIMEOUT = "before_timeout"
    AFTER_TIMEOUT = "after_timeout"
    BEFORE_5XX = "before_5xx"
    AFTER_MALFORMED = "after_malformed"

    @property
    def commits(self) -> bool:
        """Whether the environment is called before the fault shows."""
        return self in {Fault.AFTER_TIMEOUT, Fault.AFTER_MALFORMED}


class BackendUnavailable(Exception):
    """What a client raises for an HTTP 503."""

    status_code = 503


@dataclass(frozen=True)
class Cell:
    """One gold write of one task, faulted in one way; ``position`` counts the task's assistant actions."""

    task: Task
    position: int
    fault: Fault


@dataclass(frozen=True)
class Execution:
    """One call that reached the environment, under the gold position at which it was made."""

    position: int
    name: str
    arguments: str
    is_write: bool
    ok: bool
    reply: str


@dataclass(frozen=True)
class Gold:
    """What happens when all gold actions are played once and nothing fails."""

    state: str
    executions: tuple[Execution, ...]

    @property
    def commits(self) -> Counter[tuple[str, str]]:
        """The writes that succeeded, by name and arguments."""
        return committed(self.executions)


@dataclass
class Stage:
    """The environment of one cell, its fault, and its log.

    ``position`` is set by whoever plays the gold actions; every call is logged under it.
    """

    domain: Domain
    task: Task
    fault: Fault | None = None
    fault_at: int = -1
    position: int = 0
    executions: list[Execution] = field(default_factory=list)
    _user_done: int = 0

    def __post_init__(self) -> None:
        self.environment = self.domain.environment(self.task)

    @property
    def script(self) -> tuple[Action, ...]:
        """The gold actions that the assistant makes."""
        return tuple(action for action in self.task.actions if action.requestor == "assistant")

    def advance(self, position: int) -> None:
        """Say that the assistant is at this position; what the person does before it is done first, once."""
        self.position = position
        seen, number = 0, 0
        for number, action in enumerate(self.task.actions):
            if action.requestor == "assistant":
                if seen == position:
                    break
                seen += 1
            elif number >= self._user_done:
                self._respond(action)
                self._user_done = number + 1

    def play(self, action: Action) -> bool:
        """Play one gold action without any fault and return whether the environment accepted it."""
        reply = self._respond(action)
        self._note(action.name, action.arguments, reply)
        return not reply.error

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool as an agent does.

        Raises:
            ToolException: the environment refused; its words.
            TimeoutError: the fault of this cell, before or after the environment did it.
            BackendUnavailable: the fault of this cell, before the environment did anything.
        """
        fault = self._take_fault(name, arguments)
        if fault is Fault.BEFORE_TIMEOUT:
            raise TimeoutError("Read timed out")
        if fault is Fault.BEFORE_5XX:
            raise BackendUnavailable("503 Service Unavailable")
        reply = self._respond(Action(name, dict(arguments)))
        self._note(name, arguments, reply)
        content = str(reply.content)
        if fault is Fault.AFTER_TIMEOUT:
            raise TimeoutError("Read timed out")
        if fault is Fault.AFTER_MALFORMED:
            return content[: len(content) // 2]
        if reply.error:
            raise ToolException(content)
        return content

    def tools(self, *, handled: bool) -> list[BaseTool]:
        """Return the environment's tools for LangChain.

        ``handled``: a refusal becomes the tool's error message (what a bare agent needs to go on) instead of an
        exception (what a layer around the tool can see).
        """
        return [self._tool(name, handled) for name in self.domain.tools]

    def _tool(self, name: str, handled: bool) -> BaseTool:
        shape = self.domain.tools[name]

        def call(**arguments: Any) -> str:
            return self.call(name, arguments)

        return StructuredTool.from_function(
            func=call,
            name=name,
            description=shape.description,
            args_schema=shape.parameters,
            infer_schema=False,
            handle_tool_error=handled,
        )

    def _take_fault(self, name: str, arguments: Mapping[str, Any]) -> Fault | None:
        if self.fault is None or self.position != self.fault_at:
            return None
        wanted = self.script[self.fault_at]
        if name != wanted.name or canonical(dict(arguments)) != canonical(wanted.arguments):
            return None
        fault, self.fault = self.fault, None
        return fault

    def _respond(self, action: Action) -> Any:
        call = self.domain.call_type(
            id="call", name=action.name, arguments=action.arguments, requestor=action.requestor
        )
        return self.environment.get_response(call)

    def _note(self, name: str, arguments: Mapping[str, Any], reply: Any) -> None:
        writes = name in self.domain.tools and self.domain.tools[name].is_write
        told = canonical(dict(arguments)), writes, not reply.error, str(reply.content)
        self.executions.append(Execution(self.position, name, *told))


class States:
    """Names of the environment's states by its own database hash.

    The environment dumps and hashes its whole database for one hash; the same content is hashed once only.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, environment: Any) -> str:
        """Return the hash of the environment's databases (its own, and the user's where there is one)."""
        content = hashlib.sha256()
        for kit in (environment.tools, environment.user_tools):
            if kit is not None and kit.db is not None:
                content.update(kit.db.model_dump_json().encode())
        key = content.hexdigest()
        if key not in self._known:
            user = environment.get_user_db_hash() if environment.user_tools is not None else None
            self._known[key] = f"{environment.get_db_hash()} {user}"
        return self._known[key]


def play_gold(domain: Domain, task: Task, states: States) -> Gold:
    """Play all gold actions of a task once, unfaulted, on a fresh environment."""
    stage = Stage(domain, task)
    for position, action in enumerate(stage.script):
        stage.advance(position)
        stage.play(action)
    stage.advance(len(stage.script))
    return Gold(states.of(stage.environment), tuple(stage.executions))


def cells(domain: Domain, task: Task) -> Iterator[Cell]:
    """Yield the cells of one task: each of the assistant's gold writes by each kind of fault."""
    script = [action for action in task.actions if action.requestor == "assistant"]
    for position, action in enumerate(script):
        if action.name in domain.tools and domain.tools[action.name].is_write:
            for fault in Fault:
                yield Cell(task, position, fault)


def committed(executions: Sequence[Execution]) -> Counter[tuple[str, str]]:
    """Count the writes that the environment carried out, by name and arguments."""
    return Counter((done.name, done.arguments) for done in executions if done.is_write and done.ok)
