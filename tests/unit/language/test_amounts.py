"""Prices per head and ratings: said in many ways, belonging to the right place."""

import pytest

from surefoot.language.amounts import prices, ratings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("人均消费50-100元的餐馆", ["50-100元"]),
        ("人均消费在150到500元之间", ["150-500元"]),
        ("控制在50至100元之间就行，想吃鸭肠", ["50-100元"]),
        ("人均 50 - 100元", ["50-100元"]),
        ("人均不超过80元", ["80元以下"]),
        ("人均消费50元以内的餐厅", ["50元以下"]),
        ("人均1000元以上", ["1000元以上"]),
        ("人均消费是多少", []),
        ("票价是20-50元的景点", []),
        ("附近酒店的价格在300-400元", []),
        ("人均消费100-50元", []),
    ],
)
def test_prices_per_head(text: str, said: list[str]) -> None:
    assert [price.say() for price in prices(text)] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("评分4.5分以上的餐馆", ["4.5分以上"]),
        ("评分是5分的餐厅", ["5分"]),
        ("评分在4以上", ["4分以上"]),
        ("给我找一个5分，人均50-100元的餐馆", ["5分"]),
        ("酒店周边找个评分是5分的餐馆", ["5分"]),
        ("安排完酒店，我想找个评分4.5分以上的地方吃饭", ["4.5分以上"]),
        ("周边景点里评分4分以上的", []),
        ("评分是5分的酒店", []),
        ("评分是多少", []),
        ("走5分钟就到", []),
        ("不差那0.1分，就去他家了", []),
    ],
)
def test_ratings(text: str, said: list[str]) -> None:
    assert [rating.say() for rating in ratings(text)] == said


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["1", "1-", "评分", "人均", "1元", "评分1", "酒店"])
def test_a_long_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    assert isinstance(prices(text), list)
    assert isinstance(ratings(text), list)
