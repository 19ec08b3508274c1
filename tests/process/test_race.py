"""Fifty processes, fifty people, one room: one booking, and a clear conflict with alternatives for the others."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import surefoot_campus
from process.campus_processes import AT, Site

pytestmark = [pytest.mark.process, pytest.mark.timeout(400)]

DOOR, CLI = 45, 5
WANTED = {
    "room_id": "YX-201",
    "start": "2026-12-02T14:00:00+08:00",
    "end": "2026-12-02T15:00:00+08:00",
    "party_size": 3,
}


def crowd(folder: Path) -> Path:
    """Return sample files in which fifty people may book."""
    source = folder / "files"
    shutil.copytree(Path(surefoot_campus.__path__[0]) / "data" / "lakeside", source)
    with (source / "people.csv").open("a", encoding="utf-8") as people:
        people.writelines(f"user{n},student,yes\n" for n in range(DOOR + CLI))
    return source


def outcome_of(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Return what a contender printed last."""
    told, trouble = process.communicate(timeout=300)
    assert told.strip(), trouble
    outcome: dict[str, Any] = json.loads(told)
    return outcome


def test_of_fifty_processes_that_race_for_one_room_one_gets_it(tmp_path: Path) -> None:
    site, gun = Site(tmp_path, crowd(tmp_path)), tmp_path / "gun"
    environment = {
        **os.environ,
        "SUREFOOT_DATABASE_URL": f"sqlite:///{tmp_path / 'surefoot.sqlite'}",
        "SUREFOOT_CAMPUS_URL": f"http://127.0.0.1:{site.port}",
    }
    racer = Path(__file__).parent / "racer.py"
    with site.served():
        sentence = "帮我预约YX-201，明天下午两点到三点，3个人"
        waiting = []
        for n in range(DOOR, DOOR + CLI):
            asked = site.cli("ask", sentence, "--at", AT, "--user", f"user{n}", "--json")
            assert asked.returncode == 3, asked.stdout + asked.stderr
            waiting.append((f"user{n}", json.loads(asked.stdout)["run_id"]))
        racers = [
            subprocess.Popen(
                [sys.executable, str(racer), f"user{n}", str(gun), json.dumps(WANTED)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for n in range(DOOR)
        ]
        for contender in racers:
            assert contender.stdout is not None
            line = contender.stdout.readline()
            assert line == "ready\n", contender.communicate()[1]
        commands = [
            subprocess.Popen(
                [
                    str(Path(sys.executable).parent / "surefoot"),
                    "resume",
                    run_id,
                    "--confirm",
                    "--user",
                    user,
                    "--json",
                ],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for user, run_id in waiting
        ]
        gun.touch()
        through_the_door = [outcome_of(contender) for contender in racers]
        through_the_cli = [outcome_of(command) for command in commands]
        booked = [row for n in range(DOOR + CLI) for row in site.bookings(f"user{n}") if row[1] == "booked"]
        assert len(booked) == 1
        won = [told for told in through_the_door if told["kind"] == "ok"]
        lost = [told for told in through_the_door if told["kind"] == "refused"]
        assert len(won) + len(lost) == DOOR
        assert all(told["reason"] == "room_conflict" and told["alternatives"] > 0 for told in lost)
        cli_won = [told for told in through_the_cli if told["status"] == "done"]
        cli_lost = [told for told in through_the_cli if told["status"] == "waiting"]
        assert len(won) + len(cli_won) == 1
        assert len(cli_lost) + len(cli_won) == CLI
        assert all(told["pending"]["question"]["options"] for told in cli_lost)
