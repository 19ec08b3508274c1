"""Tickets through the whole engine: what an operator found out lets a run go on, be undone, or be closed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from shop.running import buy, confirm, confirm_all, shop
from surefoot.errors import InputInvalid, ThreadBusy, TicketClosed, TicketTaken
from surefoot.execution.protocol import State
from surefoot.recovery.handover import Ticket
from surefoot.runtime.operator import resolve
from surefoot.runtime.reconciler import reconcile_open
from surefoot.runtime.runner import Runner, RunResult
from surefoot.testing.faults import Fault

SILENT = Fault("find_order", "before_commit_timeout", times=99)
LOST_AFTER = [Fault("charge", "after_commit_timeout", times=99), SILENT]
LOST_BEFORE = [Fault("charge", "before_commit_timeout", times=99), SILENT]
BOUGHT = [("reserve", "tea"), ("charge", "tea")]


async def handed_over(runner: Runner, text: str = "buy tea", **options: Any) -> tuple[Ticket, str]:
    """Buy until nobody knows whether it was paid; return the ticket and the id of the effect in question."""
    result = await confirm_all(runner, await buy(runner, text, **options))
    assert result.status == "handed_over"
    ticket = await runner.tickets.of_run(result.run_id)
    assert ticket is not None
    return ticket, f"{result.run_id}/charge#1"


def spoken(result: RunResult) -> str:
    return "\n".join(str(block["text"]) for block in result.answer if block.get("text"))


async def kinds(runner: Runner, run_id: str) -> list[str]:
    return [event.kind for event in await runner.events.of_run(run_id)]


async def state_of(runner: Runner, effect_id: str) -> State:
    return (await runner.door.ledger.get(effect_id)).state


async def test_the_ticket_says_what_is_done_unknown_and_left_and_how_to_undo_it_by_hand(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, _, __):
        ticket, effect_id = await handed_over(runner)
        assert [item["tool"] for item in ticket.done] == ["reserve"]
        assert [item["effect_id"] for item in ticket.unknown] == [effect_id]
        assert [step["step"] for step in ticket.remains] == ["greet"]
        reserved = ticket.done[0]["result"]["reservation_id"]
        assert [(item["tool"], item["undo"]) for item in ticket.by_hand] == [
            ("charge", {"tool": "refund", "arguments": None}),
            ("reserve", {"tool": "release", "arguments": {"reservation_id": reserved}}),
        ]
        assert [(entry["by"], entry["what"]) for entry in ticket.history] == [("the run", "opened")]
        assert await runner.tickets.queue() == [ticket]


async def test_present_and_continue_goes_on_with_the_plan_and_the_payment_is_made_once(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        told = {effect_id: {"charge_id": "C2", "article": "tea", "amount": 30}}
        done = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "present"}, results=told, then="continue",
            note="It is in the bank's list.",
        )  # fmt: skip
        assert done.run.status == "done"
        assert backend.log == BOUGHT
        assert "An operator: It is in the bank's list." in spoken(done.run)
        charge = done.run.state["execution"]["steps"]["charge"]
        assert (charge["status"], charge["output"]["data"]["charge_id"]) == ("success", "C2")
        assert "An operator confirmed" in charge["notes"][-1]["en"]
        assert done.run.state["execution"]["steps"]["greet"]["status"] == "success"
        assert (done.ticket.status, done.ticket.unknown, done.ticket.remains) == ("resolved", [], [])
        assert [entry["what"] for entry in done.ticket.history] == ["opened", "claimed", "decided", "resolved"]
        events = await runner.door.ledger.events_of(effect_id)  # type: ignore[attr-defined]
        assert (events[-1]["event"], events[-1]["writer"]) == ("found_present", "operator")
        assert {"operator", "ticket"} <= set(await kinds(runner, ticket.run_id))
        assert await runner.tickets.queue() == []


async def test_absent_and_continue_asks_the_person_again_and_then_pays_once(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_BEFORE) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        asked = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "absent"}, then="continue", note="Not there."
        )
        assert (asked.run.status, asked.ticket.status) == ("waiting", "resolved")
        assert asked.run.pending is not None
        assert asked.run.pending["card"]["step_id"] == "charge"
        assert backend.log == [("reserve", "tea")]
        done = await confirm_all(runner, asked.run)
        assert done.status == "done"
        assert backend.log == BOUGHT
        assert "An operator: Not there." in spoken(done)
        assert await state_of(runner, effect_id) is State.COMMITTED


async def test_absent_and_undo_takes_back_what_stands(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_BEFORE) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        done = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "absent"}, then="undo", note="Not there."
        )
        assert (done.run.status, done.ticket.status) == ("undone", "resolved")
        assert backend.log == [("reserve", "tea"), ("release", "tea")]
        assert [item["tool"] for item in done.ticket.undone] == ["reserve"]
        assert done.ticket.by_hand == []
        assert (await runner.look(ticket.run_id)).status == "undone"


async def test_present_and_undo_takes_the_payment_back_with_the_operators_result(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        done = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "present"},
            results={effect_id: {"charge_id": "C2"}}, then="undo", note="Paid; take it back.",
        )  # fmt: skip
        assert (done.run.status, done.ticket.status) == ("undone", "resolved")
        assert backend.log == [*BOUGHT, ("refund", "tea"), ("release", "tea")]


async def test_finish_closes_the_run_with_the_operators_words_and_touches_nothing(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        done = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "present"}, note="Paid; the rest by phone."
        )
        assert (done.run.status, done.ticket.status, done.ticket.claimed_by) == ("handed_over", "resolved", "olga")
        assert "An operator: Paid; the rest by phone." in spoken(done.run)
        assert backend.log == BOUGHT
        assert await state_of(runner, effect_id) is State.COMMITTED
        assert done.run.state["result"]["ticket"]["status"] == "resolved"
        looked = await runner.look(ticket.run_id)
        assert spoken(looked) == spoken(done.run)


@pytest.mark.parametrize("then", ["finish", "continue", "undo"])
async def test_resolving_twice_does_no_harm(tmp_path: Path, then: Any) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        wish: Any = {
            "by": "olga", "verdicts": {effect_id: "present"}, "results": {effect_id: {"charge_id": "C2"}}, "then": then,
        }  # fmt: skip
        first = await resolve(runner, ticket.ticket_id, **wish)
        log = list(backend.log)
        again = await resolve(runner, ticket.ticket_id, **wish)
        assert (again.ticket, again.run.status, backend.log) == (first.ticket, first.run.status, log)
        with pytest.raises(TicketClosed):
            await resolve(runner, ticket.ticket_id, by="olga", verdicts={}, then="finish")


async def test_what_is_still_unknown_is_asked_after_again_by_continue(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        back = await resolve(runner, ticket.ticket_id, by="olga", then="continue", note="Try once more.")
        assert (back.run.status, back.ticket.status, back.ticket.claimed_by) == ("handed_over", "claimed", "olga")
        assert [entry["what"] for entry in back.ticket.history][-2:] == ["decided", "came_back"]
        injector.faults = ()
        done = await resolve(runner, ticket.ticket_id, by="olga", then="continue", note="It is back.")
        assert (done.run.status, done.ticket.status) == ("done", "resolved")
        assert backend.log == BOUGHT
        assert await state_of(runner, effect_id) is State.COMMITTED


async def test_an_undo_that_failed_is_tried_again_when_the_operator_says_so(tmp_path: Path) -> None:
    faults = [Fault("release", "before_commit_timeout", times=99), SILENT]
    async with shop(tmp_path, faults=faults) as (runner, backend, injector):
        result = await confirm_all(runner, await buy(runner, "buy cursed"))
        assert result.status == "handed_over"
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        effect_id = ticket.unknown[0]["effect_id"]
        with pytest.raises(InputInvalid, match="half undone"):
            await resolve(runner, ticket.ticket_id, by="olga", then="continue")
        injector.faults = ()
        done = await resolve(
            runner, ticket.ticket_id, by="olga", verdicts={effect_id: "present"}, then="undo", note="Still reserved."
        )
        assert (done.run.status, done.ticket.status) == ("undone", "resolved")
        assert backend.log == [("reserve", "cursed"), ("release", "cursed")]


async def test_what_the_operator_undid_by_hand_is_absent_and_is_not_undone_again(tmp_path: Path) -> None:
    faults = [Fault("release", "before_commit_timeout", times=99), SILENT]
    async with shop(tmp_path, faults=faults) as (runner, backend, injector):
        result = await confirm_all(runner, await buy(runner, "buy cursed"))
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        effect_id = ticket.unknown[0]["effect_id"]
        backend.orders.clear()
        injector.faults = ()
        done = await resolve(runner, ticket.ticket_id, by="olga", verdicts={effect_id: "absent"}, then="undo")
        assert (done.run.status, done.ticket.status) == ("undone", "resolved")
        assert await state_of(runner, effect_id) is State.COMPENSATED
        assert backend.log == [("reserve", "cursed")]


async def test_what_the_person_declined_is_not_gone_on_with(tmp_path: Path) -> None:
    faults = [Fault("release", "before_commit_timeout", times=99), SILENT]
    async with shop(tmp_path, faults=faults) as (runner, backend, injector):
        result = await buy(runner)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        result = await runner.resume(result.run_id, by="ann", answer={**confirm(result), "decision": "decline"})
        assert result.status == "handed_over"
        ticket = await runner.tickets.of_run(result.run_id)
        assert ticket is not None
        effect_id = ticket.unknown[0]["effect_id"]
        injector.faults = ()
        with pytest.raises(InputInvalid, match="declined"):
            await resolve(runner, ticket.ticket_id, by="olga", verdicts={effect_id: "absent"}, then="continue")
        assert await state_of(runner, effect_id) is State.COMPENSATING
        done = await resolve(runner, ticket.ticket_id, by="olga", verdicts={effect_id: "present"}, then="undo")
        assert (done.run.status, done.ticket.status) == ("declined", "resolved")
        assert backend.log == [("reserve", "tea"), ("release", "tea")]


async def test_of_two_operators_who_claim_at_once_one_wins_and_the_other_resolves_nothing(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, _, __), shop(tmp_path) as (other, _, __):
        ticket, effect_id = await handed_over(runner)
        names = ["olga", "peter"]
        tries = [host.tickets.claim(ticket.ticket_id, name) for host, name in zip((runner, other), names, strict=True)]
        claims = await asyncio.gather(*tries, return_exceptions=True)
        (won,) = [claim for claim in claims if isinstance(claim, Ticket)]
        (lost,) = [claim for claim in claims if isinstance(claim, TicketTaken)]
        assert (lost.by, lost.code) == (won.claimed_by, "TICKET_TAKEN")
        (loser,) = [name for name in names if name != won.claimed_by]
        with pytest.raises(TicketTaken):
            await resolve(runner, ticket.ticket_id, by=loser, verdicts={effect_id: "present"})
        assert await state_of(runner, effect_id) is State.UNKNOWN


@pytest.mark.parametrize(
    ("verdicts", "results", "said"),
    [
        ({"nothing#1": "present"}, {}, "This run has no effect nothing#1"),
        ({"RUN/charge#1": "perhaps"}, {}, "'perhaps' cannot be said of it"),
        ({"RUN/charge#1": "present"}, {"RUN/charge#1": {"charge_id": 7}}, "does not fit the contract of charge"),
        ({"RUN/charge#1": "absent"}, {"RUN/charge#1": {"charge_id": "C2"}}, "takes a result"),
        ({}, {"RUN/charge#1": {"charge_id": "C2"}}, "no verdict 'present'"),
    ],
)
async def test_a_decision_that_does_not_fit_changes_nothing(
    tmp_path: Path, verdicts: dict[str, str], results: dict[str, Any], said: str
) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, _, __):
        ticket, effect_id = await handed_over(runner)
        named = {key.replace("RUN", ticket.run_id): value for key, value in verdicts.items()}
        given = {key.replace("RUN", ticket.run_id): value for key, value in results.items()}
        with pytest.raises(InputInvalid, match=said):
            await resolve(runner, ticket.ticket_id, by="olga", verdicts=named, results=given, then="continue")
        assert await runner.tickets.get(ticket.ticket_id) == ticket
        assert await state_of(runner, effect_id) is State.UNKNOWN


async def test_a_run_goes_on_even_when_its_thread_has_had_another_run_since(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner, thread_id="t")
        injector.faults = ()
        waiting = await buy(runner, "buy milk", thread_id="t")
        wish: Any = {"by": "olga", "verdicts": {effect_id: "present"}, "then": "continue"}
        with pytest.raises(ThreadBusy):
            await resolve(runner, ticket.ticket_id, **wish)
        assert await state_of(runner, effect_id) is State.UNKNOWN
        assert (await confirm_all(runner, waiting)).status == "done"
        done = await resolve(runner, ticket.ticket_id, **wish)
        assert (done.run.status, done.run.state["planning"]["request"]) == ("done", "buy tea")
        assert backend.log == [*BOUGHT, ("reserve", "milk"), ("charge", "milk")]


async def test_a_ticket_that_asking_back_has_closed_can_still_be_gone_on_with(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, backend, injector):
        ticket, _ = await handed_over(runner)
        injector.faults = ()
        await reconcile_open(runner)
        closed = await runner.tickets.get(ticket.ticket_id)
        assert (closed.status, closed.closed_by) == ("resolved", "the reconciler")
        done = await resolve(runner, ticket.ticket_id, by="olga", then="continue")
        assert (done.run.status, done.ticket.closed_by) == ("done", "olga")
        assert backend.log == BOUGHT


async def test_asking_back_leaves_a_claimed_ticket_with_its_operator(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_AFTER) as (runner, _, injector):
        ticket, __ = await handed_over(runner)
        await runner.tickets.claim(ticket.ticket_id, "olga")
        injector.faults = ()
        await reconcile_open(runner)
        now = await runner.tickets.get(ticket.ticket_id)
        assert (now.status, now.claimed_by, now.unknown) == ("claimed", "olga", [])
        assert [item["tool"] for item in now.done] == ["reserve", "charge"]


async def test_a_run_that_is_handed_over_again_reopens_its_one_ticket(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=LOST_BEFORE) as (runner, backend, injector):
        ticket, effect_id = await handed_over(runner)
        injector.faults = ()
        asked = await resolve(runner, ticket.ticket_id, by="olga", verdicts={effect_id: "absent"}, then="continue")
        injector.faults = [Fault("charge", "after_commit_timeout", times=99), SILENT]
        again = await confirm_all(runner, asked.run)
        assert again.status == "handed_over"
        now = await runner.tickets.get(ticket.ticket_id)
        assert (now.status, now.claimed_by, now.decision) == ("open", None, None)
        assert [item["effect_id"] for item in now.unknown] == [effect_id]
        assert backend.log == BOUGHT
