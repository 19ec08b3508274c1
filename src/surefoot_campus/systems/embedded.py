"""The embedded campus: one SQLite file of its own, apart from Surefoot's."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from surefoot.errors import BusinessRefused, ErrorCode, NotSent, ToolError
from surefoot.texts import Text
from surefoot_campus.systems.port import Record

T = TypeVar("T")
BODY = ("room_id", "user_id", "start", "end", "party_size", "purpose")
SCHEMA_VERSION = 2
LARGEST_NUMBER = 2**63 - 1
REFUSALS = {"room_conflict": "room_conflict", "FOREIGN KEY": "no_such_room", "CHECK": "impossible"}
"""How the database says no, and our word for it."""
REASONS = {
    "room_conflict": Text("这间房在这段时间刚被别人订走了。", "The room has just been taken for that time."),
    "no_such_room": Text("没有这间房。", "There is no such room."),
    "impossible": Text("结束时间要晚于开始时间。", "The end must be later than the start."),
}


class EmbeddedCampus:
    """The port on SQLite. Every call is one transaction in the file's own thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="campus-db")
        self._connection: sqlite3.Connection | None = None
        self._profile: Record | None = None

    async def profile(self) -> Record:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        if self._profile is None:
            self._profile = await self._run(_profile)
        return self._profile

    async def person(self, user_id: str) -> Record:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        row = await self._one("SELECT role, may_book FROM person WHERE user_id = ?", user_id)
        role, may_book = row if row is not None else ("visitor", 0)
        return {"user_id": user_id, "role": role, "may_book": bool(may_book)}

    async def lessons(self, user_id: str) -> list[Record]:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        return await self._run(lambda connection: _lessons(connection, "WHERE user_id = ?", user_id))

    async def taught(self) -> list[Record]:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        where = "WHERE room_id IN (SELECT room_id FROM room)"
        return await self._run(lambda connection: _lessons(connection, where))

    async def bookings(self, start: str, end: str, user_id: str | None = None) -> list[Record]:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        query = (
            "SELECT * FROM booking WHERE status = 'booked' AND start < ? AND ? < \"end\""
            " AND (? IS NULL OR user_id = ?) ORDER BY start"
        )
        return await self._bookings(query, _seconds(end), _seconds(start), user_id, user_id)

    async def book(self, booking: Record) -> Record:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        zone = await self._zone()
        row = {**{name: booking[name] for name in BODY}, "request_key": booking.get("request_key")}
        row |= {"start": _seconds(booking["start"]), "end": _seconds(booking["end"])}
        try:
            return _shown(await self._run(lambda connection: _book(connection, row)), zone)
        except sqlite3.IntegrityError as error:
            reason = next((reason for sign, reason in REFUSALS.items() if sign in str(error)), None)
            if reason is None:
                raise ToolError(ErrorCode.TOOL_UNAVAILABLE, f"the campus database failed: {error}") from error
            raise BusinessRefused(REASONS[reason], details={"reason": reason}) from error

    async def crowding(self) -> list[Record]:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        zone, query = await self._zone(), "SELECT * FROM head_count ORDER BY canteen_id"
        rows = await self._run(lambda connection: [dict(row) for row in connection.execute(query)])
        return [{**row, "at": datetime.fromtimestamp(row["at"], zone).isoformat()} for row in rows]

    async def find(self, user_id: str, request_key: str | None, reservation_id: str | None) -> list[Record]:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        query = (
            "SELECT * FROM booking WHERE status = 'booked' AND user_id = ?"
            " AND (? IS NULL OR request_key = ?) AND (? IS NULL OR number = ?) ORDER BY number"
        )
        number = _number(reservation_id) if reservation_id else None
        return await self._bookings(query, user_id, request_key, request_key, number, number)

    async def cancel(self, user_id: str, reservation_id: str) -> Record:
        """See :class:`surefoot_campus.systems.port.Campus`."""
        number, zone = _number(reservation_id), await self._zone()
        row = await self._run(lambda connection: _cancel(connection, user_id, number))
        if row is None:
            text = Text(f"您没有编号为 {reservation_id} 的预约。", f"You have no booking {reservation_id}.")
            raise BusinessRefused(text, details={"reason": "not_found"})
        return _shown(row, zone)

    async def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            connection = self._connection
            await asyncio.get_running_loop().run_in_executor(self._thread, connection.close)
        self._thread.shutdown(wait=True)

    async def _bookings(self, query: str, *values: Any) -> list[Record]:
        zone = await self._zone()
        rows = await self._run(lambda connection: [dict(row) for row in connection.execute(query, values)])
        return [_shown(row, zone) for row in rows]

    async def _one(self, query: str, *values: Any) -> Any:
        return await self._run(lambda connection: connection.execute(query, values).fetchone())

    async def _zone(self) -> ZoneInfo:
        return ZoneInfo((await self.profile())["timezone"])

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transaction, work)

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._connection is None:
            self._connection = _connect(self._path)
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise NotSent(f"the campus database is busy: {error}") from error
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException as error:
            # A failed COMMIT may have rolled back already; what stays open would block every later call.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error) and not isinstance(error, sqlite3.IntegrityError):
                raise ToolError(ErrorCode.TOOL_UNAVAILABLE, f"the campus database failed: {error}") from error
            raise
        return result


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise NotSent(f"there is no campus at {path.name}; make one: surefoot campus init")
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        connection.close()
        raise NotSent(f"{path.name} cannot be opened: {error}") from error
    if version != SCHEMA_VERSION:
        connection.close()
        raise NotSent(f"{path.name} is no campus of this version; make one: surefoot campus init --force")
    return connection


