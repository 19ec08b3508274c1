"""Questions: one exact question for the first thing that is missing, with the answers one can pick."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from surefoot.planning.planner import Option, Question
from surefoot.texts import Text
from surefoot_campus.reader.filling import Ground
from surefoot_campus.reader.reading import Reading

ORDER = ("date", "start", "party_size", "near", "room")
"""Slots that are asked for, most important first. A length or a head count that is merely unsaid is guessed."""
_WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


def question_for(reading: Reading, ground: Ground) -> Question | None:
    """Return the question for the first essential slot that is open, or ``None``."""
    first = ("start",) if reading.problem is not None and not reading.day_problem else ()
    for slot in (*first, *ORDER):
        if slot in reading.clarify:
            return _ASK[slot](reading, ground)
    return None


def day_name(day: date) -> Text:
    """Return a day for people: 12月2日（周三） / Wed 2 Dec."""
    return Text(f"{day.month}月{day.day}日（{_WEEKDAYS[day.weekday()]}）", f"{day:%a} {day.day} {day:%b}")


def _ask_date(reading: Reading, ground: Ground) -> Question:
    named = [date.fromisoformat(day) for day in reading.value("dates", [])]
    today = ground.now.date()
    days = named[:7] or [today + timedelta(days=n) for n in range(3)]
    options = tuple(Option(day_name(day), {"date": day.isoformat()}) for day in days)
    if reading.problem is not None:
        return Question(
            Text(f"{reading.problem.zh}您要的是哪一天？", f"{reading.problem.en} Which day do you mean?"),
            "date",
            options,
        )
    return Question(Text("您要哪一天用？", "Which day do you need it?"), "date", options)


def _ask_start(reading: Reading, ground: Ground) -> Question:
    if reading.problem is not None:
        zh = f"{reading.problem.zh}请再说一次时间，比如“下午两点到四点”。"
        return Question(Text(zh, f"{reading.problem.en} Please give the time again, for example “2 to 4 pm”."), "start")
    first = time.fromisoformat(reading.value("start", "08:00"))
    last = time.fromisoformat(reading.value("end", "22:00"))
    hours = list(range(first.hour + (first.minute > 0), last.hour))[:4] or [first.hour]
    options = [Option(Text(f"{hour:02d}:00", f"{hour:02d}:00"), {"start": f"{hour:02d}:00"}) for hour in hours]
    options.append(Option(Text("都可以，替我选", "Any time, choose for me"), {"any_start": True}))
    return Question(Text("从几点开始用？", "From what time do you need it?"), "start", tuple(options))


def _ask_size(reading: Reading, ground: Ground) -> Question:
    options = tuple(Option(Text(f"{n} 人", f"{n} people"), {"party_size": n}) for n in (2, 4, 6, 8))
    return Question(Text("一共有几个人？", "How many people in all?"), "party_size", options)


def _ask_near(reading: Reading, ground: Ground) -> Question:
    return Question(
        Text("离哪里近？可以说楼名或区，比如“图书馆”“东区”。", "Near which place? Name a building or a zone."), "near"
    )


def _ask_room(reading: Reading, ground: Ground) -> Question:
    text = Text(
        "我不知道您上次的安排。请说一下哪一天、几点到几点、几个人。",
        "I do not know your last arrangement. Please give the day, the time and the number of people.",
    )
    return Question(text, "room")


_ASK = {"date": _ask_date, "start": _ask_start, "party_size": _ask_size, "near": _ask_near, "room": _ask_room}


def ask_again(question: Question) -> Question:
    """Return the question once more, saying that the last answer was not understood."""
    text = Text(f"没有看懂刚才的回答。{question.text.zh}", f"I did not understand that answer. {question.text.en}")
    return Question(text, question.slot, question.options)


def ask_other_day(why: Text, days: Sequence[date]) -> Question:
    """Return the question for another day, saying why the first one cannot be."""
    options = tuple(Option(day_name(day), {"date": day.isoformat()}) for day in days)
    return Question(Text(f"{why.zh}换成哪一天？", f"{why.en} Which other day?"), "date", options)


def ask_which(records: Sequence[Mapping[str, Any]]) -> Question:
    """Return the question which of several bookings is meant."""
    options = tuple(Option(booking_name(record), {"reservation_id": record["reservation_id"]}) for record in records)
    return Question(
        Text("您有不止一个预约符合，是哪一个？", "More than one booking fits; which one?"), "reservation_id", options
    )


def booking_name(record: Mapping[str, Any]) -> Text:
    """Return one booking for people: day, hours, room and number."""
    start, end = datetime.fromisoformat(record["start"]), datetime.fromisoformat(record["end"])
    day, hours = day_name(start.date()), f"{start:%H:%M}–{end:%H:%M}"
    number, name = record["reservation_id"], record.get("room_name") or record["room_id"]
    room = Text.from_json(name)
    zh = f"{day.zh}{hours} {room.zh}（{record['room_id']}，{number}）"
    return Text(zh, f"{day.en} {hours} {room.en} ({record['room_id']}, {number})")
