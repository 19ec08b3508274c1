"""The terminal: a console that writes plain text when nobody looks at it, and lines read from a person."""

import json
import os
import re
import sys
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 100


def console() -> "Console":
    """Return the console of stdout; without a terminal it writes no escape codes, ``PLAIN_WIDTH`` columns wide."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(markup=False, highlight=False, emoji=False)
    width = None if os.environ.get("COLUMNS") else PLAIN_WIDTH
    trimmed = cast(IO[str], Trimmed())
    return Console(file=trimmed, width=width, markup=False, highlight=False, emoji=False, force_terminal=False)


class Trimmed:
    """Writes to stdout without the blanks that fill table rows up, so that output can be copied and compared."""

    def write(self, text: str) -> int:
        """Write."""
        return sys.stdout.write(re.sub(r"[ \t]+(?=\n)", "", text))

    def flush(self) -> None:
        """Flush."""
        sys.stdout.flush()


def somebody_there() -> bool:
    """Return whether a person can be asked: stdin is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_line(prompt: str) -> str | None:
    """Ask for one line; ``None`` when the input has ended."""
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def print_json(value: Any) -> None:
    """Write one JSON value on stdout, and nothing else."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def speak_utf8() -> None:
    """Make the three streams UTF-8, whatever the locale says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
