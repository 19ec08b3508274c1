"""Conformance suites: what every implementation of a port must do, as functions that raise AssertionError.

A store passes when each function of :data:`STORE_CLAIMS` returns. Each gets fresh, empty stores.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from surefoot.errors import (
    ConsentRefused,
    Fenced,
    IdentityConflict,
    ProtocolViolation,
    SurefootError,
    ThreadBusy,
    TicketClosed,
    TicketNotFound,
    TicketTaken,
)
from surefoot.execution.consent import Card, Reply
from surefoot.execution.lease import Lease
from surefoot.execution.ledger import Effect, Intent
from surefoot.execution.protocol import Event, State, Writer
from surefoot.recovery.handover import Ticket, write_ticket
from surefoot.testing.in_memory import Stores

Claim = Callable[[Stores], Awaitable[None]]


def intent(call: str = "r/s", **changes: Any) -> Intent:
    """Return an intent of a call on thread ``t``."""
    base = Intent(
        call_id=call,
        run_id=call.partition("/")[0],
        thread_id="t",
        step_id="s",
        user_id="ann",
        tool="pay",
        contract_version=1,
        arguments={"order": 1},
        args_hash="h1",
        base="pay:1",
        timeout_seconds=1.0,
    )
    return replace(base, **changes)


def card(**changes: Any) -> Card:
    """Return a card for :func:`intent`, valid for a long time."""
    base = Card(
        card_id="card-1", nonce="n", run_id="r", thread_id="t", call_id="r/s", step_id="s", user_id="ann", tool="pay",
        title={"zh": "付", "en": "pay"}, arguments={"order": 1}, args_hash="h1", provenance={}, contract_version=1,
        plan_version=1, expires_at=4e9,
    )  # fmt: skip
    return replace(base, **changes)


def reply(to: Card, **changes: Any) -> Reply:
    """Return the confirmation of a card by its own user."""
    return replace(Reply(to.card_id, to.nonce, "confirm", to.user_id), **changes)


async def refuses(error: type[BaseException], action: Awaitable[Any]) -> Any:
    """Await ``action`` and return the error it must raise."""
    try:
        await action
    except error as raised:
        return raised
    raise AssertionError(f"expected {error.__name__}")


async def _lease(stores: Stores) -> Lease:
    return await stores.leases.claim("t", "r", "worker", ttl_seconds=60)


async def _committed(stores: Stores, lease: Lease, call: str = "r/s", **changes: Any) -> Effect:
    begun = await stores.ledger.begin(intent(call, **changes), lease=lease)
    return await stores.ledger.record(begun.effect.effect_id, Event.SUCCEEDED, Writer.CALLER, result={"id": call})


async def an_intent_is_there_before_its_outcome(stores: Stores) -> None:
    """Begin writes ``intended``; the outcome moves it on; both can be read back by call and by run."""
    lease = await _lease(stores)
    begun = await stores.ledger.begin(intent(), lease=lease)
    assert begun.fresh
    assert begun.effect.state is State.INTENDED
    assert begun.effect.epoch == lease.epoch
    await stores.ledger.record(begun.effect.effect_id, Event.SUCCEEDED, Writer.CALLER, result={"id": "x"})
    found = await stores.ledger.by_call("r/s")
    assert found is not None
    assert (found.state, found.result, found.commit_seq) == (State.COMMITTED, {"id": "x"}, 1)
    assert await stores.ledger.of_run("r") == [found]


async def the_same_call_again_is_not_a_second_effect(stores: Stores) -> None:
    """A call that may exist is returned as it stands."""
    lease = await _lease(stores)
    first = await _committed(stores, lease)
    again = await stores.ledger.begin(intent(), lease=lease)
    assert not again.fresh
    assert again.effect == first


async def the_same_call_with_other_arguments_is_a_conflict(stores: Stores) -> None:
    """One call id, two argument sets."""
    lease = await _lease(stores)
    await _committed(stores, lease)
    await refuses(IdentityConflict, stores.ledger.begin(intent(args_hash="h2", base="pay:2"), lease=lease))


async def what_was_not_sent_goes_out_again_under_the_same_key(stores: Stores) -> None:
    """The same effect, one attempt more, no new consent."""
    lease = await _lease(stores)
    begun = await stores.ledger.begin(intent(), lease=lease)
    await stores.ledger.record(begun.effect.effect_id, Event.PROVED_NOT_SENT, Writer.CALLER)
    again = await stores.ledger.begin(intent(), lease=lease)
    assert again.fresh
    assert (again.effect.effect_id, again.effect.attempts) == (begun.effect.effect_id, 2)
    assert again.effect.request_key == begun.effect.request_key


async def after_an_undo_the_same_request_is_a_new_generation(stores: Stores) -> None:
    """Book, cancel, book again makes two effects with two keys."""
    lease = await _lease(stores)
    first = await _committed(stores, lease)
    undo = intent("r/s#1/undo", tool="back", args_hash="u", base="back:1", undoes=first.effect_id)
    begun = await stores.ledger.begin(undo, lease=lease)
    assert (await stores.ledger.get(first.effect_id)).state is State.COMPENSATING
    await stores.ledger.record(begun.effect.effect_id, Event.SUCCEEDED, Writer.CALLER, result={})
    assert (await stores.ledger.get(first.effect_id)).state is State.COMPENSATED
    second = await stores.ledger.begin(intent("r2/s"), lease=lease)
    assert second.fresh
    assert (second.effect.generation, first.generation) == (2, 1)
    assert second.effect.request_key != first.request_key


async def an_identical_request_needs_a_card_that_shows_it(stores: Stores) -> None:
    """Another call's committed twin is refused unless the card named it; one in flight is a conflict."""
    lease = await _lease(stores)
    twin = await _committed(stores, lease, "r1/s")
    blind = card(card_id="blind", call_id="r2/s")
    consent_id = await stores.consents.grant(blind, reply(blind))
    refused = await refuses(ConsentRefused, stores.ledger.begin(intent("r2/s", consent_id=consent_id), lease=lease))
    assert refused.reason == "changed"
    seeing = card(card_id="seeing", call_id="r2/s", duplicates=[{"effect_id": twin.effect_id}])
    consent_id = await stores.consents.grant(seeing, reply(seeing))
    assert (await stores.ledger.begin(intent("r2/s", consent_id=consent_id), lease=lease)).fresh
    await refuses(IdentityConflict, stores.ledger.begin(intent("r3/s"), lease=lease))


