"""The way of one tool call, written once for synchronous and asynchronous agents.

A generator that yields the work to be done on the portal's loop and gets its result back. Between the pieces it runs
where LangGraph runs the tool, which is the only place where ``interrupt`` may be called.
"""

from collections.abc import Callable, Coroutine, Generator
from dataclasses import replace
from typing import Any, cast

from langgraph.types import interrupt

from surefoot.agents.middleware.calls import Calls, Settled
from surefoot.agents.middleware.identity import Turn
from surefoot.agents.middleware.messages import message_for, with_facts
from surefoot.agents.middleware.tools import Host, Paused, Reply
from surefoot.errors import ConsentRefused, ErrorCode
from surefoot.execution.call import Call
from surefoot.execution.consent import Reply as Answer
from surefoot.execution.outcome import stopped
from surefoot.execution.prepare import Ready
from surefoot.recovery.settle import Other
from surefoot.texts import Text

Work = Coroutine[Any, Any, Any]
Flow = Generator[Work, Any, Reply]
MAX_CARDS = 8

AGAIN = Text("上一张确认卡不能再用，这是新的一张。", "The last card cannot be used any more; this is a new one.")
CHANGED = Text("参数按当事人的修改办理。", "The person changed the arguments; this is what was done.")


def guarded(calls: Calls, call: Call, turn: Turn, host: Host, tool_call: dict[str, Any], lang: str) -> Flow:
    """Take one tool call through the door and return the message that tells the truth about it."""
    notices: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()
    for _ in range(MAX_CARDS):
        try:
            step: Settled | Ready = yield calls.advance(call, turn, host, notices)
            if isinstance(step, Ready) and step.card is not None:
                answer = interrupt({"kind": "card", "card": step.card.to_json()})
                reply: Answer = yield calls.answer(step.card, answer)
                if reply.decision == "change":
                    call = replace(call, arguments={**call.arguments, **reply.changes})
                    notes = (CHANGED,)
                if reply.decision != "decline":
                    continue
                step = yield calls.declined(call, turn, host)
        except ConsentRefused:
            notices = (AGAIN,)
            continue
        assert isinstance(step, Settled)
        if isinstance(step.decision, Other):
            call = replace(call, tool=step.decision.tool)
            continue
        return _told(step, host, tool_call, lang, notes)
    text = Text("问了多次仍没有有效的确认。", "No card was answered in a way that could be used.")
    outcome = stopped(call.tool, "refused", ErrorCode.APPROVAL_MISSING, text)
    return message_for(outcome, tool_call, lang=lang)


def _told(
    settled: Settled, host: Host, tool_call: dict[str, Any], lang: str, notes: tuple[Text, ...]
) -> Reply:  # fmt: skip
    outcome = settled.outcome
    own = host.reply is not None and not (outcome.replayed or outcome.reconciled or notes or settled.undone)
    if outcome.kind == "ok" and own and host.reply is not None:
        return cast(Reply, with_facts(host.reply, outcome))
    return message_for(
        outcome, tool_call, lang=lang, notes=notes, undone=settled.undone, ticket_id=settled.ticket_id
    )  # fmt: skip


def drive(flow: Flow, run: Callable[[Work], Any]) -> Reply:
    """Run a flow in a thread; ``run`` does each piece of work on the portal."""
    try:
        work = next(flow)
        while True:
            work = _next(flow, run, work)
    except StopIteration as ended:
        return ended.value  # type: ignore[no-any-return]
    except Paused as paused:
        raise paused.bubble from None


def _next(flow: Flow, run: Callable[[Work], Any], work: Work) -> Work:
    try:
        result = run(work)
    except Exception as error:  # noqa: BLE001 - the flow itself decides what it can go on from
        return flow.throw(error)
    return flow.send(result)


async def adrive(flow: Flow, run: Callable[[Work], Coroutine[Any, Any, Any]]) -> Reply:
    """Run a flow on an event loop."""
    try:
        work = next(flow)
        while True:
            try:
                result = await run(work)
            except Exception as error:  # noqa: BLE001 - the flow itself decides what it can go on from
                work = flow.throw(error)
            else:
                work = flow.send(result)
    except StopIteration as ended:
        return ended.value  # type: ignore[no-any-return]
    except Paused as paused:
        raise paused.bubble from None
