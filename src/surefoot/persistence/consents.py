"""Consents in SQL: granted once per card, spent once, in the transaction that writes the intent."""

from sqlalchemy import Connection, bindparam, insert, select, update

from surefoot.errors import ConsentRefused
from surefoot.execution.consent import Card, Reply, check_reply
from surefoot.execution.ledger import Intent
from surefoot.persistence.database import Database, read_clock
from surefoot.persistence.prepared import Prepared
from surefoot.persistence.schema import consent, db_now, offer

_GIVEN = [consent.c[name] for name in ("call_id", "user_id", "tool", "args_hash", "contract_version")]
_BY_ID = Prepared(
    select(*_GIVEN, consent.c.spent_by, consent.c.shown, db_now() > consent.c.expires_at).where(
        consent.c.consent_id == bindparam("id")
    )
)
_SPEND = Prepared(
    update(consent)
    .where(consent.c.consent_id == bindparam("id"), consent.c.spent_at.is_(None))
    .values(spent_at=db_now(), spent_by=bindparam("effect"))
    .returning(consent.c.consent_id)
)
_ANSWERED = Prepared(select(consent.c.spent_at).where(consent.c.card_id == bindparam("card_id")))
_GRANT = Prepared(
    insert(consent).values(
        {
            name: bindparam(name)
            for name in (
                "consent_id", "card_id", "run_id", "call_id", "user_id", "tool", "args_hash", "contract_version",
                "plan_version", "via", "card", "shown", "expires_at",
            )
        }
        | {"decided_at": db_now(), "epoch": 0}
    )
)  # fmt: skip


class SqlConsents:
    """Consents in the shared database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self) -> float:
        """See :class:`surefoot.execution.consent.Consents`."""
        return await self._database.now()

    async def grant(self, card: Card, reply: Reply) -> str:
        """See :class:`surefoot.execution.consent.Consents`."""
        check_reply(card, reply)
        return await self._database.run(_grant, card, reply)

    async def offer(self, card: Card) -> Card:
        """See :class:`surefoot.execution.consent.Consents`."""
        return await self._database.run(_offer, card)

    async def offered(self, card_id: str) -> Card | None:
        """See :class:`surefoot.execution.consent.Consents`."""
        return await self._database.read(_offered, card_id)

    async def unspent(self, card: Card) -> Reply | None:
        """See :class:`surefoot.execution.consent.Consents`."""
        return await self._database.read(_unspent, card)


def _grant(connection: Connection, card: Card, reply: Reply) -> str:
    if read_clock(connection) > card.expires_at:
        raise ConsentRefused("expired", f"card {card.card_id} has expired")
    before = _ANSWERED.first(connection, card_id=card.card_id)
    if before is not None and before[0] is not None:
        raise ConsentRefused("replayed", f"card {card.card_id} was answered and used before")
    consent_id = f"consent-{card.card_id}"
    if before is None:
        _GRANT.rows(
            connection,
            consent_id=consent_id,
            card_id=card.card_id,
            run_id=card.run_id,
            call_id=card.call_id,
            user_id=card.user_id,
            tool=card.tool,
            args_hash=card.args_hash,
            contract_version=card.contract_version,
            plan_version=card.plan_version,
            via=reply.via,
            card=card.to_json(),
            shown=" ".join(twin["effect_id"] for twin in card.duplicates),
            expires_at=card.expires_at,
        )
    return consent_id


def _offer(connection: Connection, card: Card) -> Card:
    content = card.content()
    same = (offer.c.call_id == card.call_id, offer.c.content == content, offer.c.expires_at > db_now())
    spent = select(consent.c.card_id).where(consent.c.spent_at.is_not(None))
    shown = connection.execute(select(offer.c.card).where(*same, offer.c.card_id.not_in(spent))).scalar()
    if shown is not None:
        return Card.from_json(shown)
    connection.execute(
        insert(offer).values(
            card_id=card.card_id,
            call_id=card.call_id,
            user_id=card.user_id,
            content=content,
            card=card.to_json(),
            expires_at=card.expires_at,
            epoch=0,
        )
    )
    return card


def _offered(connection: Connection, card_id: str) -> Card | None:
    shown = connection.execute(select(offer.c.card).where(offer.c.card_id == card_id)).scalar()
    return Card.from_json(shown) if shown is not None else None


def _unspent(connection: Connection, card: Card) -> Reply | None:
    query = select(consent.c.user_id, consent.c.via).where(
        consent.c.card_id == card.card_id, consent.c.spent_at.is_(None), consent.c.expires_at > db_now()
    )
    row = connection.execute(query).first()
    return Reply(card.card_id, card.nonce, "confirm", row.user_id, row.via) if row is not None else None


def spend_consent(connection: Connection, intent: Intent, effect_id: str) -> list[str]:
    """Spend the intent's consent inside the ledger's transaction; return the duplicates its card showed.

    Raises:
        ConsentRefused: missing, spent, expired, or given for something else.
    """
    row = _BY_ID.first(connection, id=intent.consent_id)
    if row is None:
        raise ConsentRefused("missing", f"there is no consent {intent.consent_id}")
    *given, spent_by, shown, expired = row
    wanted = [intent.call_id, intent.user_id, intent.tool, intent.args_hash, intent.contract_version]
    if given != wanted:
        raise ConsentRefused("mismatch", f"consent {intent.consent_id} was given for {given}, not for {wanted}")
    if expired and spent_by is None:
        raise ConsentRefused("expired", f"consent {intent.consent_id} has expired")
    if not _SPEND.rows(connection, id=intent.consent_id, effect=effect_id):
        raise ConsentRefused("spent", f"consent {intent.consent_id} was spent by {spent_by}")
    return list(str(shown).split())
