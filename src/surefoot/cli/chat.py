"""``surefoot chat``: sentence after sentence on one thread, so that each goes on from the one before."""

from typing import Annotated

import typer

from surefoot.cli.ask import moment_at
from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import told_in
from surefoot.cli.options import AppName, User
from surefoot.cli.speaking import language_here, language_of
from surefoot.errors import InputInvalid, SurefootError
from surefoot.texts import Text

LEAVE = frozenset({"q", "quit", "exit", "bye", "退出", "再见"})
HELLO = Text(
    "一句一句说就行，前面说过的算数；输入 q 结束。", "Say one thing after the other; what you said holds. q ends."
)


def chat(
    app: AppName = "campus",
    user: User = "student",
    at: Annotated[str | None, typer.Option(help="Pretend it is this time, e.g. 2026-12-01T10:00.")] = None,
    thread: Annotated[str | None, typer.Option(help="Go on in this thread; default: a new one.")] = None,
) -> None:
    """Talk on one thread: constraints hold, corrections correct, what is booked is moved and not booked twice."""
    with told_in(language_here()):
        code = _chat(app, user, at, thread)
    raise typer.Exit(code)


def _chat(app: str, user: str, at: str | None, thread: str | None) -> ExitCode:
    from surefoot.bootstrap import find_app, load_settings, new_id
    from surefoot.cli.cards import Setting
    from surefoot.cli.dialogue import Dialogue
    from surefoot.cli.hosting import hosted
    from surefoot.cli.progress import Progress
    from surefoot.cli.results import tell
    from surefoot.cli.screen import console, read_line

    installed, screen = find_app(app), console()
    moment = moment_at(at, installed.timezone) if at else None
    thread, code = thread or new_id("t"), ExitCode.DONE
    screen.print(HELLO.say(language_here()), style="dim")
    with hosted(installed, load_settings()) as host:
        while (words := read_line("› ")) is not None and words.lower() not in LEAVE:
            if not words:
                continue
            lang = language_of(words)
            progress = Progress(screen, lang)
            talk = Dialogue(host, screen, progress, Setting(installed, host.runner.registry, lang), user)
            try:
                with progress.live():
                    result = host.do(
                        host.runner.start(
                            words, user_id=user, lang=lang, at=moment, thread_id=thread, watch=progress.watch
                        )
                    )
                result = talk.drive(result)
            except InputInvalid as refused:
                screen.print(refused.text.say(lang), style="yellow")
                continue
            except SurefootError as failed:
                screen.print(str(failed), style="yellow")
                continue
            code = tell(result, screen, lang=lang, user=user, as_json=False)
            screen.print()
    return code
