"""Compose: a finished run becomes an answer in the person's language. Nothing is claimed that no record shows."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from surefoot.app import Answer, Block, RunView
from surefoot.texts import Text
from surefoot_campus.answer.labels import day, hours, label, named, shown
from surefoot_campus.answer.listings import booking_table, canteen_table, free_times, room_tables
from surefoot_campus.answer.timeline import booked, data_of, itinerary, room_name

_TOOLS: Mapping[str, Text] = {
    "query_schedule": Text("查课表", "Looking at the timetable"),
    "find_room": Text("找房间", "Finding a room"),
    "book_room": Text("预订房间", "Booking the room"),
    "recommend_canteen": Text("推荐食堂", "Recommending a canteen"),
    "list_canteens": Text("推荐食堂", "Recommending a canteen"),
    "list_bookings": Text("列出预约", "Listing your bookings"),
    "cancel_booking": Text("取消预约", "Cancelling the booking"),
}


def compose(view: RunView) -> Answer:
    """Return the blocks of the answer: what was done first, then the day's timeline, then what went otherwise."""
    return [block for block in _BY_STATUS.get(view.status, _failed)(view) if block.data.get("text") != ""]


def text(words: str) -> Block:
    """Return a text block."""
    return Block("text", {"text": words})


def notice(level: str, words: str) -> Block:
    """Return a notice; ``level`` is info, warning or error."""
    return Block("notice", {"level": level, "text": words})


def _say(view: RunView, zh: str, en: str) -> str:
    return Text(zh, en).say(view.lang)


def _reason(view: RunView) -> str:
    reason = view.result.get("reason")
    return Text.from_json(reason).say(view.lang) if reason else ""


def _answered(view: RunView) -> Iterator[Block]:
    yield text(_reason(view))


def _refused(view: RunView) -> Iterator[Block]:
    words = _reason(view) or _say(view, "这件事我不能办。", "I cannot do this.")
    yield notice("warning", words)


def _done(view: RunView) -> Iterator[Block]:
    yield from _headlines(view)
    if "standing_answer" in view.slots:
        yield text(Text.from_json(view.slots["standing_answer"].value).say(view.lang))
    yield from _guesses(view)
    yield from _facts(view)
    yield from _otherwise(view)


def _headlines(view: RunView) -> Iterator[Block]:
    room = booked(view)
    if room is not None:
        name = room_name(view, room)
        where = named(room.get("building_name") or room.get("building"), view.lang)
        when = f"{day(room['start'], view.lang)} {hours(room['start'], room['end'])}"
        where = "" if where in name else where
        people, number = room["party_size"], room["reservation_id"]
        heads = "1 person" if people == 1 else f"{people} people"
        zh = f"已订好{where}{name}，{when}，{people} 人，预约号 {number}。"
        en = f"Booked {name}{', ' + where if where else ''}: {when}, {heads}, reservation {number}."
        yield text(_say(view, zh, en))
    for _, record in view.by_tool("cancel_booking"):
        data = data_of(record)
        if data is not None:
            number = data["reservation_id"]
            when = f"{day(data['start'], view.lang)} {hours(data['start'], data['end'])}"
            yield text(_say(view, f"已取消预约 {number}（{when}）。", f"Cancelled reservation {number} ({when})."))


def _guesses(view: RunView) -> Iterator[Block]:
    """Say which values were guesses: confirmed on the card for a write, still open for a search."""
    for step_id, record in view.steps.items():
        if data_of(record) is None or step_id not in _ids(view):
            continue
        named = [
            _guess(view, record, name)
            for name, origin in record["provenance"].items()
            if origin["origin"] == "inferred"
        ]
        if named and record["tool"] == "book_room":
            listed = _say(view, "；", "; ").join(named)
            yield notice(
                "info", _say(view, f"以下是估计的，已经您确认：{listed}。", f"Guessed, and confirmed by you: {listed}.")
            )
        elif named and record["tool"] in ("find_room", "recommend_canteen", "list_canteens") and booked(view) is None:
            listed = _say(view, "；", "; ").join(named)
            yield notice(
                "info",
                _say(view, f"以下是估计的，不对请告诉我：{listed}。", f"Guessed; tell me if it is wrong: {listed}."),
            )


def _ids(view: RunView) -> set[str]:
    return {step.id for step in view.plan.steps} if view.plan else set()


def _guess(view: RunView, record: Mapping[str, Any], name: str) -> str:
    value = shown(name, record["input"].get(name), view.lang)
    note = record["provenance"][name].get("note")
    why = _say(view, f"（{note['zh']}）", f" ({note['en']})") if note else ""
    return f"{label(name, view.lang)} {value}{why}"


def _facts(view: RunView) -> Iterator[Block]:
    items = itinerary(view)
    if items:
        yield Block("timeline", {"items": items})
    yield from free_times(view)
    if booked(view) is None:
        yield from room_tables(view)
    yield from canteen_table(view)
    yield from booking_table(view)


