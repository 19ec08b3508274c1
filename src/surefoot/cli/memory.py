"""``surefoot memory``: what is remembered of a person, to see, correct, delete and take along."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from surefoot.cli.failures import told_in
from surefoot.cli.options import AsJson, User
from surefoot.cli.screen import console, print_json
from surefoot.cli.speaking import ORIGINS, language_here, said
from surefoot.texts import Text

memory = typer.Typer(no_args_is_help=True, help="See, correct, delete and export what is remembered of a person.")


@memory.command("show")
def show(user: User = "student", as_json: AsJson = False) -> None:
    """Show everything that is remembered, how sure it is, and until when."""
    with told_in(language_here()):
        everything = _everything(user)
    if as_json:
        print_json(everything)
        return
    lang, screen = language_here(), console()
    kept = everything["preferences"]
    if not kept:
        screen.print(Text(f"没有记 {user} 的任何事。", f"Nothing is remembered of {user}.").say(lang))
    for item in kept:
        value = json.dumps(item["value"], ensure_ascii=False)
        until = (item["expires_at"] or "")[:10]
        kept_until = Text(f"到 {until}", f"until {until}").say(lang) if until else ""
        screen.print(f"{item['key']}: {value} ({said(ORIGINS, item['standing'], lang)}) {kept_until}".rstrip())
    if everything["observations"]:
        count = len(everything["observations"])
        zh, en = f"另有 {count} 条习惯记录（surefoot memory export）。", f"{count} observations more (memory export)."
        screen.print(Text(zh, en).say(lang))


@memory.command("correct")
def correct(
    key: Annotated[str, typer.Argument(help="Which preference, as `show` names it.")],
    value: Annotated[str, typer.Argument(help='The right value, as JSON or plain text: 15, ["halal"], mild.')],
    user: User = "student",
) -> None:
    """Put a preference right; what a person corrects counts as said by them."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records
        from surefoot.memory.item import remember, settle

        fresh = remember(key, _value(value), source="person", at=datetime.now(UTC), origin="surefoot memory correct")
        with_records(lambda records: records.preferences.change(user, key, lambda old: settle(old, fresh)))
        _say(Text(f"已改：{key}。", f"Corrected: {key}."))


@memory.command("forget")
def forget(
    key: Annotated[str | None, typer.Argument(help="Which preference; without it, everything.")] = None,
    user: User = "student",
) -> None:
    """Delete one preference, or everything that is remembered."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        async def take(records: Any) -> int:
            gone = await records.preferences.forget(user, key)
            return int(gone) + (await records.behaviour.forget(user) if key is None else 0)

        count = with_records(take)
        _say(Text(f"已删除 {count} 条。", f"Deleted {count}."))


@memory.command("export")
def export(user: User = "student") -> None:
    """Print everything that is remembered as one JSON object, to take along."""
    with told_in(language_here()):
        print_json(_everything(user))


@memory.command("allow")
def allow(
    behaviour: Annotated[bool, typer.Argument(help="true: habits may be kept; false: they may not, and go at once.")],
    user: User = "student",
) -> None:
    """Let habits (which zone or source is chosen) be kept and used, or take that back."""
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        with_records(lambda records: records.behaviour.permit(user, allowed=behaviour))
        _say(
            Text("以后会记习惯，只用来给同样好的选项排序。", "Habits are kept, to order what is otherwise equal.")
            if behaviour
            else Text("不再记习惯，已有的都删了。", "Habits are no longer kept; those there were are gone.")
        )


def _everything(user: str) -> dict[str, Any]:
    from surefoot.cli.records import with_records

    async def look(records: Any) -> dict[str, Any]:
        shelf = await records.preferences.shelf(user)
        seen = await records.behaviour.observed(user)
        return {
            "user": user,
            "preferences": [item.to_json() for _, item in sorted(shelf.items.items())],
            "observations": [
                {"kind": one.kind, "choice": one.choice, "at": one.at.isoformat(), "liked": one.liked} for one in seen
            ],
        }

    return with_records(look)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _say(text: Text) -> None:
    console().print(text.say(language_here()))
