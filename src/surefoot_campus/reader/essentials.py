"""What is essential: which slots must be asked for before the tasks of a reading can be done."""

from dataclasses import dataclass, replace

from surefoot_campus.reader.places import NEARBY
from surefoot_campus.reader.reading import Reading

_ROOM = {"find_room", "book_room"}


@dataclass(frozen=True, slots=True)
class Doubts:
    """What the sentence itself leaves open.

    ``day``: two days, or one that cannot be; ``which_days``: some days of a span; ``time``: a time that cannot be;
    ``size``: the number of people.
    """

    day: bool = False
    which_days: bool = False
    time: bool = False
    size: bool = False

    @property
    def dropped(self) -> frozenset[str]:
        """Slots that must not be kept as if they were certain."""
        names = {"date"} if self.day else {"dates"} if self.which_days else set()
        return frozenset(names | ({"start", "end", "time_kind"} if self.time else set()))


def missing(reading: Reading, doubts: Doubts | None = None) -> Reading:
    """Return the reading with ``clarify`` filled in.

    A search needs a day. A booking needs a day, a start (unless it may be chosen) and a length. The number of
    people is essential only where the sentence itself leaves it open. A canteen "nearby" needs to know near what.
    """
    doubts = doubts or Doubts()
    slots = {name: found for name, found in reading.slots.items() if name not in doubts.dropped}
    reading = replace(reading, slots=slots)
    wanted = ["start", "end"] if doubts.time else []
    wanted += [*_day(reading, doubts), *(name for name in _booking(reading) if name not in wanted)]
    if doubts.size:
        wanted.append("party_size")
    tasks = reading.tasks
    if tasks == ("recommend_canteen",) and NEARBY.search(reading.text) and not _anchored(reading):
        wanted.append("near")
    undated = "date" in wanted and "dates" not in slots and not doubts.which_days
    stuck = doubts.time or (bool(_ROOM & set(tasks)) and (undated or doubts.day or doubts.size))
    if stuck:
        return replace(reading, tasks=("clarify",), intended=tasks, clarify=tuple(wanted))
    return replace(reading, clarify=tuple(wanted))


def _anchored(reading: Reading) -> bool:
    return bool({"near", "zone"} & reading.slots.keys())


def _day(reading: Reading, doubts: Doubts) -> list[str]:
    if not _ROOM & set(reading.tasks):
        return []
    dated = {"date", "dates"} & reading.slots.keys()
    return ["date"] if doubts.day or doubts.which_days or not (dated or reading.after_classes) else []


def _booking(reading: Reading) -> list[str]:
    if "book_room" not in reading.tasks or reading.confirm_first:
        return []
    wanted = []
    started = "start" in reading.slots and reading.value("time_kind") != "window"
    if not (started or reading.free_start):
        wanted.append("start")
    exact = "end" in reading.slots and reading.value("time_kind") in ("exact", "before")
    if not (exact or "duration_min" in reading.slots or reading.delegated):
        wanted.append("duration_min")
    return wanted
