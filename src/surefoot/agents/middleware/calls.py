"""What is done about one tool call: known already, prepared, consented, carried out, settled."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from surefoot.agents.middleware.identity import Turn
from surefoot.agents.middleware.tools import Host
from surefoot.agents.middleware.turns import Turns
from surefoot.agents.stores import Stores
from surefoot.errors import ConsentRefused, ErrorCode, IdentityConflict
from surefoot.execution.call import Call
from surefoot.execution.consent import Card, Reply
from surefoot.execution.door import Door, Session, recorded
from surefoot.execution.ledger import Effect
from surefoot.execution.outcome import Outcome, stopped
from surefoot.execution.prepare import Ready, Refused
from surefoot.execution.protocol import UNSETTLED, State
from surefoot.recovery.handover import write_ticket
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.saga import Undone, undo_run
from surefoot.recovery.settle import Again, AskBack, Decision, HandOver, History, Other, Undo, settle
from surefoot.texts import Text

LEASE_SECONDS = 120.0
REPAIRABLE = frozenset({ErrorCode.TOOL_INPUT_INVALID, ErrorCode.LOOP_DETECTED, ErrorCode.PERMISSION_DENIED})
"""Failures that the model is to answer with another call; nothing is taken back for them."""

TWIN = Text(
    "同样的请求在这个对话里已经办成，没有再发一次。",
    "The same request was carried out before; nothing was sent again.",
)
GONE = frozenset({State.REFUSED, State.ABSENT, State.NOT_SENT})
"""States in which another tool may take a call over: nothing of the first one stands."""

DECLINED = Text("当事人没有同意这一步。", "The person did not agree to this.")


@dataclass(frozen=True)
class Settled:
    """How a call ended: its outcome, what ``settle`` made of it, what was taken back, the ticket if there is one."""

    outcome: Outcome
    decision: Decision
    undone: list[Undone]
    ticket_id: str | None = None


class Calls:
    """The door, for one agent. Everything here runs on the portal's loop."""

    def __init__(self, door: Door, stores: Stores, turns: Turns, spread: Callable[[], float]) -> None:
        self.door, self.stores, self.turns, self._spread = door, stores, turns, spread
        self._writers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def advance(self, call: Call, turn: Turn, host: Host, notices: tuple[Text, ...]) -> Settled | Ready:
        """Bring a call to its end, or to the card that a person must answer first.

        What the ledger knows of this very call comes first: then nobody is asked again and nothing is sent blindly.

        Raises:
            ConsentRefused: the consent cannot be used any more; nothing was sent.
            ThreadBusy: another process writes for this thread.
        """
        known = await self.stores.ledger.by_call(call.call_id) if self._is_write(call.tool) else None
        if known is not None and not (known.tool != call.tool and known.state in GONE):
            return await self._take_up(known, turn, host)
        ready = await self.door.prepare(call, await self.turns.session(turn, host), notices=notices)
        if isinstance(ready, Refused):
            return await self._refused(ready, turn, host)
        if ready.card is None:
            return await self._carry_out(ready, turn, host, None)
        card = await self.stores.consents.offer(ready.card)
        reply = await self.stores.consents.unspent(card)
        if reply is None:
            self.turns.wait(turn)
            return replace(ready, card=card)
        consent_id = await self.stores.consents.grant(card, reply)
        return await self._carry_out(replace(ready, card=card), turn, host, consent_id)

    async def answer(self, card: Card, answer: Any) -> Reply:
        """Read a person's answer to ``card`` and store a confirmation.

        An answer that belongs to another card (LangGraph hands answers out by position, langgraph#6533) is kept for
        that card, and this one is asked again.

        Raises:
            ConsentRefused: it is no answer, or one to another card, or too late.
        """
        reply = read_answer(card, answer)
        if reply.card_id != card.card_id:
            other = await self.stores.consents.offered(reply.card_id)
            if other is not None and reply.decision == "confirm":
                await self.stores.consents.grant(other, reply)
            raise ConsentRefused("replayed", f"this answer belongs to card {reply.card_id}, not to {card.card_id}")
        if reply.decision == "confirm":
            await self.stores.consents.grant(card, reply)
        elif reply.nonce != card.nonce or reply.by != card.user_id:
            raise ConsentRefused("replayed", f"this answer does not belong to card {card.card_id}")
        return reply

    async def declined(self, call: Call, turn: Turn, host: Host) -> Settled:
        """A person said no: what this turn committed before, and cannot stand alone, is taken back."""
        outcome = stopped(call.tool, "refused", ErrorCode.APPROVAL_MISSING, DECLINED)
        async with self._writing(turn) as lease:
            session = await self.turns.session(turn, host, lease)
            return await self._concluded(Settled(outcome, Undo(DECLINED), []), turn, session)

    async def abort(self, turn: Turn, host: Host) -> tuple[list[Undone], str | None]:
        """Take back what a turn committed; what remains goes to a person. Returns the ticket's id if there is one."""
        async with self._writing(turn) as lease:
            return await self._undo(turn, await self.turns.session(turn, host, lease), None)

    async def sweep(self, thread_id: str, host: Host) -> None:
        """Settle what earlier turns of this thread left open: ask back, go on with an undo that was cut off."""
        left = [e for e in await self.stores.ledger.unsettled() if e.thread_id == thread_id]
        for run_id, user_id in sorted({(effect.run_id, effect.user_id) for effect in left}):
            turn = Turn(thread_id, run_id, user_id, "")
            async with self._writing(turn) as lease:
                session = await self.turns.session(turn, host, lease)
                for effect in [e for e in left if e.run_id == run_id and e.undoes is None]:
                    if effect.state in (State.INTENDED, State.UNKNOWN):
                        await reconcile(effect, self.door, session)
                if any(effect.state is State.COMPENSATING for effect in left if effect.run_id == run_id):
                    await undo_run(run_id, self.door, session)

    def _is_write(self, tool: str) -> bool:
        return self.door.registry.contract(tool).is_write

    async def _carry_out(self, ready: Ready, turn: Turn, host: Host, consent_id: str | None) -> Settled:
        """Attempt a call and do what ``settle`` says until it is settled."""
        if not self._is_write(ready.call.tool):
            return await self._read(ready, turn, host)
        async with self._writing(turn) as lease:
            session = await self.turns.session(turn, host, lease)
            first = await self._attempt(ready, session, consent_id)
            settled = await self._settle(first, ready, session, consent_id)
            return await self._concluded(settled, turn, session)

    async def _take_up(self, effect: Effect, turn: Turn, host: Host) -> Settled:
        """Settle a call that the ledger knows from before a crash, a replay or an interrupt."""
        version = self.door.registry.contract(effect.tool).version
        ready = Ready(effect.as_call(), version, effect.args_hash)
        async with self._writing(turn) as lease:
            session = await self.turns.session(turn, host, lease)
            outcome = await self.door.verified(recorded(effect), effect, session)
            settled = await self._settle(outcome, ready, session, effect.consent_id)
            return await self._concluded(settled, turn, session)

    async def _refused(self, refused: Refused, turn: Turn, host: Host) -> Settled:
        """A call that its own checks refuse."""
        rules = [violation.rule for violation in refused.violations]
        outcome = stopped(refused.call.tool, refused.kind, refused.code, refused.text, rules=rules)
        contract = self.door.registry.contract(refused.call.tool)
        settled = Settled(outcome, settle(outcome, History(critical=contract.critical), contract), [])
        if not contract.is_write:
            return settled
        async with self._writing(turn) as lease:
            return await self._concluded(settled, turn, await self.turns.session(turn, host, lease))

    @asynccontextmanager
    async def _writing(self, turn: Turn) -> AsyncIterator[Any]:
        """Hold the thread for one write: one at a time in this process, fenced against other processes."""
        async with self._writers.setdefault(turn.thread_id, asyncio.Lock()):
            leases = self.stores.leases
            lease = await leases.claim(turn.thread_id, turn.run_id, self.stores.owner, ttl_seconds=LEASE_SECONDS)
            try:
                yield lease
            finally:
                await leases.release(lease)

    async def _read(self, ready: Ready, turn: Turn, host: Host) -> Settled:
        session = await self.turns.session(turn, host)
        outcome = await self.door.attempt(ready, session)
        settled = await self._settle(outcome, ready, session, None)
        while isinstance(settled.decision, Other):
            other = replace(ready.call, tool=settled.decision.tool)
            prepared = await self.door.prepare(other, session)
            if isinstance(prepared, Refused):
                return settled
            outcome = await self.door.attempt(prepared, session)
            settled = await self._settle(outcome, prepared, session, None)
        return settled

    async def _attempt(self, ready: Ready, session: Session, consent_id: str | None) -> Outcome:
        try:
            return await self.door.attempt(ready, session, consent_id=consent_id)
        except ConsentRefused as refused:
            if ready.card is not None or refused.reason != "changed":
                raise
            return stopped(ready.call.tool, "refused", ErrorCode.LOOP_DETECTED, TWIN, cause=str(refused))
        except IdentityConflict as conflict:
            text = Text(
                "同样的请求还在办理中，没有再发一次。",
                "The same request is still being settled; nothing was sent again.",
            )
            return stopped(ready.call.tool, "refused", ErrorCode.LOOP_DETECTED, text, cause=str(conflict))

    async def _settle(self, outcome: Outcome, ready: Ready, session: Session, consent_id: str | None) -> Settled:
        contract = self.door.registry.contract(ready.call.tool)
        history = History(tries=1, critical=contract.critical)
        while True:
            history = replace(history, spread=self._spread())
            decision = settle(outcome, history, contract)
            if isinstance(decision, Again):
                await self.door.clock.sleep(decision.delay_ms / 1000)
                outcome = await self._attempt(ready, session, consent_id)
                history = replace(history, tries=history.tries + 1, asked_back=0)
            elif isinstance(decision, AskBack) and outcome.effect_id is not None:
                await self.door.clock.sleep(decision.delay_ms / 1000)
                outcome = await reconcile(await self.stores.ledger.get(outcome.effect_id), self.door, session)
                history = replace(history, asked_back=history.asked_back + 1)
            else:
                return Settled(outcome, decision, [])

    async def _concluded(self, settled: Settled, turn: Turn, session: Session) -> Settled:
        """Undo or hand over, where the decision says so."""
        decision, code = settled.decision, settled.outcome.code
        if isinstance(decision, HandOver):
            return replace(settled, ticket_id=await self._ticket(turn, decision.why))
        if not isinstance(decision, Undo) or code in REPAIRABLE:
            return settled
        undone, ticket_id = await self._undo(turn, session, decision.why)
        return replace(settled, undone=undone, ticket_id=ticket_id)

    async def _undo(self, turn: Turn, session: Session, why: Text | None) -> tuple[list[Undone], str | None]:
        for effect in await self.stores.ledger.of_run(turn.run_id):
            if effect.undoes is None and effect.state in (State.INTENDED, State.UNKNOWN):
                await reconcile(effect, self.door, session)
        undone = await undo_run(turn.run_id, self.door, session)
        open_ = [e for e in await self.stores.ledger.of_run(turn.run_id) if e.state in UNSETTLED]
        if not open_ and all(item.state == State.COMPENSATED.value for item in undone):
            return undone, None
        remains = Text("有一步没有能够撤销干净。", "Something could not be taken back cleanly.")
        return undone, await self._ticket(turn, why or remains)

    async def _ticket(self, turn: Turn, why: Text) -> str:
        effects = await self.stores.ledger.of_run(turn.run_id)
        ticket = write_ticket(turn.run_id, turn.user_id, turn.request, why.to_json(), effects, door=self.door)
        return (await self.stores.tickets.open(ticket)).ticket_id


def read_answer(card: Card, answer: Any) -> Reply:
    """Return a resume value as a reply: a :class:`Reply` as JSON, or one without ids from a host that shows one card.

    Raises:
        ConsentRefused: it is neither.
    """
    if not isinstance(answer, dict):
        raise ConsentRefused("malformed", f"an answer is a mapping with decision, card_id and nonce, not {answer!r}")
    if not {"card_id", "nonce"} <= set(answer):
        raise ConsentRefused("malformed", "an answer names the card_id and the nonce of the card that was shown")
    return Reply.from_json({"by": card.user_id, **answer})
