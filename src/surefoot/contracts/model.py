"""ToolContract: what a tool promises, as frozen data."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from surefoot.errors import ErrorCode
from surefoot.texts import Text


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class RetryPolicy(_Part):
    """When ``settle`` may try again. Delays in milliseconds; ``max_retries`` excludes the first try."""

    max_retries: int = Field(default=2, ge=0, le=10)
    initial_ms: int = Field(default=200, ge=0)
    backoff_factor: float = Field(default=2.0, ge=1.0)
    jitter: bool = True

    def delay_ms(self, attempt: int, spread: float) -> float:
        """Return the wait before try ``attempt`` + 1; ``spread`` in [0, 1) adds up to half of it as jitter."""
        base = self.initial_ms * self.backoff_factor ** max(0, attempt - 1)
        return base * (1 + 0.5 * spread) if self.jitter else base


class ExecutionContract(_Part):
    """How long a call may take and what its transport errors mean."""

    timeout_ms: int = Field(default=5000, gt=0)
    retry_policy: RetryPolicy = RetryPolicy()
    error_mapping: dict[str, ErrorCode] = {}


class OutputContract(_Part):
    """What ``data`` must look like for the call to count as done."""

    required_fields: tuple[str, ...] = ()
    data_schema: dict[str, Any] = {}


class Idempotency(_Part):
    """Which fields make two requests the same request; ``honoured`` says the back end keeps our key."""

    key: tuple[str, ...] = Field(min_length=1)
    honoured: bool = False


class Look(_Part):
    """A read taken just before a write and kept with its intent; arguments are literals or ``$.arguments`` paths."""

    tool: str
    arguments: dict[str, Any] = {}


class Reconcile(_Part):
    """How to ask the back end whether a write happened: by a record that matches, or by what has changed.

    ``tool`` is a read that gets the ``match`` fields as arguments (and ``arguments`` by path, and our
    ``request_key`` where it takes one). ``expect: absent`` turns the question round, for tools that remove.
    ``changed`` names looks of ``before`` instead: they are taken again, and a difference means that the write
    happened. It fits where nobody else changes the same record in that moment.
    ``settle_ms``: how long after the deadline a late commit is still possible.
    """

    tool: str | None = None
    changed: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    arguments: dict[str, Any] = {}
    records: str = "$.data.records"
    expect: Literal["present", "absent"] = "present"
    settle_ms: int = Field(default=0, ge=0)


class Compensation(_Part):
    """The tool that undoes a committed effect.

    Arguments are literals or paths: ``$.data`` its recorded result, ``$.arguments``, ``$.before`` the looks before.
    """

    tool: str
    arguments: dict[str, Any] = {}


class Cache(_Part):
    """For how long the last good answer of a read may stand in when the source fails. It is then marked stale."""

    max_age_s: float = Field(gt=0)


class QueryChange(_Part):
    """One declared change of a query: fields left out, and fields set to a value."""

    drop: tuple[str, ...] = ()
    set: dict[str, Any] = {}


class ToolContract(_Part):
    """One tool's contract, as read from its YAML file. See DESIGN section 3 for every key."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{1,63}$")
    version: int = Field(ge=1)
    summary: Text
    effect: Literal["read", "write"]
    permission: str
    approval: Literal["required", "never"]
    critical: bool = True
    private: tuple[str, ...] = ()
    input_schema: dict[str, Any]
    output_contract: OutputContract = OutputContract()
    execution_contract: ExecutionContract = ExecutionContract()
    idempotency: Idempotency | None = None
    before: dict[str, Look] = {}
    reconcile: Reconcile | None = None
    compensate: Compensation | None = None
    irreversible: bool = False
    on_failure: Literal["undo", "keep"] = "undo"
    fallbacks: tuple[str, ...] = ()
    cache: Cache | None = None
    widen: tuple[QueryChange, ...] = ()
    """Changes to a read that found nothing, one after the other, each on top of those before it."""
    narrow: tuple[QueryChange, ...] = ()
    """Changes to a read that was too much for its source (timeout, rate limit), in the same way."""
    infer: dict[str, Any] = {}
    """Values to go on with where one is missing; a person is shown each as a guess."""
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    fee: str | None = None
    limit: str | None = Field(default=None, pattern=r"^[1-9][0-9]{0,5}/(second|minute|hour|day)$")
    """How often one person may call it, such as ``5/hour``."""

    @model_validator(mode="before")
    @classmethod
    def _defaults(cls, raw: Any) -> Any:
        if isinstance(raw, dict):
            raw = dict(raw)
            if "approval" not in raw:
                raw["approval"] = "required" if raw.get("effect") == "write" else "never"
            summary = raw.get("summary")
            if isinstance(summary, str) or (isinstance(summary, dict) and set(summary) == {"zh", "en"}):
                raw["summary"] = Text.from_json(summary)
        return raw

    @property
    def is_write(self) -> bool:
        """Whether a call of this tool can change the world."""
        return self.effect == "write"

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """The input schema's properties by name."""
        properties: dict[str, dict[str, Any]] = self.input_schema.get("properties", {})
        return properties

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the inputs that must be given."""
        return tuple(self.input_schema.get("required", ()))
