"""The one door: no tool is called except through prepare and attempt."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from surefoot.contracts.clock import Clock, Deadline
from surefoot.contracts.envelope import Envelope, failure, success
from surefoot.contracts.registry import BoundTool, Registry
from surefoot.contracts.tool import FeeRule, Rule, ToolContext, Violation
from surefoot.errors import ErrorCode, ToolError, WritesPaused
from surefoot.execution.askback import Ask, look, matching_records
from surefoot.execution.breaker import Breaker
from surefoot.execution.budget import LoopDetector, RunBudget
from surefoot.execution.call import Call, digest, request_base
from surefoot.execution.consent import Consents
from surefoot.execution.invoke import Invoker, Reply
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Effect, Intent, Ledger
from surefoot.execution.outcome import Outcome, stopped
from surefoot.execution.prepare import Ready, Refused, check_input, check_rules, make_card
from surefoot.execution.protocol import MAY_EXIST, Event, State, Writer
from surefoot.guardrails.rates import MovingWindows, Rates, too_often
from surefoot.telemetry.crashpoint import declare, reach
from surefoot.texts import Text

BEFORE_INTENT = declare("attempt.before_intent", "checked and consented; nothing is written or sent")
AFTER_INTENT = declare("attempt.after_intent", "the intent is durable, nothing was sent")
AFTER_CALL = declare("attempt.after_call", "the back end has answered, the outcome is not written")
AFTER_OUTCOME = declare("attempt.after_outcome", "the outcome is durable, the graph does not know it yet")

EVENTS: Mapping[str, Event] = {
    "ok": Event.SUCCEEDED,
    "refused": Event.WAS_REFUSED,
    "empty": Event.WAS_REFUSED,
    "not_sent": Event.PROVED_NOT_SENT,
    "failed": Event.LOST,
    "unclear": Event.LOST,
}


@dataclass
class Session:
    """What the door needs to know about the run a call belongs to. Lives in the process, never in state."""

    user_id: str
    permissions: Collection[str]
    lease: Lease
    budget: RunBudget
    loops: LoopDetector
    now: Callable[[], datetime]
    systems: Any


@dataclass(frozen=True)
class Door:
    """Prepares and attempts calls. One per app and process; runs bring their :class:`Session`."""

    registry: Registry
    ledger: Ledger
    consents: Consents
    rules: Mapping[str, Rule]
    fees: Mapping[str, FeeRule]
    clock: Clock
    breaker: Breaker
    invoker: Invoker
    new_id: Callable[[str], str]
    card_ttl_seconds: float = 600.0
    rates: Rates = field(default_factory=MovingWindows)

    def context(self, call: Call, session: Session, *, key: str | None = None, reserve: bool = False) -> ToolContext:
        """Return what the tool function gets. ``reserve`` ignores the run's deadline (reconcile, compensate)."""
        timeout = self.registry.contract(call.tool).execution_contract.timeout_ms / 1000
        seconds = timeout if reserve else min(timeout, session.budget.deadline.left())
        return ToolContext(
            user_id=session.user_id,
            run_id=call.run_id,
            call_id=call.call_id,
            now=session.now(),
            deadline=Deadline.after(self.clock, seconds),
            systems=session.systems,
            idempotency_key=key,
        )

    async def prepare(self, call: Call, session: Session, *, notices: tuple[Text, ...] = ()) -> Ready | Refused:
        """Check permission, input and rules; for a write that needs consent, make its card. No effect.

        Raises:
            KeyError: the tool is not registered.
        """
        tool = self.registry[call.tool]
        refused = await self._refusal(tool, call, session)
        if refused is not None:
            return refused
        contract = tool.contract
        args_hash, card = digest(call.arguments), None
        if contract.is_write and contract.approval == "required":
            card = await make_card(
                call,
                contract,
                args_hash,
                self.context(call, session),
                twins=await self._twins(call, session),
                consents=self.consents,
                fees=self.fees,
                ttl_seconds=self.card_ttl_seconds,
                new_id=self.new_id,
                notices=notices,
            )
        return Ready(call, contract.version, args_hash, card)

    async def _twins(self, call: Call, session: Session) -> list[Effect]:
        """Return identical requests of other calls that stand in the world.

        One that the back end no longer knows (cancelled meanwhile, here or elsewhere) is written down as gone.
        """
        base = request_base(self.registry.contract(call.tool), call.arguments, call.user_id)
        found = [twin for twin in await self.ledger.same_request(base) if twin.call_id != call.call_id]
        return [twin for twin in found if not await self._is_gone(twin, session)]

    async def _is_gone(self, effect: Effect, session: Session) -> bool:
        contract = self.registry.contract(effect.tool)
        spec = contract.reconcile
        if effect.state is not State.COMMITTED or spec is None or spec.expect != "present":
            return False
        # Its answer has come, so nothing of it is still under way: only a lagging read could miss it.
        settled_at = min(effect.deadline_at, effect.updated_at) + spec.settle_ms / 1000
        if await self.ledger.now() < settled_at or await self.ask_back(effect, session) != []:
            return False
        await self.ledger.record(effect.effect_id, Event.FOUND_GONE, Writer.RECONCILER)
        return True

    async def ask_back(self, effect: Effect, session: Session) -> list[Mapping[str, Any]] | None:
        """Ask the back end about an effect; ``None`` when it cannot be asked now. See ``execution.askback``."""

        ask = self._asking(effect.user_id, session)
        others = [twin for twin in await self.ledger.same_request(effect.base) if twin.effect_id != effect.effect_id]
        return await matching_records(effect, self.registry, ask, taken=[twin.result for twin in others if twin.result])

    def _asking(self, user_id: str, session: Session) -> Ask:
        async def ask(call: Call) -> Reply:
            ctx = replace(self.context(call, session, reserve=True), user_id=user_id)
            return await self.invoker.call(self.registry[call.tool], call.arguments, ctx)

        return ask

    async def looks(self, call: Call, session: Session) -> dict[str, Any] | None:
        """Take the contract's looks before a write; ``None`` when one of them cannot be taken now."""
        seen: dict[str, Any] = {}
        for name in self.registry.contract(call.tool).before:
            now = await look(call, name, self.registry, self._asking(call.user_id, session))
            if now is None:
                return None
            seen[name] = now
        return seen

    async def _refusal(self, tool: BoundTool, call: Call, session: Session) -> Refused | None:
        wrong = check_input(tool, call, session.permissions) or await self._too_often(tool, call)
        return wrong or await self._broken_rule(tool, call, session)

    async def _too_often(self, tool: BoundTool, call: Call) -> Refused | None:
        limit = tool.contract.limit
        seconds = None if limit is None else await self.rates.wait(limit, call.user_id, call.tool)
        if limit is None or seconds is None:
            return None
        violation = Violation("limit", too_often(limit, seconds), ErrorCode.BUDGET_SPENT)
        return Refused(call, ErrorCode.BUDGET_SPENT, (violation,))

    async def _broken_rule(self, tool: BoundTool, call: Call, session: Session) -> Refused | None:
        if not tool.contract.requires:
            return None
        ctx = self.context(call, session)
        violations = await self._violations(tool.contract.requires, call.arguments, None, ctx)
        return Refused(call, violations[0].code, violations) if violations else None

    async def _violations(
        self, names: Collection[str], arguments: Mapping[str, Any], data: Mapping[str, Any] | None, ctx: ToolContext
    ) -> tuple[Violation, ...]:
        """Return the rules that do not hold. One that cannot be looked at now does not hold either."""
        try:
            return await check_rules(names, self.rules, arguments, data, ctx)
        except Exception as error:  # noqa: BLE001 - a rule is the app's code; what it meets must not end the run
            code = error.error_code if isinstance(error, ToolError) else ErrorCode.TOOL_UNAVAILABLE
            text = Text(
                "现在无法核对规则，对方系统没有正常回答。",
                "The rules cannot be checked now: the other system gave no proper answer.",
            )
            return (Violation(f"unchecked ({type(error).__name__})", text, code),)

    async def attempt(self, ready: Ready, session: Session, *, consent_id: str | None = None) -> Outcome:
        """Make one try, never a retry.

        Raises:
            Fenced: the lease was taken over.
            ConsentRefused, IdentityConflict: as the ledger says; nothing was sent.
        """
        tool = self.registry[ready.call.tool]
        barred = self._barred(tool, ready, session)
        if barred is not None:
            return barred
        if tool.contract.limit is not None:
            await self.rates.take(tool.contract.limit, ready.call.user_id, ready.call.tool)
        if tool.contract.is_write:
            return await self._write(tool, ready, session, consent_id)
        return await self._read(tool, ready, session)

    def _barred(self, tool: BoundTool, ready: Ready, session: Session) -> Outcome | None:
        name, args_hash = tool.contract.name, ready.args_hash
        if not self.breaker.allows(name):
            text = Text("对方系统连续出错，暂停调用。", "The other system keeps failing; calls are paused for now.")
            return stopped(name, "not_sent", ErrorCode.BREAKER_OPEN, text)
        first = session.loops.is_new(ready.call.call_id) or session.budget.attempts[name, args_hash] == 0
        if first and session.loops.repeats(name, args_hash):
            session.loops.refused(name, args_hash)
            text = Text("同样的调用在重复，没有带来新信息。", "The same call repeats without new information.")
            return stopped(name, "not_sent", ErrorCode.LOOP_DETECTED, text)
        spent = session.budget.charge(name, args_hash)
        if spent:
            text = Text("这次任务的尝试次数或时间已用完。", "This run has used up its tries or its time.")
            return stopped(name, "not_sent", ErrorCode.BUDGET_SPENT, text, reason=spent)
        return None

    async def _read(self, tool: BoundTool, ready: Ready, session: Session) -> Outcome:
        ctx = self.context(ready.call, session)
        reply = await self.invoker.call(tool, ready.call.arguments, ctx)
        kind = "failed" if reply.kind == "unclear" else reply.kind
        sent = Outcome(kind, tool.contract.name, reply.envelope)
        outcome = await self._held_against_rules(sent, ready.call.arguments, ctx)
        self._report(ready, outcome, session)
        return outcome

    async def _write(self, tool: BoundTool, ready: Ready, session: Session, consent_id: str | None) -> Outcome:
        known = None
        if tool.contract.requires or tool.contract.before:
            known = await self.ledger.by_call(ready.call.call_id)
            if known is not None and known.state in MAY_EXIST and known.args_hash == ready.args_hash:
                # It may stand in the world already: the rules before would then see it and refuse its own effect.
                return await self.verified(recorded(known), known, session)
        broken = await self._broken_rule(tool, ready.call, session)
        if broken is not None:
            rules = [violation.rule for violation in broken.violations]
            return stopped(tool.contract.name, broken.kind, broken.code, broken.text, rules=rules)
        if tool.contract.approval == "required" and consent_id is None:
            text = Text("这一步还没有得到确认。", "This step has not been consented to.")
            return stopped(tool.contract.name, "refused", ErrorCode.APPROVAL_MISSING, text)
        looks = await self.looks(ready.call, session) if tool.contract.before else {}
        if looks is None:
            text = Text(
                "现在无法查看原来的情况，所以没有动手。", "How things stand cannot be read now; nothing was sent."
            )
            return stopped(tool.contract.name, "not_sent", ErrorCode.TOOL_UNAVAILABLE, text)
        reach(BEFORE_INTENT)
        intent = self.intent(ready.call, args_hash=ready.args_hash, consent_id=consent_id, before=looks or None)
        try:
            begun = await self.ledger.begin(intent, lease=session.lease)
        except WritesPaused as paused:
            text = Text("管理员暂停了所有写操作，请稍后再试。", "An operator has paused all writes; please try later.")
            return stopped(tool.contract.name, "not_sent", ErrorCode.BREAKER_OPEN, text, cause=str(paused))
        if not begun.fresh:
            return await self.verified(recorded(begun.effect), begun.effect, session)
        outcome = await self.send(begun.effect, session)
        self._report(ready, outcome, session)
        return outcome

    def intent(
        self,
        call: Call,
        *,
        args_hash: str,
        consent_id: str | None = None,
        undoes: str | None = None,
        before: dict[str, Any] | None = None,
    ) -> Intent:
        """Return the intent of a call, as the ledger wants it."""
        contract = self.registry.contract(call.tool)
        return Intent(
            call_id=call.call_id,
            run_id=call.run_id,
            thread_id=call.thread_id,
            step_id=call.step_id,
            user_id=call.user_id,
            tool=call.tool,
            contract_version=contract.version,
            arguments=call.arguments,
            args_hash=args_hash,
            base=request_base(contract, call.arguments, call.user_id),
            timeout_seconds=contract.execution_contract.timeout_ms / 1000,
            undo_on_failure=contract.on_failure == "undo",
            consent_id=consent_id,
            undoes=undoes,
            before=before,
        )

    async def send(self, effect: Effect, session: Session, *, reserve: bool = False) -> Outcome:
        """Send an effect whose intent is durable, and write its outcome. One try."""
        tool = self.registry[effect.tool]
        reach(AFTER_INTENT)
        ctx = self.context(effect.as_call(), session, key=effect.request_key, reserve=reserve)

        async def late(reply: Reply) -> None:
            await self._record(effect, reply)

        reply = await self.invoker.call(tool, effect.arguments, ctx, on_late=late)
        reach(AFTER_CALL)
        settled = await self._record(effect, reply)
        reach(AFTER_OUTCOME)
        kind = "unknown" if reply.kind == "unclear" else reply.kind
        outcome = Outcome(kind, effect.tool, reply.envelope, effect.effect_id, settled.state.value)
        return await self.verified(outcome, effect, session)

    async def verified(self, outcome: Outcome, effect: Effect, session: Session) -> Outcome:
        """Hold a committed outcome against the rules after, whether it was sent, replayed or found by asking back."""
        ctx = self.context(effect.as_call(), session, reserve=True)
        return await self._held_against_rules(outcome, effect.arguments, ctx)

    async def accepted(self, call: Call, data: Any, session: Session) -> Outcome | None:
        """Return data of a read that came another way than by a call (put in order, or kept from before).

        ``None`` where it does not satisfy the output contract and the rules after: then it is no answer.
        """
        tool = self.registry[call.tool]
        if tool.contract.is_write or tool.output.problems(data):
            return None
        found = Outcome("ok", call.tool, success(call.tool, data, latency_ms=0.0))
        ctx = self.context(call, session, reserve=True)
        held = await self._held_against_rules(found, call.arguments, ctx)
        return held if held.kind == "ok" else None

    async def _held_against_rules(self, outcome: Outcome, arguments: dict[str, Any], ctx: ToolContext) -> Outcome:
        ensures = self.registry.contract(outcome.tool).ensures
        if outcome.kind != "ok" or not ensures:
            return outcome
        broken = await self._violations(ensures, arguments, outcome.envelope["data"], ctx)
        if not broken:
            return outcome
        details = {"rule": broken[0].rule, "data": outcome.envelope["data"]}
        envelope = failure(outcome.tool, ErrorCode.TOOL_OUTPUT_INVALID, broken[0].text, details=details)
        return replace(outcome, kind="failed", envelope=envelope)

    async def _record(self, effect: Effect, reply: Reply) -> Effect:
        data = reply.envelope["data"] if reply.kind == "ok" else None
        error: dict[str, Any] | None = dict(reply.envelope["error"]) if reply.envelope["error"] else None
        event = EVENTS[reply.kind]
        return await self.ledger.record(
            effect.effect_id, event, Writer.CALLER, result=data, error=error, attempt=effect.attempts
        )

    def _report(self, ready: Ready, outcome: Outcome, session: Session) -> None:
        self.breaker.report(outcome.tool, worked=outcome.kind in ("ok", "empty", "refused"))
        session.loops.saw(outcome.tool, ready.args_hash, digest([outcome.kind, outcome.envelope["data"]]))


