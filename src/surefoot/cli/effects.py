"""``surefoot effects``: what was written to the world, and asking back for what is not known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import told_in
from surefoot.cli.options import AppName, AsJson
from surefoot.cli.speaking import EFFECT_STATES, arguments_in_words, language_here, said
from surefoot.errors import AppNotFound, ContractError, InputInvalid, ProtocolViolation
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.app import App
    from surefoot.cli.records import Records
    from surefoot.contracts.registry import Registry
    from surefoot.execution.ledger import Effect
    from surefoot.runtime.reconciler import Settled

effects = typer.Typer(no_args_is_help=True, help="What was written to the world, and how it stands.")

LIST_HEADS = (
    Text("写操作", "Effect"),
    Text("工具", "Tool"),
    Text("状态", "State"),
    Text("自", "Since"),
    Text("参数", "Arguments"),
)
SETTLED_HEADS = (Text("写操作", "Effect"), Text("工具", "Tool"), Text("之前", "Before"), Text("之后", "After"))


@dataclass(frozen=True)
class Seen:
    """One effect with what it takes to show it. ``since`` is seconds on the database's clock, ``None`` if unknown."""

    effect: "Effect"
    app: str
    since: float | None


@effects.command("list")
def list_effects(
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only this run's.")] = None,
    state: Annotated[str | None, typer.Option("--state", help="Only those in this state, e.g. unknown.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List effects, newest first."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records
        from surefoot.cli.screen import console, print_json

        _check_state(state)
        seen = with_records(lambda records: _gather(records, run, state, limit))
    apps = _apps(seen)
    if as_json:
        print_json([_as_data(one, apps) for one in seen])
    elif seen:
        console().print(_list_table(seen, apps, lang))
    else:
        console().print(Text("没有这样的写操作。", "There are no such effects.").say(lang))


def _check_state(state: str | None) -> None:
    if state is not None and state not in EFFECT_STATES:
        known = ", ".join(EFFECT_STATES)
        raise InputInvalid(Text(f"没有状态“{state}”；有：{known}", f"There is no state {state!r}; there are: {known}"))


async def _gather(records: "Records", run: str | None, state: str | None, limit: int) -> list[Seen]:
    if run is not None:
        await records.runs.get(run)
        found = list(reversed(await records.ledger.of_run(run)))
    else:
        found = await records.ledger.all(limit=100_000 if state else limit)
    seen = []
    for effect in [effect for effect in found if state in (None, effect.state.value)][:limit]:
        history = await records.ledger.events_of(effect.effect_id)
        app = (await records.runs.get(effect.run_id)).app
        seen.append(Seen(effect, app, history[-1]["at"] if history else None))
    return seen


def _apps(seen: Sequence[Seen]) -> "dict[str, tuple[App, Registry] | None]":
    """Return the apps at hand: their contracts say which arguments are private."""
    from surefoot.bootstrap import find_app

    found: dict[str, tuple[App, Registry] | None] = {}
    for name in {one.app for one in seen}:
        try:
            app = find_app(name)
            found[name] = (app, app.registry())
        except (AppNotFound, ContractError, ModuleNotFoundError):
            found[name] = None
    return found


def _as_data(one: Seen, apps: "Mapping[str, tuple[App, Registry] | None]") -> dict[str, Any]:
    from surefoot.cli.trace import masked_arguments

    at_hand = apps[one.app]
    names = ("effect_id", "run_id", "thread_id", "step_id", "user_id", "tool", "generation", "attempts", "undoes")
    since = datetime.fromtimestamp(one.since, UTC).isoformat() if one.since else None
    arguments = masked_arguments(one.effect, at_hand[1] if at_hand else None)
    shown = {name: getattr(one.effect, name) for name in names}
    return {**shown, "state": one.effect.state.value, "arguments": arguments, "since": since}


def _list_table(seen: Sequence[Seen], apps: "Mapping[str, tuple[App, Registry] | None]", lang: str) -> Any:
    from rich.text import Text as Words

    from surefoot.cli.trace import masked_arguments

    table = _table(LIST_HEADS, lang)
    for one in seen:
        at_hand = apps[one.app]
        arguments = masked_arguments(one.effect, at_hand[1] if at_hand else None)
        words = arguments_in_words(arguments, at_hand[0].labels if at_hand else {}, lang)
        since = f"{datetime.fromtimestamp(one.since, UTC).astimezone():%m-%d %H:%M:%S}" if one.since else "—"
        state = said(EFFECT_STATES, one.effect.state.value, lang)
        table.add_row(*(Words(cell) for cell in (one.effect.effect_id, one.effect.tool, state, since, words)))
    return table


def _table(heads: Sequence[Text], lang: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        table.add_column(head.say(lang), overflow="fold")
    return table


class Verdict(StrEnum):
    """What a person found out where the back end cannot be asked."""

    PRESENT = "present"
    ABSENT = "absent"
    UNDONE = "undone"


@effects.command("settle")
def settle(
    effect_id: Annotated[str, typer.Argument(metavar="EFFECT", help="The effect's id, as `effects list` shows it.")],
    verdict: Annotated[Verdict, typer.Argument(help="What you found: it is there, it is not, or you undid it.")],
) -> None:
    """Write down what a person found out about an effect that is unknown, or undid by hand."""
    lang = language_here()
    with told_in(lang):
        from surefoot.cli.records import with_records
        from surefoot.execution.protocol import Event, Writer

        events = {
            Verdict.PRESENT: Event.FOUND_PRESENT,
            Verdict.ABSENT: Event.FOUND_ABSENT,
            Verdict.UNDONE: Event.UNDO_DONE,
        }
        try:
            event = events[verdict]
            now = with_records(lambda records: records.ledger.record(effect_id, event, Writer.OPERATOR))
        except KeyError as missing:
            raise InputInvalid(Text(f"没有写操作 {effect_id}。", f"There is no effect {effect_id}.")) from missing
        except ProtocolViolation as refused:
            raise InputInvalid(
                Text(f"这个状态下不能这样记：{refused}", f"Not possible as it stands: {refused}")
            ) from refused
    typer.echo(f"{effect_id}: {said(EFFECT_STATES, now.state.value, lang)}")


@effects.command("reconcile")
def reconcile(
    app: AppName = "campus",
    as_json: AsJson = False,
    watch: Annotated[float | None, typer.Option(min=0.1, help="Go on asking back every so many seconds.")] = None,
) -> None:
    """Ask the back end what became of every unsettled effect that no living worker holds."""
    lang = language_here()
    with told_in(lang):
        from surefoot.bootstrap import find_app, load_settings
        from surefoot.cli.hosting import hosted
        from surefoot.cli.screen import console, print_json
        from surefoot.execution.protocol import UNSETTLED
        from surefoot.runtime.reconciler import keep_reconciling, reconcile_open

        with hosted(find_app(app), load_settings()) as host:
            if watch is not None:
                host.do(keep_reconciling(host.runner, every_seconds=watch, report=_report_line))
            settled = host.do(reconcile_open(host.runner))
    if as_json:
        print_json([{**one.to_json()} for one in settled])
    elif settled:
        console().print(_settled_table(settled, lang))
    else:
        console().print(Text("没有需要核实的写操作。", "There is nothing to ask back about.").say(lang))
    still = any(one.after in UNSETTLED for one in settled)
    raise typer.Exit(ExitCode.HANDED_OVER if still else ExitCode.DONE)


def _report_line(one: "Settled") -> None:
    typer.echo(f"{one.effect_id} {one.tool}: {one.before.value} -> {one.after.value}")


def _settled_table(settled: "Sequence[Settled]", lang: str) -> Any:
    table = _table(SETTLED_HEADS, lang)
    for one in settled:
        before, after = (said(EFFECT_STATES, state.value, lang) for state in (one.before, one.after))
        table.add_row(one.effect_id, one.tool, before, after)
    return table
