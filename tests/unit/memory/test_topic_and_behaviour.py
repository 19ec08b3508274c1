"""Tweak or new task, and what behaviour weighs."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.memory import Observation, Summary, Topic, judge, weights
from surefoot.memory.summary import DONE_KEPT, Done

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
PAPERS = Topic({"multi-agent", "planning", "survey"}, {"topic", "since"}, {"search"})


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (Topic({"planning", "survey"}, {"topic"}, {"search"}), "refine"),
        (Topic((), {"since"}, ()), "refine"),
        (Topic({"planning", "biology"}, {"venue"}, {"search"}), "ask"),
        (Topic({"biology", "cells"}, {"venue"}, {"search"}), "new"),
        (Topic({"abstract", "conference"}, {"length"}, {"write"}), "new"),
    ],
    ids=["same words", "only a slot", "half the words", "other words", "another kind of task"],
)
def test_overlap_decides(after, expected):
    assert judge(PAPERS, after) == expected


def test_setting_it_aside_in_words_is_a_new_task_whatever_the_overlap():
    assert judge(PAPERS, PAPERS, set_aside=True) == "new"


@pytest.mark.parametrize(("similarity", "expected"), [(0.9, "refine"), (0.5, "ask"), (0.1, "new")])
def test_a_calibrated_similarity_stands_in_for_the_overlap(similarity, expected):
    assert judge(PAPERS, Topic({"x"}, (), {"search"}), similarity=similarity) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 400)), max_size=30))
def test_weights_lie_between_zero_and_one(seen):
    found = weights([Observation("k", c, NOW - timedelta(days=d), liked=ok) for c, ok, d in seen], NOW)
    assert set(found) == {c for c, _, _ in seen}
    assert all(0 < weight < 1 for weight in found.values())


def test_what_is_chosen_often_and_lately_weighs_more():
    def seen(choice, days, count=1, liked=True):
        return [Observation("zone", choice, NOW - timedelta(days=days), liked) for _ in range(count)]

    found = weights([*seen("east", 1, 5), *seen("west", 1), *seen("north", 600, 5), *seen("south", 1, 3, False)], NOW)
    assert found["east"] > found["west"] > found["north"] > 0.5 > found["south"]


def test_a_summary_lists_the_last_things_done_and_counts_the_others():
    summary = Summary()
    for number in range(DONE_KEPT + 3):
        summary = summary.after(Done("book_room", {"id": number}))
    assert [done.values["id"] for done in summary.done] == list(range(3, DONE_KEPT + 3))
    assert summary.more_done == 3
    assert Summary.from_json(summary.to_json()) == summary