def recorded(effect: Effect, *, reconciled: bool = False) -> Outcome:
    """Return the outcome that the ledger holds for an effect, instead of a second call."""
    name = effect.tool
    if effect.state in (State.COMMITTED, State.COMPENSATING):
        envelope: Envelope = success(name, effect.result or {}, latency_ms=0.0)
        return Outcome("ok", name, envelope, effect.effect_id, effect.state.value, replayed=True, reconciled=reconciled)
    code, text, kind = ErrorCode.EFFECT_UNKNOWN, Text("结果还不清楚。", "The result is not known yet."), "unknown"
    details: dict[str, Any] = {}
    if effect.state is State.REFUSED and effect.error:
        code, details = ErrorCode(effect.error["code"]), effect.error.get("details", {})
        kind = "empty" if code is ErrorCode.BUSINESS_EMPTY else "refused"
        text = Text.from_json(effect.error["message"])
    elif effect.state in (State.ABSENT, State.NOT_SENT):
        code, kind = ErrorCode.TOOL_UNAVAILABLE, "not_sent"
        text = Text("请求没有到达对方系统。", "The request did not reach the other system.")
    elif effect.state in (State.COMPENSATED, State.RESIDUE):
        code, kind = ErrorCode.BUSINESS_REFUSED, "refused"
        text = Text("这一步已经撤销。", "This step was undone.")
    envelope = failure(name, code, text, details=details)
    return Outcome(kind, name, envelope, effect.effect_id, effect.state.value, replayed=True, reconciled=reconciled)  # type: ignore[arg-type]
