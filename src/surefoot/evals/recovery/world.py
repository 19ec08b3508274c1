"""The travel world: what was really ordered, paid and is left. Only payments and prints know our keys."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot.contracts.tool import Tool, ToolContext
from surefoot.errors import BusinessEmpty, BusinessRefused, ErrorCode, ToolError
from surefoot.texts import Text

LIMIT = 900
PURSE = 5000
SEATS = 9
FULL = "The house is full."
READS = frozenset({"flights", "hotels", "fare", "fare_listed", "weather", "find", "payments"})
ASKED_BACK = frozenset({"find", "payments"})
"""Reads that contracts name under ``reconcile``."""

STANDS_FOR: Mapping[str, str] = {"rent_car_elsewhere": "rent_car"}
"""A fallback does the same thing as the tool it stands for: both together are one too many."""


@dataclass
class World:
    """What exists: records with a kind and their fields, money, and seats.

    ``full`` names what is sold out, ``instead`` what is offered in its place; ``purse`` is the money at first and
    ``stock`` the seats of a flight at first (9 without an entry). ``done`` lists every order that was ever carried out.
    """

    full: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict)
    purse: int = PURSE
    stock: Mapping[str, int] = field(default_factory=dict)
    records: list[dict[str, Any]] = field(default_factory=list)
    done: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, dict[str, Any]] = field(default_factory=dict)
    money: int = field(init=False)
    taken: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.money = self.purse

    def add(self, kind: str, *, key: str | None = None, **fields: Any) -> dict[str, Any]:
        """Carry out an order and return its id; one whose key is known already is not carried out again.

        Raises:
            BusinessRefused: sold out, no seat left, or not enough money.
        """
        if key is not None and key in self.keys:
            return self.keys[key]
        self._refuse(kind, fields)
        record = {"record_id": f"{kind}-{len(self.done) + 1}", "kind": kind, **fields}
        self.records.append(record)
        self.done.append(record)
        if kind == "pay":
            self.money -= fields["amount"]
        if kind == "book_flight":
            self.taken[fields["flight"]] += 1
        made = {"record_id": record["record_id"]}
        if key is not None:
            self.keys[key] = made
        return made

    def _refuse(self, kind: str, fields: Mapping[str, Any]) -> None:
        wanted = next((fields[name] for name in ("hotel", "flight", "seat") if fields.get(name) in self.full), None)
        if wanted is not None:
            other = self.instead.get(wanted)
            label = Text(str(other), str(other)).to_json()
            offers = [{"label": label, "changes": {"hotel": other}}] if other else []
            raise BusinessRefused(Text("已经满了。", FULL), details={"alternatives": offers})
        if kind == "book_flight" and self.taken[fields["flight"]] >= self.stock.get(fields["flight"], SEATS):
            raise BusinessRefused(Text("没有座位了。", "No seat is left."))
        if kind == "pay" and fields["amount"] > min(LIMIT, self.money):
            raise BusinessRefused(Text("钱不够或超过限额。", "Not enough money, or more than the limit."))

    def remove(self, record_id: str) -> bool:
        """Take an order back, with its money or its seat; return whether it was there."""
        record = next((one for one in self.records if one["record_id"] == record_id), None)
        if record is None:
            return False
        self.records.remove(record)
        if record["kind"] == "pay":
            self.money += record["amount"]
        if record["kind"] == "book_flight":
            self.taken[record["flight"]] -= 1
        return True

    def find(self, **wanted: Any) -> list[dict[str, Any]]:
        """Return the records that agree in every given field."""
        given = {name: value for name, value in wanted.items() if value is not None}
        return [record for record in self.records if given.items() <= record.items()]

    def balanced(self) -> bool:
        """Return whether money and seats agree with the records that stand."""
        paid = sum(record["amount"] for record in self.find(kind="pay"))
        seats = Counter(record["flight"] for record in self.find(kind="book_flight"))
        return self.money + paid == self.purse and seats == +self.taken

    def too_many(self) -> int:
        """Return how many orders were carried out beyond the first of the same content, also those taken back later."""
        return _beyond_the_first(self.done)

    def twice(self) -> int:
        """Return how many orders stand beyond the first of the same content."""
        return _beyond_the_first(self.records)


def _beyond_the_first(records: list[dict[str, Any]]) -> int:
    same = Counter(tuple(sorted(_content(record).items())) for record in records)
    return sum(count - 1 for count in same.values())


def _content(record: Mapping[str, Any]) -> dict[str, Any]:
    kind = STANDS_FOR.get(record["kind"], record["kind"])
    return {**{name: value for name, value in record.items() if name != "record_id"}, "kind": kind}


def _world(ctx: ToolContext) -> World:
    world: World = ctx.systems[ctx.user_id].world
    return world


async def flights(route: str, cabin: str | None = None, *, ctx: ToolContext) -> dict[str, Any]:
    """Look for flights; there is no first class anywhere."""
    if route.endswith("nowhere") or cabin == "first":
        raise BusinessEmpty(Text("没有航班。", "There is no flight."))
    price = 100 + len(route)
    early = {"flight": f"E-{route}", "price": price - 30}
    return {"flight": f"F-{route}", "price": price, "options": [{"flight": f"F-{route}", "price": price}, early]}


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
    """Pay an order. The bank keeps our key."""
    return _world(ctx).add("pay", key=ctx.idempotency_key, order=order, amount=amount)


async def reserve_seat(flight: str, seat: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Reserve a seat on the map."""
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


