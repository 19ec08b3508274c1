"""Good answers kept with the thread: what a read said last, to stand in when its source fails. Bounded and small."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from surefoot.agents.state import StepRecord
from surefoot.contracts.registry import Registry

KEEP = 8
"""Answers kept per thread; every checkpoint of the thread holds them."""

MAX_CHARACTERS = 16_000
"""An answer that is longer as JSON is not kept."""

Answers = dict[str, dict[str, Any]]
"""By user, tool and arguments: ``{data, as_of}``."""


def answers_in(state: Mapping[str, Any]) -> Answers:
    """Return the answers that a state keeps."""
    found: Answers = (state.get("cache") or {}).get("answers", {})
    return found


def with_good_answers(answers: Answers, steps: Mapping[str, StepRecord], user_id: str, registry: Registry) -> Answers:
    """Return the kept answers with those of the steps, where a contract says that they may stand in."""
    known = dict(answers)
    for record in steps.values():
        fresh = record["status"] == "success" and "stale" not in record.get("marks", [])
        if not fresh or registry.contract(record["tool"]).cache is None:
            continue
        data = record["output"]["data"]
        if len(json.dumps(data, ensure_ascii=False, default=str)) <= MAX_CHARACTERS:
            known[key_of(record, user_id)] = {"data": data, "as_of": record["ended"]}
    newest = sorted(known.items(), key=lambda item: str(item[1]["as_of"]))[-KEEP:]
    return dict(newest)


def kept_for(answers: Answers, record: StepRecord, user_id: str, registry: Registry, now: datetime) -> Any:
    """Return the answer that may stand in for a step's call, or ``None``: none is kept, or it is too old."""
    cache = registry.contract(record["tool"]).cache
    found = answers.get(key_of(record, user_id))
    if cache is None or found is None:
        return None
    age = (now - datetime.fromisoformat(found["as_of"])).total_seconds()
    return found if 0 <= age <= cache.max_age_s else None


def key_of(record: StepRecord, user_id: str) -> str:
    """Return what makes two questions the same question: the person, the tool, the arguments."""
    return f"{user_id}/{record['tool']}/{record['args_hash']}"
