"""``surefoot tickets``: the queue of what was handed over to a person, and what the person makes of it."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.exits import ExitCode, of_status
from surefoot.cli.failures import told_in
from surefoot.cli.options import AsJson
from surefoot.cli.speaking import language_here
from surefoot.errors import InputInvalid, RunNotFound
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.cli.records import Records
    from surefoot.persistence.runs import Run
    from surefoot.recovery.handover import Ticket
    from surefoot.runtime.operator import Resolved

tickets = typer.Typer(no_args_is_help=True, help="What was handed over to a person: look, claim, resolve.")

TicketId = Annotated[str, typer.Argument(metavar="TICKET", help="The ticket's id, as `tickets list` shows it.")]
Operator = Annotated[
    str, typer.Option("--as", metavar="NAME", envvar="SUREFOOT_OPERATOR", help="Who you are; kept with the ticket.")
]
WAYS = ("finish", "continue", "undo")
ONE_WAY = Text("--finish、--continue、--undo 只能用一个。", "Use only one of --finish, --continue, --undo.")


@tickets.command("list")
def list_tickets(
    status: Annotated[
        str | None, typer.Option("--status", help="open, claimed, resolved or all; without it what waits for a person.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List tickets, oldest first."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records
        from surefoot.cli.screen import console, print_json
        from surefoot.cli.ticket_words import as_row, list_table

        _check_status(status)
        found = with_records(lambda records: _queue(records, status))
    if as_json:
        print_json([as_row(ticket) for ticket in found])
    elif found:
        console().print(list_table(found, lang))
    else:
        console().print(Text("没有这样的工单。", "There are no such tickets.").say(lang))


def _check_status(status: str | None) -> None:
    from surefoot.recovery.handover import STATUSES

    if status is not None and status not in (*STATUSES, "all"):
        known = ", ".join((*STATUSES, "all"))
        raise InputInvalid(
            Text(f"没有状态“{status}”；有：{known}", f"There is no status {status!r}; there are: {known}")
        )  # fmt: skip


async def _queue(records: "Records", status: str | None) -> "list[Ticket]":
    if status == "all":
        return [*await records.tickets.queue(), *await records.tickets.queue("resolved")]
    return await records.tickets.queue(status)


@tickets.command("show")
def show(
    ticket_id: TicketId,
    private: Annotated[bool, typer.Option("--private", help="Show private values too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell a ticket: what was asked, done, unknown and left, how to undo it by hand, and who did what."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records
        from surefoot.cli.screen import console, print_json
        from surefoot.cli.ticket_words import lines_of, without_private

        ticket, run = with_records(lambda records: _with_run(records, ticket_id))
        shown = ticket if private else without_private(ticket, run.app if run is not None else None)
    if as_json:
        print_json(shown.to_json())
        return
    for line in lines_of(shown, lang):
        console().print(line, soft_wrap=True, markup=False, highlight=False)


async def _with_run(records: "Records", ticket_id: str) -> "tuple[Ticket, Run | None]":
    """Return a ticket and its run; one of a host without a table of runs has none."""
    ticket = await records.tickets.get(ticket_id)
    try:
        return ticket, await records.runs.get(ticket.run_id)
    except RunNotFound:
        return ticket, None


@tickets.command("claim")
def claim(ticket_id: TicketId, by: Operator) -> None:
    """Take a ticket, so that nobody else works on it."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        ticket = with_records(lambda records: records.tickets.claim(ticket_id, by))
    _say(
        Text(
            f"工单 {ticket_id} 由 {ticket.claimed_by} 认领。", f"Ticket {ticket_id} is claimed by {ticket.claimed_by}."
        )
    )


