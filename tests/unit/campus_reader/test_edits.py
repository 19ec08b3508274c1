"""Edits typed on a card."""

from datetime import datetime

import pytest

from surefoot.texts import Text
from surefoot_campus.answer import read_edit

NOW = datetime.fromisoformat("2026-12-01T10:00:00+08:00")
CARD = {
    "room_id": "A-203",
    "start": "2026-12-02T08:55:00+08:00",
    "end": "2026-12-02T09:40:00+08:00",
    "party_size": 4,
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("改成下午三点到四点", {"start": "2026-12-02T15:00:00+08:00", "end": "2026-12-02T16:00:00+08:00"}),
        ("make it 10:00-11:00", {"start": "2026-12-02T10:00:00+08:00", "end": "2026-12-02T11:00:00+08:00"}),
        ("改到下午三点", {"start": "2026-12-02T15:00:00+08:00", "end": "2026-12-02T15:45:00+08:00"}),
        ("改成后天", {"start": "2026-12-03T08:55:00+08:00", "end": "2026-12-03T09:40:00+08:00"}),
        ("改成一个半小时", {"start": "2026-12-02T08:55:00+08:00", "end": "2026-12-02T10:25:00+08:00"}),
        ("用到十一点", {"end": "2026-12-02T11:00:00+08:00"}),
        ("8个人", {"party_size": 8}),
        ("六", {"party_size": 6}),
        ("6 people", {"party_size": 6}),
        ("换成 B-101", {"room_id": "B-101"}),
        ("start=15:00", {"start": "2026-12-02T15:00:00+08:00"}),
        ("party_size=6, end=10:30", {"party_size": 6, "end": "2026-12-02T10:30:00+08:00"}),
    ],
)
def test_an_edit_changes_exactly_what_it_says(words: str, changes: dict) -> None:
    assert read_edit(words, CARD, NOW) == changes


@pytest.mark.parametrize("words", ["嗯", "", "colour=red", "party_size=many", "start=99:00", "start=later"])
def test_an_edit_that_cannot_be_read_is_answered_in_words(words: str) -> None:
    answer = read_edit(words, CARD, NOW)
    assert isinstance(answer, Text)
    assert answer.zh
    assert answer.en
