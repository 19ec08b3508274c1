"""Bookings that exist: which one is meant, and what a move keeps."""


async def test_a_booking_is_found_by_its_day_and_the_card_says_which_one(proposes) -> None:
    proposal = await proposes("取消周五的研讨间")
    assert [step.tool for step in proposal.plan.steps] == ["cancel_booking"]
    assert proposal.slots["reservation_id"].value == "BK-1050"
    assert "BK-1050" in proposal.slots["reservation_id"].note["en"]
    assert proposal.plan.steps[0].requires_confirmation


async def test_a_booking_is_found_by_its_number(proposes) -> None:
    assert (await proposes("bk-1042 取消一下，人凑不齐了")).slots["reservation_id"].value == "BK-1042"


async def test_when_several_fit_one_is_asked_for(proposes) -> None:
    question = (await proposes("取消我的预约")).question
    assert [option.changes["reservation_id"] for option in question.options] == ["BK-1042", "BK-1050"]
    picked = await proposes("取消我的预约", reservation_id="BK-1050")
    assert picked.slots["reservation_id"].value == "BK-1050"


async def test_when_none_fits_nothing_is_planned(proposes) -> None:
    assert "什么也没有取消" in (await proposes("取消我今天晚上的预约")).refusal.zh
    assert (await proposes("取消我的预约", user="somebody")).refusal


async def test_a_move_keeps_length_and_people_and_cancels_last(proposes) -> None:
    proposal = await proposes("我后天那个从三点挪到四点行吗")
    assert [step.tool for step in proposal.plan.steps] == ["find_room", "book_room", "cancel_booking"]
    assert proposal.plan.step("cancel").depends_on == ("booking",)
    slots = {name: slot.value for name, slot in proposal.slots.items()}
    assert slots["start"] == "2026-12-03T16:00:00+08:00"
    assert slots["end"] == "2026-12-03T17:30:00+08:00"
    assert (slots["party_size"], slots["reservation_id"]) == (5, "BK-1042")


async def test_a_list_takes_the_days_that_were_named(proposes) -> None:
    slots = (await proposes("我这周还有几个预约没用")).slots
    assert (slots["date"].value, slots["date_to"].value) == ("2026-12-01", "2026-12-06")
