"""``surefoot cancel``: stop a run that waits or was cut off, and take back what it did."""

from typing import TYPE_CHECKING

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import told_in
from surefoot.cli.options import AsJson, RunId, User
from surefoot.cli.speaking import language_here

if TYPE_CHECKING:
    from surefoot.persistence.runs import Run


def cancel(run: RunId, user: User = "student", as_json: AsJson = False) -> None:
    """Stop a run: settle what is unknown, take back what it committed, say what became of it."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        found = with_records(lambda records: records.runs.get(run))
    with told_in(found.lang):
        raise typer.Exit(_cancel(found, user, as_json=as_json))


def _cancel(run: "Run", user: str, *, as_json: bool) -> ExitCode:
    from surefoot.bootstrap import find_app, load_settings
    from surefoot.cli.hosting import hosted
    from surefoot.cli.results import tell
    from surefoot.cli.screen import console

    with hosted(find_app(run.app), load_settings()) as host:
        result = host.do(host.runner.cancel(run.run_id, by=user))
    return tell(result, console(), lang=run.lang, user=user, as_json=as_json)
