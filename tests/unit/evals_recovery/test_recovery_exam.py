"""The recovery exam: enough plans, blind and equal faults, waits that cost nothing, a small real run of both arms."""

import io
import sys
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

from surefoot.errors import InputInvalid
from surefoot.evals.recovery import faults as injected
from surefoot.evals.recovery.arms import with_surefoot
from surefoot.evals.recovery.command import play, read_options, recovery
from surefoot.evals.recovery.judging import Judged
from surefoot.evals.recovery.measuring import percentile, wilson
from surefoot.evals.recovery.plain import without_recovery
from surefoot.evals.recovery.scenarios import Scenario, scenarios
from surefoot.evals.report import Report
from surefoot.recovery.policy import Recovery
from surefoot.recovery.proposals import Suggestion


def shape(scenario: Scenario) -> object:
    """What a plan is apart from the names in it."""
    at = {step["id"]: n for n, step in enumerate(scenario.steps)}

    def kind(value: object) -> object:
        if isinstance(value, dict):
            return tuple(sorted(set(value) - {"value"}))
        return isinstance(value, str) and value.startswith("$")

    steps = [
        (
            step["tool"],
            tuple(sorted(at[other] for other in step.get("after", ()))),
            step.get("critical"),
            tuple(sorted((name, kind(value)) for name, value in step["with"].items())),
        )
        for step in scenario.steps
    ]
    set_up = (scenario.possible, len(scenario.full), len(scenario.instead), scenario.purse, len(scenario.stock))
    return (*steps, set_up)


def told(judged: list[Judged]) -> list[object]:
    return [(j.scenario, j.seed, j.verdict, j.told.status, dict(j.told.strategies), j.calls) for j in judged]


def test_there_are_at_least_sixty_plans_and_no_two_differ_in_names_only() -> None:
    shapes = Counter(repr(shape(scenario)) for scenario in scenarios().values())
    assert len(shapes) >= 60
    assert shapes.most_common(1)[0][1] == 1


def test_fresh_faults_strike_a_fifth_of_all_calls_and_a_fifth_of_them_stay_for_ever() -> None:
    one, two = (scenarios()["one-payment"].stage(0).faults for _ in range(2))
    drawn: list[list[str | None]] = [[], []]
    for n in range(4000):
        for faults, kinds in ((one, drawn[0]), (two, drawn[1])):
            faults.run, faults.lasting = f"run-{n}", {}
            kinds.append(faults.drawn("pay")[0])
            assert not faults.lasting or faults.drawn("pay")[0] == faults.lasting["pay"]
    struck = [kind for kind in drawn[0] if kind is not None]
    assert drawn[0] == drawn[1]
    assert 0.18 < len(struck) / 4000 < 0.22
    assert set(struck) == set(injected.KINDS)


def test_a_read_that_is_asked_back_never_denies_what_is_there() -> None:
    faults = scenarios()["one-payment"].stage(0).faults
    kinds = set()
    for n in range(2000):
        faults.run, faults.lasting = f"run-{n}", {}
        kinds.add(faults.drawn("payments")[0])
    assert kinds - {None} == set(injected.KINDS) - {"empty"}


async def test_without_faults_every_plan_ends_as_its_scenario_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(injected, "RATE", 0.0)
    ended = await with_surefoot(list(scenarios())[::3], range(1), tmp_path)
    expected = {name: "success" if scenarios()[name].possible else "partial" for name in list(scenarios())[::3]}
    assert {judged.scenario: judged.verdict for judged in ended} == expected
    assert sum(judged.extra_writes for judged in ended) == 0


async def test_the_same_seeds_bring_the_same_ends(tmp_path: Path) -> None:
    names = ["fly-stay-pay", "car-then-refusal"]
    (tmp_path / "again").mkdir()
    first = await with_surefoot(names, range(4), tmp_path)
    assert told(first) == told(await with_surefoot(names, range(4), tmp_path / "again"))


