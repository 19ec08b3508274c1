import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.language import NotANumber, detect_language, normalise, read_count, read_number, read_ordinal


@pytest.mark.parametrize(
    ("span", "number"),
    [
        ("十二", 12),
        ("两", 2),
        ("半", 0.5),
        ("三十五", 35),
        ("百", 100),
        ("一百二十", 120),
        ("二零二六", 2026),
        ("两千零四", 2004),
        ("廿一", 21),
        ("12", 12),
        ("1.5", 1.5),
        ("twelve", 12),
        ("twenty", 20),
        ("thirty-five", 35),
        ("half", 0.5),
        ("two thousand and five", 2005),
        ("nineteen ninety", 1990),
        ("nineteen eighty six", 1986),
    ],
)
def test_a_number_in_words_is_read_as(span: str, number: float) -> None:
    assert read_number(span) == number


@pytest.mark.parametrize("span", ["", "一起", "三四十", "banana", "twenty twenty twenty", "周", "十百"])
def test_a_span_that_spells_no_number_is_refused(span: str) -> None:
    with pytest.raises(NotANumber):
        read_number(span)


def test_a_count_refuses_a_fraction() -> None:
    with pytest.raises(NotANumber):
        read_count("半")


@pytest.mark.parametrize(("span", "rank"), [("third", 3), ("21st", 21), ("twenty first", 21), ("第三", 3)])
def test_a_rank_is_read_as(span: str, rank: int) -> None:
    assert read_ordinal(span) == rank


@given(st.integers(min_value=1, max_value=99))
def test_every_small_number_spelled_in_chinese_is_read_back(number: int) -> None:
    tens, ones = divmod(number, 10)
    digits = "零一二三四五六七八九"
    spelled = (("" if tens == 1 else digits[tens]) + "十" if tens else "") + (digits[ones] if ones else "")
    assert read_number(spelled) == number


def test_width_script_and_space_are_folded() -> None:
    assert normalise(" 第８週　　上午第二節\u200b（三點）\x00 ").text == "第8周 上午第二节(三点)"


@given(st.text())
def test_every_character_keeps_an_origin_in_order(text: str) -> None:
    folded = normalise(text)
    assert len(folded.offsets) == len(folded.text)
    assert list(folded.offsets) == sorted(folded.offsets)
    assert all(0 <= at < len(text) for at in folded.offsets)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text).text
    assert normalise(once).text == once


def test_an_empty_span_has_no_origin() -> None:
    with pytest.raises(IndexError):
        normalise("abc").span(1, 1)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("明天下午想book一个room做presentation", "zh"),
        ("book a room", "en"),
        ("我的 paper", "zh"),
        ("", "zh"),
        ("12-3", "zh"),
    ],
)
def test_the_language_follows_the_share_of_chinese(text: str, language: str) -> None:
    assert detect_language(text) == language
