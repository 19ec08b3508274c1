"""What an operator found out about effects, turned into the ledger's events: planned first, written after."""

from collections.abc import Mapping, Sequence
from typing import Any

from surefoot.contracts.registry import Registry
from surefoot.errors import InputInvalid
from surefoot.execution.ledger import Effect, Ledger
from surefoot.execution.protocol import Event, State, Writer
from surefoot.texts import Text

PRESENT, ABSENT = "present", "absent"
Path = list[tuple[Event, State]]
"""Events in order, each with the state it leads to."""

_LOST: Path = [(Event.LOST, State.UNKNOWN)]
PATHS: Mapping[tuple[State, str], Path] = {
    (State.INTENDED, PRESENT): [*_LOST, (Event.FOUND_PRESENT, State.COMMITTED)],
    (State.INTENDED, ABSENT): [*_LOST, (Event.FOUND_ABSENT, State.ABSENT)],
    (State.UNKNOWN, PRESENT): [(Event.FOUND_PRESENT, State.COMMITTED)],
    (State.UNKNOWN, ABSENT): [(Event.FOUND_ABSENT, State.ABSENT)],
    (State.COMMITTED, PRESENT): [],
    (State.COMMITTED, ABSENT): [(Event.FOUND_GONE, State.COMPENSATED)],
    (State.COMPENSATING, PRESENT): [(Event.UNDO_FAILED, State.RESIDUE)],
    (State.COMPENSATING, ABSENT): [(Event.UNDO_DONE, State.COMPENSATED)],
    (State.RESIDUE, PRESENT): [],
    (State.RESIDUE, ABSENT): [(Event.UNDO_DONE, State.COMPENSATED)],
    (State.COMPENSATED, ABSENT): [],
    (State.ABSENT, ABSENT): [],
    (State.NOT_SENT, ABSENT): [],
    (State.REFUSED, ABSENT): [],
}
"""What "it is there" and "it is not there" mean for an effect in each state; what is missing contradicts the ledger."""

MAY_HAVE_GONE_OUT = (State.INTENDED, State.UNKNOWN)


def plan_writes(
    effects: Sequence[Effect],
    verdicts: Mapping[str, str],
    results: Mapping[str, Mapping[str, Any]],
    registry: Registry | None,
    *,
    undo_next: bool = False,
) -> list[dict[str, Any]]:
    """Return what to write, JSON-native: ``[{"effect_id", "start", "path", "result"}]``.

    A verdict on an effect that is half undone is also one on its compensator. With ``undo_next`` one that was found
    to stand is left half undone, so that its undo is tried again.

    Raises:
        InputInvalid: a verdict on an effect of another run, one that contradicts the ledger, or a result that does
            not fit the tool's contract.
    """
    by_id = {effect.effect_id: effect for effect in effects}
    for named in [*verdicts, *results]:
        if named not in by_id:
            known = ", ".join(by_id) or "—"
            raise _invalid(
                f"这个任务没有写操作 {named}；有：{known}", f"This run has no effect {named}; it has: {known}"
            )
    writes = []
    for effect_id, verdict in verdicts.items():
        effect = by_id[effect_id]
        result = _checked(effect, verdict, results.get(effect_id), registry)
        writes += _writes_of(effect, verdict, result, effects, undo_next=undo_next)
    for effect_id in results.keys() - verdicts.keys():
        raise _invalid(f"{effect_id} 有结果，却没有说它已办成。", f"{effect_id} has a result but no verdict 'present'.")
    return writes


def _checked(
    effect: Effect, verdict: str, result: Mapping[str, Any] | None, registry: Registry | None
) -> dict[str, Any] | None:
    if (effect.state, verdict) not in PATHS:
        raise _invalid(
            f"{effect.effect_id} 现在是 {effect.state}，不能记为 {verdict}。",
            f"{effect.effect_id} is {effect.state}; {verdict!r} cannot be said of it.",
        )
    if result is None:
        return None
    if verdict != PRESENT or effect.state not in MAY_HAVE_GONE_OUT:
        raise _invalid(
            f"只有原来结果不明、现已查明办成的写操作才能补上结果（{effect.effect_id}）。",
            f"Only an unknown effect that was found present takes a result ({effect.effect_id}).",
        )
    problems = registry[effect.tool].output.problems(dict(result)) if registry and effect.tool in registry else []
    if problems:
        said = "; ".join(str(problem) for problem in problems[:3])
        raise _invalid(
            f"{effect.effect_id} 的结果不符合 {effect.tool} 的约定：{said}",
            f"The result of {effect.effect_id} does not fit the contract of {effect.tool}: {said}",
        )
    return dict(result)


def _writes_of(
    effect: Effect, verdict: str, result: dict[str, Any] | None, effects: Sequence[Effect], *, undo_next: bool
) -> list[dict[str, Any]]:
    undos = [other for other in effects if other.undoes == effect.effect_id and other.state in MAY_HAVE_GONE_OUT]
    if effect.state is not State.COMPENSATING or not undos:
        return [_write(effect, PATHS[effect.state, verdict], result)]
    undo = undos[-1]
    if verdict == ABSENT:
        return [_write(undo, PATHS[undo.state, PRESENT], dict(undo.arguments))]
    never = _write(undo, PATHS[undo.state, ABSENT], None)
    return [never] if undo_next else [never, _write(effect, PATHS[effect.state, PRESENT], None)]


def _write(effect: Effect, path: Path, result: dict[str, Any] | None) -> dict[str, Any]:
    steps = [[event.value, state.value] for event, state in path]
    return {"effect_id": effect.effect_id, "start": effect.state.value, "path": steps, "result": result}


def foreseen(effects: Sequence[Effect], writes: Sequence[Mapping[str, Any]]) -> dict[str, State]:
    """Return the state of each effect once the writes are written."""
    states = {effect.effect_id: effect.state for effect in effects}
    undoes = {effect.effect_id: effect.undoes for effect in effects}
    for write in writes:
        if write["path"]:
            states[write["effect_id"]] = State(write["path"][-1][1])
        original = undoes[write["effect_id"]]
        if original is not None and states[write["effect_id"]] is State.COMMITTED:
            states[original] = State.COMPENSATED
    return states


async def write_verdicts(writes: Sequence[Mapping[str, Any]], ledger: Ledger) -> None:
    """Write planned verdicts into the ledger as the operator's word. Safe to run again after a crash.

    Raises:
        InputInvalid: an effect has moved on by itself since the plan was made; the others may be written.
    """
    for write in writes:
        effect = await ledger.get(write["effect_id"])
        states = [State(write["start"]), *(State(state) for _, state in write["path"])]
        if effect.state not in states:
            raise _invalid(
                f"{effect.effect_id} 这期间已变为 {effect.state}，请重新查看再决定。",
                f"{effect.effect_id} has become {effect.state} meanwhile; look again before you decide.",
            )
        for name, _ in write["path"][states.index(effect.state) :]:
            event = Event(name)
            # That an answer was lost is what everybody can see; the verdict itself is the operator's word.
            writer = Writer.RECONCILER if event is Event.LOST else Writer.OPERATOR
            result = write["result"] if event is Event.FOUND_PRESENT else None
            await ledger.record(effect.effect_id, event, writer, result=result)


def _invalid(zh: str, en: str) -> InputInvalid:
    return InputInvalid(Text(zh, en))
