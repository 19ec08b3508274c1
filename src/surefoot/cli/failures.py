"""Every failure becomes one line of help and an exit code; nobody sees a stack trace."""

import asyncio
import os
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from surefoot.cli.exits import ExitCode
from surefoot.errors import (
    ConsentRefused,
    Fenced,
    InputInvalid,
    RunNotFound,
    StorageUnavailable,
    SurefootError,
    ThreadBusy,
    ToolError,
)
from surefoot.texts import Text

REPORT = Text(
    "出现了意料之外的错误（{error}）。请把这一行连同 SUREFOOT_DEBUG=1 时的输出报告给维护者。",
    "Unexpected error ({error}). Please report this line with the output of SUREFOOT_DEBUG=1.",
)
TAKEN_OVER = Text(
    "这次任务已由另一个进程接手，这里没有再写入任何东西。用 `surefoot runs` 查看它的情况。",
    "Another process took this run over; nothing more was written here. See `surefoot runs`.",
)
CONSENT: dict[str, Text] = {
    "foreign": Text(
        "这张确认卡是别人的，您不能代为确认。", "This card belongs to another person; you cannot answer it."
    ),
    "expired": Text(
        "确认卡已过期，请重新查看后再确认。", "The card has expired; look at the new one before confirming."
    ),
    "replayed": Text("这次答复属于另一张确认卡，没有采用。", "This answer belongs to another card and was not used."),
}


class Stopped(Exception):
    """A command that ends with one line for the person and an exit code."""

    def __init__(self, line: str, code: ExitCode) -> None:
        self.line, self.code = line, code
        super().__init__(line)


@contextmanager
def told_in(lang: str) -> Iterator[None]:
    """Turn what Surefoot raises inside the block into :class:`Stopped`, in the person's language."""
    try:
        yield
    except (SurefootError, Fenced, sqlite3.Error, asyncio.CancelledError, ModuleNotFoundError) as error:
        raise Stopped(in_words(error, lang), code_of(error)) from error


def in_words(error: BaseException, lang: str) -> str:
    """Return one line that says what is wrong and what would be right."""
    return " ".join(_words(error, lang).split())


def _words(error: BaseException, lang: str) -> str:
    if isinstance(error, InputInvalid | ToolError):
        return error.text.say(lang)
    if isinstance(error, ThreadBusy):
        zh = f"会话 {error.thread_id} 正忙于任务 {error.run_id}：请先答复或继续它（surefoot resume {error.run_id}）。"
        en = (
            f"Thread {error.thread_id} is busy with run {error.run_id}; answer it first: surefoot resume {error.run_id}"
        )
        return Text(zh, en).say(lang)
    if isinstance(error, ConsentRefused) and error.reason in CONSENT:
        return CONSENT[error.reason].say(lang)
    if isinstance(error, RunNotFound):
        return Text(f"没有这个任务；用 `surefoot runs` 查看。（{error}）", str(error)).say(lang)
    if isinstance(error, Fenced | asyncio.CancelledError):
        return TAKEN_OVER.say(lang)
    if isinstance(error, sqlite3.Error):
        return Text(f"数据库不能使用：{error}", f"The database cannot be used: {error}").say(lang)
    if isinstance(error, ModuleNotFoundError):
        zh = f"缺少 Python 包 {error.name}；安装应用的附加依赖，例如 pip install 'surefoot[campus]'。"
        en = f"The Python package {error.name} is missing; install the app's extra, e.g. pip install 'surefoot[campus]'"
        return Text(zh, en).say(lang)
    if isinstance(error, SurefootError):
        return str(error)
    said = REPORT.say(lang)
    return said.format(error=f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


def code_of(error: BaseException) -> ExitCode:
    """Return the exit code of an error."""
    if isinstance(error, ThreadBusy):
        return ExitCode.THREAD_BUSY
    if isinstance(error, StorageUnavailable | sqlite3.Error):
        return ExitCode.STORAGE
    if isinstance(error, ConsentRefused):
        return ExitCode.NOT_DONE
    if isinstance(error, Fenced | asyncio.CancelledError):
        # A worker that lost its lease cancels itself; Ctrl-C arrives as KeyboardInterrupt.
        return ExitCode.TAKEN_OVER
    return ExitCode.BAD_INPUT if isinstance(error, SurefootError | ModuleNotFoundError) else ExitCode.UNEXPECTED


def report(error: BaseException, lang: str) -> ExitCode:
    """Write an error's line to stderr and return its exit code; ``SUREFOOT_DEBUG=1`` shows the trace as well."""
    if os.environ.get("SUREFOOT_DEBUG") == "1":
        traceback.print_exception(error, file=sys.stderr)
    stopped = error if isinstance(error, Stopped) else None
    line = stopped.line if stopped else in_words(error, lang)
    sys.stderr.write(f"surefoot: {line}\n")
    return stopped.code if stopped else code_of(error)
