"""Choice rules of the reader: a start after the last class, and the best room within what the person ruled out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from surefoot.planning.binding import Choice, Choosing, Chosen
from surefoot.texts import Text
from surefoot_campus.reader.habits import by_habit


def after_last_class(choosing: Choosing) -> Chosen | None:
    """Return the end of the last class of the first day looked at; without classes, the start of the search."""
    fallback = choosing.slots.get("start")
    ends = sorted(lesson["end"] for day in list(_days(choosing))[:1] for lesson in day["classes"])
    if not ends:
        why = Text("当天没有课，从最早的时间找起", "no classes that day; searched from the earliest time")
        return Chosen(fallback.value, why) if fallback else None
    latest = max(datetime.fromisoformat(ends[-1]), choosing.now)
    return Chosen(latest.isoformat(), Text("最后一节课下课的时间", "the end of the last class"))


def _days(choosing: Choosing) -> Iterator[Mapping[str, Any]]:
    for envelope in choosing.results.values():
        yield from (envelope.get("data") or {}).get("days", [])


def minding(choices: Mapping[str, Choice]) -> dict[str, Choice]:
    """Wrap the room choices: rooms in a zone the person ruled out are not seen, and a guessed length stays a guess."""
    return {
        name: _minding(name, choice) if name.startswith("best_room") else choice for name, choice in choices.items()
    }


def _minding(name: str, choice: Choice) -> Choice:
    def choose(choosing: Choosing) -> Chosen | None:
        chosen = choice(by_habit(_allowed(choosing)))
        length = choosing.slots.get("duration_min")
        if chosen is None or name != "best_room_end" or length is None or length.origin != "inferred":
            return chosen
        note = Text.from_json(length.note) if length.note else chosen.why
        return Chosen(chosen.value, note, "inferred")

    return choose


def _allowed(choosing: Choosing) -> Choosing:
    ruled_out = choosing.slots.get("zone_not")
    if ruled_out is None:
        return choosing
    results = {step: _without_zone(envelope, ruled_out.value) for step, envelope in choosing.results.items()}
    return replace(choosing, results=results)


def _without_zone(envelope: Mapping[str, Any], zone: str) -> Mapping[str, Any]:
    data = envelope.get("data") or {}
    if "rooms" not in data:
        return envelope
    return {**envelope, "data": {**data, "rooms": [room for room in data["rooms"] if room.get("zone") != zone]}}


CHOICES: Mapping[str, Choice] = {"after_last_class": after_last_class}
