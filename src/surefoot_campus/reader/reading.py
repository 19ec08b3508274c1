"""A reading: what a sentence asks for, in tasks and slots, each value with its place and origin."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot.planning.plan import Origin
from surefoot.texts import Text

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A value read from the sentence. ``span`` is half open in the normalised text, ``None`` for a guess.

    ``origin`` is ``said`` or ``inferred``; an inferred value carries ``note``, which says why.
    """

    value: Any
    span: Span | None = None
    origin: Origin = "said"
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What one sentence asks for.

    ``tasks`` in order: query_schedule, find_room, book_room, recommend_canteen, list_bookings, cancel_booking,
    static_answer, refuse, handoff, out_of_scope, or clarify alone when nothing can be done yet (then ``intended``
    holds what is behind it). ``slots``: dates as ``YYYY-MM-DD``, clock times as ``HH:MM``, lengths in minutes,
    prices in yuan. ``optional`` are tasks the sentence does not insist on. ``clarify`` names the slots that are
    essential and open. ``problem`` is an impossible time in words; with ``day_problem`` only its day is asked for.
    ``refusal`` says why the matter is not for this assistant. ``free_start``: the start may be chosen for the
    person; ``delegated``: the whole arrangement was left to us; ``after_classes``: from the end of the last class;
    ``meal_only``: slots said of the meal alone. ``reasons`` explain the reading; ``leftovers`` are requests that
    were not understood.
    """

    text: str
    tasks: tuple[str, ...] = ()
    slots: Mapping[str, Found] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    clarify: tuple[str, ...] = ()
    intended: tuple[str, ...] = ()
    refusal: Text | None = None
    problem: Text | None = None
    day_problem: bool = False
    confirm_first: bool = False
    free_start: bool = False
    delegated: bool = False
    after_classes: bool = False
    meal_first: bool = False
    reschedule: bool = False
    topic: str | None = None
    meal_only: frozenset[str] = frozenset()
    reasons: tuple[Text, ...] = ()
    leftovers: tuple[str, ...] = ()

    def value(self, slot: str, default: Any = None) -> Any:
        """Return the value of a slot, or ``default``."""
        found = self.slots.get(slot)
        return default if found is None else found.value

    def to_json(self) -> dict[str, Any]:
        """Return tasks, slots as bare values (not those of a booking that is moved), and what to ask, JSON-native."""
        return {
            "tasks": list(self.tasks),
            "slots": {name: found.value for name, found in self.slots.items() if not name.startswith("old_")},
            "optional_tasks": list(self.optional),
            "clarify": list(self.clarify),
            "confirm_first": self.confirm_first,
        }
