"""The exam of times: items read in both of its formats, counted per type, absent peers named."""

import json
from pathlib import Path

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.evals.time.command import time
from surefoot.evals.time.specs import read_items

CONTEXT = {"ReferenceDateTime": "2016-11-07T00:00:00"}
MODEL = [
    {"Input": "I'll be back tomorrow at 3pm", "Context": CONTEXT, "Results": [
        {"Text": "tomorrow at 3pm", "Start": 13, "End": 27, "TypeName": "datetimeV2.datetime",
         "Resolution": {"values": [{"type": "datetime", "value": "2016-11-08 15:00:00"}]}}]},
    {"Input": "see you on 2016-11-09", "Context": CONTEXT, "Results": [
        {"Text": "2016-11-09", "Start": 11, "End": 20, "TypeName": "datetimeV2.date",
         "Resolution": {"values": [{"type": "date", "value": "2016-11-10"}]}}]},
    {"Input": "nothing here", "Context": CONTEXT, "Results": []},
]  # fmt: skip
PARSER = [{"Input": "2010-01-29", "Context": CONTEXT, "Results": [
    {"Text": "2010-01-29", "Type": "date", "Start": 0, "Length": 10,
     "Value": {"FutureResolution": {"date": "2010-01-29"}, "PastResolution": {"date": "2010-01-29"}}}]},
    {"Input": "农历正月初一", "Context": CONTEXT, "Results": []}]  # fmt: skip


@pytest.fixture
def exams(tmp_path: Path) -> Path:
    for lang, items in (("en", MODEL), ("zh", PARSER)):
        (tmp_path / f"time_{lang}").mkdir()
        (tmp_path / f"time_{lang}" / "one.json").write_text(json.dumps(items), encoding="utf-8")
    return tmp_path


def test_right_and_wrong_readings_are_counted_per_type(exams: Path) -> None:
    report = Report("time")
    time(report, exams, ["--lang", "en"])
    assert report.figures["surefoot-en.items"] == 3
    assert report.figures["surefoot-en.datetime"] == 1
    assert report.figures["surefoot-en.date"] == 0
    assert report.figures["surefoot-en.none"] == 1
    assert report.figures["surefoot-en.wrong"] == pytest.approx(1 / 3, abs=1e-4)


def test_lunar_dates_are_left_out_and_the_parser_format_is_read(exams: Path) -> None:
    assert [item.lunar for item in read_items(exams / "time_zh")] == [False, True]
    report = Report("time")
    time(report, exams, ["--lang", "zh"])
    assert report.figures["surefoot-zh.items"] == 1
    assert report.figures["surefoot-zh.exact"] == 1


def test_unknown_options_are_refused(exams: Path) -> None:
    with pytest.raises(InputInvalid, match="Unknown option"):
        time(Report("time"), exams, ["--lang", "fr"])
