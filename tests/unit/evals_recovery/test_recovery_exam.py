"""The recovery exam: enough plans, blind and equal faults, an oracle that cannot be talked round, a small real run."""

from collections import Counter

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.recovery.command import play, read_options, wilson
from surefoot.evals.recovery.faults import BlindFaults
from surefoot.evals.recovery.judging import Told, judge
from surefoot.evals.recovery.scenarios import Scenario, scenarios
from surefoot.evals.recovery.world import World

GOAL = Scenario("s", (), ({"kind": "pay", "order": "O"},), frozenset())


def test_there_are_at_least_sixty_plans_and_no_two_are_the_same() -> None:
    plans = [str(scenario.steps) for scenario in scenarios().values()]
    assert len(plans) >= 60
    assert len(set(plans)) == len(plans)


def test_faults_are_the_same_for_every_arm_and_strike_about_a_fifth_of_all_calls() -> None:
    one, two = BlindFaults(), BlindFaults()
    runs = [f"x-{n}" for n in range(400)]
    drawn = [[faults._drawn(run, "pay") for run in runs for _ in range(2)] for faults in (one, two)]
    assert drawn[0] == drawn[1]
    struck = sum(kind is not None for kind in drawn[0]) / len(drawn[0])
    assert 0.15 < struck < 0.27
    assert one.lasting
    assert len(Counter(drawn[0])) > 5


@pytest.mark.parametrize(
    ("made", "told", "verdict"),
    [
        (["O"], Told(True, {"pay-1"}), "success"),
        (["O"], Told(False, {"pay-1"}), "partial"),
        ([], Told(False, ()), "partial"),
        ([], Told(True, ()), "wrong"),
        (["O"], Told(False, ()), "wrong"),
        (["O", "O"], Told(True, {"pay-1", "pay-2"}), "wrong"),
        (["O", "Q"], Told(True, {"pay-1"}), "wrong"),
    ],
    ids=["done", "named", "nothing", "claimed", "silent", "twice", "beside"],
)
def test_the_oracle_judges_by_the_world(made: list[str], told: Told, verdict: str) -> None:
    world = World()
    for order in made:
        world.add("pay", order=order, amount=1)
    assert judge(GOAL, 0, world, told, 0).verdict == verdict


def test_a_few_plans_end_without_a_wrong_claim_and_the_arm_without_recovery_is_really_run() -> None:
    names = ["fly-stay-pay", "late-refusal-of-three", "car-then-refusal"]
    ours = play("surefoot", names, 4)
    assert [item.why for item in ours if item.verdict == "wrong"] == []
    assert len(ours) == 12
    plain = play("without-recovery", names, 4)
    assert sum(item.faults for item in plain) > 0
    assert sum(item.verdict == "success" for item in plain) <= sum(item.verdict == "success" for item in ours)


def test_intervals_are_wilsons() -> None:
    assert wilson(0, 1200) == (0.0, 0.0032)
    low, high = wilson(600, 1200)
    assert low < 0.5 < high


def test_unknown_options_are_refused() -> None:
    with pytest.raises(InputInvalid, match="Unknown option"):
        read_options(["--scenario", "nothing-of-the-kind"])
    assert read_options(["--seeds", "3"]).seeds == 3
