"""Several sentences in a row: a tweak keeps what was said, a new task does not."""

from datetime import datetime

import pytest

from surefoot.language import Calendar
from surefoot_campus.reader.dialogue import Scene, follow
from surefoot_campus.reader.places import Places
from surefoot_campus.reader.reading import Reading


@pytest.fixture
def talk(calendar: Calendar):
    """Follow a dialogue and return the last reading and whether its sentence began a new task."""
    scene = Scene(datetime.fromisoformat("2026-12-01T10:00:00+08:00"), calendar, Places())

    def say(*sentences: str | tuple[str, str]) -> tuple[Reading, bool]:
        earlier: list[Reading] = []
        fresh = True
        for sentence in sentences:
            before, words = sentence if isinstance(sentence, tuple) else ("", sentence)
            reading, fresh = follow(earlier, words, scene, said_before=before)
            earlier.append(reading)
        return earlier[-1], fresh

    return say


def test_wishes_add_up(talk) -> None:
    reading, fresh = talk("后天上午想找间讨论室", "五个人", "要白板", "最好在南区")
    assert not fresh
    assert reading.tasks == ("find_room",)
    assert (reading.value("party_size"), reading.value("equipment"), reading.value("zone")) == (
        5,
        ["whiteboard"],
        "南区",
    )


def test_a_new_day_keeps_the_time(talk) -> None:
    reading, _ = talk("find me a room on Wednesday afternoon for 3", "actually Thursday, same time")
    assert (reading.value("date"), reading.value("start"), reading.value("party_size")) == ("2026-12-03", "14:00", 3)


def test_people_who_join_or_stay_away_change_the_number(talk) -> None:
    assert talk("我们三个今晚找地方自习", "再来两个")[0].value("party_size") == 5
    assert talk("我们五个今晚找地方自习", "有两个不来了")[0].value("party_size") == 3


def test_another_matter_starts_anew_and_the_first_can_be_resumed(talk) -> None:
    first = ("明天三四节的研讨间，六个人", "先不管这个，中午吃啥", "人少的")
    reading, fresh = talk(*first[:2])
    assert fresh
    assert reading.tasks == ("recommend_canteen",)
    assert "party_size" not in reading.slots
    reading, fresh = talk(*first, "回到刚才的房间，订了吧")
    assert fresh
    assert reading.tasks == ("find_room", "book_room")
    assert "crowd" not in reading.slots
    assert reading.value("party_size") == 6


def test_a_step_that_follows_joins_the_plan(talk) -> None:
    reading, fresh = talk("明天下午两点到四点找个房间", "然后吃个晚饭，清真的")
    assert not fresh
    assert reading.tasks == ("find_room", "recommend_canteen")
    assert reading.value("diet") == ["清真"]


def test_a_guess_that_is_rejected_leaves_no_trace(talk) -> None:
    reading, _ = talk("帮我订后天的研讨间", ("按上午九点到十点可以吗？", "不行，那会儿有课"))
    assert "start" not in reading.slots
    assert "start" in reading.clarify


def test_a_guess_that_is_agreed_to_is_taken(talk) -> None:
    reading, _ = talk("帮我订后天的研讨间", ("按上午九点到十点可以吗？", "可以"))
    assert (reading.value("start"), reading.value("end")) == ("09:00", "10:00")


def test_a_preference_is_kept_for_the_next_meal(talk) -> None:
    assert talk("记一下，我吃素")[0].tasks == ()
    assert talk("记一下，我吃素", "中午推荐个食堂")[0].value("diet") == ["素食"]


def test_a_day_can_be_dropped_from_several(talk) -> None:
    reading, _ = talk("周三周四晚上七点到九点找自习室", "周三那天不要了")
    assert (reading.value("date"), reading.value("dates")) == ("2026-12-03", None)


def test_starting_over_forgets_everything(talk) -> None:
    reading, fresh = talk("周六上午九点到十二点的房间，八个人", "重来，上面都不要了")
    assert fresh
    assert (reading.tasks, dict(reading.slots)) == ((), {})
