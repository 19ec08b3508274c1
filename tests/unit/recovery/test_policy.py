"""Which strategies apply, and in which order they are preferred."""

from typing import Any

import pytest

from surefoot.errors import ErrorCode
from surefoot.execution.outcome import Outcome
from surefoot.planning.planner import Question
from surefoot.recovery.decisions import Case, History, told
from surefoot.recovery.policy import ALL, STRATEGIES, Recovery, acting, candidates, worth_asking
from surefoot.recovery.settle import Again, Done, Other, Undo, settle
from surefoot.recovery.strategies.ask_back import MAX_RECONCILES
from surefoot.recovery.strategies.replan import MAX_REPLANS
from surefoot.texts import Text
from unit.recovery.cases import case, ended, read, worked, write

CODE = ErrorCode
OPTION = [{"label": {"zh": "茶", "en": "tea"}, "changes": {"topic": "tea"}}]


def names(one: Case) -> list[str]:
    return [strategy.name for strategy in candidates(one)]


def test_the_list_stands_in_the_order_of_cost_and_chance() -> None:
    assert list(STRATEGIES) == sorted(STRATEGIES, key=lambda one: (one.cost, -one.chance))


def test_every_strategy_has_a_name_of_its_own_and_words_in_both_languages() -> None:
    assert len(ALL) == len(STRATEGIES) == 12
    assert all(one.label.zh and one.label.en and 0 < one.chance < 1 for one in STRATEGIES)


def test_what_recovery_does_not_carry_out_itself_is_refused_by_name() -> None:
    for name in ("ask", "undo", "hand_over"):
        with pytest.raises(KeyError):
            acting(name)


@pytest.mark.parametrize("asked_back", range(MAX_RECONCILES + 2))
def test_while_a_write_is_unknown_only_reconciling_applies_and_then_a_person(asked_back: int) -> None:
    contract = write(fallbacks=["other"], infer={"place": "here"})
    one = case(ended("unknown", CODE.TOOL_TIMEOUT), contract, asked_back=asked_back, tries=0, critical=False, kept="x")
    assert names(one) == (["ask_back"] if asked_back < MAX_RECONCILES else ["hand_over"])


def test_a_committed_write_that_does_not_hold_up_is_only_undone() -> None:
    stands = Outcome("failed", "find", ended("failed", CODE.TOOL_OUTPUT_INVALID).envelope, "e", "committed")
    assert names(case(stands, write(fallbacks=["other"]), tries=0, critical=False)) == ["undo"]


RETRIES = {"retry_policy": {"max_retries": 2}}


@pytest.mark.parametrize(
    ("outcome", "tries", "applies"),
    [
        (ended("failed"), 1, True),
        (ended("failed"), 2, True),
        (ended("failed"), 3, False),
        (ended("not_sent", CODE.TOOL_RATE_LIMITED), 1, True),
        (ended("not_sent", CODE.BREAKER_OPEN), 1, False),
        (ended("not_sent", CODE.BUDGET_SPENT), 1, False),
        (ended("not_sent", CODE.LOOP_DETECTED), 1, False),
        (ended("refused", CODE.BUSINESS_REFUSED), 1, False),
        (ended("empty", CODE.BUSINESS_EMPTY), 1, False),
    ],
)
def test_a_retry_is_for_machinery_within_its_counter(outcome: Outcome, tries: int, applies: bool) -> None:
    assert ("again" in names(case(outcome, read(execution_contract=RETRIES), tries=tries))) is applies


@pytest.mark.parametrize(
    ("outcome", "kept", "applies"),
    [
        (ended("failed"), "2025-09-01T08:00:00+08:00", True),
        (ended("failed"), None, False),
        (ended("empty", CODE.BUSINESS_EMPTY), "2025-09-01T08:00:00+08:00", False),
        (ended("refused", CODE.PERMISSION_DENIED), "2025-09-01T08:00:00+08:00", False),
    ],
)
def test_a_cached_answer_stands_in_for_a_broken_source_only(outcome: Outcome, kept: str | None, applies: bool) -> None:
    assert ("cached" in names(case(outcome, read(cache={"max_age_s": 60}), kept=kept))) is applies


