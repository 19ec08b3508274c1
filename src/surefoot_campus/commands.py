"""``surefoot campus ...``: make the embedded campus from readable files, and serve it to others."""

import socket
from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import Stopped, told_in
from surefoot.cli.speaking import language_here
from surefoot.errors import InputInvalid
from surefoot.texts import Text

commands = typer.Typer(no_args_is_help=True, help="The sample campus' own booking system.")

Database = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The campus' database; default: SUREFOOT_CAMPUS_DATABASE.")
]


@commands.command("init")
def init(
    sample: Annotated[str | None, typer.Option(metavar="NAME", help="A sample that ships, e.g. lakeside.")] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="FOLDER", help="Your own campus' files.")] = None,
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a campus that exists, bookings included.")] = False,
) -> None:
    """Make a campus database from a sample or from your own files, all or nothing."""
    lang = language_here()
    with told_in(lang):
        from surefoot_campus.systems.load import init as make

        if sample is not None and source is not None:
            raise InputInvalid(Text("--sample 和 --from 只能用一个。", "Use only one of --sample and --from."))
        if source is not None and not source.is_dir():
            raise InputInvalid(Text(f"没有文件夹 {source}。", f"There is no folder {source}."))
        file = database or _settled_database()
        try:
            made = make(file, source or sample or _settled_sample(), force=force)
        except OSError as error:
            zh, en = f"不能写入 {file}：{error.strerror}", f"Cannot write {file}: {error.strerror}"
            raise InputInvalid(Text(zh, en)) from error
    for warning in made.warnings:
        typer.echo(f"! {warning}", err=True)
    counts = ", ".join(f"{count} {what}" for what, count in made.counts.items())
    typer.echo(Text(f"已建好 {made.database}：{counts}", f"Made {made.database}: {counts}").say(lang))


@commands.command("serve")
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8470,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    database: Database = None,
    faults: Annotated[str, typer.Option(metavar="SPEC", help="e.g. book=after_commit_timeout*2,find=error_5xx")] = "",
) -> None:
    """Serve the campus over HTTP as a process of its own; a missing database is made from the sample."""
    lang = language_here()
    with told_in(lang):
        from surefoot_campus.systems.faults import parse
        from surefoot_campus.systems.load import init as make
        from surefoot_campus.systems.server import serve_forever

        parse(faults)
        url = f"http://{host}:{port}"
        _check_free(host, port, url, lang)
        file = database or _settled_database()
        if not file.exists():
            make(file, _settled_sample())
        typer.echo(
            Text(f"校园系统在 {url}（SUREFOOT_CAMPUS_URL={url}）", f"Serving on {url} (SUREFOOT_CAMPUS_URL={url})").say(
                lang
            )
        )
        serve_forever(file, host=host, port=port, faults=faults)


def _check_free(host: str, port: int, url: str, lang: str) -> None:
    """The server itself would only log that the port is taken."""
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        line = Text(f"不能在 {url} 提供服务：{error.strerror}。", f"Cannot serve on {url}: {error.strerror}.")
        raise Stopped(line.say(lang), ExitCode.BAD_INPUT) from error


def _settled_database() -> Path:
    from surefoot_campus.systems.opening import CampusSettings

    return CampusSettings().database


def _settled_sample() -> str:
    from surefoot_campus.systems.opening import CampusSettings

    return CampusSettings().sample
