"""Consents in SQL: granted once per card, spent once, in the transaction that writes the intent."""

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from surefoot.errors import ConsentRefused
from surefoot.execution.consent import Card, Reply, check_reply
from surefoot.execution.ledger import Intent
from surefoot.persistence.database import Database
from surefoot.persistence.schema import consent, db_now


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
        consent_id = f"consent-{card.card_id}"
        async with self._database.transaction() as connection:
            if (await connection.execute(select(db_now()))).scalar_one() > card.expires_at:
                raise ConsentRefused("expired", f"card {card.card_id} has expired")
            known = select(consent.c.spent_at).where(consent.c.card_id == card.card_id)
            before = (await connection.execute(known)).first()
            if before is not None and before.spent_at is not None:
                raise ConsentRefused("replayed", f"card {card.card_id} was answered and used before")
            if before is not None:
                return consent_id
            await connection.execute(
                insert(consent).values(
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
                    expires_at=card.expires_at,
                    decided_at=db_now(),
                    epoch=0,
                )
            )
        return consent_id

    async def unspent(self, card: Card) -> Reply | None:
        """See :class:`surefoot.execution.consent.Consents`."""
        async with self._database.transaction() as connection:
            query = select(consent.c.user_id, consent.c.via).where(
                consent.c.card_id == card.card_id, consent.c.spent_at.is_(None), consent.c.expires_at > db_now()
            )
            row = (await connection.execute(query)).first()
        return Reply(card.card_id, card.nonce, "confirm", row.user_id, row.via) if row is not None else None


async def spend_consent(connection: AsyncConnection, intent: Intent, effect_id: str) -> list[str]:
    """Spend the intent's consent inside the ledger's transaction; return the duplicates its card showed.

    Raises:
        ConsentRefused: missing, spent, expired, or given for something else.
    """
    query = select(consent, db_now().label("now")).where(consent.c.consent_id == intent.consent_id).with_for_update()
    row = (await connection.execute(query)).mappings().first()
    if row is None:
        raise ConsentRefused("missing", f"there is no consent {intent.consent_id}")
    given = (row["call_id"], row["user_id"], row["tool"], row["args_hash"], row["contract_version"])
    wanted = (intent.call_id, intent.user_id, intent.tool, intent.args_hash, intent.contract_version)
    if given != wanted:
        raise ConsentRefused("mismatch", f"consent {intent.consent_id} was given for {given}, not for {wanted}")
    if row["spent_at"] is not None:
        raise ConsentRefused("spent", f"consent {intent.consent_id} was spent by {row['spent_by']}")
    if row["now"] > row["expires_at"]:
        raise ConsentRefused("expired", f"consent {intent.consent_id} has expired")
    await connection.execute(
        update(consent).where(consent.c.consent_id == intent.consent_id).values(spent_at=db_now(), spent_by=effect_id)
    )
    return [twin["effect_id"] for twin in row["card"]["duplicates"]]
