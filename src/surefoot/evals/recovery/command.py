"""``surefoot eval recovery``: plans with blind faults at a fifth of all calls, with Surefoot and without recovery.

``--seeds N`` (default 20), ``--scenario ID`` (repeatable), ``--failures`` lists wrong claims, ``--plot FILE.svg``.
No data is needed and no model is asked.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

from surefoot.errors import InputInvalid
from surefoot.evals.recovery.judging import Judged
from surefoot.evals.recovery.measuring import percentile, wilson
from surefoot.evals.recovery.scenarios import scenarios
from surefoot.evals.report import Report
from surefoot.texts import Text

PROCESSES = 2
ARMS = ("surefoot", "without-recovery")
NOTES = (
    "success: it says done, and the world holds the goal once. partial: it says that it is not done, everything that "
    "stands is named, and everything it is certain of stands. wrong_claims: anything else. Intervals are Wilson's at "
    "95 %. In some plans the world itself refuses a step (too dear, sold out); success_where_possible leaves them out.",
    "surefoot: the engine as open_runner makes it, on a clock per run; a person confirms every card and takes the "
    "first option of every question. Deadlines of 2 s (reads) and 3 s (writes), two retries, 500 ms to settle.",
    "Faults: a fifth of all calls, also those that ask back or undo, drawn from the seed before anybody knows the "
    "call; a fifth of them permanent for that tool in that run, so that fault_share is above a fifth for whoever calls "
    "it again. Of all kinds but one: a read that is asked back never says "
    "'there is none' about what is there, because no client can find out such a lie.",
    "recovery_seconds (mean) and recovery_seconds_p95: time on the run's clock beyond one call of 0.1 s per call of "
    "the plan, in runs that met a fault: lost deadlines, slow answers, waits, and all calls made besides. A run that "
    "gives up at the first error loses little time. extra_writes: orders carried out beyond the first of the same "
    "content, also those taken back later.",
)


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    names: tuple[str, ...]
    seeds: int = 20
    failures: bool = False
    plot: Path | None = None


def recovery(report: Report, data: Path | None, options: Sequence[str]) -> None:
    """Run both arms and report success and truthful partial results apart.

    Raises:
        InputInvalid: an option is not known, or a plot is wanted and matplotlib is not installed.
    """
    from surefoot.evals.recovery.plain import WITHOUT

    chosen = read_options(options)
    if chosen.plot is not None:
        _drawing()
    figures: dict[str, list[Judged]] = {arm: _run(arm, chosen) for arm in ARMS}
    for arm, judged in figures.items():
        _report(report, arm, judged)
        for item in judged if chosen.failures else ():
            if item.verdict == "wrong":
                report.note(f"{arm}: {item.scenario} seed {item.seed}: {item.why}")
    for note in (*NOTES, f"{WITHOUT}."):
        report.note(note)
    if chosen.plot is not None:
        _plot(chosen.plot, figures)


def _run(arm: str, chosen: Options) -> list[Judged]:
    parts = [list(chosen.names[at::PROCESSES]) for at in range(PROCESSES)]
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(play, arm, part, chosen.seeds) for part in parts if part]
        return [item for job in jobs for item in job.result()]


def play(arm: str, names: list[str], seeds: int) -> list[Judged]:
    """Play some scenarios in this process."""
    from surefoot.evals.recovery.arms import with_surefoot
    from surefoot.evals.recovery.plain import without_recovery

    run = with_surefoot if arm == "surefoot" else without_recovery
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(run(names, range(seeds), Path(folder)))


def _report(report: Report, arm: str, judged: Sequence[Judged]) -> None:
    count = Counter(item.verdict for item in judged)
    report.add(f"{arm}.runs", len(judged))
    for verdict in ("success", "partial"):
        low, high = wilson(count[verdict], len(judged))
        report.add(f"{arm}.{verdict}", _share(count[verdict], len(judged)))
        report.add(f"{arm}.{verdict}_low", low)
        report.add(f"{arm}.{verdict}_high", high)
    possible = [item for item in judged if scenarios()[item.scenario].possible]
    reached = sum(item.verdict == "success" for item in possible)
    report.add(f"{arm}.success_where_possible", _share(reached, len(possible)))
    report.add(f"{arm}.wrong_claims", count["wrong"])
    report.add(f"{arm}.duplicates", sum(item.duplicates for item in judged))
    report.add(f"{arm}.extra_writes", sum(item.extra_writes for item in judged))
    report.add(f"{arm}.undeclared", sum(item.undeclared for item in judged))
    calls, faults = sum(item.calls for item in judged), sum(item.faults for item in judged)
    report.add(f"{arm}.calls", calls)
    report.add(f"{arm}.faults", faults)
    report.add(f"{arm}.fault_share", _share(faults, calls))
    report.add(f"{arm}.permanent", sum(item.permanent for item in judged))
    lost = [item.lost for item in judged if item.faults]
    if lost:
        report.add(f"{arm}.recovery_seconds", round(mean(lost), 3))
        report.add(f"{arm}.recovery_seconds_p95", round(percentile(lost, 0.95), 3))
    report.add(f"{arm}.tokens", sum(item.told.tokens for item in judged))
    used: Counter[str] = Counter()
    for item in judged:
        used.update(item.told.strategies)
    for name, times in sorted(used.items()):
        report.add(f"{arm}.strategy-{name.replace('_', '-')}", times)


def _share(part: int, whole: int) -> float:
    return round(part / max(1, whole), 4)


def read_options(options: Sequence[str]) -> Options:
    """Read the options. Raises InputInvalid for one that is not known or not of its kind."""
    names: list[str] = []
    seeds, failures, plot, left = 20, False, None, list(options)
    while left:
        word = left.pop(0)
        if word == "--failures":
            failures = True
        elif word == "--seeds" and left and left[0].isdecimal():
            seeds = int(left.pop(0))
        elif word == "--plot" and left:
            plot = Path(left.pop(0))
        elif word == "--scenario" and left and left[0] in scenarios():
            names.append(left.pop(0))
        else:
            zh = f"不认识的选项 {word}；可用 --seeds 数字、--scenario 名称、--failures、--plot 文件。"
            en = f"Unknown option {word}; there are --seeds N, --scenario ID, --failures and --plot FILE."
            raise InputInvalid(Text(zh, en))
    return Options(tuple(dict.fromkeys(names)) or tuple(scenarios()), seeds, failures, plot)


def _drawing() -> None:
    """Make matplotlib ready before anything is played. Raises InputInvalid when it is absent."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        zh = "画图需要 matplotlib；没有安装。"
        raise InputInvalid(Text(zh, "A plot needs matplotlib, which is not installed.")) from error
    mpl.use("svg")


def _plot(file: Path, figures: dict[str, list[Judged]]) -> None:
    from matplotlib import pyplot

    drawing, axes = pyplot.subplots(figsize=(7, 2.6))
    left = [0.0] * len(figures)
    for verdict, colour in (("success", "#2b8a3e"), ("partial", "#f59f00"), ("wrong", "#c92a2a")):
        shares = [sum(item.verdict == verdict for item in judged) / max(1, len(judged)) for judged in figures.values()]
        axes.barh(list(figures), shares, left=left, color=colour, label=verdict)
        left = [one + two for one, two in zip(left, shares, strict=True)]
    axes.set_xlim(0, 1)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=3, frameon=False)
    drawing.savefig(file, bbox_inches="tight")
    pyplot.close(drawing)
