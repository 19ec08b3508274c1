"""The slot exam: counts are right on a file of our own, and what is missing is said."""

import gzip
import json
from pathlib import Path

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.evals.slots import slots

TURNS = [
    {"id": "1", "text": "找个人均消费50-100元、评分4.5分以上的餐馆", "acts": [
        ["Inform", "餐馆", "人均消费", "50-100元"], ["Inform", "餐馆", "评分", "4.5分以上"]]},
    {"id": "2", "text": "周边景点里有没有评分4分以上、票价20元以下的", "acts": []},
    {"id": "3", "text": "人均消费是多少", "acts": [["Inform", "餐馆", "人均消费", "50-100元"]]},
]  # fmt: skip


def test_precision_and_recall_are_those_of_the_turns(tmp_path: Path) -> None:
    (tmp_path / "crosswoz").mkdir()
    packed = gzip.compress(json.dumps(TURNS).encode())
    (tmp_path / "crosswoz" / "restaurant_user_turns_one.json.gz").write_bytes(packed)
    report = Report("slots")
    slots(report, tmp_path, [])
    assert report.figures["price.precision"] == 1
    assert report.figures["price.recall"] == 0.5
    assert (report.figures["rating.precision"], report.figures["rating.recall"]) == (1, 1)


def test_absent_data_and_unknown_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="does not exist"):
        slots(Report("slots"), tmp_path, [])
    with pytest.raises(InputInvalid, match="Unknown option"):
        slots(Report("slots"), tmp_path, ["--what"])
