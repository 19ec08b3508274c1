"""What is wanted is decided by verb, object and qualifier together, not by a word somewhere in the text."""

import pytest

FIND, BOOK, MEAL, CLASSES = "find_room", "book_room", "recommend_canteen", "query_schedule"
LIST, CANCEL = "list_bookings", "cancel_booking"


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("明天上午有没有空的研讨间，四个人", [FIND]),
        ("想找个地方讨论，今晚七点，三个人", [FIND]),
        ("any room with a whiteboard free right now?", [FIND]),
        ("明天下午两点到四点订一间讨论室，四个人", [FIND, BOOK]),
        ("后天三四节借间会议室，九个人", [FIND, BOOK]),
        ("reserve a study room for 3 people tomorrow 9-10am", [FIND, BOOK]),
        ("帮我约一下B203，明天下午2点到4点", [BOOK]),
        ("先列几个明天下午的研讨间给我看看，别订", [FIND]),
        ("还能订到明天晚上的自习室吗", [FIND]),
        ("中午吃什么好", [MEAL]),
        ("想吃碗拉面，别太远", [MEAL]),
        ("I'm hungry, somewhere halal please", [MEAL]),
        ("我明天有课吗", [CLASSES]),
        ("what time do I finish on Thursday", [CLASSES]),
        ("我都约了哪些房间来着", [LIST]),
        ("what rooms have I reserved this week?", [LIST]),
        ("把明天下午那个取消掉", [CANCEL]),
        ("cancel my booking for Friday", [CANCEL]),
        ("我后天那个从三点挪到四点行吗", [FIND, BOOK, CANCEL]),
        ("move my Thursday booking to 4pm", [FIND, BOOK, CANCEL]),
        ("转人工", ["handoff"]),
        ("研讨间的门打不开，我就在门口", ["handoff"]),
        ("帮我写一篇两千字的论文", ["out_of_scope"]),
        ("明天会下雨吗", ["out_of_scope"]),
    ],
)
def test_tasks_of_single_requests(reads, text: str, tasks: list[str]) -> None:
    assert list(reads(text).tasks) == tasks


def test_meeting_somebody_for_noodles_is_no_booking(reads) -> None:
    assert BOOK not in reads("中午约了人吃面，十二点，近一点的食堂").tasks


def test_a_class_that_was_moved_is_background_and_its_day_is_not_the_day_wanted(reads) -> None:
    reading = reads("老师把周三的课调到周五了，那我周三下午应该空出来了吧，帮我找个研讨间，四个人")
    assert reading.value("date") == "2026-12-02"


def test_a_correction_inside_the_sentence_replaces_what_it_corrects(reads) -> None:
    assert reads("明天不，后天，下午一点半到三点，六人，要投影").value("date") == "2026-12-03"


def test_leaving_the_arrangement_to_us_is_a_wish_to_book(reads) -> None:
    assert BOOK in reads("明天第二节没课，找个研讨间排练，帮我把时间安排好").tasks
    assert BOOK not in reads("明天第二节没课，找个研讨间排练").tasks


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        (
            "明天下午两点找个能坐八个人的讨论室，要投影和白板",
            {"capacity_min": 8, "equipment": ["projector", "whiteboard"]},
        ),
        ("我和两个室友今晚想找地方复习", {"party_size": 3}),
        ("三四个人，明天三四节，东区的研讨间", {"party_size": 4, "zone": "东区"}),
        ("哪个区都成，就是别在西区，明天下午的房间", {"zone_not": "西区"}),
        (
            "推荐个食堂，不吃辣，十五块以内，走路别超过十分钟",
            {"taste_not": ["川菜"], "price_max": 15, "max_walk_min": 10},
        ),
        ("离图书馆近的素食", {"near": "图书馆", "diet": ["素食"]}),
        ("veggie options near the library that are not crowded", {"near": "library", "diet": ["素食"], "crowd": "low"}),
        ("今天下午第二节的研讨间", {"start": "14:55", "end": "15:40"}),
        ("明天下午三点起，找个房间两小时", {"start": "15:00", "end": "17:00", "duration_min": 120}),
        ("今天第八节完，想找地方自习到九点半", {"start": "17:40", "end": "21:30"}),
        ("找个代投影的自习事，下周二第三四结", {"equipment": ["projector"], "start": "10:00", "end": "11:40"}),
    ],
)  # fmt: skip
def test_slots_are_read_with_their_exact_values(reads, text: str, slots: dict) -> None:
    reading = reads(text)
    assert {name: reading.value(name) for name in slots} == slots


def test_every_value_that_was_said_has_its_place_in_the_sentence(reads) -> None:
    reading = reads("明天下午两点到四点，东区，四个人，要投影，找间研讨间")
    for name, found in reading.slots.items():
        assert found.origin == "said"
        assert found.span is not None, name
    assert reading.text[slice(*reading.slots["zone"].span)] == "东区"
