"""Which campus is opened: a URL, a file, a file made on first use; and files that are no campus."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from surefoot.errors import InputInvalid, NotSent, SettingsInvalid
from surefoot_campus.systems import open_campus
from surefoot_campus.systems.embedded import open_embedded
from surefoot_campus.systems.faults import parse
from surefoot_campus.systems.load import init
from surefoot_campus.systems.opening import CampusSettings


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings of whoever runs the tests out."""
    for name in ("URL", "SAMPLE"):
        monkeypatch.delenv(f"SUREFOOT_CAMPUS_{name}", raising=False)
    monkeypatch.setenv("SUREFOOT_CAMPUS_DATABASE", str(tmp_path / "data" / "campus.sqlite"))


async def test_a_missing_file_is_made_from_the_sample_that_the_environment_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SUREFOOT_CAMPUS_SAMPLE", "harbour")
    async with open_campus() as campus:
        assert (await campus.profile())["name"]["en"] == "Harbour College"


async def test_the_default_sample_is_lakeside_and_a_file_that_exists_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for sample in ("lakeside", "harbour"):
        monkeypatch.setenv("SUREFOOT_CAMPUS_SAMPLE", sample)
        async with open_campus() as campus:
            assert (await campus.profile())["name"]["zh"] == "湖畔大学"


async def test_settings_can_be_handed_in(tmp_path: Path) -> None:
    settings = CampusSettings(database=tmp_path / "other.sqlite", sample="yunshan")
    async with open_campus(settings) as campus:
        assert (await campus.profile())["name"]["en"] == "Yunshan College"
    assert (tmp_path / "other.sqlite").exists()


async def test_many_that_open_a_missing_campus_at_once_all_get_it() -> None:
    async def name() -> str:
        async with open_campus() as campus:
            return str((await campus.profile())["name"]["en"])

    assert set(await asyncio.gather(*(name() for _ in range(5)))) == {"Lakeside University"}


async def test_an_unknown_sample_and_a_url_of_another_kind_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREFOOT_CAMPUS_SAMPLE", "atlantis")
    with pytest.raises(InputInvalid, match="lakeside"):
        async with open_campus():
            pass
    monkeypatch.setenv("SUREFOOT_CAMPUS_URL", "localhost:8470")
    with pytest.raises(SettingsInvalid, match="must begin with http"):
        async with open_campus():
            pass


async def test_a_file_that_is_no_campus_is_left_alone_and_nothing_counts_as_sent(tmp_path: Path) -> None:
    text, other = tmp_path / "text.sqlite", tmp_path / "other.sqlite"
    text.write_text("not a database " * 100, encoding="utf-8")
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE run (id TEXT)")
    connection.commit()
    connection.close()
    for path, problem in (
        (text, "cannot be opened"),
        (other, "no campus of this version"),
        (tmp_path / "gone.sqlite", "there is no campus"),
    ):
        async with open_embedded(path) as campus:
            with pytest.raises(NotSent, match=problem):
                await campus.profile()


async def test_a_call_that_fails_in_the_database_does_not_block_the_next(tmp_path: Path) -> None:
    init(tmp_path / "c.sqlite", "lakeside")
    async with open_embedded(tmp_path / "c.sqlite") as campus:
        with pytest.raises(KeyError):
            await campus.book({"room_id": "YX-101"})
        assert await campus.find("student", None, None) == []


def test_a_fault_that_cannot_be_read_says_what_can() -> None:
    assert [(f.method, f.kind, f.left) for f in parse("book=slow:0.5*3, find=error_5xx")] == [
        ("book", "slow", 3),
        ("find", "error_5xx", 1),
    ]
    for spec in ("book", "bok=slow", "book=explode", "book=slow:soon", "book=slow*many", "book=slow:-1"):
        with pytest.raises(SettingsInvalid, match="METHOD: profile, person"):
            parse(spec)
