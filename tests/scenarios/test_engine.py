"""Whole runs of the shop through the real graph, ledger and checkpointer."""

from pathlib import Path

import pytest

from shop.app import Backend
from shop.running import buy, confirm, confirm_all, shop
from surefoot.errors import ConsentRefused, InputInvalid, NotWaiting, ThreadBusy
from surefoot.testing.faults import Fault


async def test_a_run_waits_for_each_write_and_then_does_it_once(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner)
        assert result.status == "waiting"
        assert backend.log == []
        result = await confirm_all(runner, result)
        assert result.status == "done"
        assert backend.log == [("reserve", "tea"), ("charge", "tea")]


async def test_declining_the_second_card_undoes_the_first_write(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        answer = {**confirm(result), "decision": "decline"}
        result = await runner.resume(result.run_id, by="ann", answer=answer)
        assert result.status == "declined"
        assert backend.log == [("reserve", "tea"), ("release", "tea")]


@pytest.mark.parametrize("kind", ["after_commit_timeout", "after_commit_5xx", "malformed"])
async def test_a_lost_answer_after_commit_is_settled_by_asking_back(tmp_path: Path, kind: str) -> None:
    async with shop(tmp_path, faults=[Fault("charge", kind)]) as (runner, backend, injector):  # type: ignore[arg-type]
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "done"
        assert backend.log.count(("charge", "tea")) == 1
        assert injector.calls["charge"] == 1
        record = result.state["execution"]["steps"]["charge"]
        assert record["reconciled"] is True
        assert record["effect"] == "committed"


@pytest.mark.parametrize("kind", ["not_sent", "before_commit_timeout", "error_5xx"])
async def test_a_write_that_did_not_happen_is_sent_again_under_the_same_consent(tmp_path: Path, kind: str) -> None:
    async with shop(tmp_path, faults=[Fault("charge", kind)]) as (runner, backend, injector):  # type: ignore[arg-type]
        result = await buy(runner)
        cards = 0
        while result.status == "waiting":
            cards += 1
            result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        assert result.status == "done"
        assert cards == 2
        assert backend.log.count(("charge", "tea")) == 1
        assert injector.calls["charge"] == 2


async def test_a_refused_payment_undoes_the_reservation_and_says_why(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await confirm_all(runner, await buy(runner, "buy cursed"))
        assert result.status == "undone"
        assert backend.log == [("reserve", "cursed"), ("release", "cursed")]
        assert result.state["result"]["reason"]["en"] == "The bank refused this payment."


async def test_a_back_end_that_stays_unreachable_ends_in_a_ticket(tmp_path: Path) -> None:
    backend = Backend()
    async with shop(tmp_path, backend, [Fault("charge", "after_commit_timeout", times=99)]) as (runner, _, __):
        result = await buy(runner)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        backend.reachable = False
        result = await confirm_all(runner, result)
        assert result.status == "handed_over"
        assert [item["tool"] for item in result.state["result"]["ticket"]["unknown"]] == ["charge"]


async def test_a_read_is_retried_and_then_falls_back_and_the_answer_can_say_so(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=[Fault("quote", "error_5xx", times=3)]) as (runner, _, injector):
        result = await buy(runner)
        record = result.state["execution"]["steps"]["quote"]
        assert injector.calls["quote"] == 3
        assert record["tool"] == "quote_from_list"
        assert record["output"]["data"]["price"] == 99
        assert record["notes"]


async def test_a_non_critical_step_that_fails_is_skipped(tmp_path: Path) -> None:
    async with shop(tmp_path, faults=[Fault("greet", "error_5xx", times=9)]) as (runner, _, __):
        result = await confirm_all(runner, await buy(runner))
        assert result.status == "done"
        assert result.state["execution"]["steps"]["greet"]["status"] == "skipped"


async def test_an_empty_result_asks_with_alternatives_and_goes_on_with_the_choice(tmp_path: Path) -> None:
    async with shop(tmp_path, Backend(sold_out={"coffee"})) as (runner, backend, _):
        result = await buy(runner, "buy coffee")
        assert result.pending is not None
        assert result.pending["kind"] == "question"
        result = await runner.resume(result.run_id, by="ann", answer={"choose": 1})
        result = await confirm_all(runner, result)
        assert result.status == "done"
        assert backend.log[0] == ("reserve", "tea")


async def test_an_edit_makes_a_new_card_and_the_old_one_is_refused(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        first = await buy(runner)
        second = await runner.resume(first.run_id, by="ann", answer=confirm(first, article="cake"))
        assert second.pending is not None
        assert second.pending["card"]["arguments"] == {"article": "cake"}
        with pytest.raises(ConsentRefused) as refused:
            await runner.resume(first.run_id, by="ann", answer=confirm(first))
        assert refused.value.reason == "replayed"
        await runner.resume(first.run_id, by="ann", answer=confirm(second))
        assert backend.log == [("reserve", "cake")]


async def test_an_edit_that_breaks_a_rule_brings_the_old_values_back_with_a_notice(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        result = await buy(runner)
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result))
        result = await runner.resume(result.run_id, by="ann", answer=confirm(result, amount=9999))
        assert result.pending is not None
        assert result.pending["card"]["arguments"]["amount"] == 30
        assert "At most 500" in result.pending["card"]["notices"][0]["en"]


async def test_another_persons_answer_is_refused_and_the_card_stays(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner)
        with pytest.raises(ConsentRefused) as refused:
            await runner.resume(result.run_id, by="bob", answer=confirm(result))
        assert refused.value.reason == "foreign"
        assert (await runner.look(result.run_id)).status == "waiting"
        assert backend.log == []


async def test_an_expired_card_becomes_a_new_card(tmp_path: Path) -> None:
    async with shop(tmp_path, card_ttl_seconds=0.001) as (runner, backend, _):
        first = await buy(runner)
        second = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        assert second.status == "waiting"
        assert second.pending is not None
        assert "expired" in second.pending["card"]["notices"][0]["en"]
        assert backend.log == []


async def test_a_second_run_on_a_waiting_thread_is_refused(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        await buy(runner, thread_id="t")
        with pytest.raises(ThreadBusy):
            await buy(runner, thread_id="t")


async def test_an_answer_to_a_finished_run_is_refused(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, __):
        first = await buy(runner)
        await confirm_all(runner, first)
        with pytest.raises(NotWaiting):
            await runner.resume(first.run_id, by="ann", answer=confirm(first))


async def test_an_identical_request_of_another_run_is_shown_on_the_card(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        await confirm_all(runner, await buy(runner))
        second = await buy(runner)
        assert second.pending is not None
        twins = second.pending["card"]["duplicates"]
        assert [twin["state"] for twin in twins] == ["committed"]
        assert backend.log.count(("reserve", "tea")) == 1


async def test_a_dry_run_plans_and_shows_cards_and_writes_nothing(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, backend, _):
        result = await buy(runner, dry_run=True)
        assert result.status == "dry_run"
        assert backend.log == []
        assert await runner.door.ledger.all() == []


async def test_a_stranger_is_refused_before_anything_runs(tmp_path: Path) -> None:
    async with shop(tmp_path) as (runner, _, injector):
        result = await buy(runner, user="stranger")
        assert result.status == "refused"
        assert injector.calls == {}


@pytest.mark.parametrize("text", ["", "   \x00\x07 ", "x" * 200_000])
async def test_unusable_text_is_refused_and_leaves_no_run(tmp_path: Path, text: str) -> None:
    async with shop(tmp_path) as (runner, _, __):
        with pytest.raises(InputInvalid):
            await buy(runner, text)
        assert await runner.runs.newest() == []
