"""How sure a value is follows from its source: nothing that is not a person can make it said or confirmed."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.memory import Item, Summary, remember, settle

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
PEOPLE = st.sampled_from(["person", "card"])
THINGS = st.sampled_from(["tool", "document", "model", "rule"])
VALUES = st.one_of(st.text(max_size=20), st.integers(), st.lists(st.text(max_size=5), max_size=3))


def items(sources: st.SearchStrategy[str]) -> st.SearchStrategy[Item]:
    later = st.integers(0, 100).map(lambda hours: NOW + timedelta(hours=hours))
    return st.builds(Item, st.sampled_from(["a", "b"]), VALUES, sources, later)


@given(items(THINGS))
def test_what_no_person_gave_is_inferred(item):
    assert item.standing == "inferred"


@given(items(THINGS), st.sampled_from(["said", "confirmed"]))
def test_a_forged_standing_in_stored_data_changes_nothing(item, claimed):
    assert Item.from_json({**item.to_json(), "standing": claimed}).standing == "inferred"


@given(items(PEOPLE), items(THINGS))
def test_a_guess_never_replaces_what_a_person_gave_in_any_order(sure, guess):
    assert settle(sure, guess) == sure
    assert settle(guess, sure) == sure


@given(st.lists(items(st.one_of(PEOPLE, THINGS)), max_size=20))
def test_in_a_summary_every_key_that_a_person_spoke_of_keeps_a_persons_value(given_items):
    held = Summary().holding(given_items).constraints
    for key in {item.key for item in given_items if item.standing != "inferred"}:
        latest = max(item.at for item in given_items if item.key == key and item.standing != "inferred")
        assert held[key].standing != "inferred"
        assert held[key].at == latest


@given(st.lists(items(st.one_of(PEOPLE, THINGS)), max_size=10))
def test_a_summary_survives_being_stored(given_items):
    summary = Summary().holding(given_items)
    assert Summary.from_json(summary.to_json()) == summary


def test_a_later_word_of_a_person_replaces_an_earlier_one():
    card = remember("party_size", 4, source="card", at=NOW)
    later = remember("party_size", 6, source="person", at=NOW + timedelta(minutes=1))
    assert settle(card, later) == later
    assert settle(later, card) == later


def test_an_unknown_source_is_refused():
    with pytest.raises(ValueError, match="unknown source"):
        remember("a", 1, source="confirmed", at=NOW)  # type: ignore[arg-type]


def test_what_a_task_no_longer_has_is_not_held():
    held = Summary().holding(remember(key, 1, source="person", at=NOW) for key in "abc")
    assert set(held.only(["a", "c", "d"]).constraints) == {"a", "c"}
