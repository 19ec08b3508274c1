"""Every tool of the campus, as the registry wants them."""

from surefoot.contracts import Tool
from surefoot_campus.tools.bookings import book_room, cancel_booking, find_booking, list_bookings
from surefoot_campus.tools.canteens import list_canteens, recommend_canteen
from surefoot_campus.tools.rooms import find_room
from surefoot_campus.tools.schedule import query_schedule

TOOLS: list[Tool] = [
    book_room,
    cancel_booking,
    find_booking,
    find_room,
    list_bookings,
    list_canteens,
    query_schedule,
    recommend_canteen,
]
