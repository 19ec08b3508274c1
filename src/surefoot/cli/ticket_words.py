"""How tickets are shown: a table of the queue, and one ticket line by line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from surefoot.cli.speaking import EFFECT_STATES, STEP_STATES, arguments_in_words, clean, said, value_in_words
from surefoot.errors import AppNotFound, ContractError
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.contracts.registry import Registry
    from surefoot.recovery.handover import Ticket

TICKET_STATES: Mapping[str, Text] = {
    "open": Text("待处理", "open"),
    "claimed": Text("处理中", "claimed"),
    "resolved": Text("已结案", "resolved"),
}
DEEDS: Mapping[str, Text] = {
    "opened": Text("转人工", "opened"),
    "claimed": Text("认领", "claimed"),
    "released": Text("交还", "released"),
    "decided": Text("决定", "decided"),
    "came_back": Text("再次转人工", "handed over again"),
    "note": Text("备注", "note"),
    "resolved": Text("结案", "resolved"),
}
WHO: Mapping[str, Text] = {
    "the run": Text("任务本身", "the run"),
    "the reconciler": Text("事后核实", "the reconciler"),
}
WAYS: Mapping[str, Text] = {
    "finish": Text("结束", "finish"),
    "continue": Text("继续", "continue"),
    "undo": Text("撤销", "undo"),
}
HEADS = (
    Text("工单", "Ticket"),
    Text("状态", "Status"),
    Text("自", "Since"),
    Text("用户", "User"),
    Text("不明", "Unknown"),
    Text("请求", "Request"),
)
PARTS = (
    ("done", Text("已办成", "Done")),
    ("unknown", Text("结果不明", "Unknown")),
    ("undone", Text("已撤销", "Taken back")),
    ("residue", Text("没有撤销干净", "Could not be taken back")),
)


def as_row(ticket: "Ticket") -> dict[str, Any]:
    """Return what a list shows of a ticket, JSON-native and without anybody's values but the request."""
    names = ("ticket_id", "run_id", "user_id", "status", "claimed_by", "request", "reason")
    row = {name: getattr(ticket, name) for name in names}
    effects = {name: [item["effect_id"] for item in getattr(ticket, name)] for name, _ in PARTS}
    since = ticket.history[0]["at"] if ticket.history else None
    opened = datetime.fromtimestamp(since, UTC).isoformat() if since else None
    return {**row, **effects, "remains": [step["step"] for step in ticket.remains], "opened": opened}


def list_table(found: "Sequence[Ticket]", lang: str) -> Any:
    """Return the queue as a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text as Words

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in HEADS:
        table.add_column(head.say(lang), overflow="fold")
    for ticket in found:
        status = said(TICKET_STATES, ticket.status, lang)
        if ticket.claimed_by and ticket.status == "claimed":
            status = f"{status} ({clean(ticket.claimed_by)})"
        unknown = str(len(ticket.unknown) + len(ticket.residue)) if ticket.unknown or ticket.residue else "—"
        since = _when(ticket.history[0]["at"]) if ticket.history else "—"
        cells = (ticket.ticket_id, status, since, clean(ticket.user_id), unknown, clean(ticket.request))
        table.add_row(*(Words(cell) for cell in cells))
    return table


def without_private(ticket: "Ticket", app: str | None) -> "Ticket":
    """Return the ticket with private values masked; all of them when the app's contracts are not at hand."""
    registry = _registry(app)

    def masked(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                **item,
                "arguments": _masked(item["arguments"], item["tool"], registry),
                "result": _masked(item["result"], item["tool"], registry) if item["result"] else item["result"],
            }
            for item in items
        ]

    lists: dict[str, Any] = {name: masked(getattr(ticket, name)) for name, _ in PARTS}
    by_hand = [_masked_undo(item, registry) for item in ticket.by_hand]
    decision = ticket.decision
    if decision is not None:
        # What an operator typed as a result is as private as the result itself.
        decision = {name: value for name, value in decision.items() if name not in ("results", "writes")}
    return replace(ticket, **lists, by_hand=by_hand, decision=decision)


