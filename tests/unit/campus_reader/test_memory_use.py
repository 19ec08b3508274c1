"""Reading needs little memory, whatever is thrown at it."""

import gc
import tracemalloc

import pytest

from unit.campus_reader.test_hostile import HOSTILE

LIMIT = 50 * 2**20


@pytest.mark.parametrize("name", HOSTILE)
def test_two_hundred_thousand_characters_take_less_than_fifty_megabytes(reads, name: str) -> None:
    reads("明天下午两点订一间研讨间")
    words = HOSTILE[name]
    gc.collect()
    tracemalloc.start()
    try:
        reads(words)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < LIMIT
