"""The exam of structured output: enough tasks, both kinds, and figures that follow from what came out."""

import pytest

from surefoot.errors import InputInvalid
from surefoot.evals.report import Report
from surefoot.evals.structured import command
from surefoot.evals.structured.tasks import tasks
from surefoot.llm.repair import Unreadable, fitted, read_object
from surefoot.testing.model_server import Say, Use


def test_there_are_more_than_fifty_tasks_of_both_kinds() -> None:
    played = list(tasks())
    assert len({task.name for task in played}) == len(played) >= 50
    assert {task.recoverable for task in played} == {True, False}


def test_a_task_is_recoverable_exactly_when_one_of_three_replies_can_become_the_object() -> None:
    for task in tasks():
        assert task.recoverable == any(_fits(reply, task) for reply in task.replies[:3]), task.name


def _fits(reply, task) -> bool:
    try:
        if isinstance(reply, Use) and isinstance(reply.calls[0][1], dict):
            found = reply.calls[0][1]
        else:
            found = read_object(reply.text if isinstance(reply, Say) else str(reply.calls[0][1]))
    except Unreadable:
        return False
    found = next(iter(found.values())) if len(found) == 1 and isinstance(next(iter(found.values())), dict) else found
    return fitted(found, task.schema.model_json_schema()) == task.right


async def test_one_topic_is_played_by_every_arm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(command.KEY, "x")
    report = Report("structured")
    await command._play(report, [task for task in tasks() if task.name.startswith("bus/")])
    assert report.figures["two_stage.valid"] == 1
    assert report.figures["two_stage.valid_or_typed_failure"] == 1
    assert report.figures["two_stage.objects_where_none_can_be"] == 0
    for arm in ("two_stage", "one_stage", "create_agent"):
        assert report.figures[f"{arm}.tool_calls_kept"] == 1
        assert 0 < report.figures[f"{arm}.valid"] <= 1


def test_an_option_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputInvalid, match="Unknown option"):
        command.structured(Report("structured"), None, ["--fast"])
