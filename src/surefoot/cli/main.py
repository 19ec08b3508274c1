"""The entry point: commands of the core, commands of the installed apps, and one line for every failure."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

import typer

from surefoot.cli.apps import check_app, graph
from surefoot.cli.ask import ask
from surefoot.cli.cancel import cancel
from surefoot.cli.chat import chat
from surefoot.cli.effects import effects
from surefoot.cli.evals import run_eval
from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import report
from surefoot.cli.memory import memory
from surefoot.cli.model import model
from surefoot.cli.operating import privacy, writes
from surefoot.cli.resume import resume
from surefoot.cli.runs import runs
from surefoot.cli.screen import speak_utf8
from surefoot.cli.speaking import language_here
from surefoot.cli.tickets import tickets
from surefoot.cli.trace import trace
from surefoot.texts import Text


def commands() -> typer.Typer:
    """Return the whole command tree; apps' commands are mounted under their entry point's name."""
    tree = typer.Typer(
        name="surefoot",
        help="Ask for something and see it done dependably: a checked plan, your consent, an honest answer.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    named = (
        ("ask", ask), ("chat", chat), ("resume", resume), ("cancel", cancel), ("runs", runs), ("trace", trace),
        ("graph", graph),
    )  # fmt: skip
    for name, command in named:
        tree.command(name)(command)
    tree.command("check-app")(check_app)
    tree.command("eval", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(run_eval)
    tree.add_typer(effects, name="effects")
    tree.add_typer(tickets, name="tickets")
    tree.add_typer(writes, name="writes")
    tree.add_typer(privacy, name="privacy")
    tree.add_typer(memory, name="memory")
    tree.add_typer(model, name="model")
    for entry in sorted(entry_points(group="surefoot.commands"), key=lambda found: found.name):
        _mount(tree, entry)
    return tree


def _mount(tree: typer.Typer, entry: Any) -> None:
    """An app whose commands cannot be loaded must not take the other commands away."""
    try:
        tree.add_typer(entry.load(), name=entry.name)
    except (ImportError, AttributeError) as error:
        sys.stderr.write(f"surefoot: the commands of {entry.name!r} cannot be loaded: {error}\n")


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; every failure is one line on stderr."""
    try:
        done = commands()(args=list(arguments) or ["--help"], prog_name="surefoot", standalone_mode=False)
        sys.stdout.flush()
        return int(done or 0)
    except typer.Exit as ended:
        return ended.exit_code
    except SystemExit as ended:
        return (
            ended.code if isinstance(ended.code, int) else ExitCode.DONE if ended.code is None else ExitCode.UNEXPECTED
        )
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write(f"\nsurefoot: {Text('已中断。', 'Interrupted.').say(language_here())}\n")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; the interpreter must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except BaseException as error:  # noqa: BLE001 - nobody sees a stack trace
        return _failed(error)


def _failed(error: BaseException) -> int:
    usage = getattr(error, "format_message", None)
    if usage is None:
        return report(error, language_here())
    path = getattr(getattr(error, "ctx", None), "command_path", "surefoot")
    message = " ".join(str(usage()).split()).rstrip(".")
    if message:
        sys.stderr.write(f"surefoot: {message}. See `{path} --help`.\n")
    return ExitCode.BAD_INPUT


def main() -> None:
    """Run the command line of this process and exit with its code."""
    speak_utf8()
    sys.exit(run(sys.argv[1:]))
