"""What a thread keeps of its sentences survives storage; what another version wrote is forgotten, not guessed at."""

import json

from surefoot_campus.reader.keeping import KEPT, from_working, to_working


def test_a_reading_survives_being_stored(reads) -> None:
    for text in ("明天下午两点到四点订一间六人研讨间，要白板", "取消预约BK-1042", "find halal food after 6 pm", "你好"):
        reading = reads(text)
        stored = json.loads(json.dumps(to_working((), reading), ensure_ascii=False))
        (kept,) = from_working(stored)
        assert (kept.tasks, dict(kept.slots), kept.clarify) == (reading.tasks, dict(reading.slots), reading.clarify)
        assert kept.to_json() == reading.to_json()


def test_only_so_many_are_kept(reads) -> None:
    readings = [reads(f"明天下午找间研讨间，{n}个人") for n in range(2, 12)]
    kept = from_working(to_working(readings[:-1], readings[-1]))
    assert [one.value("party_size") for one in kept] == [one.value("party_size") for one in readings[-KEPT:]]


def test_what_has_another_form_is_forgotten() -> None:
    assert from_working({"readings": [{"sentence": "from a later version"}]}) == []
    assert from_working({}) == []
