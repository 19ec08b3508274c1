"""The travel world: what was really ordered, and the tools over it. It knows no keys: a second call orders twice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot.contracts.tool import Tool, ToolContext
from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot.texts import Text

LIMIT = 900
FULL = "The house is full."


@dataclass
class World:
    """What exists: records with a kind and their fields. ``full`` names hotels and flights that are sold out."""

    records: list[dict[str, Any]] = field(default_factory=list)
    full: frozenset[str] = frozenset()
    made: int = 0

    def add(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Make a record and return its id."""
        if fields.get("hotel") in self.full or fields.get("flight") in self.full or fields.get("seat") in self.full:
            raise BusinessRefused(Text("已经满了。", FULL))
        self.made += 1
        record = {"record_id": f"{kind}-{self.made}", "kind": kind, **fields}
        self.records.append(record)
        return {"record_id": record["record_id"]}

    def find(self, **wanted: Any) -> list[dict[str, Any]]:
        """Return the records that agree in every given field."""
        given = {name: value for name, value in wanted.items() if value is not None}
        return [record for record in self.records if given.items() <= record.items()]


def _world(ctx: ToolContext) -> World:
    worlds: Mapping[str, World] = ctx.systems
    return worlds[ctx.user_id]


async def flights(route: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Look for a flight."""
    if route.endswith("nowhere"):
        raise BusinessEmpty(Text("没有航班。", "There is no flight."))
    return {"flight": f"F-{route}", "price": 100 + len(route)}


async def hotels(city: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Look for a hotel."""
    return {"hotel": f"H-{city}", "price": 80 + len(city)}


async def fare(flight: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Ask for the fare."""
    return {"amount": 100 + len(flight)}


async def fare_listed(flight: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Look the fare up in the list."""
    return {"amount": 100 + len(flight)}


async def weather(city: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Ask for the weather."""
    return {"sky": "clear"}


async def book_flight(flight: str, passenger: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Book a flight."""
    return _world(ctx).add("book_flight", flight=flight, passenger=passenger)


async def book_hotel(hotel: str, guest: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Book a hotel."""
    return _world(ctx).add("book_hotel", hotel=hotel, guest=guest)


async def pay(order: str, amount: int, *, ctx: ToolContext) -> dict[str, Any]:
    """Pay an order."""
    if amount > LIMIT:
        raise BusinessRefused(Text("超过限额。", "More than the limit."))
    return _world(ctx).add("pay", order=order, amount=amount)


async def reserve_seat(flight: str, seat: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Reserve a seat."""
    return _world(ctx).add("reserve_seat", flight=flight, seat=seat)


async def rent_car(city: str, driver: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Rent a car."""
    return _world(ctx).add("rent_car", city=city, driver=driver)


async def rent_car_elsewhere(city: str, driver: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Rent a car from the other firm."""
    return _world(ctx).add("rent_car_elsewhere", city=city, driver=driver)


async def add_points(member: str, points: int, *, ctx: ToolContext) -> dict[str, Any]:
    """Add loyalty points."""
    return _world(ctx).add("add_points", member=member, points=points)


async def notify(person: str, words: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Send a message."""
    return _world(ctx).add("notify", person=person, words=words)


async def cancel(record_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Cancel what was ordered."""
    world = _world(ctx)
    world.records = [record for record in world.records if record["record_id"] != record_id]
    return {"record_id": record_id}


async def find(
    kind: str | None = None,
    record_id: str | None = None,
    flight: str | None = None,
    passenger: str | None = None,
    hotel: str | None = None,
    guest: str | None = None,
    order: str | None = None,
    amount: int | None = None,
    seat: str | None = None,
    city: str | None = None,
    driver: str | None = None,
    member: str | None = None,
    points: int | None = None,
    person: str | None = None,
    words: str | None = None,
    *,
    ctx: ToolContext,
) -> dict[str, Any]:
    """Look up what was ordered."""
    return {
        "records": _world(ctx).find(
            kind=kind, record_id=record_id, flight=flight, passenger=passenger, hotel=hotel, guest=guest, order=order,
            amount=amount, seat=seat, city=city, driver=driver, member=member, points=points, person=person,
            words=words,
        )
    }  # fmt: skip


TOOLS: tuple[Tool, ...] = (
    flights, hotels, fare, fare_listed, weather, book_flight, book_hotel, pay, reserve_seat, rent_car,
    rent_car_elsewhere, add_points, notify, cancel, find,
)  # fmt: skip
