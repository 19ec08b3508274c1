"""The guards of the campus, in the order in which they look: matters, standing answers, eligibility, maintenance.

All are deterministic, without a model and without an effect. What looks like an injection is a hint in the log
and decides nothing.
"""

from typing import Any

from surefoot.guardrails import GO_ON, Guard, Incoming, Verdict
from surefoot.language import normalise
from surefoot.texts import Text
from surefoot_campus.reader.campus import facts_of
from surefoot_campus.reader.facts import Facts
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.matters import forbidden, injected
from surefoot_campus.reader.reading import Reading
from surefoot_campus.reader.standing import standing_answer
from surefoot_campus.reader.typos import repaired

NOT_ELIGIBLE = Text(
    "您的账号是访客，不能预订研讨间；查询和食堂推荐照常可用。需要用房请由校内师生预订，或联系研讨间服务台。",
    "Your account is a visitor's and may not book rooms; searches and canteen advice still work. Ask a member of the "
    "university to book, or contact the study-room desk.",
)
_BOOKS = {"book_room", "cancel_booking"}


async def forbidden_matters(incoming: Incoming, systems: Any) -> Verdict:
    """Refuse cheating, changed grades, forged papers and acting for others, each with the office that can help."""
    plain = repaired(normalise(incoming.text).text)
    matter = forbidden(plain)
    hints = ("injection",) if injected(plain) else ()
    if matter is None:
        return Verdict("go on", hints=hints)
    return Verdict("refuse", matter.text, rule=f"matter.{matter.name}", hints=hints, details={"words": matter.words})


async def standing_answers(incoming: Incoming, systems: Any) -> Verdict:
    """Answer a standing question at once, if the answer covers the whole sentence; else let it through."""
    facts = await facts_of(systems)
    reading = _read(incoming, facts)
    if reading.topic is None or reading.tasks != ("static_answer",) or reading.leftovers:
        return GO_ON
    answer = standing_answer(reading.topic, facts, incoming.now)
    return Verdict("answer", answer, rule="standing_answer", details={"topic": reading.topic})


async def eligibility(incoming: Incoming, systems: Any) -> Verdict:
    """Refuse a booking at once to who may not book; everything else goes on."""
    facts = await facts_of(systems)
    if not _BOOKS & set(_tasks(_read(incoming, facts))) or await facts.may_book(incoming.user_id):
        return GO_ON
    return Verdict("refuse", NOT_ELIGIBLE, rule="eligibility")


async def maintenance(incoming: Incoming, systems: Any) -> Verdict:
    """Refuse bookings while the booking system is down for maintenance, and say until when."""
    facts = await facts_of(systems)
    window = next((item for item in facts.maintenance if item.start <= incoming.now < item.end), None)
    if window is None or not _BOOKS & set(_tasks(_read(incoming, facts))):
        return GO_ON
    until = f"{window.end:%m-%d %H:%M}"
    text = Text(
        f"预约系统正在维护（{window.text.zh}），到 {until} 为止不能预订或取消，请之后再试。",
        f"The booking system is down for maintenance ({window.text.en}) until {until}; please try after that.",
    )
    return Verdict("refuse", text, rule="maintenance", details={"until": window.end.isoformat()})


def _read(incoming: Incoming, facts: Facts) -> Reading:
    return read(incoming.text, incoming.now, facts.calendar, facts.places)


def _tasks(reading: Reading) -> tuple[str, ...]:
    return (*reading.tasks, *reading.intended)


GUARDS: list[Guard] = [forbidden_matters, standing_answers, eligibility, maintenance]
