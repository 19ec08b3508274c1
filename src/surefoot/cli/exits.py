"""What the exit codes of ``surefoot`` mean."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The closed set of exit codes; scripts may rely on them.

    ========== ====================================================================
    0          done, answered, or a dry run that found nothing wrong
    1          an unexpected error; please report it
    2          bad input, usage, settings or contract; nothing was changed
    3          the run waits for consent or for an answer
    4          handed over to a person; a ticket says what is known
    5          refused, declined, failed or undone; nothing was kept
    6          the thread is busy with another run
    7          the database cannot be used
    8          another worker took the run over
    130        interrupted with Ctrl-C; the run can be resumed
    ========== ====================================================================
    """

    DONE = 0
    UNEXPECTED = 1
    BAD_INPUT = 2
    WAITING = 3
    HANDED_OVER = 4
    NOT_DONE = 5
    THREAD_BUSY = 6
    STORAGE = 7
    TAKEN_OVER = 8
    INTERRUPTED = 130


_OF_STATUS = {
    "done": ExitCode.DONE,
    "answered": ExitCode.DONE,
    "dry_run": ExitCode.DONE,
    "running": ExitCode.WAITING,
    "waiting": ExitCode.WAITING,
    "handed_over": ExitCode.HANDED_OVER,
}


def of_status(status: str) -> ExitCode:
    """Return the exit code of a run's status; refused, declined, failed and undone share one."""
    return _OF_STATUS.get(status, ExitCode.NOT_DONE)
