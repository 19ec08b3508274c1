"""The main job through the command line, against a campus in another process, through crashes and lost answers."""

import json
import signal
from pathlib import Path

import pytest

from process.campus_processes import AT, SENTENCE, Site

pytestmark = [pytest.mark.process, pytest.mark.timeout(420)]

POINTS = [
    "attempt.before_intent",
    "attempt.after_intent",
    "campus.request_sent",
    "attempt.after_call",
    "attempt.after_outcome",
]
"""Before intent, after intent, after send, after commit, before the checkpoint."""


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_each_point_and_resumed_there_is_one_booking_and_one_card(point: str, tmp_path: Path) -> None:
    site, mark = Site(tmp_path), tmp_path / "mark"
    with site.served():
        crash = {"SUREFOOT_CRASH_AT": point, "SUREFOOT_CRASH_MARK": str(mark)}
        killed = site.cli("ask", SENTENCE, "--at", AT, "--yes", **crash)
        assert mark.read_text() == f"{point}\n", killed.stdout + killed.stderr
        assert killed.returncode == -signal.SIGKILL
        # Without --yes: if the card were asked again, the run would wait and the exit code would be 3.
        resumed = site.cli("resume", site.newest_run())
        assert resumed.returncode == 0, resumed.stdout + resumed.stderr
        assert [row[1] for row in site.bookings()] == ["booked"]
        assert "BK-" in resumed.stdout


def test_a_booking_whose_answer_is_lost_is_confirmed_by_asking_back(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with site.served("book=after_commit_timeout"):
        done = site.cli("ask", SENTENCE, "--at", AT, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr
        assert [row[1] for row in site.bookings()] == ["booked"]
        assert "查询确认" in done.stdout


def test_a_campus_that_stays_silent_ends_in_a_ticket_and_reconcile_settles_it_later(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with site.served("book=after_commit_timeout,find=error_5xx*99"):
        lost = site.cli("ask", SENTENCE, "--at", AT, "--yes", "--json")
        assert lost.returncode == 4, lost.stdout + lost.stderr
        told = json.loads(lost.stdout)
        assert told["status"] == "handed_over"
        run_id = told["run_id"]
        assert f"T-{run_id}" in lost.stdout
        listed = site.cli("effects", "list")
        assert "unknown" in listed.stdout or "未知" in listed.stdout
    with site.served():
        settled = site.cli("effects", "reconcile")
        assert settled.returncode == 0, settled.stdout + settled.stderr
        assert "committed" in settled.stdout or "已" in settled.stdout
        assert [row[1] for row in site.bookings()] == ["booked"]


def test_without_an_answer_the_run_waits_and_declining_leaves_no_booking(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with site.served():
        waiting = site.cli("ask", SENTENCE, "--at", AT)
        assert waiting.returncode == 3, waiting.stdout + waiting.stderr
        assert "resume" in waiting.stdout + waiting.stderr
        declined = site.cli("resume", site.newest_run(), "--decline")
        assert declined.returncode == 5
        assert site.bookings() == []


def test_changing_the_time_checks_it_and_shows_a_new_card(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with site.served():
        site.cli("ask", SENTENCE, "--at", AT)
        run_id = site.newest_run()
        changed = site.cli("resume", run_id, "--change", "改成明天下午两点到三点", "--json")
        card = json.loads(changed.stdout)["pending"]["card"]
        assert (card["arguments"]["start"], card["arguments"]["end"]) == (
            "2026-12-02T14:00:00+08:00",
            "2026-12-02T15:00:00+08:00",
        )
        clash = site.cli("resume", run_id, "--change", "改成明天上午十点到十一点", "--json")
        again = json.loads(clash.stdout)["pending"]["card"]
        assert again["card_id"] != card["card_id"]
        assert "有课" in again["notices"][0]["zh"]
        done = site.cli("resume", run_id, "--confirm")
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(site.bookings()) == 1


def test_book_cancel_and_book_again_makes_two_bookings_in_turn(tmp_path: Path) -> None:
    site = Site(tmp_path)
    book = ("ask", "帮我预约YX-201，明天下午两点到三点，6个人", "--at", AT, "--yes")
    with site.served():
        for _ in range(2):
            done = site.cli(*book)
            assert done.returncode == 0, done.stdout + done.stderr
            number = next(word for word in done.stdout.replace("。", " ").split() if word.startswith("BK-"))[:7]
            gone = site.cli("ask", f"取消预约{number}", "--at", AT, "--yes")
            assert gone.returncode == 0, gone.stdout + gone.stderr
        rows = site.bookings()
        assert [row[1] for row in rows] == ["cancelled", "cancelled"]
        assert rows[0][2] != rows[1][2]


@pytest.mark.parametrize("sample", ["lakeside", "harbour", "yunshan"])
def test_the_sentence_runs_on_every_sample_campus(sample: str, tmp_path: Path) -> None:
    site = Site(tmp_path, sample)
    with site.served():
        done = site.cli("ask", SENTENCE, "--at", AT, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr
        assert [row[1] for row in site.bookings()] == ["booked"]


def test_a_second_run_on_a_waiting_thread_is_refused_as_busy(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with site.served():
        site.cli("ask", SENTENCE, "--at", AT, "--thread", "t1")
        busy = site.cli("ask", SENTENCE, "--at", AT, "--thread", "t1")
        assert busy.returncode == 6
        assert "Traceback" not in busy.stderr
