"""Tickets of every released version are read, and an operator goes on with their runs."""

import base64
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shop.running import shop
from surefoot.runtime.operator import resolve
from surefoot.runtime.runner import Runner
from surefoot.testing.in_memory import TEST_KEY

GOLDEN = sorted((Path(__file__).parent / "golden" / "handed_over").glob("*.sqlite"))


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
async def runner(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Runner]:
    shutil.copyfile(request.param, tmp_path / "surefoot.sqlite")
    (tmp_path / "surefoot.key").write_bytes(base64.b64encode(TEST_KEY))
    (tmp_path / "surefoot.key").chmod(0o600)
    async with shop(tmp_path) as (opened, _, __):
        yield opened


def test_there_is_a_golden_ticket() -> None:
    assert GOLDEN


async def test_a_ticket_of_an_old_version_is_read_with_what_it_had(runner: Runner) -> None:
    (ticket,) = await runner.tickets.queue()
    assert (ticket.status, ticket.request, ticket.claimed_by) == ("open", "buy tea", None)
    assert [item["tool"] for item in ticket.done] == ["reserve"]
    assert [item["tool"] for item in ticket.unknown] == ["charge"]
    assert [(entry["by"], entry["what"]) for entry in ticket.history] == [("the run", "opened")]
    assert ticket == await runner.tickets.get(ticket.ticket_id) == await runner.tickets.of_run(ticket.run_id)


async def test_a_run_that_an_old_version_handed_over_goes_on_with_an_operators_word(runner: Runner) -> None:
    (ticket,) = await runner.tickets.queue()
    (unknown,) = ticket.unknown
    done = await resolve(
        runner, ticket.ticket_id, by="olga", verdicts={unknown["effect_id"]: "present"},
        results={unknown["effect_id"]: {"charge_id": "C2"}}, then="continue", note="It is there.",
    )  # fmt: skip
    assert (done.run.status, done.ticket.status, done.ticket.unknown) == ("done", "resolved", [])
    assert [item["tool"] for item in done.ticket.done] == ["reserve", "charge"]
    assert done.ticket.by_hand[0]["undo"] == {"tool": "refund", "arguments": {"charge_id": "C2"}}
