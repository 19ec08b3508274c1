"""Answers for the terminal: text, table, timeline, map and notice blocks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text as Words

from surefoot.cli.speaking import clean, day_in_words, value_in_words

LEVELS: Mapping[str, tuple[str, str]] = {
    "info": ("· ", "dim"),
    "warning": ("! ", "yellow"),
    "error": ("✗ ", "red"),
}
Block = Mapping[str, Any]


def shown(answer: Sequence[Block], lang: str) -> Iterator[RenderableType]:
    """Yield one renderable per block; a kind that is not known is written as it stands."""
    for block in answer:
        yield _KINDS.get(block["kind"], _other)(block, lang)


def _text(block: Block, lang: str) -> RenderableType:
    return Words(clean(block["text"]))


def _notice(block: Block, lang: str) -> RenderableType:
    sign, style = LEVELS.get(block.get("level", "info"), LEVELS["info"])
    return Words(sign + clean(block["text"]), style=style)


def _table(block: Block, lang: str) -> RenderableType:
    title = clean(block.get("title") or "")
    table = Table(
        title=Words(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
    )
    for column in block["columns"]:
        table.add_column(Words(value_in_words(column, lang)), overflow="fold")
    for row in block["rows"]:
        table.add_row(*(Words(value_in_words(cell, lang)) for cell in row))
    return table


def _timeline(block: Block, lang: str) -> RenderableType:
    days: list[RenderableType] = []
    for day, items in groupby(block["items"], key=lambda item: datetime.fromisoformat(item["start"]).date()):
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for item in items:
            table.add_row(
                Words(_span(datetime.fromisoformat(item["start"]), item.get("end")), style="cyan"), _item(item)
            )
        days += [Words(day_in_words(day, lang), style="bold"), table]
    return Group(*days)


def _span(start: datetime, end: str | None) -> str:
    if not end or datetime.fromisoformat(end) == start:
        return f"  {start:%H:%M}"
    return f"  {start:%H:%M}–{datetime.fromisoformat(end):%H:%M}"


def _item(item: Mapping[str, Any]) -> Words:
    words = Words(clean(item["title"]))
    if item.get("detail"):
        words.append(f"\n{clean(item['detail'])}", style="dim")
    return words


def _map(block: Block, lang: str) -> RenderableType:
    lines = [_point(point) for point in block["points"]]
    return Words("\n".join(lines))


def _point(point: Any) -> str:
    if not isinstance(point, Mapping):
        return f"◦ {clean(point)}"
    named = next((point[key] for key in ("name", "title", "label") if point.get(key)), "")
    where = [str(point[key]) for key in ("lat", "lon", "x", "y") if key in point]
    return clean(f"◦ {named} ({', '.join(where)})" if where else f"◦ {named}")


def _other(block: Block, lang: str) -> RenderableType:
    return Words(value_in_words({key: value for key, value in block.items() if key != "kind"}, lang))


_KINDS: Mapping[str, Callable[[Block, str], RenderableType]] = {
    "text": _text,
    "notice": _notice,
    "table": _table,
    "timeline": _timeline,
    "map": _map,
}