def _masked_undo(item: Mapping[str, Any], registry: "Registry | None") -> dict[str, Any]:
    undo = item["undo"]
    if isinstance(undo, str) or not undo["arguments"]:
        return dict(item)
    return {**item, "undo": {**undo, "arguments": _masked(undo["arguments"], undo["tool"], registry)}}


def _masked(values: Mapping[str, Any], tool: str, registry: "Registry | None") -> dict[str, Any]:
    from surefoot.telemetry.redaction import masked

    known = registry is not None and tool in registry
    private = registry.contract(tool).private if registry is not None and known else tuple(values)
    return masked(dict(values), private)


def _registry(app: str | None) -> "Registry | None":
    from surefoot.bootstrap import find_app

    try:
        return find_app(app).registry() if app is not None else None
    except (AppNotFound, ContractError, ModuleNotFoundError):
        return None


def lines_of(ticket: "Ticket", lang: str) -> Iterator[str]:
    """Yield a ticket line by line."""

    def say(zh: str, en: str) -> str:
        return Text(zh, en).say(lang)

    status = said(TICKET_STATES, ticket.status, lang)
    who = f" ({clean(ticket.claimed_by)})" if ticket.claimed_by else ""
    yield say(f"工单 {ticket.ticket_id}：{status}{who}", f"Ticket {ticket.ticket_id}: {status}{who}")
    yield say(
        f"  任务 {ticket.run_id}，用户 {clean(ticket.user_id)}", f"  run {ticket.run_id}, user {clean(ticket.user_id)}"
    )
    yield say(f"  请求：{clean(ticket.request)}", f"  request: {clean(ticket.request)}")
    reason = value_in_words(ticket.reason, lang)
    yield say(f"  原因：{reason}", f"  reason: {reason}")
    for name, head in PARTS:
        for item in getattr(ticket, name):
            words = arguments_in_words(item["arguments"], {}, lang)
            yield f"{head.say(lang)}: {item['effect_id']}  {item['tool']}  {words}"
            if item["result"]:
                yield f"    → {arguments_in_words(item['result'], {}, lang)}"
    for step in ticket.remains:
        state = said({**EFFECT_STATES, **STEP_STATES}, step["status"], lang)
        what = value_in_words(step["description"], lang)
        yield say(f"还没有做：{step['step']}（{what}，{state}）", f"Not done: {step['step']} ({what}, {state})")
    yield from _by_hand(ticket, lang)
    yield from _history(ticket, lang)


def _by_hand(ticket: "Ticket", lang: str) -> Iterator[str]:
    if ticket.by_hand:
        yield Text("如需人工撤销，按这个顺序：", "To take it back by hand, in this order:").say(lang)
    for item in ticket.by_hand:
        yield f"  {item['effect_id']}  {_undo_in_words(item['undo'], lang)}"


def _undo_in_words(undo: Any, lang: str) -> str:
    if undo == "irreversible":
        return Text("不能撤销", "cannot be undone").say(lang)
    if undo["tool"] is None:
        return Text("这个工具已不在应用里", "the app no longer has this tool").say(lang)
    if undo["arguments"] is None:
        zh, en = "参数要等结果查明才知道", "its arguments depend on a result that is not known yet"
        return f"{undo['tool']}: {Text(zh, en).say(lang)}"
    return f"{undo['tool']}: {arguments_in_words(undo['arguments'], {}, lang)}"


def _history(ticket: "Ticket", lang: str) -> Iterator[str]:
    yield Text("经过：", "History:").say(lang)
    for entry in ticket.history:
        who, what = said(WHO, entry["by"], lang), said(DEEDS, entry["what"], lang)
        note = said(WAYS, entry["note"], lang) if entry["what"] == "decided" else clean(entry["note"])
        yield f"  {_when(entry['at'])}  {what} ({who}){': ' + note if note else ''}"


def _when(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%m-%d %H:%M:%S}"
