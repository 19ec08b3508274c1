"""Card after card, question after question: how a run that waits gets its answers from a person or a flag."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from rich.console import Console
from rich.text import Text as Words

from surefoot.cli.cards import Setting, card_panel, question_lines
from surefoot.cli.hosting import Host
from surefoot.cli.progress import Progress, plan_table
from surefoot.cli.screen import read_line
from surefoot.execution.consent import Decision, Reply
from surefoot.runtime.runner import RunResult
from surefoot.texts import Text

MAX_BY_FLAG = 5
"""Cards of one step that ``--yes`` confirms; a card that keeps coming back is for a person to look at."""

CHOICES: Mapping[str, Decision] = {
    **dict.fromkeys(("确认", "1", "c", "y", "yes", "confirm", "ok", "是", "好"), "confirm"),
    **dict.fromkeys(("修改", "2", "m", "e", "change", "edit", "改"), "change"),
    **dict.fromkeys(("不办", "3", "d", "n", "no", "decline", "否", "取消"), "decline"),
}  # fmt: skip
STOP_WORDS = frozenset({"q", "stop", "停止", "不办了"})
NO_EDITS = Text("这个应用不能修改卡片，请确认或不办。", "This app cannot read changes; confirm or decline the card.")


@dataclass
class Dialogue:
    """How one run's pending cards and questions are answered.

    ``ask`` is false when nobody can be asked (no terminal, or ``--json``); ``yes`` confirms by flag every card
    that shows no duplicate. ``show`` is false with ``--json``.
    """

    host: Host
    console: Console
    progress: Progress
    setting: Setting
    user: str
    yes: bool = False
    ask: bool = True
    show: bool = True
    _by_flag: "Counter[str]" = field(default_factory=Counter)

    @property
    def lang(self) -> str:
        """The language that the person is spoken to in."""
        return self.setting.lang

    def drive(self, result: RunResult) -> RunResult:
        """Answer and go on until the run ends, or until nobody is there to answer."""
        planned = False
        while result.status == "waiting" and result.pending is not None:
            if self.show and not planned:
                self.print(plan_table(result.state, self.lang))
                self.print("")
                planned = True
            answer = self._answer(result, result.pending)
            if answer is None:
                return result
            self.print("")
            result = self.resume(result.run_id, answer)
        return result

    def resume(self, run_id: str, answer: dict[str, Any] | None) -> RunResult:
        """Go on with the run, with an answer or after a crash."""
        runner = self.host.runner
        with self.progress.live():
            return self.host.do(runner.resume(run_id, by=self.user, answer=answer, watch=self.progress.watch))

    def print(self, what: Any) -> None:
        """Write one renderable or line, when there is one and anybody reads."""
        if what is not None and self.show:
            self.console.print(what)

    def _answer(self, result: RunResult, pending: Mapping[str, Any]) -> dict[str, Any] | None:
        if pending["kind"] != "card":
            self.print(question_lines(pending["question"], self.lang))
            return self._to_question(pending["question"]) if self.ask else None
        card = pending["card"]
        self.print(card_panel(card, self.setting))
        if self.yes and not card["duplicates"] and self._by_flag[card["step_id"]] < MAX_BY_FLAG:
            self._by_flag[card["step_id"]] += 1
            self.print(Words(Text("已按 --yes 确认。", "Confirmed by --yes.").say(self.lang), style="dim"))
            return reply_to(card, "confirm", self.user, via="flag")
        return self._to_card(card, result) if self.ask else None

    def _to_card(self, card: Mapping[str, Any], result: RunResult) -> dict[str, Any] | None:
        prompt = Text("[1] 确认  [2] 修改  [3] 不办：", "[1] confirm  [2] change  [3] decline: ").say(self.lang)
        while True:
            line = read_line(prompt)
            if line is None:
                return None
            decision = CHOICES.get(line.lower())
            if decision == "change":
                changes = self._changes(card, result)
                if changes is not None:
                    return reply_to(card, "change", self.user, changes=changes)
            elif decision is not None:
                return reply_to(card, decision, self.user)

    def _changes(self, card: Mapping[str, Any], result: RunResult) -> dict[str, Any] | None:
        words = read_line(Text("怎么改？", "What should change? ").say(self.lang))
        if not words:
            return None
        changes = read_changes(self.setting, card, words, now_of(result))
        if isinstance(changes, Text):
            self.print(Words(changes.say(self.lang), style="yellow"))
            return None
        return changes

    def _to_question(self, question: Mapping[str, Any]) -> dict[str, Any] | None:
        numbered = bool(question["options"])
        zh, en = (
            ("编号或回答（q 停止）：", "number or answer (q stops): ")
            if numbered
            else ("回答（q 停止）：", "answer (q stops): ")
        )
        while True:
            line = read_line(Text(zh, en).say(self.lang))
            if line is None:
                return None
            if line.lower() in STOP_WORDS:
                return {"stop": True}
            if line.isdecimal() and 1 <= int(line) <= len(question["options"]):
                return {"choose": int(line)}
            if line:
                return {"text": line}


def reply_to(
    card: Mapping[str, Any],
    decision: Decision,
    user: str,
    *,
    via: Literal["person", "flag"] = "person",
    changes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the answer to a card as the runner takes it."""
    return Reply(card["card_id"], card["nonce"], decision, user, via, dict(changes or {})).to_json()


def read_changes(setting: Setting, card: Mapping[str, Any], words: str, now: datetime) -> dict[str, Any] | Text:
    """Return the arguments that ``words`` change, or a sentence saying what was not understood."""
    if setting.app.read_edit is None:
        return NO_EDITS
    found = setting.app.read_edit(words, card["arguments"], now)
    if isinstance(found, Text):
        return found
    same = {name: value for name, value in found.items() if card["arguments"].get(name) == value}
    if len(same) == len(found):
        return Text("这样改和卡片上的一样。", "That is what the card says already.")
    return dict(found)


def now_of(result: RunResult) -> datetime:
    """Return the business time at which the run was asked for."""
    return datetime.fromisoformat(result.state["session"]["now"])
