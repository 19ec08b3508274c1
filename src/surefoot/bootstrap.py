"""The composition root: settings gathered, concrete parts picked, an app made ready to run."""

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import entry_points
from pathlib import Path
from random import random  # noqa: TID251 - this is where randomness is injected
from zoneinfo import ZoneInfo

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from surefoot.agents.plan_execute import build
from surefoot.agents.stores import OpenStores, Stores
from surefoot.app import App
from surefoot.contracts.clock import SystemClock
from surefoot.errors import AppNotFound, SettingsInvalid
from surefoot.execution.breaker import Breaker
from surefoot.execution.budget import Limits
from surefoot.execution.door import Door
from surefoot.execution.invoke import Invoker
from surefoot.guardrails.rates import IN_MEMORY, MovingWindows, parsed
from surefoot.persistence.checkpoints import sqlite_checkpointer
from surefoot.persistence.consents import SqlConsents
from surefoot.persistence.database import open_database, sqlite_path, sqlite_url
from surefoot.persistence.events import SqlEvents
from surefoot.persistence.leases import SqlLeases
from surefoot.persistence.ledger import SqlLedger
from surefoot.persistence.memory import SqlBehaviour, SqlPreferences
from surefoot.persistence.runs import SqlRuns
from surefoot.persistence.sealing import key_beside, read_key
from surefoot.persistence.tickets import SqlTickets
from surefoot.runtime.owner import owner_is_dead, this_owner
from surefoot.runtime.runner import Runner

LATE_RESULT_SECONDS = 1.0


class Settings(BaseSettings):
    """Settings of the core, from the environment (``SUREFOOT_...``). Apps read their own."""

    model_config = SettingsConfigDict(env_prefix="SUREFOOT_", extra="ignore")

    database_url: str = Field(
        default_factory=lambda: sqlite_url(user_data_path("surefoot") / "surefoot.sqlite"),
        description="Ledger, consents, leases, events, runs and checkpoints.",
    )
    encryption_key: SecretStr | None = Field(
        default=None, description="32 bytes in base64; without it a key file is kept beside an embedded database."
    )
    card_ttl_seconds: float = Field(default=600.0, gt=0, description="How long a card may be confirmed.")
    run_seconds: float = Field(default=300.0, gt=0, description="Time one run may use between two waits.")
    message_limit: str = Field(default="60/minute", description="How many messages one person may send.")
    rates_url: str = Field(
        default=IN_MEMORY, description="Where rates are counted: this process, or async+redis://HOST:PORT for all."
    )
    run_calls: int = Field(default=60, gt=0, description="Tool calls one run may make.")


def load_settings() -> Settings:
    """Read the settings. Raises SettingsInvalid with the name of the setting and what would be right."""
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"SUREFOOT_{'_'.join(str(part) for part in first['loc'])}".upper()
        raise SettingsInvalid(f"{name}: {first['msg']}") from error
    try:
        backend = make_url(settings.database_url).get_backend_name()
    except ArgumentError as error:
        raise SettingsInvalid(f"SUREFOOT_DATABASE_URL: {error}") from error
    parsed(settings.message_limit)
    if backend != "sqlite":
        raise SettingsInvalid(f"SUREFOOT_DATABASE_URL: {backend} is not supported yet; use sqlite:///FILE")
    return settings


def encryption_key(settings: Settings, path: Path | None) -> bytes:
    """Return the key that seals private values at rest.

    Raises:
        SettingsInvalid: the key is malformed, or there is neither a key nor a file to keep one beside.
        StorageUnavailable: the key file cannot be used.
    """
    if settings.encryption_key is not None:
        return read_key(settings.encryption_key.get_secret_value())
    if path is None:
        raise SettingsInvalid("SUREFOOT_ENCRYPTION_KEY is needed: there is no database file to keep a key beside")
    return key_beside(path)


def find_app(name: str) -> App:
    """Return an installed app by its entry-point name. Raises AppNotFound, naming the ones there are."""
    found = {entry.name: entry for entry in entry_points(group="surefoot.apps")}
    if name not in found:
        known = ", ".join(sorted(found)) or "none"
        raise AppNotFound(f"no app is called {name!r}; installed: {known}")
    app: App = found[name].load()
    return app


def new_id(prefix: str) -> str:
    """Return a fresh id: short for runs, long where guessing must be hopeless."""
    return f"{prefix}-{secrets.token_hex(4 if prefix == 'r' else 12)}"


def sqlite_ledger(path: Path | str | None = None) -> OpenStores:
    """Return how ``SurefootMiddleware`` opens a ledger kept in a file; without a path, the one of the settings.

    The key that seals what is kept comes from ``SUREFOOT_ENCRYPTION_KEY`` or is kept beside the file.
    """

    async def open_stores() -> Stores:
        settings = load_settings()
        url = sqlite_url(Path(path)) if path is not None else settings.database_url
        database = await open_database(url, encryption_key(settings, sqlite_path(url)))
        return Stores(
            ledger=SqlLedger(database),
            consents=SqlConsents(database),
            leases=SqlLeases(database, owner_is_dead),
            tickets=SqlTickets(database),
            owner=this_owner(secrets.token_hex(4)),
            close=database.close,
        )

    return open_stores


@asynccontextmanager
async def open_runner(app: App, settings: Settings) -> AsyncIterator[Runner]:
    """Open database, checkpointer and the app's systems, and yield a runner.

    Raises:
        ContractError: the app's contracts do not fit its functions.
        StorageUnavailable: the database cannot be used.
    """
    registry = app.registry()
    zone = ZoneInfo(app.timezone)
    clock = SystemClock(zone)
    async with AsyncExitStack() as stack:
        path = sqlite_path(settings.database_url)
        key = encryption_key(settings, path)
        database = await open_database(settings.database_url, key)
        stack.push_async_callback(database.close)
        saver = await stack.enter_async_context(sqlite_checkpointer(path, key))
        systems = await stack.enter_async_context(app.open())
        invoker, rates = Invoker(clock), MovingWindows(settings.rates_url)
        stack.push_async_callback(invoker.drain, LATE_RESULT_SECONDS)
        ledger, consents = SqlLedger(database), SqlConsents(database)
        door = Door(
            registry=registry,
            ledger=ledger,
            consents=consents,
            rules=app.rules,
            fees=app.fees,
            clock=clock,
            breaker=Breaker(clock),
            invoker=invoker,
            new_id=new_id,
            card_ttl_seconds=settings.card_ttl_seconds,
            rates=rates,
        )
        yield Runner(
            app=app,
            registry=registry,
            graph=build(saver),
            hold=saver.hold,
            door=door,
            systems=systems,
            runs=SqlRuns(database),
            leases=SqlLeases(database, owner_is_dead),
            tickets=SqlTickets(database),
            events=SqlEvents(database),
            preferences=SqlPreferences(database),
            behaviour=SqlBehaviour(database),
            clock=clock,
            zone=zone,
            owner=lambda: this_owner(secrets.token_hex(4)),
            new_id=new_id,
            spread=random,
            rates=rates,
            message_limit=settings.message_limit,
            limits=Limits(calls=settings.run_calls, seconds=settings.run_seconds),
        )
