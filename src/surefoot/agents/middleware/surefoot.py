"""SurefootMiddleware: the one door under any LangChain ``create_agent``.

Put it last in ``middleware=[...]``: then nothing stands between it and the tool, and nobody retries a write behind its
back. A retry middleware before it finds nothing to retry, because every call comes back with an answer.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import random  # noqa: TID251 - the default of what may be injected
from typing import Any
from zoneinfo import ZoneInfo

from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolCall, ToolMessage
from langchain_core.runnables.config import ensure_config
from langchain_core.tools import BaseTool
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt import ToolNode

from surefoot.agents.middleware import history
from surefoot.agents.middleware.calls import Calls
from surefoot.agents.middleware.flow import adrive, drive, guarded
from surefoot.agents.middleware.identity import Turn, call_id_of, messages_of, origins, turn_of
from surefoot.agents.middleware.messages import message_for
from surefoot.agents.middleware.tools import Host, Invoke, registry_of
from surefoot.agents.middleware.turns import KEEP, Turns
from surefoot.agents.stores import OpenStores
from surefoot.agents.sync import PORTAL
from surefoot.contracts.clock import Clock, SystemClock
from surefoot.contracts.registry import Registry
from surefoot.contracts.tool import FeeRule
from surefoot.errors import ContractError, ErrorCode, RunNotFound
from surefoot.execution.breaker import Breaker
from surefoot.execution.budget import Limits
from surefoot.execution.call import Call
from surefoot.execution.door import Door, recorded
from surefoot.execution.invoke import Invoker
from surefoot.execution.outcome import stopped
from surefoot.recovery.saga import Undone
from surefoot.texts import Text

NO_RECORD = Text("这一步没有执行。", "This call was not carried out.")
LATE_SECONDS = 1.0
REPEATING = Text(
    "这次任务在重复同样的调用，或已用完次数，先停在这里；已经办成的都记录在案。",
    "This turn kept repeating itself or has used up its tries, so it stops here; what was done is on record.",
)
UNREADABLE = Text(
    "模型多次给出无法读取的调用，已停止；没有因此做任何事。",
    "The model kept making calls that cannot be read; the turn ends here. None of them did anything.",
)
MAX_FORMATS = 2
"""How often the model is asked again for a structured answer that did not come."""


class SurefootMiddleware(AgentMiddleware[Any, Any, Any]):
    """Contracts, ledger, reconcile, retries, undo, loop detector and consent for every tool call of an agent.

    ``contracts``: a folder of YAML files, or raw contracts by name. ``ledger``: what ``surefoot.bootstrap`` makes
    (``sqlite_ledger(path)``); it is opened with the first call. ``tools``: tools that the model does not see but
    contracts name (compensators, reconcilers). ``pass_through``: names of tools that need no contract because they
    change nothing anywhere. ``lang``: the language of what the model is told, ``en`` or ``zh``.

    ``configurable`` should give ``thread_id`` (with a checkpointer) and may give ``user_id``.

    Raises:
        ContractError: a contract is refused, or (with the first model call) a tool has none.
    """

    def __init__(
        self,
        *,
        contracts: Path | str | Mapping[str, Any],
        ledger: OpenStores,
        tools: Sequence[BaseTool] = (),
        pass_through: Collection[str] = (),
        permissions: Collection[str] | None = None,
        fees: Mapping[str, FeeRule] | None = None,
        limits: Limits | None = None,
        clock: Clock | None = None,
        spread: Callable[[], float] = random,
        lang: str = "en",
    ) -> None:
        super().__init__()
        self.tools = []
        self.registry: Registry = registry_of(contracts)
        self._open, self._lang, self._pass = ledger, lang, frozenset(pass_through)
        self._tools: dict[str, BaseTool] = {tool.name: tool for tool in tools}
        self._clock = clock or SystemClock(ZoneInfo("UTC"))
        self._spread, self._limits, self._fees = spread, limits or Limits(), fees or {}
        named = {self.registry.contract(name).permission for name in self.registry.names()}
        self._permissions = frozenset(permissions) if permissions is not None else frozenset(named)
        self._opening: asyncio.Future[Calls] | None = None
        self._formats: dict[str, int] = {}
        self._swept: OrderedDict[str, None] = OrderedDict()
        self._covered = False

    # What LangChain calls, in pairs: synchronous, asynchronous.

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Settle what earlier turns of this thread left open, and answer their calls that have no answer."""
        return PORTAL.run(self._opened_turn(state))

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """See :meth:`before_agent`."""
        return await PORTAL.await_there(self._opened_turn(state))

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Show the model a history without gaps, and take from it only calls that can be read.

        A turn that only repeats itself ends here. No graph node of its own: that would cost every model call a
        checkpoint more.
        """
        ended = self._look_at(request)
        if ended is not None:
            return ended
        fit = request
        if self._has_work(request):
            fit = request.override(messages=PORTAL.run(self._answered(request)))
        return self._readable(handler(fit), request)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """See :meth:`wrap_model_call`."""
        ended = self._look_at(request)
        if ended is not None:
            return ended
        fit = request
        if self._has_work(request):
            fit = request.override(messages=await PORTAL.await_there(self._answered(request)))
        return self._readable(await handler(fit), request)

    @hook_config(can_jump_to=["model"])
    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Ask again for a structured answer that the agent's loop ended without (langchain#40423)."""
        run_id = self._turn(state).run_id
        left = self._formats.pop(run_id, 0)
        if not left or state.get("structured_response") is not None:
            return None
        if left == 1:
            return None
        self._formats[run_id] = left - 1
        return {"jump_to": "model"}

    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """See :meth:`after_agent`."""
        return self.after_agent(state, runtime)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Take the call through the door."""
        if self._passes(request):
            return handler(request)

        def call(arguments: dict[str, Any]) -> Any:
            return handler(_with(request, arguments))

        invoke = PORTAL.blocking(call)
        return drive(self._flow(request, invoke), PORTAL.run)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """See :meth:`wrap_tool_call`."""
        if self._passes(request):
            return await handler(request)

        def call(arguments: dict[str, Any]) -> Awaitable[Any]:
            return handler(_with(request, arguments))

        invoke = PORTAL.at_home(call)
        return await adrive(self._flow(request, invoke), PORTAL.await_there)

    # What a program may ask for.

    def abort(self, thread_id: str, *, run_id: str | None = None) -> list[Undone]:
        """Take back what the last turn of a thread that wrote anything committed (or the turn ``run_id``).

        What could not be taken back is in the list with its state, and in a ticket.

        Raises:
            RunNotFound: nothing was ever written there.
            ThreadBusy: another process writes for this thread.
        """
        return PORTAL.run(self._abort(thread_id, run_id))

    async def aabort(self, thread_id: str, *, run_id: str | None = None) -> list[Undone]:
        """See :meth:`abort`."""
        return await PORTAL.await_there(self._abort(thread_id, run_id))

    def close(self) -> None:
        """Close the ledger, after giving calls that came late a moment to be written down."""
        PORTAL.run(self._close())

    def cover(self, tools: Sequence[BaseTool]) -> None:
        """Take note of an agent's tools. Raises ContractError when one of them has no contract."""
        self._covered = True
        for tool in tools:
            self._tools[tool.name] = tool
            if tool.name not in self.registry and tool.name not in self._pass:
                raise ContractError(
                    f"the tool {tool.name!r} has no contract; write {tool.name}.yaml, or name it in pass_through if it"
                    " changes nothing anywhere"
                )

    # How it is done.

    def _look_at(self, request: Any) -> AIMessage | None:
        """Check the tools, note whether a structured answer is wanted, and end a turn that only repeats itself."""
        self.cover([tool for tool in request.tools if isinstance(tool, BaseTool)])
        if request.response_format is not None:
            self._formats.setdefault(self._turn(request.state).run_id, MAX_FORMATS)
        stops = history.trailing(messages_of(request.state), lambda facts: facts.get("code") in history.STOPS)
        return AIMessage(REPEATING.say(self._lang)) if stops >= history.MAX_STOPPED else None

    def _readable(self, response: Any, request: Any) -> Any:
        """Answer tool calls that nobody can read, instead of letting them end the turn silently."""
        last = response.result[-1] if response.result else None
        if not isinstance(last, AIMessage) or not last.invalid_tool_calls:
            return response
        before = history.trailing(messages_of(request.state), lambda facts: facts.get("kind") == "malformed")
        if before >= history.MAX_MALFORMED:
            text = UNREADABLE.say(self._lang)
            told: list[Any] = [last.model_copy(update={"content": text, "invalid_tool_calls": []})]
        else:
            message, answers = history.promoted(last, lambda prefix: f"{prefix}-{secrets.token_hex(6)}")
            told = [message, *answers]
        return replace(response, result=[*response.result[:-1], *told])

    def _passes(self, request: Any) -> bool:
        name = request.tool_call["name"]
        if request.tool is None or name in self._pass:
            return True
        self.cover([request.tool, *(getattr(request.runtime, "tools", None) or [])])
        return False

    def _turn(self, state: Any) -> Turn:
        return turn_of(messages_of(state), ensure_config())

    def _flow(self, request: Any, invoke: Invoke) -> Any:
        opened = self._opening
        ready = opened is not None and opened.done() and opened.exception() is None
        calls: Calls = opened.result() if opened is not None and ready else (yield self._calls())
        messages = messages_of(request.state)
        turn = turn_of(messages, request.runtime.config)
        asked: ToolCall = request.tool_call
        call_id = call_id_of(messages, turn.thread_id, asked["id"])
        call = Call(
            call_id=call_id,
            run_id=turn.run_id,
            thread_id=turn.thread_id,
            step_id=str(asked["id"]),
            user_id=turn.user_id,
            tool=asked["name"],
            arguments=dict(asked["args"]),
            provenance=origins(asked["args"], messages),
        )
        host = Host(call_id, asked["name"], invoke, self._tools)
        return (yield from guarded(calls, call, turn, host, dict(asked), self._lang))

    def _has_work(self, request: Any) -> bool:
        return self._turn(request.state).run_id not in self._swept or bool(history.unanswered(request.messages))

    async def _sweep(self, turn: Turn) -> None:
        """Settle what earlier turns left open, once per turn."""
        if turn.run_id not in self._swept:
            await (await self._calls()).sweep(turn.thread_id, self._host())
            self._swept[turn.run_id] = None
            while len(self._swept) > KEEP:
                self._swept.popitem(last=False)

    async def _opened_turn(self, state: Any) -> dict[str, Any] | None:
        messages = messages_of(state)
        turn = turn_of(messages, ensure_config())
        if not self._covered:
            # A process that has just begun does not know the agent's tools yet, so nothing can be asked back; the
            # first model call brings them, and the model is shown the truth then.
            return None
        await self._sweep(turn)
        thread_id, missing = turn.thread_id, history.unanswered(messages)
        if not missing:
            return None
        answers = [await self._truth(thread_id, message, call) for message, call in missing]
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *history.with_answers(messages, answers)]}

    async def _answered(self, request: Any) -> list[AnyMessage]:
        turn = turn_of(messages_of(request.state), ensure_config())
        await self._sweep(turn)
        missing = history.unanswered(request.messages)
        answers = [await self._truth(turn.thread_id, message, call) for message, call in missing]
        return history.with_answers(request.messages, answers)

    async def _truth(self, thread_id: str, message: AIMessage, call: ToolCall) -> ToolMessage:
        """Return what the ledger knows of a call that was never answered."""
        calls = await self._calls()
        effect = await calls.stores.ledger.by_call(call_id_of([message], thread_id, call["id"]))
        outcome = stopped(call["name"], "not_sent", ErrorCode.TOOL_UNAVAILABLE, NO_RECORD)
        return message_for(recorded(effect) if effect else outcome, dict(call), lang=self._lang)

    async def _abort(self, thread_id: str, run_id: str | None) -> list[Undone]:
        calls = await self._calls()
        written = [e for e in await calls.stores.ledger.of_thread(thread_id) if run_id in (None, e.run_id)]
        if not written:
            raise RunNotFound(run_id or thread_id)
        last = written[-1]
        turn = Turn(thread_id, last.run_id, last.user_id, "")
        undone, _ = await calls.abort(turn, self._host())
        return undone

    def _host(self) -> Host:
        return Host("", "", None, self._tools)

    async def _calls(self) -> Calls:
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.ensure_future(self._made())
        return await asyncio.shield(self._opening)

    async def _made(self) -> Calls:
        stores = await self._open()
        door = Door(
            registry=self.registry,
            ledger=stores.ledger,
            consents=stores.consents,
            rules={},
            fees=self._fees,
            clock=self._clock,
            breaker=Breaker(self._clock),
            invoker=Invoker(self._clock),
            new_id=lambda prefix: f"{prefix}-{secrets.token_hex(12)}",
        )
        turns = Turns(stores.ledger, self._clock, self._limits, self._permissions)
        return Calls(door, stores, turns, self._spread)

    async def _close(self) -> None:
        if self._opening is not None:
            calls = await self._opening
            await calls.door.invoker.drain(LATE_SECONDS)
            await calls.stores.close()
            self._opening = None


def wrap_tools(tools: Sequence[BaseTool], surefoot: SurefootMiddleware, *, name: str = "tools") -> ToolNode:
    """Return LangGraph's ToolNode with every call taken through the door, for a graph without ``create_agent``.

    Raises:
        ContractError: a tool has no contract.
    """
    surefoot.cover(tools)
    return ToolNode(tools, name=name, wrap_tool_call=surefoot.wrap_tool_call, awrap_tool_call=surefoot.awrap_tool_call)


def _with(request: Any, arguments: dict[str, Any]) -> Any:
    return request.override(tool_call={**request.tool_call, "args": arguments})
