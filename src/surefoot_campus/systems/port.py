"""The port to a campus: what the tools may ask and do. Every value is JSON-native.

Times are ISO 8601 with offset in campus time; intervals are half-open.
"""

from collections.abc import Sequence
from typing import Any, Protocol

Record = dict[str, Any]
METHODS = ("profile", "person", "lessons", "taught", "bookings", "book", "find", "cancel", "crowding")
"""The port's methods by name, as they are served over HTTP and named in faults."""


class Campus(Protocol):
    """A campus' systems. Implementations raise surefoot's ToolError family and nothing else of their own."""

    async def profile(self) -> Record:
        """Return what seldom changes: name, timezone, currency, term {start, weeks}, periods, double_periods, zones,
        policy, holidays, makeup, buildings, walks, rooms, canteens, crowding (typical, by time of day), notices.
        """

    async def person(self, user_id: str) -> Record:
        """Return ``{"user_id", "role", "may_book"}``; somebody unknown is a visitor."""

    async def lessons(self, user_id: str) -> Sequence[Record]:
        """Return a person's weekly lessons: course, weekday, periods, weeks (or ``None``: unknown), room_id."""

    async def taught(self) -> Sequence[Record]:
        """Return every lesson that occupies a bookable room: room_id, weekday, periods, weeks."""

    async def bookings(self, start: str, end: str, user_id: str | None = None) -> Sequence[Record]:
        """Return the active bookings that overlap [start, end), of one person when ``user_id`` is given."""

    async def book(self, booking: Record) -> Record:
        """Store a booking: room_id, user_id, start, end, party_size, purpose, request_key.

        The same key with the same body returns the booking that is there.

        Raises:
            BusinessRefused: ``details.reason`` says why: ``room_conflict`` (taken then), ``key_reused`` (the key was
                used for something else, or for a booking that was cancelled), ``no_such_room``.
        """

    async def crowding(self) -> Sequence[Record]:
        """Return the last head count of each canteen that has one: canteen_id, level (0..1), at (when counted)."""

    async def find(self, user_id: str, request_key: str | None, reservation_id: str | None) -> Sequence[Record]:
        """Return a person's active bookings with this key or this number."""

    async def cancel(self, user_id: str, reservation_id: str) -> Record:
        """Cancel a booking of one's own; a cancelled one stays cancelled.

        Raises:
            BusinessRefused: there is no such booking of this person's.
        """