async def a_consent_is_spent_once_and_with_its_intent(stores: Stores) -> None:
    """The same consent does not carry a second effect; a refused intent leaves it unspent."""
    lease = await _lease(stores)
    asked = card()
    consent_id = await stores.consents.grant(asked, reply(asked))
    assert consent_id == await stores.consents.grant(asked, reply(asked))
    wrong = intent(consent_id=consent_id, args_hash="h2")
    assert (await refuses(ConsentRefused, stores.ledger.begin(wrong, lease=lease))).reason == "mismatch"
    begun = await stores.ledger.begin(intent(consent_id=consent_id), lease=lease)
    await stores.ledger.record(begun.effect.effect_id, Event.WAS_REFUSED, Writer.CALLER)
    again = await stores.ledger.begin(intent(consent_id=consent_id), lease=lease)
    assert not again.fresh
    assert again.effect.state is State.REFUSED
    assert (await refuses(ConsentRefused, stores.consents.grant(asked, reply(asked)))).reason == "replayed"
    missing = await refuses(ConsentRefused, stores.ledger.begin(intent(consent_id="none"), lease=lease))
    assert missing.reason == "missing"


async def a_foreign_replayed_or_expired_answer_is_refused(stores: Stores) -> None:
    """Another person's, another card's, and one that comes too late by the database's clock."""
    asked = card()
    for answer, reason in (
        (reply(asked, by="bob"), "foreign"),
        (reply(asked, nonce="other"), "replayed"),
    ):
        assert (await refuses(ConsentRefused, stores.consents.grant(asked, answer))).reason == reason
    late = card(card_id="late", expires_at=await stores.consents.now() - 1)
    assert (await refuses(ConsentRefused, stores.consents.grant(late, reply(late)))).reason == "expired"


async def a_consent_that_expires_between_grant_and_intent_is_refused(stores: Stores) -> None:
    """Expiry is looked at again in the transaction that spends it."""
    lease = await _lease(stores)
    short = card(expires_at=await stores.consents.now() + 0.05)
    consent_id = await stores.consents.grant(short, reply(short))
    await asyncio.sleep(0.1)
    refused = await refuses(ConsentRefused, stores.ledger.begin(intent(consent_id=consent_id), lease=lease))
    assert refused.reason == "expired"