@tickets.command("release")
def release(
    ticket_id: TicketId,
    by: Operator,
    force: Annotated[bool, typer.Option("--force", help="Also when somebody else has it.")] = False,
) -> None:
    """Give a ticket back to the queue."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        with_records(lambda records: records.tickets.release(ticket_id, by, force=force))
    _say(Text(f"工单 {ticket_id} 已交还。", f"Ticket {ticket_id} is back in the queue."))


@tickets.command("resolve")
def resolve(
    ticket_id: TicketId,
    by: Operator,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Your words; the person reads them.")],
    present: Annotated[list[str] | None, typer.Option(metavar="EFFECT", help="You found that it is there.")] = None,
    result: Annotated[
        list[str] | None,
        typer.Option("--result", metavar="JSON", help="What a present one had answered; in the order of --present."),
    ] = None,
    absent: Annotated[list[str] | None, typer.Option(metavar="EFFECT", help="You found that it is not there.")] = None,
    finish: Annotated[bool, typer.Option("--finish", help="Close the run as it stands (the default).")] = False,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on with the plan.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what stands.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what you found out, and finish, go on with or undo the run. Saying it again goes on where it stopped.

    Exit code 0: closed, or the run is done. 3: the run waits for the person. 4: it is handed over still.
    5: it was undone, or ended as failed or declined. 2: nothing was changed.
    """
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records

        chosen = [name for name, given in zip(WAYS, (finish, go_on, undo), strict=True) if given]
        if len(chosen) > 1:
            raise InputInvalid(ONE_WAY)
        wish: dict[str, Any] = {
            "by": by,
            "verdicts": _verdicts(present or [], absent or []),
            "results": _results(present or [], result or []),
            "note": note,
        }
        then = chosen[0] if chosen else "finish"
        _, run = with_records(lambda records: _with_run(records, ticket_id))
        if run is None:
            code = _close(ticket_id, wish, then, as_json=as_json)
    if run is not None:
        with told_in(lang):
            resolved = _resolve(run, ticket_id, wish, then)
        code = _tell(resolved, run, then, as_json=as_json)
    raise typer.Exit(code)


def _verdicts(present: Sequence[str], absent: Sequence[str]) -> dict[str, str]:
    both = sorted(set(present) & set(absent))
    if both:
        raise InputInvalid(
            Text(f"{both[0]} 不能既在又不在。", f"{both[0]} cannot be both present and absent.")
        )  # fmt: skip
    return {**dict.fromkeys(present, "present"), **dict.fromkeys(absent, "absent")}


def _results(present: Sequence[str], given: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    if given and len(given) != len(present):
        raise InputInvalid(
            Text("每个 --present 各配一个 --result，顺序相同。", "Give one --result for each --present, in its order.")
        )
    return {effect_id: _mapping(words) for effect_id, words in zip(present, given, strict=bool(given))}


def _mapping(words: str) -> Mapping[str, Any]:
    try:
        value = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise InputInvalid(Text(f"--result 不是 JSON：{error}", f"--result is no JSON: {error}")) from error
    if not isinstance(value, dict):
        raise InputInvalid(Text("--result 应是一个 JSON 对象。", "--result must be a JSON object."))
    return value


def _resolve(run: "Run", ticket_id: str, wish: dict[str, Any], then: Any) -> "Resolved":
    from surefoot.bootstrap import find_app, load_settings
    from surefoot.cli.hosting import hosted
    from surefoot.runtime.operator import resolve as carry_out

    with hosted(find_app(run.app), load_settings()) as host:
        return host.do(carry_out(host.runner, ticket_id, then=then, **wish))


def _close(ticket_id: str, wish: dict[str, Any], then: str, *, as_json: bool) -> ExitCode:
    """Close a ticket whose run another host keeps."""
    from surefoot.cli.records import with_records
    from surefoot.cli.screen import print_json
    from surefoot.cli.ticket_words import as_row
    from surefoot.persistence.leases import SqlLeases
    from surefoot.runtime.operator import resolve_without_run
    from surefoot.runtime.owner import owner_is_dead

    if then != "finish":
        raise InputInvalid(
            Text(
                "这个工单的任务在别的程序里，只能用 --finish 结案。",
                "The run of this ticket lives in another program; only --finish can be used.",
            )
        )

    async def close(records: "Records") -> "Ticket":
        leases = SqlLeases(records.database, owner_is_dead)
        return await resolve_without_run(records.tickets, records.ledger, leases, ticket_id, **wish)

    ticket = with_records(close)
    if as_json:
        print_json({"ticket": as_row(ticket), "run": None})
    else:
        _say_status(ticket)
    return ExitCode.DONE


def _tell(resolved: "Resolved", run: "Run", then: str, *, as_json: bool) -> ExitCode:
    from surefoot.cli.results import as_data, tell
    from surefoot.cli.screen import console, print_json
    from surefoot.cli.ticket_words import as_row

    if as_json:
        print_json({"ticket": as_row(resolved.ticket), "run": as_data(resolved.run)})
    else:
        tell(resolved.run, console(), lang=run.lang, user=run.user_id, as_json=False)
        _say_status(resolved.ticket)
    closed = then == "finish" and resolved.ticket.status == "resolved"
    return ExitCode.DONE if closed else of_status(resolved.run.status)


def _say_status(ticket: "Ticket") -> None:
    from surefoot.cli.ticket_words import TICKET_STATES

    state = TICKET_STATES[ticket.status]
    _say(Text(f"工单 {ticket.ticket_id}：{state.zh}", f"Ticket {ticket.ticket_id}: {state.en}"))


def _say(text: Text) -> None:
    typer.echo(text.say(language_here()))
