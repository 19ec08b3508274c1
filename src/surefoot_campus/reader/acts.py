"""Acts: what a clause does, from verb, object and qualifier together."""

from dataclasses import dataclass

from surefoot_campus.reader.clauses import Clause
from surefoot_campus.reader.cues import says, spots, without


@dataclass(frozen=True, slots=True)
class Acts:
    """What one clause says. ``room``: strong (a room or place is named), weak (only an activity), or ``None``.

    ``book`` is a wish to reserve, ``booked`` speaks of an earlier reservation, ``background`` reports something
    that only explains the rest (a class was moved).
    """

    room: str | None = None
    meal: bool = False
    schedule: bool = False
    asked: bool = False
    book: bool = False
    listing: bool = False
    cancel: bool = False
    move: bool = False
    background: bool = False

    @property
    def manages(self) -> bool:
        """Whether the clause is about bookings that exist."""
        return self.listing or self.cancel or self.move

    @property
    def silent(self) -> bool:
        """Whether the clause does nothing by itself (a time, a number, a wish)."""
        return not (self.room or self.meal or self.schedule or self.book or self.manages or self.background)


def acts_of(clause: Clause) -> Acts:
    """Return what a clause does. Negated wishes (不用吃饭, no need to book) do nothing."""
    text = clause.text
    background = says("class_moved", text)
    moved = says("move", text) and not background
    cancelled = says("cancel", text) and not background
    listing = says("list", text) and not cancelled
    meal = _wanted("meal", without("meal_as_time", text)) and not says("foreign", text)
    book = _books(text, listing=listing)
    return Acts(
        room=_room(text, meal=meal, background=background) if not listing else None,
        meal=meal and not listing,
        schedule=_schedule(text),
        asked=says("schedule_asked", text) and not background,
        book=book,
        listing=listing,
        cancel=(cancelled and not says("list", text)) or (cancelled and not listing),
        move=moved,
        background=background,
    )


def _wanted(cue: str, text: str) -> bool:
    return any(not says("negated", text[max(0, spot.start() - 10) : spot.start()]) for spot in spots(cue, text))


def _books(text: str, *, listing: bool) -> bool:
    rest = without("confirm_first", without("not_book", text))
    if listing and not says("for_me", text):
        return False
    if says("may_book", rest) and not says("for_me", rest):
        return False
    if says("booked_before", rest) and not says("right_away", rest):
        return False
    return says("book", rest)


def _room(text: str, *, meal: bool, background: bool) -> str | None:
    if background:
        return None
    if _wanted("room", text):
        return "strong"
    activity = says("activity", without("activity_as_time", text))
    if says("place", text) and activity:
        return "strong"
    if says("place", text) and not meal:
        return "weak"
    return "weak" if activity else None


def _schedule(text: str) -> bool:
    return says("schedule", without("not_schedule", without("schedule_of_others", text)))
