"""``surefoot trace``: a run's story in words, from the event log, the ledger and the ticket."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from surefoot.cli.failures import told_in
from surefoot.cli.options import RunId
from surefoot.cli.speaking import (
    EFFECT_STATES,
    RUN_STATES,
    arguments_in_words,
    clean,
    language_here,
    said,
    value_in_words,
)
from surefoot.cli.story import EVENTS, HISTORY, WRITERS, event_in_words
from surefoot.cli.ticket_words import TICKET_STATES
from surefoot.texts import Text

if TYPE_CHECKING:
    from surefoot.app import App
    from surefoot.cli.records import Records
    from surefoot.contracts.registry import Registry
    from surefoot.execution.ledger import Effect
    from surefoot.persistence.runs import Run
    from surefoot.recovery.handover import Ticket
    from surefoot.telemetry.events import RunEvent


@dataclass(frozen=True)
class Story:
    """Everything that is on record about one run. ``history`` holds the ledger's events by effect id."""

    run: "Run"
    events: "Sequence[RunEvent]"
    effects: "Sequence[Effect]"
    history: Mapping[str, Sequence[Mapping[str, Any]]]
    ticket: "Ticket | None"


def trace(run: RunId) -> None:
    """Tell a run's story: events, decisions, consents, effects and their history."""
    with told_in(language_here()):
        from zoneinfo import ZoneInfo

        from surefoot.bootstrap import find_app
        from surefoot.cli.records import with_records
        from surefoot.cli.screen import console

        story = with_records(lambda records: _gather(records, run))
    with told_in(story.run.lang):
        app = find_app(story.run.app)
        teller = Teller(app, app.registry(), story.run.lang, ZoneInfo(app.timezone))
    for line in teller.lines(story):
        console().print(line, soft_wrap=True)


async def _gather(records: "Records", run_id: str) -> Story:
    run = await records.runs.get(run_id)
    effects = await records.ledger.of_run(run_id)
    history = {effect.effect_id: await records.ledger.events_of(effect.effect_id) for effect in effects}
    return Story(run, await records.events.of_run(run_id), effects, history, await records.tickets.of_run(run_id))


@dataclass(frozen=True)
class Teller:
    """Says a story in one language; times are those of the app's zone, private values are masked."""

    app: "App"
    registry: "Registry"
    lang: str
    zone: tzinfo

    def lines(self, story: Story) -> Iterator[str]:
        """Yield the story line by line."""
        run = story.run
        status = said(RUN_STATES, run.status, self.lang)
        yield self._say(f"任务 {run.run_id}：{status}", f"Run {run.run_id}: {status}")
        yield self._say(f"  用户 {run.user_id}，会话 {run.thread_id}", f"  user {run.user_id}, thread {run.thread_id}")
        yield self._say(f"  请求：{clean(run.request)}", f"  request: {clean(run.request)}")
        if run.at:
            yield self._say(f"  按 {run.at} 处理（--at）", f"  as if it were {run.at} (--at)")
        if run.resumes:
            yield self._say(f"  继续过 {run.resumes} 次", f"  resumed {run.resumes} times")
        yield from self._events(story.events)
        yield from self._effects(story)
        yield from self._ticket(story.ticket)

    def _say(self, zh: str, en: str) -> str:
        return Text(zh, en).say(self.lang)

    def _at(self, seconds: float) -> str:
        return f"{datetime.fromtimestamp(seconds, self.zone):%m-%d %H:%M:%S}"

    def _events(self, events: "Sequence[RunEvent]") -> Iterator[str]:
        yield ""
        yield self._say("经过：", "What happened:") if events else self._say("没有事件记录。", "No events on record.")
        for event in events:
            head = said(EVENTS, event.kind, self.lang)
            detail = event_in_words(event.kind, event.data, self.lang)
            yield f"  {self._at(event.at)}  {head}{self._say('：', ': ') + detail if detail else ''}"

    def _effects(self, story: Story) -> Iterator[str]:
        yield ""
        yield self._say("写操作：", "Effects:") if story.effects else self._say("没有写操作。", "No effects.")
        for effect in story.effects:
            state = said(EFFECT_STATES, effect.state.value, self.lang)
            undoes = self._say(f"，用来撤销 {effect.undoes}", f", undoes {effect.undoes}") if effect.undoes else ""
            yield f"  {effect.effect_id}  {effect.tool}  {state}{undoes}"
            yield f"    {arguments_in_words(masked_arguments(effect, self.registry), self.app.labels, self.lang)}"
            if effect.consent_id:
                yield self._say(f"    凭确认 {effect.consent_id}", f"    by consent {effect.consent_id}")
            for entry in story.history[effect.effect_id]:
                yield "    " + self._entry(entry)
            if effect.error:
                yield f"    {effect.error['code']}: {value_in_words(effect.error['message'], self.lang)}"

    def _entry(self, entry: Mapping[str, Any]) -> str:
        what, who = said(HISTORY, entry["event"], self.lang), said(WRITERS, entry["writer"], self.lang)
        state = said(EFFECT_STATES, entry["state"], self.lang)
        said_by = self._say(f"（{who}）", f" ({who})")
        return f"{self._at(entry['at'])}  {what}{said_by} → {state}"

    def _ticket(self, ticket: "Ticket | None") -> Iterator[str]:
        if ticket is None:
            return
        yield ""
        status = said(TICKET_STATES, ticket.status, self.lang)
        reason = value_in_words(ticket.reason, self.lang)
        yield self._say(
            f"工单 {ticket.ticket_id}（{status}）：{reason}", f"Ticket {ticket.ticket_id} ({status}): {reason}"
        )
        names = {"done": "committed", "unknown": "unknown", "undone": "compensated", "residue": "residue"}
        for field, state in names.items():
            for item in getattr(ticket, field):
                yield f"  {said(EFFECT_STATES, state, self.lang)}: {item['tool']} {item['effect_id']}"


def masked_arguments(effect: "Effect", registry: "Registry | None") -> dict[str, Any]:
    """Return an effect's arguments with private ones masked; all of them when the contract is not at hand."""
    from surefoot.telemetry.redaction import masked

    known = registry is not None and effect.tool in registry
    private = registry.contract(effect.tool).private if registry is not None and known else tuple(effect.arguments)
    return masked(effect.arguments, private)
