"""``surefoot check-app`` and ``surefoot graph``: what an app promises, and how its runs go."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.failures import told_in
from surefoot.cli.speaking import language_here
from surefoot.errors import InputInvalid
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.contracts.model import ToolContract
    from surefoot.contracts.registry import Registry

HEADS = (
    Text("工具", "Tool"), Text("作用", "Effect"), Text("确认", "Approval"), Text("撤销", "Undo"),
    Text("核实", "Reconcile"), Text("说明", "Summary"),
)  # fmt: skip
AppArgument = Annotated[str, typer.Argument(metavar="APP", help="An installed app.")]


class Format(StrEnum):
    """How a graph is written."""

    MERMAID = "mermaid"
    SVG = "svg"


def check_app(app: AppArgument = "campus") -> None:
    """Load an app's contracts, refuse what does not fit together, and list its tools."""
    lang = language_here()
    with told_in(lang):
        from surefoot.bootstrap import find_app
        from surefoot.cli.screen import console

        found = find_app(app)
        registry = found.registry()
    screen = console()
    screen.print(_table(registry, lang))
    count = len(registry.names())
    fine = Text(f"{found.title.zh}：{count} 个工具的约定都成立。", f"{found.title.en}: {count} contracts are in order.")
    screen.print(fine.say(lang))


def _table(registry: "Registry", lang: str) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text as Words

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in HEADS:
        table.add_column(head.say(lang), overflow="fold")
    for name in registry.names():
        contract = registry.contract(name)
        undo, ask = _undo(contract, lang), _asked_back(contract)
        row = (f"{name} v{contract.version}", contract.effect, contract.approval, undo, ask, contract.summary.say(lang))
        table.add_row(*(Words(cell) for cell in row))
    return table


def _undo(contract: "ToolContract", lang: str) -> str:
    if contract.compensate is not None:
        return contract.compensate.tool
    return Text("不可撤销", "irreversible").say(lang) if contract.irreversible else "—"


def _asked_back(contract: "ToolContract") -> str:
    if contract.reconcile is None:
        return "—"
    return contract.reconcile.tool or ", ".join(contract.before[name].tool for name in contract.reconcile.changed)


def graph(
    app: AppArgument = "campus",
    kind: Annotated[Format, typer.Option("--format", help="mermaid or svg.")] = Format.MERMAID,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Draw the graph that an app's runs go through."""
    with told_in(language_here()):
        from surefoot.agents.drawing import to_svg
        from surefoot.agents.plan_execute import build
        from surefoot.bootstrap import find_app

        find_app(app)
        compiled = build()
        drawn = to_svg(compiled) if kind is Format.SVG else compiled.get_graph().draw_mermaid()
        _write(drawn.rstrip() + "\n", output)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        zh, en = f"不能写入 {output}：{error.strerror}", f"Cannot write {output}: {error.strerror}"
        raise InputInvalid(Text(zh, en)) from error
