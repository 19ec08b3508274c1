"""``surefoot resume``: go on with a run after a crash, or with the answer it waits for."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.cli.exits import ExitCode
from surefoot.cli.failures import Stopped, told_in
from surefoot.cli.options import AsJson, RunId, User, Yes
from surefoot.cli.speaking import language_here, value_in_words
from surefoot.errors import InputInvalid
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.cli.cards import Setting
    from surefoot.persistence.runs import Run
    from surefoot.runtime.runner import RunResult

ONE_ANSWER = Text(
    "--confirm、--decline、--change、--choose、--text、--stop 只能用一个。",
    "Use only one of --confirm, --decline, --change, --choose, --text, --stop.",
)
CARD_ANSWERS = ("confirm", "decline", "change")


def resume(
    run: RunId,
    confirm: Annotated[bool, typer.Option("--confirm", help="Confirm the card.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="Decline the card; what was done is undone.")] = False,
    change: Annotated[str | None, typer.Option(metavar="WORDS", help="Change the card; a new card is shown.")] = None,
    choose: Annotated[int | None, typer.Option(metavar="N", help="Pick an option of the question.")] = None,
    text: Annotated[str | None, typer.Option(metavar="WORDS", help="Answer the question in words.")] = None,
    stop: Annotated[bool, typer.Option("--stop", help="Stop instead of answering the question.")] = False,
    user: User = "student",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Go on with a run: answer its card or question, or just pick it up after a crash."""
    flags = {"confirm": confirm, "decline": decline, "change": change, "choose": choose, "text": text, "stop": stop}
    given = {name: value for name, value in flags.items() if value is not None and value is not False}
    with told_in(language_here()):
        from surefoot.cli.records import with_records

        if len(given) > 1:
            raise InputInvalid(ONE_ANSWER)
        found = with_records(lambda records: records.runs.get(run))
    with told_in(found.lang):
        code = _resume(found, given, user, yes=yes, as_json=as_json)
    raise typer.Exit(code)


def _resume(run: "Run", given: dict[str, Any], user: str, *, yes: bool, as_json: bool) -> ExitCode:
    from surefoot.bootstrap import find_app, load_settings
    from surefoot.cli.cards import Setting
    from surefoot.cli.dialogue import Dialogue
    from surefoot.cli.hosting import hosted
    from surefoot.cli.progress import Progress
    from surefoot.cli.results import interrupted, tell
    from surefoot.cli.screen import console, somebody_there

    installed, screen = find_app(run.app), console()
    progress = Progress(screen, run.lang, quiet=as_json)
    try:
        with hosted(installed, load_settings()) as host:
            setting = Setting(installed, host.runner.registry, run.lang)
            asking = somebody_there() and not as_json
            talk = Dialogue(host, screen, progress, setting, user, yes=yes, ask=asking, show=not as_json)
            answer = None
            if given:
                answer = answer_by_flag(setting, host.do(host.runner.look(run.run_id)), user, given)
            result = talk.drive(talk.resume(run.run_id, answer))
    except KeyboardInterrupt:
        raise Stopped(interrupted(run.run_id, run.lang), ExitCode.INTERRUPTED) from None
    return tell(result, screen, lang=run.lang, user=user, as_json=as_json)


def answer_by_flag(setting: "Setting", result: "RunResult", user: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the answer that the one option in ``given`` stands for.

    Raises:
        InputInvalid: the run waits for nothing or for something else, or the words were not understood.
    """
    from surefoot.cli.dialogue import reply_to

    ((name, value),) = given.items()
    if result.pending is None:
        zh = f"任务 {result.run_id} 没有在等待答复（{result.status}）。"
        raise InputInvalid(Text(zh, f"Run {result.run_id} waits for no answer ({result.status})."))
    is_card = result.pending["kind"] == "card"
    if is_card != (name in CARD_ANSWERS):
        use = "--confirm, --change, --decline" if is_card else "--choose, --text, --stop"
        what = Text("一张确认卡", "a card") if is_card else Text("一个问题的回答", "an answer to a question")
        zh = f"任务 {result.run_id} 等待的是{what.zh}，请用 {use}。"
        raise InputInvalid(Text(zh, f"Run {result.run_id} waits for {what.en}; use {use}."))
    if not is_card:
        return _to_question(result.pending["question"], name, value)
    card = result.pending["card"]
    if name == "change":
        return reply_to(card, "change", user, changes=_changes(setting, result, value))
    return reply_to(card, "confirm" if name == "confirm" else "decline", user)


def _changes(setting: "Setting", result: "RunResult", words: str) -> dict[str, Any]:
    from surefoot.cli.dialogue import now_of, read_changes

    assert result.pending is not None
    changes = read_changes(setting, result.pending["card"], words, now_of(result))
    if isinstance(changes, Text):
        raise InputInvalid(changes)
    return changes


def _to_question(question: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    count = len(question["options"])
    if name == "choose" and not count:
        raise InputInvalid(Text("这个问题没有选项，请用 --text 回答。", "There are no options; answer with --text."))
    if name == "choose" and not 1 <= value <= count:
        zh, en = (", ".join(value_in_words(o["label"], lang) for o in question["options"]) for lang in ("zh", "en"))
        raise InputInvalid(Text(f"请选 1 到 {count}：{zh}", f"Choose 1 to {count}: {en}"))
    if name == "text" and not value.strip():
        raise InputInvalid(Text("回答是空的。", "The answer is empty."))
    return {name: value}
