"""``surefoot eval``: run an installed exam or benchmark, or list what there is."""

from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.failures import told_in
from surefoot.cli.speaking import language_here
from surefoot.texts import Text


def run_eval(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The eval; without it the installed ones are listed.")] = None,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Its data; default: SUREFOOT_EXAMS.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Run an eval. Options it knows itself follow its name."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.screen import console
        from surefoot.evals.finding import find_eval, known_evals
        from surefoot.evals.report import Report

        if name is None:
            names = known_evals()
            nothing = Text("没有安装任何评测。", "No evals are installed.").say(lang)
            console().print("\n".join(names) if names else nothing)
            return
        report = Report(name)
        find_eval(name)(report, data, context.args)
        report.show(console())
        if json_file is not None:
            report.write(json_file)