def test_no_cached_answer_without_a_declared_age() -> None:
    assert "cached" not in names(case(ended("failed"), read(), kept="2025-09-01T08:00:00+08:00"))


def test_an_open_breaker_goes_straight_to_the_fallback() -> None:
    contract = read(cache={"max_age_s": 60}, fallbacks=["other"], execution_contract=RETRIES)
    history: dict[str, Any] = {"kept": "2025-09-01T08:00:00+08:00", "tries": 1}
    assert names(case(ended("not_sent", CODE.BREAKER_OPEN), contract, **history))[0] == "other"
    assert names(case(ended("failed"), contract, **history))[:3] == ["again", "cached", "other"]
    assert names(case(ended("not_sent", CODE.BREAKER_OPEN), contract, fell_back=("other",), **history))[0] == "cached"


@pytest.mark.parametrize(
    ("outcome", "contract", "applies"),
    [
        (ended("failed"), read(fallbacks=["other"]), True),
        (ended("refused", CODE.TOOL_AUTH), read(fallbacks=["other"]), True),
        (ended("refused", CODE.TOOL_NOT_FOUND), read(fallbacks=["other"]), True),
        (ended("empty", CODE.BUSINESS_EMPTY), read(fallbacks=["other"]), False),
        (ended("refused", CODE.TOOL_AUTH), write(fallbacks=["other"]), False),
        (ended("not_sent"), write(fallbacks=["other"]), True),
        (ended("failed"), read(), False),
    ],
)
def test_a_fallback_is_for_a_broken_source(outcome: Outcome, contract: Any, applies: bool) -> None:
    assert ("other" in names(case(outcome, contract))) is applies


def test_the_second_fallback_follows_when_the_first_one_fails_too() -> None:
    first = read(name="one")
    decided = settle(
        ended("failed"), case(ended("failed"), fell_back=("one",), fallbacks=("one", "two")).history, first
    )
    assert decided == Other("two")


WIDEN = {"widen": [{"drop": ["place"]}, {"set": {"limit": 9}}], "narrow": [{"set": {"limit": 5}}]}


@pytest.mark.parametrize(
    ("outcome", "arguments", "relaxed", "decision"),
    [
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t", "place": "x"}, 0, ("widen", 1)),
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t"}, 0, ("widen", 2)),
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t"}, 1, ("widen", 2)),
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t", "limit": 9}, 2, None),
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t", "limit": 9}, 0, None),
        (ended("empty", CODE.BUSINESS_EMPTY, parameter="topic"), {"place": "x"}, 0, None),
        (ended("failed", CODE.TOOL_TIMEOUT), {"topic": "t"}, 0, ("narrow", 1)),
        (ended("not_sent", CODE.TOOL_RATE_LIMITED), {"topic": "t", "limit": 50}, 0, ("narrow", 1)),
        (ended("failed", CODE.TOOL_UNAVAILABLE), {"topic": "t"}, 0, None),
        (ended("failed", CODE.TOOL_TIMEOUT), {"topic": "t", "limit": 5}, 0, None),
    ],
)
def test_a_query_is_widened_when_empty_and_narrowed_when_too_much_as_declared(
    outcome: Outcome, arguments: dict[str, Any], relaxed: int, decision: tuple[str, int] | None
) -> None:
    one = case(outcome, read(**WIDEN), arguments=arguments, relaxed=relaxed)
    found = next((told(s.decide(one)) for s in candidates(one) if s.name == "relax"), None)
    assert (found and (found["direction"], found["applied"])) == decision