def _profile(connection: sqlite3.Connection) -> Record:
    profile = {row["key"]: json.loads(row["value"]) for row in connection.execute("SELECT * FROM profile")}
    profile["rooms"] = [json.loads(row["record"]) for row in connection.execute("SELECT record FROM room")]
    return profile


def _lessons(connection: sqlite3.Connection, where: str, *values: Any) -> list[Record]:
    rows = connection.execute(f"SELECT * FROM lesson {where} ORDER BY weekday, periods", values)
    return [
        {
            "course": row["course"],
            "weekday": row["weekday"],
            "periods": json.loads(row["periods"]),
            "weeks": json.loads(row["weeks"]) if row["weeks"] else None,
            "building": row["building"],
            "room_id": row["room_id"],
        }
        for row in rows
    ]


def _book(connection: sqlite3.Connection, row: Record) -> Record:
    key = row["request_key"]
    known = connection.execute("SELECT * FROM booking WHERE request_key = ?", (key,)).fetchone() if key else None
    if known is not None:
        if any(known[name] != row[name] for name in BODY):
            text = Text("这个请求号已经用在另一个预约上。", "This request key was used for another booking.")
            raise BusinessRefused(text, details={"reason": "key_reused"})
        if known["status"] != "booked":
            # A request that arrives late must not bring back what was cancelled meanwhile.
            text = Text("这个请求的预约已经取消。", "The booking of this request was cancelled.")
            raise BusinessRefused(text, details={"reason": "key_reused"})
        return dict(known)
    made = connection.execute(
        'INSERT INTO booking (room_id, user_id, start, "end", party_size, purpose, request_key, status)'
        " VALUES (:room_id, :user_id, :start, :end, :party_size, :purpose, :request_key, 'booked') RETURNING *",
        row,
    )
    return dict(made.fetchone())


def _cancel(connection: sqlite3.Connection, user_id: str, number: int) -> Record | None:
    row = connection.execute(
        "UPDATE booking SET status = 'cancelled' WHERE number = ? AND user_id = ? RETURNING *", (number, user_id)
    ).fetchone()
    return dict(row) if row is not None else None


def _shown(row: Record, zone: ZoneInfo) -> Record:
    shown = {name: row[name] for name in ("room_id", "user_id", "party_size", "purpose", "request_key", "status")}
    times = {name: datetime.fromtimestamp(row[name], zone).isoformat() for name in ("start", "end")}
    return {"reservation_id": f"BK-{row['number']:04d}", **shown, **times}


def _seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def _number(reservation_id: str) -> int:
    digits = reservation_id.upper().removeprefix("BK-")
    number = int(digits) if digits.isdecimal() and len(digits) < 20 else -1
    return number if number <= LARGEST_NUMBER else -1


@asynccontextmanager
async def open_embedded(path: Path) -> AsyncIterator[EmbeddedCampus]:
    """Open the campus of a file for the length of a block."""
    campus = EmbeddedCampus(path)
    try:
        yield campus
    finally:
        await campus.close()