async def a_replaced_worker_writes_no_intent_but_its_own_outcome(stores: Stores) -> None:
    """The epoch fences intents and a worker's events; the caller's outcome is a fact at any epoch."""
    old = await stores.leases.claim("t", "r", "dead worker", ttl_seconds=60)
    begun = await stores.ledger.begin(intent(), lease=old)
    new = await stores.leases.claim("t", "r", "worker", ttl_seconds=60)
    assert new.epoch == old.epoch + 1
    await refuses(Fenced, stores.ledger.begin(intent("r/other", base="pay:2"), lease=old))
    await refuses(Fenced, stores.ledger.record(begun.effect.effect_id, Event.LOST, Writer.WORKER, lease=old))
    await refuses(Fenced, stores.leases.renew(old, ttl_seconds=60))
    done = await stores.ledger.record(begun.effect.effect_id, Event.SUCCEEDED, Writer.CALLER, result={})
    assert done.state is State.COMMITTED


async def a_live_lease_is_not_taken_an_expired_or_dead_one_is(stores: Stores) -> None:
    """One run at a time per thread."""
    live = await _lease(stores)
    assert (await refuses(ThreadBusy, stores.leases.claim("t", "r2", "other", ttl_seconds=60))).run_id == "r"
    await stores.leases.release(live)
    short = await stores.leases.claim("t", "r2", "other", ttl_seconds=0.01)
    await asyncio.sleep(0.05)
    assert (await stores.leases.claim("t", "r3", "third", ttl_seconds=60)).epoch == short.epoch + 1


async def what_the_protocol_does_not_allow_is_refused(stores: Stores) -> None:
    """No state is left or entered past the table."""
    lease = await _lease(stores)
    begun = await stores.ledger.begin(intent(), lease=lease)
    await refuses(
        ProtocolViolation, stores.ledger.record(begun.effect.effect_id, Event.FOUND_ABSENT, Writer.RECONCILER)
    )
    await refuses(ProtocolViolation, stores.ledger.record(begun.effect.effect_id, Event.SUCCEEDED, Writer.RECONCILER))
    assert (await stores.ledger.get(begun.effect.effect_id)).state is State.INTENDED


async def a_card_that_says_the_same_is_shown_again_until_it_expires_or_is_used(stores: Stores) -> None:
    """A host that has no state of its own asks with the card it asked with before."""
    first = await stores.consents.offer(card())
    assert await stores.consents.offer(card(card_id="card-2", nonce="m", expires_at=5e9)) == first
    assert await stores.consents.offered("card-1") == first
    assert await stores.consents.offered("card-2") is None
    other = await stores.consents.offer(card(card_id="card-3", nonce="o", arguments={"order": 2}))
    assert other.card_id == "card-3"
    await stores.consents.offer(card(card_id="card-4", call_id="r/late", expires_at=1.0))
    again = await stores.consents.offer(card(card_id="card-5", call_id="r/late"))
    assert again.card_id == "card-5"
    consent = await stores.consents.grant(first, reply(first))
    held = await stores.leases.claim("t", "r", "me", ttl_seconds=60)
    await stores.ledger.begin(intent(consent_id=consent), lease=held)
    assert (await stores.consents.offer(card(card_id="card-6"))).card_id == "card-6"


async def what_was_seen_before_a_write_is_kept_with_its_intent(stores: Stores) -> None:
    """The looks of a contract outlive the process that took them."""
    held = await stores.leases.claim("t", "r", "me", ttl_seconds=60)
    begun = await stores.ledger.begin(intent(before={"old": {"street": "Old Road"}}), lease=held)
    assert (await stores.ledger.get(begun.effect.effect_id)).before == {"old": {"street": "Old Road"}}
    assert [effect.effect_id for effect in await stores.ledger.of_thread("t")] == [begun.effect.effect_id]