async def print_tickets(flight: str, paper: str | None = None, *, ctx: ToolContext) -> dict[str, Any]:
    """Print the tickets; which paper must be said. The printer keeps our key."""
    if paper is None:
        text = Text("要说明用什么纸。", "Which paper?")
        raise ToolError(ErrorCode.TOOL_INPUT_INVALID, text.en, text=text, details={"parameter": "paper"})
    return _world(ctx).add("print_tickets", key=ctx.idempotency_key, flight=flight, paper=paper)


async def cancel(record_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Cancel a booking; what is gone already is fine."""
    _world(ctx).remove(record_id)
    return {"record_id": record_id}


async def refund(record_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Pay money back, once: without such a payment the bank says no."""
    if not _world(ctx).remove(record_id):
        raise BusinessRefused(Text("没有这笔付款。", "There is no such payment."))
    return {"record_id": record_id}


async def find(
    kind: str | None = None,
    record_id: str | None = None,
    flight: str | None = None,
    passenger: str | None = None,
    hotel: str | None = None,
    guest: str | None = None,
    seat: str | None = None,
    city: str | None = None,
    driver: str | None = None,
    member: str | None = None,
    points: int | None = None,
    person: str | None = None,
    words: str | None = None,
    paper: str | None = None,
    *,
    ctx: ToolContext,
) -> dict[str, Any]:
    """Look up what was ordered."""
    return {
        "records": _world(ctx).find(
            kind=kind, record_id=record_id, flight=flight, passenger=passenger, hotel=hotel, guest=guest, seat=seat,
            city=city, driver=driver, member=member, points=points, person=person, words=words, paper=paper,
        )
    }  # fmt: skip


async def payments(
    record_id: str | None = None, order: str | None = None, amount: int | None = None, *, ctx: ToolContext
) -> dict[str, Any]:
    """Look up what was paid."""
    return {"records": _world(ctx).find(kind="pay", record_id=record_id, order=order, amount=amount)}


TOOLS: tuple[Tool, ...] = (
    flights, hotels, fare, fare_listed, weather, book_flight, book_hotel, pay, reserve_seat, rent_car,
    rent_car_elsewhere, add_points, notify, print_tickets, cancel, refund, find, payments,
)  # fmt: skip
