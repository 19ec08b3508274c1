"""The command: options read, domain opened, runners run side by side, figures reported."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.evals.tau2.options import RUNNERS, Options, read_options
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.evals.tau2.contracts import Contract
    from surefoot.evals.tau2.domain import Domain
    from surefoot.evals.tau2.runners import Runner
    from surefoot.evals.tau2.scoring import Totals

RULES = (
    "Each gold write is faulted once by each of four faults; the layer is not told which. Every cell begins on a fresh "
    "environment; the same scripted model plays the gold actions one call a turn and never reacts, so tokens "
    "count only model turns that a runner itself adds.",
    "db_equal: the environment's own database hash equals the one after an unfaulted run of all gold actions. "
    "told_true: what the call's ToolMessage says (status, or words of failure under status success) is what the "
    "environment did; gold writes that the environment refuses must be reported as failed; no message at all counts as "
    "reported failed.",
    "extra_writes: writes that the environment carried out beyond the gold ones. unreadable: the message says success, "
    "but holds neither JSON nor any reply of the environment (half a reply, or an object's repr). seconds: time inside "
    "the agents, without set-up and hashing.",
)


def tau2(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Run ``surefoot eval tau2``. See :class:`surefoot.evals.finding.Eval`.

    Raises:
        InputInvalid: an option is wrong, tau2-bench or LangChain is not installed, or the data is absent.
    """
    chosen = read_options(options)
    # LangChain, LangGraph and tau2 are imported only now: listing the evals must not need them.
    try:
        from surefoot.evals.tau2.contracts import contracts_for, overrides_of
        from surefoot.evals.tau2.domain import open_domain
    except ModuleNotFoundError as error:
        zh, en = f"评测 tau2 缺少 {error.name}。", f"The eval tau2 needs {error.name}, which is not installed."
        raise InputInvalid(Text(zh, en)) from error
    domain = open_domain(chosen.domain, data, chosen.limit)
    contracts = contracts_for(domain, overrides_of(chosen.domain, chosen.contracts))
    with TemporaryDirectory(prefix="surefoot-tau2-") as folder:
        if chosen.undo:
            _undo(report, domain, contracts, Path(folder))
        else:
            _faults(report, chosen, domain, contracts, Path(folder))


def _faults(
    report: Report, chosen: Options, domain: "Domain", contracts: "Mapping[str, Contract]", folder: Path
) -> None:
    from surefoot.evals.tau2.scoring import Bench

    bench = Bench(domain, perf_counter)
    totals: dict[str, Totals] = {}
    for name in chosen.runners or RUNNERS:
        runner = _made(name, contracts, folder, wanted=name in chosen.runners, report=report)
        if runner is None:
            continue
        try:
            totals[name] = bench.run(runner)
        finally:
            runner.close()
        _add(report, name, totals[name].figures())
        report.note(f"{name}: {runner.settings}")
    for rule in RULES:
        report.note(rule)
    report.note(f"{domain.name}: {len(domain.tasks)} tasks. Gold writes refused by design: {bench.refused()}.")
    if chosen.plot is not None:
        from surefoot.evals.tau2.plot import write_plot

        write_plot(chosen.plot, totals)


def _made(
    name: str, contracts: "Mapping[str, Contract]", folder: Path, *, wanted: bool, report: Report
) -> "Runner | None":
    from surefoot.evals.tau2 import ours, rac, runners

    makers: dict[str, Callable[[], Runner]] = {
        "surefoot": lambda: ours.surefoot(contracts, folder),
        "bare": runners.bare,
        "tool-retry": runners.tool_retry,
        "retry-policy": runners.retry_policy,
        "rac-library": lambda: rac.rac_library(contracts),
    }
    try:
        return makers[name]()
    except ModuleNotFoundError as error:
        zh, en = f"{name} 没有运行：缺少 {error.name}。", f"{name} was not run: {error.name} is not installed."
        if wanted:
            raise InputInvalid(Text(zh, en)) from error
        report.note(en)
        return None


def _undo(report: Report, domain: "Domain", contracts: "Mapping[str, Contract]", folder: Path) -> None:
    from surefoot.evals.tau2.undo import image_figures, undo_figures

    for row, measure in (("undo", undo_figures), ("before_image", image_figures)):
        place = folder / row
        place.mkdir()
        _add(report, row, measure(domain, contracts, place))
    report.note(
        "Tasks with two or more gold writes are played up to the last write, then aborted. exact: the database is as if"
        " none of the writes had been made. declared: writes without a compensator remain, and the ticket names"
        " exactly those. refused: a compensator was refused, and the ticket says so. silent: anything else; must be 0."
    )
    report.note(
        "before_image: the host reads the raw records before each write and puts them back; needs its own data."
    )


def _add(report: Report, name: str, figures: Mapping[str, Any]) -> None:
    for metric, figure in figures.items():
        report.add(f"{name}.{metric}", figure)