async def of_many_identical_intents_at_once_one_goes_out(stores: Stores) -> None:
    """Twenty callers with one request: one fresh intent, the others refused."""
    lease = await _lease(stores)
    calls = [stores.ledger.begin(intent(f"r{n}/s"), lease=lease) for n in range(20)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [result for result in results if not isinstance(result, SurefootError) and result.fresh] != []  # type: ignore[union-attr]
    assert sum(not isinstance(result, BaseException) for result in results) == 1


async def events_are_numbered_in_order(stores: Stores) -> None:
    """``seq`` has no gaps, and a reader can go on after the last one it saw."""
    for n in range(3):
        stores.events.emit("r", "step", {"n": n})
    await stores.events.flush()
    stores.events.emit("r", "answer", {})
    await stores.events.flush()
    assert [event.seq for event in await stores.events.of_run("r")] == [1, 2, 3, 4]
    assert [event.kind for event in await stores.events.of_run("r", after=3)] == ["answer"]


async def a_run_has_one_ticket_which_reopens_when_it_is_handed_over_again(stores: Stores) -> None:
    """Opened twice it is brought up to date, and stays with whoever has it; resolved and met again it is open."""
    first = await stores.tickets.open(_ticket("r1"))
    assert (first.status, [entry["what"] for entry in first.history]) == ("open", ["opened"])
    await stores.tickets.claim(first.ticket_id, "olga")
    again = await stores.tickets.open(replace(_ticket("r1"), request="more"))
    assert (again.status, again.claimed_by, again.request) == ("claimed", "olga", "more")
    assert await stores.tickets.of_run("r1") == again == await stores.tickets.get(first.ticket_id)
    await stores.tickets.resolve(first.ticket_id, "olga", "done by phone")
    assert (await stores.tickets.open(_ticket("r1"))).status == "open"
    assert await stores.tickets.of_run("r2") is None
    await refuses(TicketNotFound, stores.tickets.get("T-r2"))


async def the_queue_is_oldest_first_and_leaves_out_what_is_resolved(stores: Stores) -> None:
    """Without a status: what waits for a person."""
    for name in ("r3", "r1", "r2"):
        await stores.tickets.open(_ticket(name))
        await asyncio.sleep(0.005)
    await stores.tickets.claim("T-r1", "olga")
    await stores.tickets.resolve("T-r2", "olga", "")
    assert [ticket.run_id for ticket in await stores.tickets.queue()] == ["r3", "r1"]
    assert [ticket.run_id for ticket in await stores.tickets.queue("claimed")] == ["r1"]
    assert [ticket.run_id for ticket in await stores.tickets.queue("resolved")] == ["r2"]


async def of_many_operators_who_claim_one_ticket_one_wins(stores: Stores) -> None:
    """Twenty at once: one has it, the others hear who; the winner may say it again."""
    await stores.tickets.open(_ticket("r"))
    claims = [stores.tickets.claim("T-r", f"operator {n}") for n in range(20)]
    results = await asyncio.gather(*claims, return_exceptions=True)
    (won,) = [result for result in results if not isinstance(result, BaseException)]
    assert {result.by for result in results if isinstance(result, TicketTaken)} == {won.claimed_by}
    assert sum(isinstance(result, TicketTaken) for result in results) == 19
    assert await stores.tickets.claim("T-r", str(won.claimed_by)) == won


async def a_claimed_ticket_is_released_and_resolved_by_its_own_operator(stores: Stores) -> None:
    """Somebody else needs force to release it, and cannot resolve it; what is resolved stays so."""
    await stores.tickets.open(_ticket("r"))
    await stores.tickets.claim("T-r", "olga")
    await refuses(TicketTaken, stores.tickets.release("T-r", "peter"))
    await refuses(TicketTaken, stores.tickets.resolve("T-r", "peter", ""))
    assert (await stores.tickets.release("T-r", "peter", force=True)).claimed_by is None
    await stores.tickets.claim("T-r", "peter")
    closed = await stores.tickets.resolve("T-r", "peter", "settled")
    assert (closed.status, closed.closed_by, closed.history[-1]["note"]) == ("resolved", "peter", "settled")
    assert await stores.tickets.resolve("T-r", "peter", "again") == closed
    await refuses(TicketClosed, stores.tickets.claim("T-r", "olga"))
    await refuses(TicketClosed, stores.tickets.release("T-r", "peter"))


def _ticket(run_id: str) -> Ticket:
    return write_ticket(run_id, "ann", "buy tea", {"zh": "不清楚", "en": "not known"}, [])


STORE_CLAIMS: tuple[Claim, ...] = (
    an_intent_is_there_before_its_outcome,
    the_same_call_again_is_not_a_second_effect,
    the_same_call_with_other_arguments_is_a_conflict,
    what_was_not_sent_goes_out_again_under_the_same_key,
    after_an_undo_the_same_request_is_a_new_generation,
    an_identical_request_needs_a_card_that_shows_it,
    a_consent_is_spent_once_and_with_its_intent,
    a_foreign_replayed_or_expired_answer_is_refused,
    a_consent_that_expires_between_grant_and_intent_is_refused,
    a_replaced_worker_writes_no_intent_but_its_own_outcome,
    a_live_lease_is_not_taken_an_expired_or_dead_one_is,
    what_the_protocol_does_not_allow_is_refused,
    a_card_that_says_the_same_is_shown_again_until_it_expires_or_is_used,
    what_was_seen_before_a_write_is_kept_with_its_intent,
    of_many_identical_intents_at_once_one_goes_out,
    events_are_numbered_in_order,
    a_run_has_one_ticket_which_reopens_when_it_is_handed_over_again,
    the_queue_is_oldest_first_and_leaves_out_what_is_resolved,
    of_many_operators_who_claim_one_ticket_one_wins,
    a_claimed_ticket_is_released_and_resolved_by_its_own_operator,
)
