"""Memory in SQL: preferences, observations and originals, each row one person's, values sealed at rest."""

import json
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as upsert

from surefoot.errors import InputInvalid
from surefoot.memory.behaviour import KEPT, Observation
from surefoot.memory.compression import digest_of
from surefoot.memory.item import Item
from surefoot.memory.preferences import KEPT_DAYS, MAX_KEYS, Change, Shelf
from surefoot.persistence.database import Database, read_clock
from surefoot.persistence.schema import db_now, observation, original, preference
from surefoot.texts import Text

ALLOWED = "allow_behaviour"
"""The preference that permits observing; it is seen, corrected and deleted as every other, and does not expire."""

MAX_VALUE = 2000
"""Characters of JSON one preference may have."""

DAY = 86400.0


class SqlPreferences:
    """Preferences in the shared database; expiry goes by the database's clock."""

    def __init__(self, database: Database, *, kept_days: float = KEPT_DAYS) -> None:
        self._database, self._kept = database, kept_days * DAY

    async def shelf(self, user_id: str) -> Shelf:
        """See :class:`surefoot.memory.preferences.Preferences`."""
        return await self._database.read(_shelf, user_id)

    async def change(self, user_id: str, key: str, change: Change) -> Item | None:
        """See :class:`surefoot.memory.preferences.Preferences`. The write lock is held from before the read."""
        return await self._database.run(_change, user_id, key, change, self._kept)

    async def forget(self, user_id: str, key: str | None = None) -> int:
        """See :class:`surefoot.memory.preferences.Preferences`."""
        return await self._database.run(_forget, user_id, key)


def _holding(user_id: str) -> tuple[object, ...]:
    alive = or_(preference.c.expires_at.is_(None), preference.c.expires_at > db_now())
    return (preference.c.user_id == user_id, alive)


def _shelf(connection: Connection, user_id: str) -> Shelf:
    rows = connection.execute(select(preference.c.key, preference.c.item).where(*_holding(user_id)))  # type: ignore[arg-type]
    return Shelf({row.key: Item.from_json(row.item) for row in rows})


def _change(connection: Connection, user_id: str, key: str, change: Change, kept: float) -> Item | None:
    connection.execute(delete(preference).where(preference.c.user_id == user_id, preference.c.expires_at <= db_now()))
    shelf = _shelf(connection, user_id)
    after = change(shelf.get(key))
    if after is None:
        _forget(connection, user_id, key)
        return None
    if shelf.get(key) is None and len(shelf.items) >= MAX_KEYS:
        raise InputInvalid(
            Text(
                f"已经记了 {MAX_KEYS} 条偏好，先删掉一些再记。",
                f"There are {MAX_KEYS} preferences already; forget some before adding one.",
            )
        )
    now = read_clock(connection)
    item = after.to_json()
    if key != ALLOWED:
        item["expires_at"] = datetime.fromtimestamp(now + kept, after.at.tzinfo).isoformat()
    _check_size(item["value"])
    values = {
        "user_id": user_id,
        "key": key,
        "item": item,
        "expires_at": None if key == ALLOWED else now + kept,
        "epoch": 0,
        "updated_at": now,
    }
    same = [preference.c.user_id, preference.c.key]
    connection.execute(upsert(preference).values(values).on_conflict_do_update(index_elements=same, set_=values))
    return Item.from_json(item)


def _check_size(value: object) -> None:
    try:
        size = len(json.dumps(value, ensure_ascii=False))
    except TypeError as error:
        raise InputInvalid(Text(f"这个值不能保存：{error}", f"This value cannot be kept: {error}")) from error
    if size > MAX_VALUE:
        raise InputInvalid(
            Text(
                f"这条偏好太长（{size} 个字符，最多 {MAX_VALUE} 个）。",
                f"This preference is too long ({size} characters, limit {MAX_VALUE}).",
            )
        )


def _forget(connection: Connection, user_id: str, key: str | None) -> int:
    found = delete(preference).where(preference.c.user_id == user_id)
    return connection.execute(found if key is None else found.where(preference.c.key == key)).rowcount


