"""Requests as students type them, terse, polite or mistyped, English and Chinese: what is wanted, for whom, when."""

from typing import Any

import pytest

FIND, BOOK, MEAL, CLASSES = "find_room", "book_room", "recommend_canteen", "query_schedule"
LIST, CANCEL = "list_bookings", "cancel_booking"

TO_BOOK: list[tuple[str, str, str, int, dict[str, Any]]] = [
    ("book me a room for five tomorrow from 2 to 4 pm", "2026-12-02T14:00", "16:00", 5, {}),
    ("book a room for tomorrow for five from 2-4", "2026-12-02T14:00", "16:00", 5, {}),
    ("Book a room for 2-4pm tomorrow for five people", "2026-12-02T14:00", "16:00", 5, {}),
    ("book a room for sunday, for six, from six to seven thirty pm", "2026-12-06T18:00", "19:30", 6, {}),
    ("book a room for 1pm on sunday for four for 1 hour", "2026-12-06T13:00", "14:00", 4, {"duration_min": 60}),
    ("Book a discussion room for three on Friday, second period", "2026-12-04T08:55", "09:40", 3, {}),
    ("pls book a meeting room for 8 tmrw periods 3-4, needs a tv", "2026-12-02T10:00", "11:40", 8,
     {"equipment": ["tv"]}),
    ("Book a room Wed 9 Dec, period 5 and 6, for eight, with projector", "2026-12-09T14:00", "15:40", 8,
     {"equipment": ["projector"]}),
    ("book a room for the first two periods on Saturday for 5", "2026-12-05T08:00", "09:40", 5, {}),
    ("could you please reserve a study room for twelve people with a projector next Wednesday from 10 to 11:30 am",
     "2026-12-09T10:00", "11:30", 12, {"equipment": ["projector"]}),
    ("bok a room for six tommorow 12:30-1:30pm", "2026-12-02T12:30", "13:30", 6, {}),
    ("resevre a meeting room for 6 ppl on saturday at 3pm for 90 minutes", "2026-12-05T15:00", "16:30", 6, {}),
    ("book a room for me and 4 friends on sunday 10-12", "2026-12-06T10:00", "12:00", 5, {}),
    ("arrange a meeting room for 4 sunday 2-3pm, east zone", "2026-12-06T14:00", "15:00", 4, {"zone": "东区"}),
    ("please book for seven people on sunday at half past three for an hour and a half",
     "2026-12-06T15:30", "17:00", 7, {"duration_min": 90}),
    ("reserve room LIB-211 for four on Thursday from 1pm to 2pm", "2026-12-03T13:00", "14:00", 4,
     {"room_id": "LIB-211"}),
    ("周六8人下午两点到四点订一间讨论室", "2026-12-05T14:00", "16:00", 8, {}),
    ("这周六六个人下午三点到五点订个研讨间", "2026-12-05T15:00", "17:00", 6, {}),
    ("麻烦您帮我预订一间下周三第二节的研讨间，要投影仪，一共六位同学，谢谢", "2026-12-09T08:55", "09:40", 6,
     {"equipment": ["projector"]}),
    ("我们一行七人，后天晚上7点到8点半，要带电视的房间，帮忙订一下", "2026-12-03T19:00", "20:30", 7,
     {"equipment": ["tv"]}),
    ("明天三四节 东区 8人 有投影的房间 订", "2026-12-02T10:00", "11:40", 8, {"zone": "东区"}),
    ("幫我訂一間明天下午兩點到四點的討論室，六個人，要白板", "2026-12-02T14:00", "16:00", 6,
     {"equipment": ["whiteboard"]}),
    ("這週六下午三點到五點想借一間八人的會議室，要投影機和白板", "2026-12-05T15:00", "17:00", 8,
     {"equipment": ["projector", "whiteboard"]}),
]  # fmt: skip
TO_FIND: list[tuple[str, str, str, int, dict[str, Any]]] = [
    ("find me a room in the east zone tomorrow afternoon for six", "2026-12-02T14:00", "18:00", 6, {"zone": "东区"}),
    ("need a quiet room for four with power outlets this Friday at 2 for two hours", "2026-12-04T14:00", "16:00", 4,
     {"equipment": ["power"]}),
    ("can i get a room for 3 or 4 people with a whiteboard tonight 8 to 9", "2026-12-01T20:00", "21:00", 4, {}),
    ("Is there anything free for 4 of us between 3 and 5 this afternoon?", "2026-12-01T15:00", "17:00", 4, {}),
    ("a meeting room for three hours on Sunday from 2pm, eight of us", "2026-12-06T14:00", "17:00", 8, {}),
    ("any room on Sunday afternoon to practise with my 3 teammates, 1.5 hours", "2026-12-06T14:00", "18:00", 4, {}),
    ("room 4 ppl thurs 3-4pm w/ whiteboard", "2026-12-03T15:00", "16:00", 4, {"equipment": ["whiteboard"]}),
    ("seats for six people in the north zone sunday evening", "2026-12-06T18:00", "22:00", 6, {"zone": "北区"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "start", "end", "people", "more"), TO_BOOK)
async def test_a_room_is_booked_when_and_for_as_many_as_was_said(
    proposes, text: str, start: str, end: str, people: int, more: dict[str, Any]
) -> None:
    proposal = await proposes(text)
    assert proposal.plan, proposal
    assert [step.tool for step in proposal.plan.steps][-1] == BOOK
    _holds(proposal.slots, start, end, people, more)


@pytest.mark.parametrize(("text", "start", "end", "people", "more"), TO_FIND)
async def test_a_room_is_looked_for_when_and_for_as_many_as_was_said(
    proposes, text: str, start: str, end: str, people: int, more: dict[str, Any]
) -> None:
    proposal = await proposes(text)
    assert proposal.plan, proposal
    assert [step.tool for step in proposal.plan.steps] == [FIND]
    _holds(proposal.slots, start, end, people, more)


def _holds(slots: dict[str, Any], start: str, end: str, people: int, more: dict[str, Any]) -> None:
    assert slots["start"].value.startswith(start)
    assert slots["end"].value[11:16] == end
    assert (slots["party_size"].value, slots["party_size"].origin) == (people, "said")
    assert {name: slots[name].value for name in more} == more


@pytest.mark.parametrize(
    ("text", "tasks", "slots"),
    [
        ("book a room for five tomorrow from 2 to 4 pm and then a quiet halal canteen nearby", [FIND, BOOK, MEAL],
         {"party_size": 5, "diet": ["清真"], "crowd": "low"}),
        ("Do I have class tomorrow morning? If not, book a room for five from 10 to 11", [CLASSES, FIND, BOOK],
         {"date": "2026-12-02", "start": "10:00", "end": "11:00", "party_size": 5}),
        ("Find somewhere vegetarian that is not too busy at 12:30 tomorrow, budget 20 yuan", [MEAL],
         {"diet": ["素食"], "crowd": "low", "start": "12:30", "price_max": 20}),
        ("Book a table for two at a quiet canteen at 12", [MEAL], {"crowd": "low", "start": "12:00"}),
        ("what's the nearest canteen to the library that's open now", [MEAL], {"near": "library"}),
        ("請問星期五中午圖書館附近有沒有素食餐廳，三十元以內", [MEAL],
         {"date": "2026-12-04", "near": "图书馆", "diet": ["素食"], "price_max": 30}),
        ("课后作业太多了，明天下午两点到四点找个自习室", [FIND], {"start": "14:00", "end": "16:00"}),
        ("这周一共有几节课", [CLASSES], {"dates": [f"2026-12-0{day}" for day in range(1, 7)]}),
        ("am I free tomorrow between 2 and 4?", [CLASSES], {"date": "2026-12-02"}),
        ("show me my reservations for next week", [LIST], {}),
        ("can you cancle the room on saturday", [CANCEL], {"date": "2026-12-05"}),
    ],
)  # fmt: skip
def test_other_requests_are_read_with_their_tasks_and_slots(
    reads, text: str, tasks: list[str], slots: dict[str, Any]
) -> None:
    reading = reads(text)
    assert list(reading.tasks) == tasks
    assert {name: reading.value(name) for name in slots} == slots


@pytest.mark.parametrize(
    "text",
    [
        "课后一小时帮我订个五人的研讨间，明天",
        "What time does my last class end today? After that book a room for two for an hour",
    ],
)
async def test_after_class_for_an_hour_starts_when_the_timetable_says_so_and_not_an_hour_from_now(
    proposes, text: str
) -> None:
    proposal = await proposes(text)
    assert proposal.plan, proposal
    assert [step.tool for step in proposal.plan.steps] == [CLASSES, FIND, BOOK]
    assert proposal.plan.step("rooms").parameters["start"].choose == "after_last_class"
    assert proposal.slots["duration_min"].value == 60


def test_for_and_a_number_is_a_time_where_it_says_when(reads) -> None:
    reading = reads("book it for five tomorrow")
    assert reading.value("start") == "17:00"
    assert "party_size" not in reading.slots
    assert reads("reserve a room for 6 pm sunday for an hour").value("start") == "18:00"
