"""Nodes that carry out one write: prepare its card, ask for consent, attempt it once."""

from typing import Any, cast

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from surefoot.agents.deps import Deps, plan_of
from surefoot.agents.nodes.reading import call_of
from surefoot.agents.records import after, note
from surefoot.agents.routing import to_judge
from surefoot.agents.state import RunState, StepRecord
from surefoot.contracts.envelope import success
from surefoot.errors import ConsentRefused, ErrorCode, IdentityConflict
from surefoot.execution.consent import Card, Reply
from surefoot.execution.outcome import Outcome, stopped
from surefoot.execution.prepare import Ready, Refused
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text

CARD_MADE = declare("graph.card_made", "a card exists, nobody has seen it")
CONSENT_STORED = declare("graph.consent_stored", "the consent is durable, the graph does not know it yet")
MAX_CARDS = 8

NEW_CARD = {
    "expired": Text("上一张确认卡已过期，这是新的一张。", "The last card has expired; this is a new one."),
    "changed": Text("情况有变化，请重新确认。", "Something has changed; please confirm again."),
    "upgraded": Text(
        "这项操作的规则已更新，请重新确认。", "The rules of this action were updated; please confirm again."
    ),
}


async def prepare(state: RunState, runtime: Runtime[Deps]) -> Command[Any]:
    """Run the checks of one write and make its card. An edit that the rules refuse brings the old values back."""
    deps, record = runtime.context, current(state)
    version = _plan_version(state)
    call = call_of(record, state["session"], plan_version=version)
    notices = tuple(Text.from_json(text) for text in state["execution"].get("card_notices") or [])
    ready = await deps.door.prepare(call, deps.session, notices=notices)
    if isinstance(ready, Refused):
        return _refused(state, record, ready, deps)
    if state["session"].get("dry_run"):
        return Command(update=_dry(record, ready, deps), goto=to_judge(state))
    card = ready.card.to_json() if ready.card else None
    reach(CARD_MADE)
    if card:
        deps.emit(state, "card", card_id=card["card_id"], step=record["id"], tool=record["tool"])
    update: dict[str, Any] = {"execution": {"card": card, "consent_id": None, "card_notices": []}}
    return Command(update=update, goto="approve" if card else "attempt")


def _refused(state: RunState, record: StepRecord, refused: Refused, deps: Deps) -> Command[Any]:
    if record.get("edited"):
        why = Text(f"没有按您的修改办：{refused.text.zh}", f"Your change was not made: {refused.text.en}")
        back = cast(StepRecord, {key: value for key, value in record.items() if key != "edited"})
        back["status"] = "pending"
        return Command(update=_steps(back, card_notices=[why.to_json()]), goto="bind")
    now = deps.session.now()
    details = {"rules": [violation.rule for violation in refused.violations]}
    outcome = stopped(record["tool"], refused.kind, refused.code, refused.text, **details)
    return Command(update=_steps(after(record, outcome, started=now, ended=now)), goto=to_judge(state))


def _dry(record: StepRecord, ready: Ready, deps: Deps) -> dict[str, Any]:
    now = deps.session.now()
    outcome = Outcome("ok", record["tool"], success(record["tool"], dict(ready.call.arguments), latency_ms=0.0))
    done = after(record, outcome, started=now, ended=now)
    done["status"] = "dry_run"
    return _steps(done, card=ready.card.to_json() if ready.card else None)


async def approve(state: RunState, runtime: Runtime[Deps]) -> Command[Any]:
    """Wait for the person. Nothing before the interrupt; on resume the consent is stored."""
    answer = interrupt({"kind": "card", "card": state["execution"]["card"]})
    deps, card = runtime.context, Card.from_json(state["execution"]["card"])
    reply, record = Reply.from_json(answer), current(state)
    if reply.decision == "decline":
        deps.emit(state, "declined", card_id=card.card_id)
        text = Text("已按您的意思不办。", "Left undone, as you asked.")
        skipped = note({**record, "status": "skipped", "settled": True}, text)
        result = {"status": "declined", "reason": None}
        return Command(update={**_steps(skipped, card=None), "result": result}, goto="undo")
    if reply.decision == "change":
        deps.emit(state, "edited", card_id=card.card_id, fields=sorted(reply.changes))
        edited = {**record, "edited": {**record.get("edited", {}), **reply.changes}, "status": "pending"}
        return Command(update=_steps(cast(StepRecord, edited), card=None), goto="bind")
    if _outdated(card, state, deps):
        return _again("upgraded", record)
    try:
        consent_id = await deps.door.consents.grant(card, reply)
    except ConsentRefused as refused:
        return _again(refused.reason if refused.reason in NEW_CARD else "changed", record)
    reach(CONSENT_STORED)
    deps.emit(state, "consent", card_id=card.card_id, via=reply.via)
    return Command(update={"execution": {"consent_id": consent_id}}, goto="attempt")


def _outdated(card: Card, state: RunState, deps: Deps) -> bool:
    contract = deps.registry.contract(card.tool)
    return (card.contract_version, card.plan_version) != (contract.version, _plan_version(state))


def _again(reason: str, record: StepRecord) -> Command[Any]:
    """A card that can no longer be used is replaced by a new one that says why."""
    notices = [NEW_CARD[reason].to_json()]
    return Command(update=_steps(record, card=None, consent_id=None, card_notices=notices), goto="prepare")


async def attempt(state: RunState, runtime: Runtime[Deps]) -> Command[Any]:
    """Make one try of the write at hand."""
    deps, record = runtime.context, current(state)
    call = call_of(record, state["session"], plan_version=_plan_version(state))
    card = Card.from_json(state["execution"]["card"]) if state["execution"].get("card") else None
    version = card.contract_version if card else deps.registry.contract(record["tool"]).version
    started = deps.session.now()
    try:
        ready = Ready(call, version, record["args_hash"], card)
        outcome = await deps.door.attempt(ready, deps.session, consent_id=state["execution"].get("consent_id"))
    except ConsentRefused as refused:
        if len(record["history"].get("cards", [])) < MAX_CARDS:
            return _new_card_after(refused, record)
        outcome = stopped(
            record["tool"],
            "refused",
            ErrorCode.APPROVAL_MISSING,
            Text("没有得到有效的确认。", "There is no valid consent."),
        )
    except IdentityConflict as conflict:
        text = Text(
            "同样的请求还在处理中，先等它有结果。", "The same request is still being settled; wait for its result."
        )
        outcome = stopped(record["tool"], "refused", ErrorCode.EFFECT_UNKNOWN, text, cause=str(conflict))
    done = after(record, outcome, started=started, ended=deps.session.now())
    deps.emit(state, "step", step=record["id"], tool=record["tool"], status=done["status"], code=outcome.code)
    return Command(update=_steps(done), goto=to_judge(state))


def _new_card_after(refused: ConsentRefused, record: StepRecord) -> Command[Any]:
    history = {**record["history"], "cards": [*record["history"].get("cards", []), refused.reason]}
    counted = cast(StepRecord, {**record, "history": history})
    return _again(refused.reason if refused.reason in NEW_CARD else "changed", counted)


def current(state: RunState) -> StepRecord:
    """Return the record of the write at hand."""
    execution = state["execution"]
    record: StepRecord = execution["steps"][execution["current"]]
    return record


def _plan_version(state: RunState) -> int:
    plan = plan_of(state)
    return plan.version if plan else 1


def _steps(record: StepRecord, **execution: Any) -> dict[str, Any]:
    return {"execution": {"steps": {record["id"]: record}, **execution}}
