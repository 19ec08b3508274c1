"""How a run stands, told at the end of a command: for people, or as one JSON object."""

from rich.console import Console
from rich.text import Text as Words

from surefoot.cli.blocks import shown
from surefoot.cli.cards import how_to_go_on
from surefoot.cli.exits import ExitCode, of_status
from surefoot.cli.progress import plan_table, steps_as_data
from surefoot.cli.screen import print_json
from surefoot.cli.speaking import RUN_STATES, said
from surefoot.runtime.runner import RunResult
from surefoot.texts import Text

DEFAULT_USER = "student"


def tell(result: RunResult, console: Console, *, lang: str, user: str, as_json: bool) -> ExitCode:
    """Write the answer, or how to go on, and return the exit code."""
    if as_json:
        print_json(as_data(result))
    elif result.pending is not None:
        named = user if user != DEFAULT_USER else None
        waits = Text(f"任务 {result.run_id} 在等您的答复：", f"Run {result.run_id} waits for you:").say(lang)
        console.print(Words(f"{waits}\n{how_to_go_on(result.pending, result.run_id, named, lang)}"), soft_wrap=True)
    else:
        _tell_answer(result, console, lang)
    return of_status(result.status)


def _tell_answer(result: RunResult, console: Console, lang: str) -> None:
    table = plan_table(result.state, lang)
    if table is not None:
        console.print(table)
        console.print()
    for kind, renderable in zip((block["kind"] for block in result.answer), shown(result.answer, lang), strict=True):
        console.print(renderable)
        if kind in ("table", "timeline"):
            console.print()
    status = said(RUN_STATES, result.status, lang)
    zh, en = f"任务 {result.run_id}：{status}", f"Run {result.run_id}: {status}"
    console.print(Words(Text(zh, en).say(lang), style="dim"))


def as_data(result: RunResult) -> dict[str, object]:
    """Return ``{"run_id", "status", "answer", "pending", "steps"}``, JSON-native."""
    return {
        "run_id": result.run_id,
        "status": result.status,
        "answer": result.answer,
        "pending": result.pending,
        "steps": steps_as_data(result.state),
    }


def interrupted(run_id: str | None, lang: str) -> str:
    """Return the line that says how a run goes on after Ctrl-C."""
    command = f"surefoot resume {run_id}" if run_id else "surefoot runs"
    return Text(
        f"已中断，没有丢失任何东西。继续：{command}", f"Interrupted; nothing is lost. Go on with: {command}"
    ).say(lang)
