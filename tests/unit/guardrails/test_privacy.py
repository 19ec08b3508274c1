"""Masking of private data: found, typed right, clean texts left alone, quick on hostile input."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from surefoot.guardrails.privacy import find_private, is_bank_card, is_id_card, mask

TEXTS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "pii_texts.yaml").read_text(encoding="utf-8"))


def found_in(text: str) -> list[tuple[str, str]]:
    return [(item.kind, text[item.start : item.end]) for item in find_private(text)]


def test_the_set_is_large_enough_and_has_clean_texts() -> None:
    assert len(TEXTS) >= 150
    assert sum(not item["private"] for item in TEXTS) >= 50


def test_recall_types_and_false_alarms_hold_on_the_whole_set() -> None:
    wanted = [(n, tuple(pair)) for n, item in enumerate(TEXTS) for pair in item["private"]]
    read = [(n, pair) for n, item in enumerate(TEXTS) for pair in found_in(item["text"])]
    places = {(n, value) for n, (_, value) in read}
    recall = sum((n, value) in places for n, (_, value) in wanted) / len(wanted)
    typed = sum(item in read for item in wanted) / len(wanted)
    clean = [n for n, item in enumerate(TEXTS) if not item["private"]]
    alarms = [TEXTS[n]["text"] for n in clean if found_in(TEXTS[n]["text"])]
    missed = [TEXTS[n]["text"] for n, (_, value) in wanted if (n, value) not in places]
    assert recall >= 0.98, missed
    assert typed >= 0.95
    assert len(alarms) <= 0.03 * len(clean), alarms


@pytest.mark.parametrize("item", [item for item in TEXTS if item["private"]], ids=lambda item: item["text"][:24])
def test_what_is_masked_is_gone_and_the_rest_stays(item: dict[str, Any]) -> None:
    masked = mask(item["text"])
    for kind, value in item["private"]:
        assert value not in masked
        assert f"[{kind}]" in masked


def test_masking_twice_changes_nothing_more() -> None:
    for item in TEXTS:
        once = mask(item["text"])
        assert mask(once) == once


@given(st.text(max_size=300))
def test_any_text_is_masked_without_an_error_and_spans_do_not_overlap(text: str) -> None:
    spans = [(item.start, item.end) for item in find_private(text)]
    assert all(start < end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["1", "1 ", "a@", "a.", "密码", "0-", "eyJ", "+1 ", "(0", "sk-", "1-1."])
def test_two_hundred_thousand_characters_of_anything_come_back(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(mask(text)) > 0


def test_checksums_are_checked() -> None:
    assert is_id_card("110101199003071233")
    assert not is_id_card("110101199003071234")
    assert not is_id_card("110101199013071233")
    assert is_bank_card("4111 1111 1111 1111")
    assert not is_bank_card("4111 1111 1111 1112")
