"""One picture: for every runner and kind of fault, the share of cells whose database and report are right."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from surefoot.errors import InputInvalid
from surefoot.evals.tau2.scoring import Totals
from surefoot.evals.tau2.stage import Fault
from surefoot.texts import Text

PANELS = {
    "db_equal": "database equals gold (share of cells)",
    "told_true": "reported outcome is true (share of cells)",
    "extra_writes": "committed writes beyond gold (count)",
}


def write_plot(file: Path, totals: Mapping[str, Totals]) -> None:
    """Draw the totals of each runner into ``file``; its ending names the format.

    Raises:
        InputInvalid: matplotlib is not installed, or the file cannot be written.
    """
    try:
        matplotlib = import_module("matplotlib")
    except ModuleNotFoundError as error:
        zh, en = "--plot 需要 matplotlib：pip install matplotlib", "--plot needs matplotlib: pip install matplotlib"
        raise InputInvalid(Text(zh, en)) from error
    matplotlib.use("agg")
    figure, axes = import_module("matplotlib.pyplot").subplots(1, len(PANELS), figsize=(14, 4), layout="constrained")
    width = 0.8 / max(1, len(totals))
    for axis, (metric, title) in zip(axes, PANELS.items(), strict=True):
        for number, (runner, total) in enumerate(totals.items()):
            places = [index + (number - (len(totals) - 1) / 2) * width for index in range(len(Fault))]
            axis.bar(places, [_height(total, fault, metric) for fault in Fault], width, label=runner)
        axis.set_title(title, fontsize=10)
        axis.set_xticks(range(len(Fault)), [fault.value.replace("_", "\n") for fault in Fault], fontsize=8)
        if metric != "extra_writes":
            axis.set_ylim(0, 1.05)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=9)
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        zh, en = f"不能写入 {file}：{error}", f"Cannot write {file}: {error}"
        raise InputInvalid(Text(zh, en)) from error
    finally:
        import_module("matplotlib.pyplot").close(figure)


def _height(total: Totals, fault: Fault, metric: str) -> float:
    figures = total.figures([fault])
    return figures[metric] if metric == "extra_writes" else figures[metric] / max(1, figures["cells"])