@pytest.mark.parametrize(
    ("outcome", "arguments", "values"),
    [
        (ended("empty", CODE.BUSINESS_EMPTY, parameter="place"), {}, {"place": "here"}),
        (ended("refused", CODE.TOOL_INPUT_INVALID, field="place"), {"topic": "t"}, {"place": "here"}),
        (ended("refused", CODE.TOOL_INPUT_INVALID), {"topic": "t"}, {"place": "here"}),
        (ended("refused", CODE.TOOL_INPUT_INVALID), {"topic": "t", "place": "there"}, None),
        (ended("refused", CODE.TOOL_INPUT_INVALID, field="place"), {"topic": "t", "place": "here"}, None),
        (ended("empty", CODE.BUSINESS_EMPTY), {"topic": "t"}, None),
        (ended("empty", CODE.BUSINESS_EMPTY, parameter="topic"), {}, None),
        (ended("failed"), {"topic": "t"}, None),
    ],
)
def test_only_a_missing_value_with_a_declared_usual_one_is_inferred(
    outcome: Outcome, arguments: dict[str, Any], values: dict[str, Any] | None
) -> None:
    one = case(outcome, write(infer={"place": "here"}), arguments=arguments)
    found = next((told(s.decide(one))["values"] for s in candidates(one) if s.name == "infer"), None)
    assert found == values


def test_a_step_is_skipped_only_when_it_is_not_critical_and_no_choice_is_left() -> None:
    refused = ended("refused", CODE.BUSINESS_REFUSED)
    assert "skip" not in names(case(refused))
    assert names(case(refused, critical=False)) == ["skip", "undo"]
    assert names(case(refused, critical=False, chosen=True)) == ["replan", "undo"]
    assert names(case(refused, critical=False, chosen=True, replans=MAX_REPLANS)) == ["skip", "undo"]
    assert names(case(refused, critical=False, chosen=True, late=True)) == ["skip", "undo"]


@pytest.mark.parametrize(
    ("outcome", "chosen", "replans", "applies"),
    [
        (ended("refused", CODE.BUSINESS_REFUSED), True, 0, True),
        (ended("refused", CODE.BUSINESS_REFUSED), True, MAX_REPLANS, False),
        (ended("refused", CODE.BUSINESS_REFUSED), False, 0, False),
        (ended("refused", CODE.BUSINESS_REFUSED, rules=["ours"]), True, 0, False),
        (ended("refused", CODE.TOOL_AUTH), True, 0, False),
    ],
)
def test_another_choice_is_for_what_the_back_end_refused(
    outcome: Outcome, chosen: bool, replans: int, applies: bool
) -> None:
    assert ("replan" in names(case(outcome, write(), chosen=chosen, replans=replans))) is applies


def test_a_person_is_asked_with_alternatives_or_about_the_one_value_that_is_missing() -> None:
    empty = ended("empty", CODE.BUSINESS_EMPTY, alternatives=OPTION)
    assert names(case(empty)) == ["ask", "undo"]
    assert "ask" not in names(case(empty, critical=False))
    assert "ask" not in names(case(ended("empty", CODE.BUSINESS_EMPTY)))
    wrong = ended("refused", CODE.TOOL_INPUT_INVALID, field="place")
    question = Question(Text("哪里？", "Where?"), "place")
    assert (
        told(settle(wrong, case(wrong, questions={"place": question}).history, read()))["question"]["slot"] == "place"
    )
    assert "ask" not in names(case(wrong, questions={"topic": question}))
    unsaid = ended("refused", CODE.TOOL_INPUT_INVALID)
    assert names(case(unsaid, questions={"place": question, "topic": question}))[0] == "ask"
    assert "ask" not in names(case(unsaid, questions={"topic": question}))


def test_what_did_not_help_is_not_used_again_for_the_same_error() -> None:
    contract = read(cache={"max_age_s": 60}, fallbacks=["other"])
    one = case(ended("failed"), contract, kept="2025-09-01T08:00:00+08:00", useless=frozenset({"cached", "other"}))
    assert names(one) == ["undo"]


