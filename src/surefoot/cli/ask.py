"""``surefoot ask``: one sentence becomes a checked plan, cards, and an answer."""

import sys
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import Stopped, told_in
from surefoot.cli.options import AppName, AsJson, Lang, User, Yes
from surefoot.cli.speaking import language_of
from surefoot.errors import InputInvalid
from surefoot.texts import Text

STDIN_CHARACTERS = 1_000_000


def ask(
    text: Annotated[str, typer.Argument(help="What you need, in one sentence; `-` reads it from stdin.")],
    app: AppName = "campus",
    user: User = "student",
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Plan, check and show; write nothing.")] = False,
    at: Annotated[str | None, typer.Option(help="Pretend it is this time, e.g. 2026-12-01T10:00.")] = None,
    lang: Annotated[Lang | None, typer.Option(help="Language of the answer; default: that of the text.")] = None,
    thread: Annotated[str | None, typer.Option(help="Go on in this thread; default: a new one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask for something: see the plan, confirm each card, get the answer."""
    words = sys.stdin.read(STDIN_CHARACTERS) if text == "-" else text
    speech = lang.value if lang else language_of(words)
    with told_in(speech):
        code = _ask(words, app, user, yes=yes, dry_run=dry_run, at=at, lang=speech, thread=thread, as_json=as_json)
    raise typer.Exit(code)


def _ask(
    words: str,
    app: str,
    user: str,
    *,
    yes: bool,
    dry_run: bool,
    at: str | None,
    lang: str,
    thread: str | None,
    as_json: bool,
) -> ExitCode:
    from surefoot.bootstrap import find_app, load_settings
    from surefoot.cli.cards import Setting
    from surefoot.cli.dialogue import Dialogue
    from surefoot.cli.hosting import hosted
    from surefoot.cli.progress import Progress
    from surefoot.cli.results import interrupted, tell
    from surefoot.cli.screen import console, somebody_there

    installed, screen = find_app(app), console()
    moment = moment_at(at, installed.timezone) if at else None
    progress = Progress(screen, lang, quiet=as_json)
    try:
        with hosted(installed, load_settings()) as host:
            setting = Setting(installed, host.runner.registry, lang)
            asking = somebody_there() and not as_json
            talk = Dialogue(host, screen, progress, setting, user, yes=yes, ask=asking, show=not as_json)
            with progress.live():
                result = host.do(
                    host.runner.start(
                        words,
                        user_id=user,
                        lang=lang,
                        at=moment,
                        thread_id=thread,
                        dry_run=dry_run,
                        watch=progress.watch,
                    )
                )
            result = talk.drive(result)
    except KeyboardInterrupt:
        raise Stopped(interrupted(progress.run_id, lang), ExitCode.INTERRUPTED) from None
    return tell(result, screen, lang=lang, user=user, as_json=as_json)


def moment_at(text: str, timezone: str) -> datetime:
    """Return the time of ``--at``; one without an offset is local time of ``timezone``.

    Raises:
        InputInvalid: it is no ISO 8601 time.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        zh = f"--at 的时间“{text}”不对；请写成 2026-12-01T10:00。"
        raise InputInvalid(Text(zh, f"--at {text!r} is no time; write it as 2026-12-01T10:00.")) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(timezone))
