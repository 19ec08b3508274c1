"""Cards and consents: what exactly a person is asked, and what exactly they allowed."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, get_args

from surefoot.errors import ConsentRefused
from surefoot.execution.call import digest

Decision = Literal["confirm", "decline", "change"]


@dataclass(frozen=True)
class Card:
    """A write as shown to a person before it happens.

    ``arguments`` are exact; ``provenance`` says of each value where it came from; ``undo`` what the
    compensator would do on the recorded result (the card consents to that too, within this run only);
    ``duplicates`` are identical requests already committed by other calls. ``expires_at`` is in seconds on
    the database's clock. JSON-native throughout.
    """

    card_id: str
    nonce: str
    run_id: str
    thread_id: str
    call_id: str
    step_id: str
    user_id: str
    tool: str
    title: dict[str, str]
    arguments: dict[str, Any]
    args_hash: str
    provenance: dict[str, dict[str, Any]]
    contract_version: int
    plan_version: int
    expires_at: float
    fee: dict[str, Any] | None = None
    undo: dict[str, Any] | None = None
    duplicates: list[dict[str, Any]] = field(default_factory=list)
    notices: list[dict[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data, the very values that the card holds."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def content(self) -> str:
        """Return what the card says, without its own name and time: equal for two cards that ask the same."""
        own = {"card_id", "nonce", "expires_at"}
        return digest({name: value for name, value in self.to_json().items() if name not in own})

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Card":
        """Read what :meth:`to_json` wrote."""
        return cls(**data)


@dataclass(frozen=True)
class Reply:
    """A person's answer to a card. ``by`` is the user who answers; ``via`` says how (person or flag)."""

    card_id: str
    nonce: str
    decision: Decision
    by: str
    via: Literal["person", "flag"] = "person"
    changes: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return JSON-native data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Reply":
        """Read what :meth:`to_json` wrote.

        Raises:
            ConsentRefused: a decision that is none, or fields that do not belong to an answer.
        """
        unknown = sorted(set(data) - set(cls.__dataclass_fields__))
        if unknown or data.get("decision") not in get_args(Decision):
            what = f"fields {', '.join(unknown)}" if unknown else f"decision {data.get('decision')!r}"
            raise ConsentRefused("malformed", f"an answer is confirm, decline or change; this one has {what}")
        if not isinstance(data.get("changes", {}), dict):
            raise ConsentRefused("malformed", "the changes of an answer are a mapping of argument to value")
        return cls(**data)


class Consents(Protocol):
    """Where consents live, beside the ledger, so that one transaction can spend one and write an intent."""

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970."""

    async def grant(self, card: Card, reply: Reply) -> str:
        """Store a confirmation and return the consent's id; the same one again while it is unspent.

        Raises:
            ConsentRefused: replayed (this card's consent is spent), expired by the database's clock, or foreign.
        """

    async def offer(self, card: Card) -> Card:
        """Keep a card that is shown, and return it; or the one shown before that says the same and has not expired."""

    async def offered(self, card_id: str) -> Card | None:
        """Return a card that was kept by :meth:`offer`."""

    async def unspent(self, card: Card) -> Reply | None:
        """Return the confirmation that was stored for this card and not spent yet, so that nobody is asked twice."""


def check_reply(card: Card, reply: Reply) -> None:
    """Refuse an answer that does not belong to this card.

    Raises:
        ConsentRefused: ``foreign`` (another person's), ``replayed`` (another card's nonce).
    """
    if reply.by != card.user_id:
        raise ConsentRefused("foreign", f"card {card.card_id} belongs to another person")
    if (reply.card_id, reply.nonce) != (card.card_id, card.nonce):
        raise ConsentRefused("replayed", f"this answer belongs to card {reply.card_id}, not to {card.card_id}")
