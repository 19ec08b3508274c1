"""``surefoot runs``: the newest runs and how they stand."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.failures import told_in
from surefoot.cli.options import AsJson
from surefoot.cli.speaking import RUN_STATES, clean, language_here, said
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.persistence.runs import Run

HEADS = (
    Text("任务", "Run"), Text("时间", "When"), Text("用户", "User"), Text("应用", "App"),
    Text("状态", "Status"), Text("请求", "Request"),
)  # fmt: skip
MAX_REQUEST = 60


def runs(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest runs."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records
        from surefoot.cli.screen import console, print_json

        found = with_records(lambda records: records.runs.newest(limit=limit))
    if as_json:
        print_json([_as_data(run) for run in found])
        return
    if not found:
        console().print(Text("还没有任务。", "There are no runs yet.").say(lang))
        return
    console().print(_table(found, lang))


def _as_data(run: "Run") -> dict[str, Any]:
    names = ("run_id", "thread_id", "user_id", "app", "request", "lang", "at", "status", "resumes")
    when = datetime.fromtimestamp(run.created_at, UTC).isoformat()
    return {**{name: getattr(run, name) for name in names}, "created_at": when}


def _table(found: "list[Run]", lang: str) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text as Words

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in HEADS:
        table.add_column(head.say(lang), overflow="fold", no_wrap=head is HEADS[0])
    for run in found:
        when = f"{datetime.fromtimestamp(run.created_at, UTC).astimezone():%Y-%m-%d %H:%M:%S}"
        request = clean(run.request).replace("\n", " ")
        short = request if len(request) <= MAX_REQUEST else request[: MAX_REQUEST - 1] + "…"
        cells = (run.run_id, when, run.user_id, run.app, said(RUN_STATES, run.status, lang), short)
        table.add_row(*(Words(cell) for cell in cells))
    return table
