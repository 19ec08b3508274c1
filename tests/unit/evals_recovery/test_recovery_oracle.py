"""The oracle cannot be talked round, and the world keeps its books."""

import pytest

from surefoot.errors import BusinessRefused
from surefoot.evals.recovery.judging import Claim, Told, judge
from surefoot.evals.recovery.scenarios import Scenario
from surefoot.evals.recovery.world import World

GOAL = Scenario("s", (), ({"kind": "pay", "order": "O"},))


def paid(order: str, *, certain: bool = True) -> Claim:
    return Claim("pay", {"order": order, "amount": 1}, certain=certain)


@pytest.mark.parametrize(
    ("made", "told", "verdict"),
    [
        (["O"], Told("done", [paid("O")]), "success"),
        (["O"], Told("undone", [paid("O")]), "partial"),
        (["O"], Told("handed_over", [paid("O", certain=False)]), "partial"),
        ([], Told("failed"), "partial"),
        ([], Told("handed_over", [paid("O", certain=False)]), "partial"),
        ([], Told("done"), "wrong"),
        (["O"], Told("failed"), "wrong"),
        ([], Told("handed_over", [paid("O")]), "wrong"),
        (["O", "O"], Told("done", [paid("O")]), "wrong"),
        (["O", "O"], Told("failed", [paid("O")]), "wrong"),
        (["O", "Q"], Told("done", [paid("O")]), "wrong"),
        (["O"], Told("waiting", [paid("O")]), "wrong"),
        ([], Told("broken down (KeyError)"), "wrong"),
    ],
    ids=[
        "done", "named", "named-as-possible", "nothing", "possible-but-not-there", "claimed", "silent",
        "certain-but-not-there", "twice", "twice-and-failed", "beside", "not-ended", "broken-down",
    ],
)  # fmt: skip
def test_the_oracle_judges_by_the_world(made: list[str], told: Told, verdict: str) -> None:
    world = World()
    for order in made:
        world.add("pay", order=order, amount=1)
    assert judge(GOAL, 0, world, told).verdict == verdict


def test_money_that_is_gone_without_a_payment_is_found_out() -> None:
    world = World()
    world.add("pay", order="O", amount=1)
    world.money -= 1
    assert judge(GOAL, 0, world, Told("done", [paid("O")])).verdict == "wrong"


def test_the_world_gives_money_and_seats_back_once() -> None:
    world = World(purse=100, stock={"F": 1})
    made = world.add("pay", order="O", amount=60)
    seat = world.add("book_flight", flight="F", passenger="ann")
    with pytest.raises(BusinessRefused):
        world.add("pay", order="P", amount=60)
    with pytest.raises(BusinessRefused):
        world.add("book_flight", flight="F", passenger="bob")
    for record in (made, seat):
        assert world.remove(record["record_id"])
        assert not world.remove(record["record_id"])
    assert world.money == 100
    assert world.balanced()
    assert world.too_many() == 0


def test_the_same_key_makes_one_payment_and_no_key_makes_two() -> None:
    world = World()
    assert world.add("pay", key="k", order="O", amount=1) == world.add("pay", key="k", order="O", amount=1)
    assert (world.twice(), world.too_many()) == (0, 0)
    world.add("pay", order="O", amount=1)
    assert (world.twice(), world.too_many()) == (1, 1)


def test_a_fallback_beside_the_tool_it_stands_for_is_one_too_many_also_when_it_was_taken_back() -> None:
    world = World()
    made = world.add("rent_car", city="rome", driver="ann")
    world.add("rent_car_elsewhere", city="rome", driver="ann")
    assert world.twice() == 1
    world.remove(made["record_id"])
    assert (world.twice(), world.too_many()) == (0, 1)
