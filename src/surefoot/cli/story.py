"""How events, ledger entries and decisions are said in a trace."""

from collections.abc import Callable, Mapping
from typing import Any

from surefoot.cli.speaking import EFFECT_STATES, RUN_STATES, STEP_STATES, clean, said, value_in_words
from surefoot.texts import Text

EVENTS: Mapping[str, Text] = {
    "guard": Text("守卫", "guard"),
    "plan": Text("计划", "plan"),
    "plan_refused": Text("计划没有通过检查", "plan refused by the checker"),
    "step": Text("步骤", "step"),
    "decision": Text("决定", "decision"),
    "verified": Text("核对", "verified"),
    "card": Text("出示确认卡", "card shown"),
    "consent": Text("得到确认", "consent given"),
    "edited": Text("修改了卡片", "card changed"),
    "declined": Text("选择不办", "declined"),
    "undo": Text("撤销", "undo"),
    "invalid": Text("整体检查没有通过", "the whole plan does not fit together"),
    "handed_over": Text("转人工", "handed over"),
    "operator": Text("人工处理", "an operator decided"),
    "ticket": Text("工单", "ticket"),
    "answer": Text("答复", "answer"),
}

HISTORY: Mapping[str, Text] = {
    "resend": Text("以同一个键再次发出", "sent again under the same key"),
    "succeeded": Text("对方答复办成", "the back end answered: done"),
    "was_refused": Text("对方拒绝", "the back end refused"),
    "proved_not_sent": Text("证实没有发出", "proved not sent"),
    "lost": Text("没有得到答复", "no answer"),
    "found_present": Text("查询后确认存在", "asked back: it is there"),
    "found_absent": Text("查询后确认不存在", "asked back: it is not there"),
    "found_gone": Text("查询后确认已不在", "asked back: it was taken back elsewhere"),
    "undo_begun": Text("开始撤销", "undo begun"),
    "undo_done": Text("撤销完成", "undo done"),
    "undo_failed": Text("撤销失败", "undo failed"),
    "undo_given_up": Text("无法撤销", "no way to undo"),
}

WRITERS: Mapping[str, Text] = {
    "worker": Text("任务本身", "the run"),
    "caller": Text("调用结果", "the call"),
    "reconciler": Text("事后核实", "the reconciler"),
    "operator": Text("人工", "a person"),
}

DECISIONS: Mapping[str, Text] = {
    "again": Text("再试一次", "try again"),
    "ask_back": Text("先向对方核实", "ask back first"),
    "other": Text("改用备用来源", "use the fallback"),
    "repair": Text("整理对方的回答", "put the reply in order"),
    "cached": Text("使用上一次的回答", "use the last good answer"),
    "relax": Text("放宽或收窄查询", "widen or narrow the query"),
    "infer": Text("按通常情况推测", "assume what is usual"),
    "replan": Text("另选一个", "choose another"),
    "ask": Text("问您一个问题", "ask the person"),
    "skip": Text("跳过这一步", "leave the step out"),
    "undo": Text("撤销并停止", "undo and stop"),
    "hand_over": Text("转人工", "hand over"),
}

VERDICTS: Mapping[str, Text] = {"refuse": Text("不予受理", "refused"), "answer": Text("直接答复", "answered at once")}


def event_in_words(kind: str, data: Mapping[str, Any], lang: str) -> str:
    """Return what an event tells beyond its name; an unknown kind is written as it stands, an erased one is empty."""
    if not data:
        return ""
    return clean(_DETAILS.get(kind, _as_it_stands)(data, lang))


def _as_it_stands(data: Mapping[str, Any], lang: str) -> str:
    return value_in_words(data, lang)


def _guard(data: Mapping[str, Any], lang: str) -> str:
    return f"{data.get('rule')} → {said(VERDICTS, str(data.get('verdict')), lang)}"


def _plan(data: Mapping[str, Any], lang: str) -> str:
    reasons = Text("；", "; ").say(lang).join(value_in_words(reason, lang) for reason in data.get("reasons", []))
    zh = f"第 {data.get('version')} 版，{data.get('track')}，把握 {data.get('confidence'):.0%}"
    en = f"version {data.get('version')}, {data.get('track')}, certainty {data.get('confidence'):.0%}"
    return f"{Text(zh, en).say(lang)} {reasons}".rstrip()


def _plan_refused(data: Mapping[str, Any], lang: str) -> str:
    return " ".join(value_in_words(refusal.get("text", refusal), lang) for refusal in data.get("refusals", []))


def _step(data: Mapping[str, Any], lang: str) -> str:
    code = f" [{data['code']}]" if data.get("code") else ""
    return f"{data.get('step')} ({data.get('tool')}) → {said(STEP_STATES, str(data.get('status')), lang)}{code}"


def _decision(data: Mapping[str, Any], lang: str) -> str:
    words = f"{data.get('step')} → {said(DECISIONS, str(data.get('kind')), lang)}"
    if data.get("tool"):
        words += f" {data['tool']}"
    if data.get("delay_ms"):
        seconds = f"{data['delay_ms'] / 1000:.1f}"
        words += Text(f"，{seconds} 秒后", f", after {seconds} s").say(lang)
    if data.get("why"):
        words += Text("，因为", ", because: ").say(lang) + value_in_words(data["why"], lang)
    return words + (f" [{data['code']}]" if data.get("code") else "")


def _verified(data: Mapping[str, Any], lang: str) -> str:
    helped = Text("有效", "it helped") if data.get("helped") else Text("没有用", "it did not help")
    return f"{data.get('step')}: {said(DECISIONS, str(data.get('kind')), lang)} → {helped.say(lang)}"


def _card(data: Mapping[str, Any], lang: str) -> str:
    return f"{data.get('step')} ({data.get('tool')}) {data.get('card_id')}"


def _consent(data: Mapping[str, Any], lang: str) -> str:
    how = Text("由 --yes", "by --yes") if data.get("via") == "flag" else Text("由本人", "by the person")
    return f"{how.say(lang)} {data.get('card_id')}"


def _edited(data: Mapping[str, Any], lang: str) -> str:
    return f"{', '.join(data.get('fields', []))} {data.get('card_id')}"


def _undo(data: Mapping[str, Any], lang: str) -> str:
    undone = [f"{item['effect_id']} → {said(EFFECT_STATES, item['state'], lang)}" for item in data.get("undone", [])]
    return ", ".join(undone) or Text("没有需要撤销的", "nothing to undo").say(lang)


def _operator(data: Mapping[str, Any], lang: str) -> str:
    verdicts = [f"{effect_id} {verdict}" for effect_id, verdict in data.get("verdicts", {}).items()]
    return ", ".join([f"{data.get('by')} → {data.get('then')}", *verdicts])


_DETAILS: Mapping[str, Callable[[Mapping[str, Any], str], str]] = {
    "guard": _guard,
    "verified": _verified,
    "plan": _plan,
    "plan_refused": _plan_refused,
    "step": _step,
    "decision": _decision,
    "card": _card,
    "consent": _consent,
    "edited": _edited,
    "declined": lambda data, lang: str(data.get("card_id", "")),
    "undo": _undo,
    "invalid": lambda data, lang: str(data.get("code", "")),
    "handed_over": lambda data, lang: str(data.get("ticket_id", "")),
    "operator": _operator,
    "ticket": lambda data, lang: f"{data.get('ticket_id')} → {data.get('status')} ({data.get('by')})",
    "answer": lambda data, lang: said(RUN_STATES, str(data.get("status")), lang),
}
