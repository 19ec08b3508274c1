"""Cards and questions as a person sees them before anything is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as Words

from surefoot.app import App
from surefoot.cli.speaking import (
    EFFECT_STATES,
    arguments_in_words,
    name_of,
    origin_in_words,
    said,
    value_in_words,
)
from surefoot.contracts.registry import Registry
from surefoot.texts import Text

HEADS = (Text("", ""), Text("内容", "Value"), Text("来源", "Where it comes from"))
STYLES = {"inferred": "yellow", "rule": "cyan", "tool": "cyan"}


@dataclass(frozen=True)
class Setting:
    """What a card needs of its app: labels, contracts (for the undo in words) and the time zone."""

    app: App
    registry: Registry
    lang: str


def card_panel(card: Mapping[str, Any], setting: Setting) -> RenderableType:
    """Return the card: title, arguments with origin, fee, undo, duplicates, notices, until when it is valid."""
    lang = setting.lang
    parts: list[RenderableType] = [Words(f"! {value_in_words(text, lang)}", style="yellow") for text in card["notices"]]
    parts.append(_arguments(card, setting))
    parts += [Words(line, style=style) for line, style in _lines(card, setting)]
    title = Words(value_in_words(card["title"], lang), style="bold")
    return Panel(Group(*parts), title=title, title_align="left", box=box.ROUNDED, padding=(0, 1), expand=False)


def _arguments(card: Mapping[str, Any], setting: Setting) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in HEADS:
        table.add_column(head.say(setting.lang), overflow="fold")
    for name, value in card["arguments"].items():
        provenance = card["provenance"].get(name) or {}
        style = STYLES.get(provenance.get("origin", ""), "dim")
        origin = Words(origin_in_words(provenance, setting.lang), style=style)
        table.add_row(
            name_of(name, setting.app.labels, setting.lang),
            Words(value_in_words(value, setting.lang), style="bold"),
            origin,
        )
    return table


def _lines(card: Mapping[str, Any], setting: Setting) -> Iterator[tuple[str, str]]:
    lang = setting.lang
    if card["fee"]:
        fee = value_in_words(card["fee"]["text"], lang)
        yield Text(f"费用：{fee}", f"Fee: {fee}").say(lang), ""
    yield _undo(card, setting), "dim"
    for twin in card["duplicates"]:
        what = arguments_in_words(twin["arguments"], setting.app.labels, lang)
        state, run = said(EFFECT_STATES, twin["state"], lang), twin["run_id"]
        zh = f"! 已经有一个同样的（任务 {run}，{state}）：{what}"
        yield Text(zh, f"! You already have this one (run {run}, {state}): {what}").say(lang), "bold yellow"
    until = f"{datetime.fromtimestamp(card['expires_at'], ZoneInfo(setting.app.timezone)):%H:%M:%S}"
    yield Text(f"有效至 {until}", f"Valid until {until}").say(lang), "dim"


def _undo(card: Mapping[str, Any], setting: Setting) -> str:
    undo = card["undo"]
    if undo is None:
        return Text("办成后不能撤销。", "Once done, this cannot be undone.").say(setting.lang)
    what = (
        setting.registry.contract(undo["tool"]).summary
        if undo["tool"] in setting.registry
        else Text(*[undo["tool"]] * 2)
    )
    zh = f"确认也包括：如果这次任务后面办不成，撤销它（{what.zh.rstrip('。')}）。"
    en = f"Confirming includes: if this run cannot be finished, it is undone ({what.en.rstrip('.')})."
    return Text(zh, en).say(setting.lang)


def question_lines(question: Mapping[str, Any], lang: str) -> RenderableType:
    """Return a question with numbered options."""
    lines = [Words(value_in_words(question["text"], lang), style="bold")]
    for number, option in enumerate(question["options"], 1):
        lines.append(Words(f"  {number}. {value_in_words(option['label'], lang)}"))
    return Group(*lines)


def how_to_go_on(pending: Mapping[str, Any], run_id: str, user: str | None, lang: str) -> str:
    """Return the commands that answer a pending card or question later."""
    command = f"surefoot resume {run_id}" + (f" --user {user}" if user else "")
    if pending["kind"] == "card":
        zh = f'确认：{command} --confirm\n修改：{command} --change "怎么改"\n不办：{command} --decline'
        en = f'confirm: {command} --confirm\nchange:  {command} --change "what to change"\ndecline: {command} --decline'
        return Text(zh, en).say(lang)
    lines = [Text(f'回答：{command} --text "您的回答"', f'answer: {command} --text "your answer"').say(lang)]
    if pending["question"]["options"]:
        lines.insert(0, Text(f"选择：{command} --choose 1", f"choose: {command} --choose 1").say(lang))
    return "\n".join([*lines, Text(f"停止：{command} --stop", f"stop:   {command} --stop").say(lang)])
