"""The rules planner of the campus: reads a request, asks one question, refuses in words, or proposes a plan."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from surefoot.planning.plan import Slot, Step
from surefoot.planning.planner import Proposal, Question, Request
from surefoot.texts import Text
from surefoot_campus.reader.answers import with_answers
from surefoot_campus.reader.cues import says
from surefoot_campus.reader.dialogue import Scene, follow
from surefoot_campus.reader.existing import propose_existing
from surefoot_campus.reader.facts import Facts, LookUp
from surefoot_campus.reader.filling import Ground, days_of, fill_meal, fill_room, guessed, said
from surefoot_campus.reader.going_on import asks_for_another, going_on, nothing_new, without_move
from surefoot_campus.reader.habits import with_habits
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.keeping import from_working, to_working
from surefoot_campus.reader.plans import booking_step, meal_step, plan_of, room_steps, schedule_step
from surefoot_campus.reader.questions import ask_again, ask_other_day, question_for
from surefoot_campus.reader.reading import Reading
from surefoot_campus.reader.standing import standing_answer
from surefoot_campus.reader.wished import preferences_talk, with_preferences

_ROOM_ID = re.compile(r"^[A-Z]{1,3}-\d{3}$")
WHAT_I_CAN_DO = Text(
    "我能帮您查课表、找和预订研讨间、取消或改预约、推荐食堂。请用一句话说明哪一天、什么时间、要做什么，"
    "例如“明天下午两点到四点订一间六人研讨间”。",
    "I can look at your timetable, find and book study rooms, cancel or move bookings, and recommend canteens. "
    "Say in one sentence what you need, on which day and when, for example: "
    "“Book a room for six tomorrow from 2 to 4 pm.”",
)
STAFF = Text(
    "这件事需要工作人员处理，请联系研讨间服务台（后勤服务大厅）值班人员；我办不了，也没有改动任何东西。",
    "This needs a person: please contact the study-room desk in the service hall. I cannot do it and changed nothing.",
)


@dataclass(frozen=True)
class RulesPlanner:
    """Plans by rules alone. ``look_up`` gets the calendar, places and bookings from the app's systems."""

    look_up: LookUp

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return a plan, one question, or a refusal in words; never raises for a request it cannot read."""
        facts = await self.look_up(systems)
        talk = request.conversation
        earlier = from_working(talk.working)
        scene = Scene(request.now, facts.calendar, facts.places)
        # Only a question can be agreed to: "ok" after an answer takes nothing out of it.
        asked = talk.last_answer if talk.last_answer.rstrip().endswith(("？", "?")) else ""
        first, new_task = follow(earlier, request.text, scene, said_before=asked)
        about_wishes = preferences_talk(request.text, first, talk.preferences, request.now)
        if about_wishes is not None:
            return replace(about_wishes, working=talk.working)
        fresh = read(request.text, request.now, facts.calendar, facts.places)
        if not new_task and asks_for_another(fresh, request.text, talk.done):
            first, new_task = fresh, True
        going = going_on(first, earlier[-1] if earlier else None, request.text, talk.done, new_task=new_task)
        unchanged = None if new_task else nothing_new(going, talk.done)
        if unchanged is not None:
            return Proposal(answer=unchanged, working=talk.working, new_task=False)
        wished = with_preferences(going, talk.preferences)
        proposal = with_habits(await self._propose(wished, facts, request), talk.habits)
        kept = to_working(() if says("start_over", first.text) else earlier, without_move(first))
        return replace(proposal, working=kept, new_task=new_task)

    async def _propose(self, first: Reading, facts: Facts, request: Request) -> Proposal:
        ground = Ground(request.now, facts.calendar)
        reading, unread = with_answers(
            first,
            request.slots,
            request.replies,
            now=request.now,
            calendar=facts.calendar,
            places=facts.places,
        )
        refusal = _refusal(reading)
        if refusal is not None:
            return Proposal(refusal=refusal, reasons=reading.reasons)
        question = question_for(reading, ground) or _impossible(reading, ground)
        if question is not None:
            return Proposal(question=ask_again(question) if unread else question, reasons=reading.reasons)
        if {"cancel_booking", "list_bookings"} & set(reading.tasks):
            return await propose_existing(reading, ground, facts, request)
        proposal = _plan(_placed(reading, facts), ground)
        return _with_standing_answer(proposal, reading, facts, ground)


def _with_standing_answer(proposal: Proposal, reading: Reading, facts: Facts, ground: Ground) -> Proposal:
    """Hand a standing answer that was asked for beside the plan to whoever composes the answer."""
    if reading.topic is None or proposal.plan is None:
        return proposal
    text = standing_answer(reading.topic, facts, ground.now).to_json()
    return replace(proposal, slots={**proposal.slots, "standing_answer": Slot(value=text, origin="rule")})


def _placed(reading: Reading, facts: Facts) -> Reading:
    """Name the building one wants to be near to as the campus names it; a place it does not know is said to be so."""
    if "near" not in reading.slots or not facts.places.landmarks:
        return reading
    found = reading.slots["near"]
    if _ROOM_ID.match(str(found.value)):
        return reading
    building = facts.places.building(str(found.value))
    rest = {name: value for name, value in reading.slots.items() if name != "near"}
    key, value = ("near", building) if building else ("unknown_place", found.value)
    return replace(reading, slots={**rest, key: replace(found, value=value)})


def _refusal(reading: Reading) -> Text | None:
    if reading.refusal is not None:
        return reading.refusal
    task = reading.tasks[0] if reading.tasks else "out_of_scope"
    if task == "handoff":
        return STAFF
    if task in ("out_of_scope", "static_answer") or not reading.tasks:
        why = reading.problem
        return Text(f"{why.zh}{WHAT_I_CAN_DO.zh}", f"{why.en} {WHAT_I_CAN_DO.en}") if why else WHAT_I_CAN_DO
    return None


def _impossible(reading: Reading, ground: Ground) -> Question | None:
    """Return the question for another day when the one named lies outside the term or is over."""
    if "find_room" not in reading.tasks and "book_room" not in reading.tasks:
        return None
    days = days_of(reading) or [ground.now.date()]
    today = ground.now.date()
    coming = [today + timedelta(days=n) for n in range(1, 4)]
    term = [day for day in (today, *coming) if ground.calendar.week_of(day) is not None]
    outside = next((day for day in days if ground.calendar.week_of(day) is None), None)
    if outside is not None:
        last = ground.calendar.term_start + timedelta(weeks=ground.calendar.weeks, days=-1)
        first = ground.calendar.term_start
        why = Text(
            f"{outside.isoformat()} 不在本学期（{first.isoformat()} 到 {last.isoformat()}）内。",
            f"{outside.isoformat()} is outside this term ({first.isoformat()} to {last.isoformat()}).",
        )
        return ask_other_day(why, term)
    if _over(reading, ground, days):
        why = Text("您说的时间已经过去了。", "That time has already passed.")
        return ask_other_day(why, [day for day in coming if ground.calendar.week_of(day) is not None])
    return None


def _over(reading: Reading, ground: Ground, days: Sequence[date]) -> bool:
    if max(days) < ground.now.date():
        return True
    if list(days) != [ground.now.date()]:
        return False
    start, end = reading.value("start"), reading.value("end")
    here = ground.now.strftime("%H:%M")
    if end is not None and end <= here:
        return True
    return bool(start) and reading.value("time_kind") == "exact" and start < here


def _plan(reading: Reading, ground: Ground) -> Proposal:
    tasks = reading.tasks
    slots: dict[str, Slot] = {}
    steps: list[Step] = []
    if "query_schedule" in tasks:
        slots |= schedule_slots(reading, ground)
        steps.append(schedule_step(slots))
    schedule = ("schedule",) if steps else ()
    room: dict[str, Slot] | None = None
    last_room = None
    if "find_room" in tasks or "book_room" in tasks:
        filled = fill_room(reading, ground)
        if filled.windows and "book_room" in tasks:
            return Proposal(question=_which_day(reading), reasons=reading.reasons)
        room = filled.slots
        slots |= room
        if "find_room" in tasks:
            steps += room_steps(reading, filled, after=schedule)
            last_room = steps[-1].id
        if "book_room" in tasks:
            steps.append(booking_step(reading, after=(steps[-1].id,) if "find_room" in tasks else ()))
            last_room = "booking"
    if "recommend_canteen" in tasks:
        slots |= fill_meal(reading, ground, room)
        follows = last_room if not reading.meal_first else None
        meal = meal_step(slots, after=follows, sole=room is None)
        steps.insert(len(schedule) if reading.meal_first else len(steps), meal)
    if "unknown_place" in reading.slots:
        slots["unknown_place"] = said(reading.value("unknown_place"))
    return Proposal(plan=plan_of(reading, steps), slots=slots, reasons=reading.reasons)


def _which_day(reading: Reading) -> Question:
    why = Text("一次只能预订一天。", "One booking is for one day.")
    return ask_other_day(why, days_of(reading))


def schedule_slots(reading: Reading, ground: Ground) -> dict[str, Slot]:
    """Return the days to look at in the timetable; without any, from today to Sunday."""
    days = days_of(reading)
    if days:
        first, last = min(days), max(days)
        return {"date": said(first.isoformat())} | ({"date_to": said(last.isoformat())} if last > first else {})
    today = ground.now.date()
    if reading.tasks != ("query_schedule",):
        return {"date": guessed(today.isoformat(), "没有说哪一天，按今天查", "no day was given; today assumed")}
    sunday = today + timedelta(days=6 - today.weekday())
    return {
        "date": guessed(today.isoformat(), "没有说哪一天，从今天查起", "no day was given; looked from today"),
        "date_to": guessed(sunday.isoformat(), "没有说哪一天，查到本周日", "no day was given; looked until Sunday"),
    }
