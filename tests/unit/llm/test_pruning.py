"""Pruning keeps what the question is about, short and numbered, and measures what was used."""

from hypothesis import given
from hypothesis import strategies as st

from surefoot.llm.pruning import MUST_USE, listed, prune, rank, share_used
from surefoot.llm.tokens import estimate

PASSAGES = [
    "Canteens close at nine in the evening.",
    "Multi-agent planning with language models: a survey of coordination and task allocation.",
    "The library has a new reading room.",
    "We study planning for several agents under uncertainty.",
    "图书馆的研讨间可以提前三天预约。",
    "多智能体规划综述：语言模型如何分工协作。",
]


def test_what_the_question_is_about_comes_first_in_either_language():
    assert set(rank("survey of multi-agent planning", PASSAGES)[:2]) == {1, 3}
    assert rank("语言模型的多智能体规划", PASSAGES)[0] == 5
    assert rank("研讨间怎么预约", PASSAGES)[0] == 4


@given(st.lists(st.text(max_size=200), max_size=12), st.text(max_size=40))
def test_no_more_than_asked_for_and_none_too_long(passages, question):
    kept = prune(question, passages, keep=4, tokens=40)
    assert len(kept) == min(4, len(passages))
    assert [source.number for source in kept] == list(range(1, len(kept) + 1))
    for source in kept:
        assert estimate(source.text) <= max(40, 0)


def test_a_long_passage_keeps_the_sentences_that_matter():
    long = "The weather was fine. " * 20 + "Agents plan with language models. " + "Lunch was late. " * 20
    (kept,) = prune("how do agents plan", [long], tokens=40)
    assert "Agents plan with language models." in kept.text


def test_the_prompt_tells_to_use_them_and_the_share_used_is_measured():
    kept = prune("multi-agent planning survey", PASSAGES, keep=3)
    told = listed(kept, "en")
    assert told.startswith(MUST_USE.en)
    assert "[1] " in told
    relevant = [1, 3]
    numbers = {source.index: source.number for source in kept}
    assert share_used(f"As [{numbers[1]}] shows.", kept, relevant) == 0.5
    assert share_used(f"See [{numbers[1]}] and [{numbers[3]}].", kept, relevant) == 1.0
    assert share_used("Nothing is cited.", kept, []) == 1.0
