"""Who holds a lease: a process on a host, told apart from a later one with the same number."""

import os
import socket
from pathlib import Path


def this_owner(nonce: str) -> str:
    """Return this process as a lease owner: ``host|pid|start|nonce``."""
    return f"{socket.gethostname()}|{os.getpid()}|{_start_of(os.getpid())}|{nonce}"


def owner_is_dead(owner: str) -> bool:
    """Return whether ``owner`` is a process of this host that no longer runs. Unsure means ``False``."""
    host, _, rest = owner.partition("|")
    pid, _, rest = rest.partition("|")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _start_of(int(pid)) != rest.partition("|")[0]


def _start_of(pid: int) -> str:
    """Return the process's start time in clock ticks, from /proc where there is one (proc(5), field 22)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return "0"
    return "zombie" if fields[0] == "Z" else fields[19]
