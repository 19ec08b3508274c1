"""Opens the campus that the environment names: a URL, a file, or the sample made on first use."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from surefoot_campus.systems.embedded import open_embedded
from surefoot_campus.systems.http_client import open_http
from surefoot_campus.systems.load import CampusExists, init
from surefoot_campus.systems.port import Campus


class CampusSettings(BaseSettings):
    """Settings of the campus application (``SUREFOOT_CAMPUS_...``)."""

    model_config = SettingsConfigDict(env_prefix="SUREFOOT_CAMPUS_", extra="ignore")

    url: str | None = Field(default=None, description="A campus behind HTTP; then no file is used.")
    database: Path = Field(
        default_factory=lambda: user_data_path("surefoot") / "campus.sqlite", description="The embedded campus' file."
    )
    sample: str = Field(default="lakeside", description="The sample that a missing file is made from.")


@asynccontextmanager
async def open_campus(settings: CampusSettings | None = None) -> AsyncIterator[Campus]:
    """Open the campus for the length of a block; an embedded one that does not exist yet is made from the sample.

    Raises:
        InputInvalid: there is no such sample, or its files are wrong (with file and line).
        SettingsInvalid: the URL is none of http:// or https://.
    """
    settings = settings or CampusSettings()
    if settings.url:
        async with open_http(settings.url) as client:
            yield client
        return
    if not settings.database.exists():
        # Another process may make it at the same moment.
        with suppress(CampusExists):
            init(settings.database, settings.sample)
    async with open_embedded(settings.database) as campus:
        yield campus
