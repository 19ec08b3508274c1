"""The estimate of tokens is an upper bound: beside counts measured once with four published vocabularies."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.llm.tokens import estimate

MEASURED = json.loads((Path(__file__).parent / "token_counts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", MEASURED, ids=lambda row: row["text"][:20])
def test_no_vocabulary_needs_more_than_the_estimate(row):
    assert estimate(row["text"]) >= max(row["tokens"].values())


def test_ordinary_sentences_are_not_counted_more_than_three_times():
    plain = [row for row in MEASURED if row["text"].startswith(("明天", "我明天", "Book a room", "离图书馆"))]
    assert len(plain) == 4
    for row in plain:
        assert estimate(row["text"]) <= 3 * row["tokens"]["cl100k_base"]


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(one, other):
    assert estimate(one + "\n" + other) >= max(estimate(one), estimate(other))


def test_nothing_costs_nothing():
    assert estimate("") == 0
