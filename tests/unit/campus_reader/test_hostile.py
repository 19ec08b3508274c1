"""Hostile input is fast and harmless."""

import time

import pytest

HOSTILE = {
    "long Chinese": "我明天上午第二节没课，想找一个空研讨间，" * 9000,
    "long Latin": "a" * 200_000,
    "digits": "1" * 200_000,
    "control characters": "\x00\x07\x1b" * 60_000,
    "emoji": "😀👩‍👩‍👧" * 30_000,
    "verbs": "订约找离不要" * 30_000,
    "numerals": "一二三四五六七八九十" * 20_000,
    "clock": "3:00-4:00-" * 20_000,
    "English words": "book a " * 30_000,
    "negations": "不用不要别" * 40_000,
    "punctuation": "，。" * 100_000,
    "surrogates": "\ud800" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_within_a_second(reads, name: str) -> None:
    began = time.perf_counter()
    reads(HOSTILE[name])
    assert time.perf_counter() - began < 1.0


def test_text_beyond_the_limit_is_reported_as_not_read(reads) -> None:
    assert reads("明天下午订个研讨间，" * 2000).leftovers


@pytest.mark.parametrize(
    "text", ["明天下午\x00两点到四点\u200b订一间研讨间，４个人", "明天下午两点到四点😀订一间研讨间，4个人"]
)
def test_control_characters_and_emoji_do_not_hide_what_was_said(reads, text: str) -> None:
    reading = reads(text)
    assert reading.tasks == ("find_room", "book_room")
    assert (reading.value("start"), reading.value("end"), reading.value("party_size")) == ("14:00", "16:00", 4)
