"""Named points at which a test may kill this process, to prove that nothing is lost there.

Every point is declared with :func:`declare` where it is used, so the kill matrix can list them all. In
production :func:`reach` is one dictionary look-up. ``SUREFOOT_CRASH_AT=name`` makes the process write the
point's name to the file ``SUREFOOT_CRASH_MARK`` (proof that it was hit) and send itself SIGKILL;
``name#3`` does so at the third time the point is reached.
"""

import os
import signal
from pathlib import Path

_declared: dict[str, str] = {}
_reached: dict[str, int] = {}


def declare(name: str, where: str) -> str:
    """Register a point; ``where`` says in words what has and what has not happened there. Returns the name."""
    _declared[name] = where
    return name


def declared() -> dict[str, str]:
    """Return every registered point with its description."""
    return dict(_declared)


def reach(name: str) -> None:
    """Pass a point; die here with SIGKILL if the environment asks for it.

    Raises:
        KeyError: the point was never declared.
    """
    if name not in _declared:
        raise KeyError(f"crash point {name!r} was never declared")
    wanted = os.environ.get("SUREFOOT_CRASH_AT")
    if not wanted:
        return
    _reached[name] = _reached.get(name, 0) + 1
    target, _, count = wanted.partition("#")
    if target == name and _reached[name] == int(count or 1):
        _die(name)


def _die(name: str) -> None:
    mark = os.environ.get("SUREFOOT_CRASH_MARK")
    if mark:
        with Path(mark).open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
    os.kill(os.getpid(), signal.SIGKILL)