class SqlBehaviour:
    """Observations in the shared database. The permission is a preference, in the same place."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def permit(self, user_id: str, *, allowed: bool) -> None:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        await self._database.run(_permit, user_id, allowed)

    async def permitted(self, user_id: str) -> bool:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        return await self._database.read(_permitted, user_id)

    async def observe(self, user_id: str, seen: Observation) -> bool:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        return await self._database.run(_observe, user_id, seen)

    async def observed(self, user_id: str, kind: str | None = None) -> list[Observation]:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        return await self._database.read(_observed, user_id, kind)

    async def forget(self, user_id: str) -> int:
        """See :class:`surefoot.memory.behaviour.Behaviour`."""
        return await self._database.run(_unobserve, user_id)


def _permit(connection: Connection, user_id: str, allowed: bool) -> None:
    if not allowed:
        _forget(connection, user_id, ALLOWED)
        _unobserve(connection, user_id)
        return
    at = datetime.fromtimestamp(read_clock(connection)).astimezone()
    _change(connection, user_id, ALLOWED, lambda _: Item(ALLOWED, True, "person", at), 0.0)


def _permitted(connection: Connection, user_id: str) -> bool:
    item = _shelf(connection, user_id).get(ALLOWED)
    return item is not None and item.value is True and item.standing != "inferred"


def _observe(connection: Connection, user_id: str, seen: Observation) -> bool:
    if not _permitted(connection, user_id):
        return False
    record = {"choice": seen.choice, "at": seen.at.isoformat(), "liked": seen.liked}
    values = {"user_id": user_id, "kind": seen.kind, "seen": record, "epoch": 0, "created_at": db_now()}
    connection.execute(insert(observation).values(values))
    _prune(connection, user_id, seen.kind)
    return True


def _prune(connection: Connection, user_id: str, kind: str) -> None:
    mine = (observation.c.user_id == user_id, observation.c.kind == kind)
    kept = select(observation.c.seq).where(*mine).order_by(observation.c.seq.desc()).limit(KEPT)
    connection.execute(delete(observation).where(*mine, observation.c.seq.not_in(kept)))


def _observed(connection: Connection, user_id: str, kind: str | None) -> list[Observation]:
    if not _permitted(connection, user_id):
        return []
    asked = select(observation.c.kind, observation.c.seen).where(observation.c.user_id == user_id)
    asked = asked if kind is None else asked.where(observation.c.kind == kind)
    rows = connection.execute(asked.order_by(observation.c.seq.desc()).limit(KEPT))
    return [
        Observation(row.kind, row.seen["choice"], datetime.fromisoformat(row.seen["at"]), row.seen["liked"])
        for row in rows
    ]


def _unobserve(connection: Connection, user_id: str) -> int:
    return connection.execute(delete(observation).where(observation.c.user_id == user_id)).rowcount


class SqlOriginals:
    """Originals of folded texts in the shared database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, user_id: str, text: str) -> str:
        """See :class:`surefoot.memory.compression.Originals`."""
        return await self._database.run(_keep, user_id, text)

    async def fetch(self, user_id: str, digest: str) -> str | None:
        """See :class:`surefoot.memory.compression.Originals`."""
        return await self._database.read(_fetch, user_id, digest)


def _keep(connection: Connection, user_id: str, text: str) -> str:
    digest = digest_of(text)
    values = {"user_id": user_id, "digest": digest, "text": text, "epoch": 0, "created_at": db_now()}
    connection.execute(upsert(original).values(values).on_conflict_do_nothing())
    return digest


def _fetch(connection: Connection, user_id: str, digest: str) -> str | None:
    mine = (original.c.user_id == user_id, func.substr(original.c.digest, 1, len(digest)) == digest)
    found = connection.execute(select(original.c.text).where(*mine).limit(2)).scalars().all()
    return str(found[0]) if len(found) == 1 else None
