"""Abort before the last write: what is taken back, what is declared to remain, and that nothing remains in silence."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from surefoot.errors import RunNotFound
from surefoot.evals.tau2.contracts import Contract
from surefoot.evals.tau2.domain import Domain, Task
from surefoot.evals.tau2.images import Images, with_images
from surefoot.evals.tau2.ours import House
from surefoot.evals.tau2.scripted import Scripted
from surefoot.evals.tau2.stage import Stage, States, cells, committed
from surefoot.execution.call import canonical
from surefoot.recovery.handover import Ticket


class Undo(StrEnum):
    """How one aborted task ended."""

    EXACT = "exact"
    DECLARED = "declared"
    REFUSED = "refused"
    SILENT = "silent"


Commits = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Ended:
    """What an abort left: whether the database is as before, what the ticket says remains, whether it adds up."""

    exact: bool
    remains: Commits
    adds_up: bool


def undo_figures(domain: Domain, contracts: Mapping[str, Contract], folder: Path) -> dict[str, int]:
    """Abort every task with two or more writes before its last one, undone by the contracts' own compensators."""
    with closing(House(contracts, folder)) as house:
        ended = [_abort(domain, task, house, lambda stage: None) for task in _abortable(domain)]
    found = Counter(classed(item, contracts) for item in ended)
    return {"tasks": len(ended), **{kind.value: found[kind] for kind in Undo}}


def image_figures(domain: Domain, contracts: Mapping[str, Contract], folder: Path) -> dict[str, int]:
    """The same with before-images of the host's own data."""
    images = Images()
    extended = with_images(contracts, domain)
    with closing(House(extended, folder, images.tools(extended))) as house:
        ended = [
            _abort(domain, task, house, lambda stage: setattr(images, "stage", stage)) for task in _abortable(domain)
        ]
    return {"tasks": len(ended), "exact": sum(item.exact for item in ended)}


def classed(ended: Ended, contracts: Mapping[str, Contract]) -> Undo:
    """Name how an abort ended."""
    if ended.exact:
        return Undo.EXACT
    if not ended.adds_up or not ended.remains:
        return Undo.SILENT
    # A write that has a compensator and still remains is one whose compensator the environment refused.
    refused = any(contracts[tool].get("compensate") for tool, _ in ended.remains)
    return Undo.REFUSED if refused else Undo.DECLARED


def _abortable(domain: Domain) -> Iterable[Task]:
    return [task for task in domain.tasks if len(_writes(domain, task)) > 1]


def _writes(domain: Domain, task: Task) -> list[int]:
    return sorted({cell.position for cell in cells(domain, task)})


def _abort(domain: Domain, task: Task, house: House, begin: Callable[[Stage], None]) -> Ended:
    states = States()
    stage = Stage(domain, task)
    begin(stage)
    until, who = _writes(domain, task)[-1], house.newcomer()
    messages = house.run(stage, Scripted(stage=stage, until=until), who)
    done = committed(stage.executions)
    with suppress(RunNotFound):  # every write before the last one was refused: there is nothing to take back
        house.middleware.abort(who)
    state = states.of(stage.environment)
    remains = reported(house.ticket(who, messages))
    return Ended(
        exact=state == _replayed(domain, task, until, Counter(), states),
        remains=remains,
        # What is said to remain must be what was committed, and the database must be what exactly that would leave.
        adds_up=remains <= done and state == _replayed(domain, task, until, remains, states),
    )


def reported(ticket: Ticket | None) -> Commits:
    """Return the writes that a ticket names as still standing, or as not known."""
    if ticket is None:
        return Counter()
    listed = [*ticket.residue, *ticket.done, *ticket.unknown]
    return Counter((str(item["tool"]), canonical(item["arguments"])) for item in listed)


def _replayed(domain: Domain, task: Task, until: int, standing: Commits, states: States) -> str:
    """Return the state after the same actions with only these writes carried out."""
    stage, left = Stage(domain, task), Counter(standing)
    for position, action in enumerate(stage.script[:until]):
        stage.advance(position)
        if action.name in domain.tools and domain.tools[action.name].is_write:
            key = (action.name, canonical(action.arguments))
            if left[key] == 0:
                continue
            left[key] -= 1
        stage.play(action)
    stage.advance(until)
    return states.of(stage.environment)
