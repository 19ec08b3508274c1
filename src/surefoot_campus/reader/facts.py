"""What reader and guards look up before anything is planned. Reads only, through the campus systems' own port."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from surefoot.language import Calendar
from surefoot.texts import Text
from surefoot_campus.reader.places import Places

Booking = Mapping[str, Any]
"""A booking of one's own: reservation_id, room_id, room_name, start, end (ISO 8601), party_size."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """A time in which the booking system takes no bookings, and why."""

    start: datetime
    end: datetime
    text: Text


async def _nobody(user_id: str) -> list[Booking]:
    return []


async def _anybody(user_id: str) -> bool:
    return True


@dataclass(frozen=True)
class Facts:
    """One campus as the reader sees it.

    ``bookings(user_id)`` returns the active bookings of one user, ``may_book(user_id)`` whether they may book at
    all. ``days_ahead`` is how far ahead one may book; ``canteens`` are (name, opening hours).
    ``answers`` are the campus' own answers to standing questions, by topic; they replace the general ones.
    """

    calendar: Calendar
    places: Places = field(default_factory=Places)
    bookings: Callable[[str], Awaitable[Sequence[Booking]]] = _nobody
    may_book: Callable[[str], Awaitable[bool]] = _anybody
    maintenance: tuple[Maintenance, ...] = ()
    days_ahead: int | None = None
    canteens: tuple[tuple[Text, str], ...] = ()
    answers: Mapping[str, Text] = field(default_factory=dict)


LookUp = Callable[[Any], Awaitable[Facts]]
"""``async def look_up(systems) -> Facts``."""
