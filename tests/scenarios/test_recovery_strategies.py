"""Each strategy of recovery through the real graph: what it does, what it says, and where it stops."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scenarios.recovering import Shelf, ask, changed_shop, notes, step, strategies
from shop.running import confirm, confirm_all
from surefoot.contracts import ToolContext
from surefoot.errors import BusinessRefused, ErrorCode, InputInvalid, ToolError
from surefoot.execution.breaker import Breaker
from surefoot.planning.plan import Binding
from surefoot.testing.faults import Fault
from surefoot.texts import Text

NOON = datetime(2025, 9, 1, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
NO_FALLBACK: dict[str, Any] = {"fallbacks": []}
CACHE: dict[str, Any] = {"cache": {"max_age_s": 3600}}


async def quote(article: str, *, ctx: ToolContext) -> Any:
    """A source that answers in a code fence, with an extra layer, and writes its number as text."""
    return '```json\n{"result": {"price": "30", "article": "tea"}}\n```'


async def test_a_reply_in_the_wrong_form_is_repaired_and_the_answer_says_so(tmp_path: Path) -> None:
    async with changed_shop(tmp_path, step("quote", article="tea"), tools=[quote]) as (runner, _, injector):
        result = await ask(runner)
        record = result.state["execution"]["steps"]["quote"]
        assert result.status == "done"
        assert injector.calls["quote"] == 1
        assert record["output"]["data"] == {"price": 30, "article": "tea"}
        assert record["marks"] == ["repaired"]
        assert record["output"]["metadata"]["repaired"] == ["fence", "wrapper", "number"]
        assert "put in order" in notes(result, "quote")
        assert strategies(result) == [("repair", True)]


async def test_a_reply_that_cannot_be_repaired_is_asked_for_again_and_leaves_nothing_of_itself(tmp_path: Path) -> None:
    faults = [Fault("quote", "malformed")]
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults) as (runner, _, __):
        result = await ask(runner)
        assert result.status == "done"
        assert strategies(result) == [("again", True)]
        assert result.state["reliability"]["last_error"]["category"] == "parsing"
        assert '"raw"' not in json.dumps(result.state["execution"]["steps"])


@pytest.mark.parametrize("kind", ["error_5xx", "before_commit_timeout", "not_sent", "rate_limited"])
async def test_machinery_that_fails_once_is_retried_and_the_history_says_that_it_helped(
    tmp_path: Path, kind: Any
) -> None:
    faults = [Fault("quote", kind)]
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults) as (runner, _, injector):
        result = await ask(runner)
        assert (result.status, injector.calls["quote"]) == ("done", 2)
        assert strategies(result) == [("again", True)]
        error = result.state["reliability"]["last_error"]
        assert (error["step"], error["tool"], error["impact"]) == ("quote", "quote", "goal")
        assert error["category"] == ("rate" if kind == "rate_limited" else "network")
        assert result.state["reliability"]["counts"] == {"tools": {"quote": 1}, "steps": {"quote": 1}}


async def test_a_good_answer_stands_in_for_a_broken_source_marked_with_its_time(tmp_path: Path) -> None:
    shelf = Shelf()
    async with changed_shop(tmp_path, step("search", article="tea"), backend=shelf, contracts={"search": CACHE}) as (
        runner,
        _,
        __,
    ):
        await ask(runner, thread_id="t", at=NOON)
    shelf.reachable = False
    async with changed_shop(tmp_path, step("search", article="tea"), backend=shelf, contracts={"search": CACHE}) as (
        runner,
        _,
        __,
    ):
        result = await ask(runner, thread_id="t", at=NOON + timedelta(minutes=30))
        record = result.state["execution"]["steps"]["search"]
        assert result.status == "done"
        assert record["output"]["data"] == {"found": ["tea"]}
        assert record["marks"] == ["stale"]
        assert record["output"]["metadata"]["as_of"] == NOON.isoformat()
        assert "2025-09-01 12:00" in notes(result, "search")
        assert strategies(result) == [("cached", True)]
        assert result.state["reliability"]["degradation"] == "fallback"


@pytest.mark.parametrize("later", [timedelta(hours=2), timedelta(hours=-1)])
async def test_an_answer_that_is_too_old_or_of_the_future_does_not_stand_in(tmp_path: Path, later: timedelta) -> None:
    async with changed_shop(tmp_path, step("search", article="tea"), contracts={"search": CACHE}) as (runner, shelf, _):
        await ask(runner, thread_id="t", at=NOON)
        shelf.reachable = False
        result = await ask(runner, thread_id="t", at=NOON + later)
        assert result.status == "failed"
        assert strategies(result) == [("undo", None)]


async def test_a_good_answer_is_the_persons_own_and_belongs_to_its_arguments(tmp_path: Path) -> None:
    async with changed_shop(tmp_path, step("search", article="tea"), contracts={"search": CACHE}) as (runner, shelf, _):
        await ask(runner, thread_id="t", at=NOON)
        shelf.reachable = False
        with pytest.raises(InputInvalid, match="another person"):
            await runner.start("go", user_id="bob", lang="en", thread_id="t", at=NOON)
    async with changed_shop(tmp_path, step("search", article="milk"), backend=shelf, contracts={"search": CACHE}) as (
        runner,
        _,
        __,
    ):
        assert (await ask(runner, thread_id="t", at=NOON)).status == "failed"


async def test_a_fallback_names_the_other_source(tmp_path: Path) -> None:
    faults = [Fault("quote", "error_5xx", times=9)]
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults) as (runner, _, injector):
        result = await ask(runner)
        record = result.state["execution"]["steps"]["quote"]
        assert (result.status, record["tool"], injector.calls["quote"]) == ("done", "quote_from_list", 3)
        assert record["marks"] == ["substituted"]
        assert "Look the price up in the printed list" in notes(result, "quote")
        assert strategies(result) == [("again", False), ("again", False), ("other", True)]


async def test_a_source_that_does_not_let_us_in_is_left_for_another_one_without_a_retry(tmp_path: Path) -> None:
    faults = [Fault("quote", "auth", times=9)]
    async with changed_shop(tmp_path, step("quote", article="tea"), faults=faults) as (runner, _, injector):
        result = await ask(runner)
        assert (result.status, injector.calls["quote"]) == ("done", 1)
        assert strategies(result) == [("other", True)]


async def test_an_open_breaker_goes_straight_to_the_fallback(tmp_path: Path) -> None:
    async with changed_shop(tmp_path, step("quote", article="tea")) as (runner, _, injector):
        breaker = Breaker(runner.clock, threshold=1, cool_seconds=3600)
        breaker.report("quote", worked=False)
        runner = replace(runner, door=replace(runner.door, breaker=breaker))
        result = await ask(runner)
        assert (result.status, injector.calls.get("quote", 0)) == ("done", 0)
        assert strategies(result) == [("other", True)]


WIDEN = {"search": {"widen": [{"set": {"colour": "grey"}}, {"drop": ["colour"]}], "narrow": [{"set": {"limit": 5}}]}}


async def test_a_search_that_finds_nothing_is_widened_as_declared_and_the_answer_says_how(tmp_path: Path) -> None:
    plan = step("search", article="tea", colour="black")
    labels = {"colour": Text("颜色", "colour")}
    async with changed_shop(tmp_path, plan, contracts=WIDEN, labels=labels) as (runner, shelf, _):
        result = await ask(runner)
        record = result.state["execution"]["steps"]["search"]
        assert result.status == "done"
        assert [one["colour"] for one in shelf.asked] == ["black", "grey", None]
        assert record["input"] == {"article": "tea"}
        assert record["marks"] == ["relaxed"]
        assert "widened: any colour" in notes(result, "search")
        assert strategies(result) == [("relax", False), ("relax", True)]


async def test_a_search_that_is_too_much_for_its_source_is_narrowed_as_declared(tmp_path: Path) -> None:
    async with changed_shop(tmp_path, step("search", article="tea"), contracts=WIDEN, backend=Shelf(too_many=10)) as (
        runner,
        shelf,
        _,
    ):
        result = await ask(runner)
        record = result.state["execution"]["steps"]["search"]
        assert (result.status, [one["limit"] for one in shelf.asked]) == ("done", [50, 5])
        assert record["provenance"]["limit"]["origin"] == "rule"
        assert "narrowed: limit 5" in notes(result, "search")


async def test_nothing_is_widened_that_the_contract_does_not_declare(tmp_path: Path) -> None:
    async with changed_shop(tmp_path, step("search", article="tea", colour="black")) as (runner, shelf, _):
        result = await ask(runner)
        assert (result.status, len(shelf.asked)) == ("failed", 1)


async def test_a_value_that_is_missing_for_a_write_is_guessed_on_a_new_card(tmp_path: Path) -> None:
    contracts = {"wrap": {"infer": {"paper": "plain"}}}
    async with changed_shop(tmp_path, step("wrap", article="tea"), contracts=contracts) as (runner, shelf, _):
        first = await ask(runner)
        assert first.pending is not None
        assert first.pending["card"]["arguments"] == {"article": "tea"}
        second = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        assert shelf.log == []
        assert second.pending is not None
        card = second.pending["card"]
        assert card["arguments"] == {"article": "tea", "paper": "plain"}
        assert card["provenance"]["paper"]["origin"] == "inferred"
        result = await runner.resume(first.run_id, by="ann", answer=confirm(second))
        assert (result.status, shelf.log) == ("done", [("wrap", "tea in plain")])
        assert result.state["execution"]["steps"]["wrap"]["marks"] == ["inferred"]
        assert "assumed: paper plain" in notes(result, "wrap")
        assert strategies(result) == [("infer", True)]


async def test_what_the_person_writes_on_the_card_stands_above_the_guess(tmp_path: Path) -> None:
    contracts = {"wrap": {"infer": {"paper": "plain"}}}
    async with changed_shop(tmp_path, step("wrap", article="tea"), contracts=contracts) as (runner, shelf, _):
        first = await ask(runner)
        guessed = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        edited = await runner.resume(first.run_id, by="ann", answer=confirm(guessed, paper="red"))
        await runner.resume(first.run_id, by="ann", answer=confirm(edited))
        assert shelf.log == [("wrap", "tea in red")]


async def test_an_argument_that_an_earlier_result_does_not_hold_is_inferred_where_a_value_is_declared(
    tmp_path: Path,
) -> None:
    size = Binding(step="quote", path="$.data.size")
    contracts = {"search": {"infer": {"size": "small"}}}
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        step("search", after=["quote"], article="tea", size=size),
        contracts=contracts,
    ) as (runner, shelf, _):
        result = await ask(runner)
        assert result.status == "done"
        assert [one["size"] for one in shelf.asked] == ["small"]
        assert result.state["execution"]["steps"]["search"]["provenance"]["size"]["origin"] == "inferred"


async def test_a_step_that_is_not_needed_is_left_out_and_the_answer_says_so(tmp_path: Path) -> None:
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        step("greet", after=["quote"]),
        faults=[Fault("greet", "error_5xx", times=9)],
    ) as (runner, _, __):
        result = await ask(runner)
        record = result.state["execution"]["steps"]["greet"]
        assert (result.status, record["status"]) == ("done", "skipped")
        assert "left out" in notes(result, "greet")
        assert result.state["reliability"]["last_error"]["impact"] == "step"
        assert strategies(result) == [("skip", True)]


async def test_a_person_is_asked_about_the_one_value_that_is_missing_and_the_run_goes_on_with_the_answer(
    tmp_path: Path,
) -> None:
    plan = step("wrap", article="tea", paper=Binding(slot="paper"))
    labels = {"paper": Text("纸", "paper")}
    async with changed_shop(tmp_path, plan, labels=labels) as (runner, shelf, _):
        first = await ask(runner)
        asked = await runner.resume(first.run_id, by="ann", answer=confirm(first))
        assert asked.pending is not None
        assert asked.pending["question"]["text"]["en"] == "What should “paper” be?"
        result = await runner.resume(first.run_id, by="ann", answer={"text": "red"})
        result = await confirm_all(runner, result)
        assert (result.status, shelf.log) == ("done", [("wrap", "tea in red")])
        assert strategies(result) == [("ask", True)]


async def test_a_needed_step_that_cannot_be_done_undoes_what_was_committed(tmp_path: Path) -> None:
    steps = (step("reserve", article="cursed"), step("charge", after=["reserve"], article="cursed", amount=30))
    async with changed_shop(tmp_path, *steps) as (runner, shelf, _):
        result = await confirm_all(runner, await ask(runner))
        assert (result.status, shelf.log) == ("undone", [("reserve", "cursed"), ("release", "cursed")])
        assert strategies(result) == [("undo", None)]
        assert result.state["reliability"]["last_error"]["category"] == "business"


async def test_a_write_that_stays_unknown_is_only_asked_after_and_then_handed_over(tmp_path: Path) -> None:
    contracts = {"charge": {"infer": {"amount": 30}, "critical": False}}
    async with changed_shop(
        tmp_path,
        step("charge", article="tea", amount=30),
        contracts=contracts,
        faults=[Fault("charge", "after_commit_timeout"), Fault("find_order", "error_5xx", times=99)],
    ) as (runner, shelf, _):
        result = await confirm_all(runner, await ask(runner))
        assert result.status == "handed_over"
        assert [name for name, _ in strategies(result)] == ["ask_back"] * 5 + ["hand_over"]
        assert {helped for name, helped in strategies(result) if name == "ask_back"} == {False}
        assert result.state["reliability"]["last_error"]["category"] == "unknown_effect"
        assert shelf.log == [("charge", "tea")]


async def test_a_lost_answer_is_asked_back_and_the_history_says_that_it_helped(tmp_path: Path) -> None:
    faults = [Fault("charge", "after_commit_timeout")]
    async with changed_shop(tmp_path, step("charge", article="tea", amount=30), faults=faults) as (runner, shelf, _):
        result = await confirm_all(runner, await ask(runner))
        assert (result.status, shelf.log) == ("done", [("charge", "tea")])
        assert strategies(result) == [("ask_back", True)]
        assert "asking back confirmed" in notes(result, "charge")


async def test_a_choice_that_the_back_end_refuses_is_made_again_without_it(tmp_path: Path) -> None:
    refused: list[str] = []

    async def reserve(article: str, *, ctx: ToolContext) -> dict[str, Any]:
        if not refused:
            refused.append(article)
            raise BusinessRefused(Text("刚被别人拿走。", "Somebody else has just taken it."))
        return {"reservation_id": "R1", "article": article}

    async def once(article: str, *, ctx: ToolContext) -> dict[str, Any]:
        return {"price": 1, "article": "milk" if refused else article}

    once.__name__ = "quote"
    steps = (
        step("quote", article="tea"),
        step("reserve", after=["quote"], article=Binding(choose="cheapest")),
    )
    async with changed_shop(tmp_path, *steps, tools=[reserve, once]) as (runner, _, __):
        result = await confirm_all(runner, await ask(runner))
        record = result.state["execution"]["steps"]["reserve"]
        assert (result.status, record["input"]) == ("done", {"article": "milk"})
        assert strategies(result) == [("replan", True)]


async def test_a_second_fallback_is_used_when_the_first_one_fails(tmp_path: Path) -> None:
    async def broken(article: str, *, ctx: ToolContext) -> dict[str, Any]:
        raise ToolError(ErrorCode.TOOL_UNAVAILABLE, "down")

    broken.__name__ = "search"
    contracts = {
        "quote": {"fallbacks": ["search", "quote_from_list"]},
        "search": {"input_schema": {"type": "object", "additionalProperties": False, "required": ["article"],
                                    "properties": {"article": {"type": "string"}}}},
    }  # fmt: skip
    async with changed_shop(
        tmp_path,
        step("quote", article="tea"),
        contracts=contracts,
        tools=[broken],
        faults=[Fault("quote", "auth", times=9)],
    ) as (runner, _, __):
        result = await ask(runner)
        assert result.status == "done"
        assert strategies(result) == [("other", False), ("other", True)]
        assert result.state["execution"]["steps"]["quote"]["tool"] == "quote_from_list"
