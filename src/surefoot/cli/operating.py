"""``surefoot writes`` and ``surefoot privacy``: the pause switch, erasure of one person, the audit export."""

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from surefoot.cli.failures import told_in
from surefoot.cli.speaking import language_here
from surefoot.texts import Text

writes = typer.Typer(no_args_is_help=True, help="One switch pauses all writes, in every process on this database.")
privacy = typer.Typer(no_args_is_help=True, help="Erase one person's values; export who did what and when.")


@writes.command("pause")
def pause(why: Annotated[str, typer.Argument(help="The reason, shown to whoever is stopped.")]) -> None:
    """Let no new write out, undo among them; reads go on."""
    _say(_pause(why))


@writes.command("allow")
def allow() -> None:
    """Let writes out again."""
    _say(_pause(None))


@writes.command("state")
def state() -> None:
    """Say whether writes are paused, and why."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        why = with_records(lambda records: records.controls.writes_paused())
    _say(Text("写操作正常。", "Writes are allowed.") if why is None else _paused(why))


def _pause(why: str | None) -> Text:
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        if why is None:
            with_records(lambda records: records.controls.allow_writes())
            return Text("写操作已恢复。", "Writes are allowed again.")
        with_records(lambda records: records.controls.pause_writes(why))
        return _paused(why)


def _paused(why: str) -> Text:
    return Text(f"所有写操作已暂停：{why}", f"All writes are paused: {why}")


@privacy.command("erase")
def erase(
    user: Annotated[str, typer.Argument(metavar="USER", help="The person whose values go.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without this it only says what would happen.")] = False,
) -> None:
    """Erase a person's values from ledger, consents, events, tickets and checkpoints; keep the skeleton."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        if not yes:
            sure = f"surefoot privacy erase {user} --yes"
            _say(
                Text(
                    f"这会永久删除 {user} 的内容。确定请用：{sure}",
                    f"This erases {user}'s values for good. To do it: {sure}",
                )
            )
            return
        pseudonym = f"erased-{secrets.token_hex(4)}"
        gone = with_records(lambda records: records.erase(user, pseudonym))
    _say(
        Text(
            f"已删除：{gone.runs} 个任务、{gone.effects} 个写操作的内容；记录的骨架改记在 {pseudonym} 名下。",
            f"Erased the values of {gone.runs} runs and {gone.effects} effects; the skeleton goes on as {pseudonym}.",
        )
    )


@privacy.command("audit")
def audit_export(
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file; without it, stdout.")] = None,
) -> None:
    """Export who did what when and how it ended as JSON lines, without any value."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        rows = with_records(lambda records: records.audit())
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if output is None:
        typer.echo(lines, nl=False)
        return
    output.write_text(lines, encoding="utf-8")
    _say(Text(f"写出 {len(rows)} 行到 {output.name}。", f"Wrote {len(rows)} lines to {output.name}."))


def _say(text: Text) -> None:
    typer.echo(text.say(language_here()))