def _otherwise(view: RunView, *, told: str = "") -> Iterator[Block]:
    """Say what failed, what was left out, and what was done instead; a reason already ``told`` is not repeated."""
    for step_id, record in view.steps.items():
        if step_id not in _ids(view):
            continue
        notes = {json.dumps(note, sort_keys=True): note for note in record.get("notes", [])}
        for note in notes.values():
            yield notice("info", f"{_tool(view, record)}{_colon(view)}{Text.from_json(note).say(view.lang)}")
        if record["status"] in ("empty", "refused", "failed", "timeout", "skipped", "unknown") and record.get("error"):
            why = Text.from_json(record["error"]["message"]).say(view.lang)
            others = _alternatives(view, record)
            if why == told and not others:
                continue
            zh, en = f"{_tool(view, record)}没有完成：{why}", f"{_tool(view, record)} did not work: {why}"
            yield notice("warning", _say(view, zh, en) + others)
    if "unknown_place" in view.slots:
        place = view.slots["unknown_place"].value
        zh, en = (
            f"不知道“{place}”在哪里，没有按离它近来找。",
            f"“{place}” is not a place I know; distance to it was ignored.",
        )
        yield notice("warning", _say(view, zh, en))
    for finding in view.result.get("findings") or []:
        yield notice("warning", Text.from_json(finding["text"]).say(view.lang))


def _alternatives(view: RunView, record: Mapping[str, Any]) -> str:
    found = (record.get("error") or {}).get("details", {}).get("alternatives", [])
    if not found:
        return ""
    listed = _say(view, "；", "; ").join(Text.from_json(item["label"]).say(view.lang) for item in found)
    return _say(view, f" 可以换成：{listed}。", f" Possible instead: {listed}.")


def _tool(view: RunView, record: Mapping[str, Any]) -> str:
    name = record["tool"]
    return _TOOLS[name].say(view.lang) if name in _TOOLS else name


def _colon(view: RunView) -> str:
    return _say(view, "：", ": ")


def _declined(view: RunView) -> Iterator[Block]:
    yield text(_say(view, "好的，这一步没有办理。", "All right, this was not done."))
    yield from _kept(view)
    yield from _facts(view)


def _kept(view: RunView) -> Iterator[Block]:
    """Say of every write of the run whether it was taken back or stands."""
    undone = {item["effect_id"]: item["state"] for item in view.result.get("undone") or []}
    said = False
    for record in view.steps.values():
        effect = record.get("effect_id")
        if not effect or data_of(record) is None:
            continue
        said = True
        what = _effect(view, record)
        if undone.get(effect) == "compensated":
            yield notice("info", _say(view, f"已撤销：{what}。", f"Taken back: {what}."))
        elif effect in undone:
            yield notice("error", _say(view, f"没有撤销干净：{what}。", f"Could not be taken back: {what}."))
        else:
            yield notice("info", _say(view, f"保留：{what}。", f"Kept: {what}."))
    if not said:
        yield notice(
            "info",
            _say(
                view, "没有产生任何预约，原有的预约都没有动。", "No booking was made; existing ones are as they were."
            ),
        )


def _effect(view: RunView, record: Mapping[str, Any]) -> str:
    arguments = _say(view, "，", ", ").join(
        f"{label(name, view.lang)} {shown(name, value, view.lang)}" for name, value in record["input"].items()
    )
    return f"{_tool(view, record)}（{arguments}）" if view.lang == "zh" else f"{_tool(view, record)} ({arguments})"


def _undone(view: RunView) -> Iterator[Block]:
    yield notice("error", _say(view, f"没有办成：{_reason(view)}", f"This did not work: {_reason(view)}"))
    yield from _kept(view)
    yield from _otherwise(view)


def _failed(view: RunView) -> Iterator[Block]:
    why = _reason(view) or _say(view, "没有办成，也没有改动任何东西。", "It did not work; nothing was changed.")
    yield notice("error", _say(view, f"没有办成：{why}", f"This did not work: {why}"))
    yield from _kept(view)
    yield from _facts(view)
    yield from _otherwise(view, told=why)


def _handed_over(view: RunView) -> Iterator[Block]:
    ticket = view.ticket or {}
    number = ticket.get("ticket_id", "")
    zh = f"这件事已转给工作人员，工单号 {number}。{_reason(view)}"
    en = f"This was handed over to a person, ticket {number}. {_reason(view)}"
    yield notice("error", _say(view, zh, en))
    words = (
        (
            "unknown",
            "还不清楚是否办成（请先不要重复办理）",
            "Still unknown whether done (please do not do it again yet)",
        ),
        ("done", "已办成", "Done"),
        ("undone", "已撤销", "Taken back"),
        ("residue", "没有撤销干净", "Could not be taken back"),
    )
    for key, zh, en in words:
        for item in ticket.get(key, []):
            what = _effect(view, {"tool": item["tool"], "input": item["arguments"]})
            yield notice(
                "warning" if key in ("unknown", "residue") else "info", _say(view, f"{zh}：{what}。", f"{en}: {what}.")
            )


def _dry_run(view: RunView) -> Iterator[Block]:
    yield notice(
        "info",
        _say(
            view, "试运行：只查询和检查，没有写入任何东西。", "Dry run: looked and checked only; nothing was written."
        ),
    )
    for _, record in view.by_tool("book_room"):
        if record["status"] == "dry_run":
            what = _effect(view, record)
            yield text(_say(view, f"会请您确认：{what}。", f"You would be asked to confirm: {what}."))
    yield from _guesses(view)
    yield from _facts(view)
    yield from _otherwise(view)


_BY_STATUS: Mapping[str, Callable[[RunView], Iterator[Block]]] = {
    "done": _done,
    "answered": _answered,
    "refused": _refused,
    "declined": _declined,
    "undone": _undone,
    "handed_over": _handed_over,
    "failed": _failed,
    "dry_run": _dry_run,
}
