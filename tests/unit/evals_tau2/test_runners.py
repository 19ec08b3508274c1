"""Every runner on the small bank, where a payment sent twice is paid twice."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.evals.tau2 import ours, rac, runners
from surefoot.evals.tau2.contracts import contracts_for
from surefoot.evals.tau2.domain import Domain
from surefoot.evals.tau2.runners import Runner
from surefoot.evals.tau2.scoring import Bench, Totals
from surefoot.evals.tau2.stage import Fault
from unit.evals_tau2.bank import bank, look, open_account, pay, rename


@pytest.fixture
def domain() -> Domain:
    return bank([look(), pay(30), rename("fun")], [pay(3000), open_account()])


@pytest.fixture
def surefoot(domain: Domain, tmp_path: Path) -> Iterator[Runner]:
    runner = ours.surefoot(contracts_for(domain), tmp_path)
    yield runner
    runner.close()


def ran(domain: Domain, runner: Runner) -> Totals:
    ticks = iter(range(1_000))
    return Bench(domain, lambda: float(next(ticks))).run(runner)


def test_surefoot_is_right_in_every_cell(domain: Domain, surefoot: Runner) -> None:
    figures = ran(domain, surefoot).figures()
    assert figures["cells"] == 16
    assert figures["db_equal"] == 16
    assert figures["told_true"] == 16
    assert figures["extra_writes"] == 0
    assert figures["unreadable"] == 0
    assert figures["tokens"] == 0


@pytest.mark.parametrize("make", [runners.bare, runners.tool_retry, runners.retry_policy])
def test_a_blind_retry_after_a_lost_reply_is_seen_as_an_extra_write(domain: Domain, make: Callable[[], Runner]) -> None:
    totals = ran(domain, make())
    lost = totals.figures([Fault.AFTER_TIMEOUT])
    assert lost["extra_writes"] == 3, "pay, rename and the account; the refused payment has no second effect"
    assert lost["db_equal"] == 2, (
        "only a label set twice, and a payment refused twice, leave the database as it should be"
    )
    nothing_done = totals.figures([Fault.BEFORE_TIMEOUT, Fault.BEFORE_5XX])
    assert nothing_done["db_equal"] == nothing_done["told_true"] == nothing_done["cells"]


def test_a_reply_cut_in_half_reaches_a_bare_agent_as_a_success_that_cannot_be_read(domain: Domain) -> None:
    assert ran(domain, runners.bare()).figures([Fault.AFTER_MALFORMED])["unreadable"] == 3


def test_the_rac_library_pays_twice_when_a_reply_is_lost(domain: Domain) -> None:
    pytest.importorskip("react_agent_compensation")
    runner = rac.rac_library(contracts_for(domain))
    assert ran(domain, runner).figures([Fault.AFTER_TIMEOUT])["extra_writes"] == 3


def test_seconds_are_those_inside_the_agents(domain: Domain) -> None:
    assert ran(domain, runners.bare()).figures()["seconds"] == 16
