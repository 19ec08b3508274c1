"""Every error Surefoot raises, one tree.

SurefootError
├── ContractError            a contract or its function is refused at load time (file, line)
├── AppNotFound              no installed app has that name
├── SettingsInvalid          a setting cannot be used
├── StorageUnavailable       the database cannot be opened, read or written
├── InputInvalid             what a person or caller handed in cannot be used
│   ├── RateLimited          a person sends more than their limit; says when there is room again
│   ├── TicketNotFound       no ticket has that id
│   ├── TicketTaken          another operator has claimed the ticket
│   └── TicketClosed         the ticket is resolved already
├── RunError                 about one run
│   ├── ThreadBusy           another run holds the thread
│   ├── RunNotFound          no run has that id
│   └── NotWaiting           the run waits for no answer (or for another one)
├── ConsentRefused           a consent that must not be spent (reason says which)
├── IdentityConflict         one call id or request key, two different arguments
├── ProtocolViolation        the ledger's table has no such transition
├── WritesPaused             an operator has switched all writes off
└── ToolError                raised BY a tool: a signal to the door, never shown to a caller
    ├── BusinessRefused      the back end understood and said no
    ├── BusinessEmpty        the back end answered: there is nothing
    └── NotSent              proof that nothing left this process
Fenced (BaseException)       this worker was replaced; it must write nothing more
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from surefoot.texts import Text


class ErrorCode(StrEnum):
    """The closed set of codes an envelope or an outcome may carry."""

    TOOL_INPUT_INVALID = "TOOL_INPUT_INVALID"
    TOOL_RATE_LIMITED = "TOOL_RATE_LIMITED"
    TOOL_UNAVAILABLE = "TOOL_UNAVAILABLE"
    TOOL_TIMEOUT = "TOOL_TIMEOUT"
    TOOL_AUTH = "TOOL_AUTH"
    TOOL_NOT_FOUND = "TOOL_NOT_FOUND"
    TOOL_OUTPUT_INVALID = "TOOL_OUTPUT_INVALID"
    BUSINESS_REFUSED = "BUSINESS_REFUSED"
    BUSINESS_EMPTY = "BUSINESS_EMPTY"
    EFFECT_UNKNOWN = "EFFECT_UNKNOWN"
    BREAKER_OPEN = "BREAKER_OPEN"
    LOOP_DETECTED = "LOOP_DETECTED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    APPROVAL_MISSING = "APPROVAL_MISSING"
    BUDGET_SPENT = "BUDGET_SPENT"
    THREAD_BUSY = "THREAD_BUSY"
    FENCED = "FENCED"


class SurefootError(Exception):
    """Something Surefoot refuses or cannot do; the message says what would be right."""

    code: str = "SUREFOOT_ERROR"


class ContractError(SurefootError):
    """A tool contract, or the function beside it, is refused at load time."""

    code = "CONTRACT_INVALID"

    def __init__(self, problem: str, *, file: str = "", line: int | None = None) -> None:
        self.problem, self.file, self.line = problem, file, line
        where = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(f"{where}{problem}")


class AppNotFound(SurefootError):
    """No installed app has that name."""

    code = "APP_NOT_FOUND"


class SettingsInvalid(SurefootError):
    """A setting cannot be used as it stands."""

    code = "SETTINGS_INVALID"


class StorageUnavailable(SurefootError):
    """The database cannot be opened, read or written; nothing was overwritten."""

    code = "STORAGE_UNAVAILABLE"


class InputInvalid(SurefootError):
    """What a person or a caller handed in cannot be used."""

    code = "INPUT_INVALID"

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.en)


class RateLimited(InputInvalid):
    """A person sends more than their limit; ``retry_after`` says in seconds when there is room again."""

    code = "RATE_LIMITED"

    def __init__(self, text: Text, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(text)


class TicketNotFound(InputInvalid):
    """No ticket has that id."""

    code = "TICKET_NOT_FOUND"

    def __init__(self, ticket_id: str) -> None:
        self.ticket_id = ticket_id
        super().__init__(
            Text(
                f"没有工单 {ticket_id}；用 `surefoot tickets list` 查看。",
                f"There is no ticket {ticket_id}; `surefoot tickets list` lists them.",
            )
        )


class TicketTaken(InputInvalid):
    """Another operator has claimed the ticket; ``by`` says who."""

    code = "TICKET_TAKEN"

    def __init__(self, ticket_id: str, by: str) -> None:
        self.ticket_id, self.by = ticket_id, by
        super().__init__(
            Text(
                f"工单 {ticket_id} 已由 {by} 认领；请先由对方交还。",
                f"Ticket {ticket_id} is claimed by {by}; it must be released first.",
            )
        )


class TicketClosed(InputInvalid):
    """The ticket is resolved already; ``by`` says by whom."""

    code = "TICKET_CLOSED"

    def __init__(self, ticket_id: str, by: str) -> None:
        self.ticket_id, self.by = ticket_id, by
        super().__init__(
            Text(f"工单 {ticket_id} 已由 {by} 结案。", f"Ticket {ticket_id} was resolved already, by {by}.")
        )


class RunError(SurefootError):
    """Something about one run."""

    code = "RUN_ERROR"


class ThreadBusy(RunError):
    """Another run holds this thread: answer, resume or cancel that one first."""

    code = ErrorCode.THREAD_BUSY.value

    def __init__(self, thread_id: str, run_id: str) -> None:
        self.thread_id, self.run_id = thread_id, run_id
        super().__init__(f"thread {thread_id} is busy with run {run_id}: answer, resume or cancel it first")


class RunNotFound(RunError):
    """No run has that id."""

    code = "RUN_NOT_FOUND"


class NotWaiting(RunError):
    """The run waits for no answer, or for a different kind of answer."""

    code = "NOT_WAITING"


class ConsentRefused(SurefootError):
    """A consent that must not be spent: replayed, expired, foreign, changed, declined or missing."""

    code = ErrorCode.APPROVAL_MISSING.value

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class IdentityConflict(SurefootError):
    """One call id, or one request key, came with two different sets of arguments."""

    code = "IDENTITY_CONFLICT"


class ProtocolViolation(SurefootError):
    """The effect protocol has no such transition (see surefoot.execution.protocol)."""

    code = "PROTOCOL_VIOLATION"


class WritesPaused(SurefootError):
    """An operator has paused all writes; nothing was sent."""

    code = "WRITES_PAUSED"


class ToolError(SurefootError):
    """Raised by a tool to say what kind of failure it met. The door turns it into an outcome."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        text: Text | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        self.code = code.value
        self.error_code = code
        self.text = text or Text(message, message)
        self.details = dict(details or {})
        super().__init__(message)


class BusinessRefused(ToolError):
    """The back end understood the request and said no; nothing was done."""

    def __init__(self, text: Text, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(ErrorCode.BUSINESS_REFUSED, text.en, text=text, details=details)


class BusinessEmpty(ToolError):
    """The back end answered that there is nothing; ``details`` may carry alternatives."""

    def __init__(self, text: Text, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(ErrorCode.BUSINESS_EMPTY, text.en, text=text, details=details)


class NotSent(ToolError):
    """The transport proves that nothing left this process (for example: connection refused)."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.TOOL_UNAVAILABLE, message)


class Fenced(BaseException):
    """This worker's lease was taken over. Derives from BaseException so no ``except Exception`` hides it."""

    code = ErrorCode.FENCED.value
