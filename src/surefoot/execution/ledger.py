"""The effect ledger's port: intent before effect, outcome after, in a database outside the checkpoint."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from surefoot.execution.call import Call, request_key
from surefoot.execution.lease import Lease
from surefoot.execution.protocol import Event, State, Writer


@dataclass(frozen=True)
class Intent:
    """What is about to be sent. ``undoes`` names the effect that a compensator's call takes back."""

    call_id: str
    run_id: str
    thread_id: str
    step_id: str
    user_id: str
    tool: str
    contract_version: int
    arguments: dict[str, Any]
    args_hash: str
    base: str
    timeout_seconds: float
    undo_on_failure: bool = True
    consent_id: str | None = None
    undoes: str | None = None
    before: dict[str, Any] | None = None
    """What the contract's looks saw just before: ``{name: data}``."""


@dataclass(frozen=True)
class Effect:
    """One effect as the ledger knows it. Times are in seconds on the database's clock."""

    effect_id: str
    call_id: str
    run_id: str
    thread_id: str
    step_id: str
    user_id: str
    tool: str
    contract_version: int
    arguments: dict[str, Any]
    args_hash: str
    base: str
    generation: int
    state: State
    attempts: int
    deadline_at: float
    epoch: int
    undo_on_failure: bool
    commit_seq: int | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    undoes: str | None = None
    consent_id: str | None = None
    before: dict[str, Any] | None = None
    updated_at: float = field(default=0.0, compare=False)

    @property
    def request_key(self) -> str:
        """The key handed to the back end."""
        return request_key(self.base, self.generation)

    def as_call(self) -> Call:
        """Return the call that this effect came from."""
        return Call(
            call_id=self.call_id,
            run_id=self.run_id,
            thread_id=self.thread_id,
            step_id=self.step_id,
            user_id=self.user_id,
            tool=self.tool,
            arguments=self.arguments,
        )


@dataclass(frozen=True)
class Begun:
    """The answer to an intent. ``fresh`` is false when the same call stands in the ledger already."""

    effect: Effect
    fresh: bool


class Ledger(Protocol):
    """Where intents and outcomes live. Each method is one transaction."""

    async def begin(self, intent: Intent, *, lease: Lease) -> Begun:
        """Check the epoch, spend the consent and write the intent, all or nothing.

        A call that may already exist in the world is returned as it stands (``fresh=False``). One that was not
        sent, or was found absent, goes out again under the same key and the same consent.

        Raises:
            Fenced: the lease was taken over.
            WritesPaused: an operator has switched writes off.
            ConsentRefused: missing, spent, expired, foreign, or given for other arguments.
            IdentityConflict: the call exists with other arguments, or an identical request of another call is
                still in flight, or one was committed that the consent's card did not show.
        """

    async def record(
        self,
        effect_id: str,
        event: Event,
        writer: Writer,
        *,
        result: dict[str, Any] | None = None,
        error: dict[str, Any] | None = None,
        lease: Lease | None = None,
        attempt: int | None = None,
    ) -> Effect:
        """Apply one event of the protocol's table. A worker hands its lease, and is fenced by it.

        A caller names its ``attempt``: of an older try than the last one only a success counts, since its loss or
        refusal says nothing about the try that is out now.

        Raises:
            ProtocolViolation: the table has no such transition.
            Fenced: the lease was taken over.
        """

    async def get(self, effect_id: str) -> Effect:
        """Return one effect. Raises KeyError."""

    async def by_call(self, call_id: str) -> Effect | None:
        """Return the newest effect of a call."""

    async def same_request(self, base: str) -> list[Effect]:
        """Return the effects of one request that may exist in the world, oldest first."""

    async def of_run(self, run_id: str) -> list[Effect]:
        """Return a run's effects in the order of their intents."""

    async def of_thread(self, thread_id: str) -> list[Effect]:
        """Return a thread's effects in the order of their intents."""

    async def unsettled(self) -> list[Effect]:
        """Return every effect that is intended, unknown or compensating."""

    async def all(self, *, limit: int = 100) -> list[Effect]:
        """Return the newest effects."""

    async def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