async def test_a_back_end_that_acts_later_than_it_promised_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(injected, "KINDS", ("late_commit",))
    monkeypatch.setattr(injected, "PERMANENT", 0.0)
    kept = await with_surefoot(["two-passengers"], range(12), tmp_path)
    monkeypatch.setattr(injected, "LATE_SECONDS", 600.0)
    (tmp_path / "later").mkdir()
    broken = await with_surefoot(["two-passengers"], range(12), tmp_path / "later")
    assert sum(judged.faults for judged in kept) > 0
    assert [judged.why for judged in kept if judged.verdict == "wrong"] == []
    assert "wrong" in {judged.verdict for judged in broken}


async def test_a_lost_deadline_and_a_wait_count_on_the_runs_clock_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(injected, "KINDS", ("before_commit_timeout",))
    monkeypatch.setattr(injected, "PERMANENT", 0.0)
    judged = await with_surefoot(["one-flight"], range(20), tmp_path)
    struck = [one for one in judged if one.faults]
    assert struck
    assert min(one.lost for one in struck) > 2.0
    assert max(one.lost for one in judged if not one.faults) == pytest.approx(0.0)


async def test_tokens_of_a_model_that_proposes_strategies_are_counted(tmp_path: Path) -> None:
    async def propose(error: object, names: object) -> Suggestion:
        return Suggestion("nonsense", tokens=7)

    (tmp_path / "alone").mkdir()
    asked = await with_surefoot(["one-car"], range(20), tmp_path, recovery=Recovery(proposer=propose))
    alone = await with_surefoot(["one-car"], range(20), tmp_path / "alone")
    assert sum(judged.told.tokens for judged in asked) >= 7
    assert sum(judged.told.tokens for judged in alone) == 0


async def test_the_arm_without_recovery_meets_the_same_first_fault_and_is_not_blamed_for_a_reply_without_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = await with_surefoot(["one-payment"], range(20), tmp_path)
    plain = await without_recovery(["one-payment"], range(20), tmp_path)
    assert {judged.seed for judged in plain if judged.faults} == {judged.seed for judged in ours if judged.faults}
    monkeypatch.setattr(injected, "KINDS", ("malformed",))
    monkeypatch.setattr(injected, "PERMANENT", 0.0)
    garbled = await without_recovery(["one-payment"], range(20), tmp_path)
    assert sum(judged.faults for judged in garbled) > 0
    assert {judged.verdict for judged in garbled} == {"success"}


def test_a_few_plans_end_without_a_wrong_claim_and_better_than_without_recovery() -> None:
    names = ["fly-stay-pay", "late-refusal-of-three", "car-then-refusal"]
    ours, plain = play("surefoot", names, 4), play("without-recovery", names, 4)
    assert [item.why for item in ours if item.verdict == "wrong"] == []
    assert len(ours) == len(plain) == 12
    assert sum(item.faults for item in plain) > 0
    assert sum(item.verdict == "success" for item in plain) <= sum(item.verdict == "success" for item in ours)


def test_the_command_reports_both_arms_and_states_the_settings_of_each() -> None:
    report = Report("recovery")
    recovery(report, None, ["--seeds", "2", "--scenario", "fly-and-pay"])
    assert report.figures["surefoot.runs"] == report.figures["without-recovery.runs"] == 2
    wanted = [
        "success",
        "success_low",
        "success_high",
        "partial",
        "wrong_claims",
        "duplicates",
        "extra_writes",
        "tokens",
    ]
    assert {f"{arm}.{name}" for arm in ("surefoot", "without-recovery") for name in wanted} <= set(report.figures)
    console = Console(record=True, width=4000, file=io.StringIO())
    report.show(console)
    assert "each tool function is called once" in console.export_text()


def test_a_plot_without_matplotlib_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputInvalid, match="matplotlib"):
        recovery(Report("recovery"), None, ["--plot", "x.svg"])


def test_intervals_are_wilsons_and_percentiles_are_values_that_occurred() -> None:
    assert wilson(0, 1200) == (0.0, 0.0032)
    low, high = wilson(600, 1200)
    assert low < 0.5 < high
    assert percentile([3.0, 1.0, 2.0], 0.95) == 3.0
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95.0


def test_unknown_options_are_refused() -> None:
    with pytest.raises(InputInvalid, match="Unknown option"):
        read_options(["--scenario", "nothing-of-the-kind"])
    assert read_options(["--seeds", "3"]).seeds == 3
