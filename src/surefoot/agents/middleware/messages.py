"""The one truthful message per tool call that the model gets."""

import json
from typing import Any

from langchain_core.messages import ToolMessage

from surefoot.execution.outcome import Outcome
from surefoot.recovery.saga import Undone
from surefoot.texts import Text

ADVICE = {
    "ok": Text("", ""),
    "refused": Text("这一步没有办成，什么都没有改变。", "Nothing was done."),
    "empty": Text("没有找到。", "There is nothing to be had."),
    "failed": Text("没有办成。", "It did not work."),
    "not_sent": Text("确认没有办成，什么都没有改变。", "It is certain that nothing was done."),
    "unknown": Text(
        "还不知道是否办成；不要重复调用，不要说已经办成或没有办成。",
        "It is not known whether this was done. Do not call it again, and do not say that it worked or that it failed.",
    ),
}

FOUND = Text(
    "起初没有收到回应，后来查询确认已经办成，没有重复发送。",
    "No answer came at first; asking back confirmed that it was done. It was not sent a second time.",
)


def message_for(
    outcome: Outcome,
    call: dict[str, Any],
    *,
    lang: str = "en",
    notes: tuple[Text, ...] = (),
    undone: list[Undone] | None = None,
    ticket_id: str | None = None,
) -> ToolMessage:
    """Return what the model is told of ``outcome``: JSON, ``status`` success only when it was done.

    ``artifact["surefoot"]`` holds the same for programs: kind, code, effect_id, effect_state, replayed, reconciled.
    """
    told: dict[str, Any] = {"status": outcome.kind}
    error = outcome.envelope["error"]
    if outcome.kind == "ok":
        told["data"] = outcome.envelope["data"]
        if outcome.reconciled:
            told["note"] = FOUND.say(lang)
    elif error is not None:
        why = Text.from_json(error["message"]).say(lang)
        told |= {"code": error["code"], "message": _joined(why, ADVICE[outcome.kind].say(lang), lang)}
        if "alternatives" in error["details"]:
            told["alternatives"] = error["details"]["alternatives"]
    if notes:
        told["note"] = _joined(told.get("note", ""), *(note.say(lang) for note in notes), lang)
    if undone:
        told["taken_back"] = [{"tool": item.tool, "state": item.state, "what": item.arguments} for item in undone]
    if ticket_id:
        told["handed_over"] = ticket_id
    return ToolMessage(
        content=json.dumps(told, ensure_ascii=False, default=str),
        name=call["name"],
        tool_call_id=call["id"],
        status="success" if outcome.kind == "ok" else "error",
        artifact={"surefoot": facts(outcome)},
    )


def with_facts(reply: Any, outcome: Outcome) -> Any:
    """Return the tool's own reply; where it is a message without an artifact, with the facts in it."""
    if isinstance(reply, ToolMessage) and reply.artifact is None:
        return reply.model_copy(update={"artifact": {"surefoot": facts(outcome)}})
    return reply


def facts(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome for programs, JSON-native."""
    return {
        "kind": outcome.kind,
        "code": outcome.code,
        "effect_id": outcome.effect_id,
        "effect_state": outcome.effect_state,
        "replayed": outcome.replayed,
        "reconciled": outcome.reconciled,
    }


def _joined(*parts_and_lang: str) -> str:
    """Join sentences; what a tool said may lack its full stop."""
    *parts, lang = parts_and_lang
    stop, gap = ("。", "") if lang == "zh" else (".", " ")
    ended = [part if part[-1] in ".!?。！？" else part + stop for part in parts if part]
    return gap.join(ended)