def test_retries_and_asking_back_have_counters_of_their_own() -> None:
    useless = frozenset({"again", "ask_back"})
    assert "again" in names(case(ended("failed"), read(execution_contract=RETRIES), tries=1, useless=useless))
    assert names(case(ended("unknown"), write(), useless=useless)) == ["ask_back"]


def test_when_time_is_used_up_only_settling_and_stopping_remain() -> None:
    contract = read(cache={"max_age_s": 60}, fallbacks=["other"], execution_contract=RETRIES)
    one = case(ended("failed"), contract, tries=1, kept="2025-09-01T08:00:00+08:00", late=True)
    assert names(one) == ["undo"]
    assert names(case(ended("unknown"), write(), late=True)) == ["ask_back"]
    assert names(case(ended("unknown"), write(), late=True, asked_back=MAX_RECONCILES)) == ["hand_over"]


@pytest.mark.parametrize(
    ("reliability", "late"),
    [
        ({}, False),
        ({"recovery_ms": 999.0}, False),
        ({"recovery_ms": 1000.0}, True),
        ({"counts": {"steps": {"s": 3}}}, True),
        ({"counts": {"tools": {"t": 4}}}, True),
        ({"counts": {"steps": {"s": 2, "a": 2, "b": 2}}}, True),
        ({"counts": {"steps": {"other": 3}, "tools": {"other": 4}}}, False),
    ],
)
def test_time_and_number_of_recoveries_are_limited_per_step_tool_and_run(
    reliability: dict[str, Any], late: bool
) -> None:
    limits = Recovery(seconds=1.0, per_step=3, per_tool=4, per_run=6)
    assert limits.is_late(reliability, tool="t", step="s") is late


def test_a_host_is_never_given_what_it_cannot_carry_out() -> None:
    contract = read(cache={"max_age_s": 60}, **WIDEN)
    history = History(tries=99, kept="2025-09-01T08:00:00+08:00", arguments={"topic": "t", "place": "x"})
    assert isinstance(settle(ended("failed"), history, contract), Undo)
    assert isinstance(settle(ended("empty", CODE.BUSINESS_EMPTY), history, contract), Undo)


def test_a_proposal_counts_only_where_it_applies() -> None:
    contract = read(fallbacks=["other"], execution_contract=RETRIES)
    failed = ended("failed")
    assert isinstance(settle(failed, case(failed, contract, tries=1).history, contract), Again)
    assert settle(failed, case(failed, contract, tries=1, proposed="other").history, contract) == Other("other")
    assert isinstance(settle(failed, case(failed, contract, tries=1, proposed="infer").history, contract), Again)
    unknown = ended("unknown")
    assert told(settle(unknown, case(unknown, write(), proposed="again").history, write()))["kind"] == "ask_back"


def test_a_proposer_is_asked_only_where_there_is_something_to_choose() -> None:
    contract = read(fallbacks=["other"], execution_contract=RETRIES)
    assert worth_asking(candidates(case(ended("failed"), contract, tries=1)))
    assert not worth_asking(candidates(case(ended("failed"), contract)))
    assert not worth_asking(candidates(case(ended("unknown"), write())))


def test_what_went_well_is_done() -> None:
    assert isinstance(settle(worked(), History(), read()), Done)


@pytest.mark.parametrize(
    ("category", "outcome", "helped"),
    [
        ("network", worked(), True),
        ("network", ended("empty", CODE.BUSINESS_EMPTY), True),
        ("network", ended("failed"), False),
        ("empty", ended("empty", CODE.BUSINESS_EMPTY), False),
        ("empty", worked(), True),
        ("business", ended("refused", CODE.BUSINESS_REFUSED), False),
    ],
)
def test_a_recovery_has_helped_when_the_errors_effect_is_gone(category: Any, outcome: Outcome, helped: bool) -> None:
    assert acting("other").verify(category, outcome) is helped


def test_asking_back_has_helped_when_it_is_known_what_became_of_the_write() -> None:
    asking = acting("ask_back")
    assert asking.verify("unknown_effect", ended("not_sent"))
    assert not asking.verify("unknown_effect", ended("unknown"))
