"""The campus as one process, the CLI as another, each with a database of its own."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from surefoot_campus.systems.load import init

SUREFOOT = str(Path(sys.executable).parent / "surefoot")
SENTENCE = (
    "我明天上午第二节没课，想找一个空研讨间做小组展示排练，"
    "排练结束后再推荐一个附近人少、味道不错的食堂，帮我把时间安排好。"
)
AT = "2026-12-01T10:00"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@dataclass
class Site:
    """One person's machine and the campus it talks to."""

    folder: Path
    sample: str | Path = "lakeside"
    port: int = field(default_factory=free_port)

    @property
    def campus_file(self) -> Path:
        return self.folder / "campus.sqlite"

    def bookings(self, user: str = "student") -> list[tuple[Any, ...]]:
        """Return the rows of a user's bookings as the campus' own database has them."""
        with sqlite3.connect(self.campus_file) as connection:
            query = "SELECT room_id, status, request_key FROM booking WHERE user_id = ? ORDER BY number"
            rows = connection.execute(query, (user,)).fetchall()
        connection.close()
        return rows

    @contextmanager
    def served(self, faults: str = "") -> Iterator[None]:
        """Run the campus as a process until the block ends."""
        if not self.campus_file.exists():
            init(self.campus_file, self.sample)
        command = [SUREFOOT, "campus", "serve", "--port", str(self.port), "--database", str(self.campus_file)]
        server = subprocess.Popen([*command, *(["--faults", faults] if faults else [])], stderr=subprocess.PIPE)
        try:
            self._wait(server)
            yield
        finally:
            server.terminate()
            server.communicate(timeout=20)

    def _wait(self, server: "subprocess.Popen[bytes]") -> None:
        for _ in range(600):
            assert server.poll() is None, server.communicate()[1].decode()
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=0.2).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the campus did not come up")

    def cli(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run the CLI as a process."""
        settings = {
            "SUREFOOT_DATABASE_URL": f"sqlite:///{self.folder / 'surefoot.sqlite'}",
            "SUREFOOT_CAMPUS_URL": f"http://127.0.0.1:{self.port}",
            "NO_COLOR": "1",
        }
        return subprocess.run(
            [SUREFOOT, *arguments],
            env={**os.environ, **settings, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=200,
        )

    def newest_run(self) -> str:
        runs = json.loads(self.cli("runs", "--json").stdout)
        run_id: str = runs[0]["run_id"]
        return run_id
