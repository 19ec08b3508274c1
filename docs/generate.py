"""Writes the generated parts of the docs: the README's example, the graph, the ledger's table.

``--check`` only compares.
"""

import re
import sys
from pathlib import Path

import example

from surefoot.agents.drawing import to_svg
from surefoot.agents.plan_execute import build
from surefoot.execution.protocol import TABLE

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
README = ROOT / "README.md"
DRAWING = ROOT / "docs" / "plan_execute.svg"


def ledger_table() -> str:
    """Return the effect protocol as a Markdown table."""
    rows = ["| state | event | becomes | who may write it | why |", "|---|---|---|---|---|"]
    for (state, event), row in TABLE.items():
        writers = ", ".join(sorted(row.writers))
        rows.append(f"| {state} | {event} | {row.to} | {writers} | {row.why} |")
    return "\n".join(rows)


def mermaid() -> str:
    """Return the graph as a Mermaid block."""
    return f"```mermaid\n{build().get_graph().draw_mermaid().strip()}\n```"


def filled(page: Path, parts: dict[str, str]) -> str:
    """Return the page with its generated parts in place."""
    text = page.read_text(encoding="utf-8")
    for name, content in parts.items():
        pattern = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            sys.exit(f"{page.name} has no place for {name}")
        text = pattern.sub(lambda match, content=content: f"{match[1]}{content}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main() -> None:
    """Write or check."""
    wanted = {
        ARCHITECTURE: filled(ARCHITECTURE, {"ledger-table": ledger_table(), "graph": mermaid()}),
        README: filled(README, {"example": f"```text\n{example.printed()}\n```"}),
        DRAWING: to_svg(build()),
    }
    stale = [
        path
        for path, text in wanted.items()
        if not path.exists() or not example.alike(path.read_text(encoding="utf-8"), text)
    ]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit(f"out of date: {', '.join(path.name for path in stale)}; run `make docs`")
        print("docs are current")
        return
    for path in stale:
        path.write_text(wanted[path], encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
