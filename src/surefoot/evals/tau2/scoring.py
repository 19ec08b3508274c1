"""Scores of cells: the database against the gold one, what was said against what happened, writes beyond the gold."""

import gc
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import BaseMessage, ToolMessage

from surefoot.evals.tau2.domain import Domain
from surefoot.evals.tau2.runners import Runner
from surefoot.evals.tau2.scripted import Scripted, call_id
from surefoot.evals.tau2.stage import Cell, Fault, Gold, Stage, States, cells, committed, play_gold
from surefoot.execution.call import canonical

SAYS_FAILED = ("[COMPENSATION TRIGGERED]",)
"""Words by which a layer that leaves the message's status at success says that the call failed."""


@dataclass(frozen=True)
class Score:
    """One cell of one runner."""

    fault: Fault
    db_equal: bool
    told: bool
    happened: bool
    extra_writes: int
    unreadable: bool
    tokens: int
    seconds: float

    @property
    def told_true(self) -> bool:
        """Whether the outcome that was reported is the one that happened."""
        return self.told == self.happened


@dataclass
class Totals:
    """All cells of one runner."""

    scores: list[Score] = field(default_factory=list)

    def figures(self, faults: Iterable[Fault] = tuple(Fault)) -> dict[str, float | int]:
        """Return the figures over these kinds of fault, by metric."""
        wanted = set(faults)
        scores = [score for score in self.scores if score.fault in wanted]
        return {
            "cells": len(scores),
            "db_equal": sum(score.db_equal for score in scores),
            "told_true": sum(score.told_true for score in scores),
            "extra_writes": sum(score.extra_writes for score in scores),
            "unreadable": sum(score.unreadable for score in scores),
            "seconds": sum(score.seconds for score in scores),
            "tokens": sum(score.tokens for score in scores),
        }


class Bench:
    """Runs cells. Gold is played once per task; every cell gets an environment of its own."""

    def __init__(self, domain: Domain, clock: Callable[[], float]) -> None:
        self.domain, self.states, self._clock = domain, States(), clock
        self._gold: dict[str, Gold] = {}

    def gold(self, cell: Cell) -> Gold:
        """Return what happens in the cell's task when nothing fails."""
        if cell.task.id not in self._gold:
            self._gold[cell.task.id] = play_gold(self.domain, cell.task, self.states)
        return self._gold[cell.task.id]

    def refused(self) -> int:
        """Count the gold writes, of the tasks run so far, that the environment refuses even when nothing fails."""
        played = [done for gold in self._gold.values() for done in gold.executions]
        return sum(done.is_write and not done.ok for done in played)

    def run(self, runner: Runner) -> Totals:
        """Run all cells of the domain by one runner. ``seconds`` is the agents' time, without set-up and hashing."""
        try:
            every = (cell for task in self.domain.tasks for cell in cells(self.domain, task))
            return Totals([self.score(runner, cell) for cell in every])
        finally:
            gc.unfreeze()

    def score(self, runner: Runner, cell: Cell) -> Score:
        """Run one cell and score it."""
        gold = self.gold(cell)
        stage = fresh_stage(self.domain, cell)
        model = Scripted(stage=stage)
        began = self._clock()
        messages = runner.run(stage, model)
        seconds = self._clock() - began
        return Score(
            fault=cell.fault,
            db_equal=self.states.of(stage.environment) == gold.state,
            told=told_success(messages, cell.position),
            happened=happened(stage, cell.position),
            extra_writes=(committed(stage.executions) - gold.commits).total(),
            unreadable=unreadable(messages, stage, cell.position),
            tokens=model.extra_tokens,
            seconds=seconds,
        )


def fresh_stage(domain: Domain, cell: Cell) -> Stage:
    """Return the stage of a cell, its database out of the garbage collector's sight.

    The collector would walk hundreds of thousands of fresh objects in the middle of an agent's run and add that to
    the run's time. Unfreeze when the last cell is done.
    """
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        return Stage(domain, cell.task, cell.fault, cell.position)
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def told_success(messages: Sequence[BaseMessage], position: int) -> bool:
    """Return whether the history says that the call at a position succeeded.

    A call without any answer counts as reported failed: its run ended with an exception that the caller saw.
    """
    answer = answer_to(messages, position)
    if answer is None or answer.status == "error":
        return False
    words = str(answer.content)
    return not words.startswith("Error") and not any(sign in words for sign in SAYS_FAILED)


def unreadable(messages: Sequence[BaseMessage], stage: Stage, position: int) -> bool:
    """Return whether the call is said to have succeeded, but what it brought can no longer be read.

    Readable is JSON, and whatever the environment itself has replied.
    """
    answer = answer_to(messages, position)
    if answer is None or not told_success(messages, position):
        return False
    words = str(answer.content)
    return not _is_json(words) and words not in {done.reply for done in stage.executions}


def answer_to(messages: Sequence[BaseMessage], position: int) -> ToolMessage | None:
    """Return the last answer to the gold call at a position."""
    answers = [m for m in messages if isinstance(m, ToolMessage) and m.tool_call_id == call_id(position)]
    return answers[-1] if answers else None


def happened(stage: Stage, position: int) -> bool:
    """Return whether the environment carried the gold write at a position out, at least once."""
    gold = stage.script[position]
    wanted = (position, gold.name, canonical(gold.arguments))
    return any(done.ok and (done.position, done.name, done.arguments) == wanted for done in stage.executions)


def _is_json(words: str) -> bool:
    try:
        json.loads(words)
    except ValueError:
        return False
    return True
