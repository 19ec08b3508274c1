"""Words meant for a model: a hint for the log, and nothing more.

No list of words stops an injection (held-out attacks get past every published detector), so nothing is decided by it:
what protects is that the model never executes, that text from tools is data, and that a person confirms each write.
"""

import re

_SIGNALS = {
    "override": re.compile(
        r"(?:ignore|disregard|forget|override) {1,3}(?:all |any |the |your |previous |prior |above ){1,4}"
        r"(?:instruction|prompt|rule|direction)|(?:忽略|无视|忘掉|不要理会).{0,8}(?:指令|指示|提示词|规则|要求|设定)",
        re.IGNORECASE,
    ),
    "role": re.compile(
        r"(?:you are|act as|pretend to be) {1,3}(?:now |a |an |the ){0,2}(?:system|admin|root|developer|dan\b)|"
        r"developer mode|(?:你现在是|假装你是|扮演).{0,6}(?:系统|管理员|开发者|超级用户)|开发者模式",
        re.IGNORECASE,
    ),
    "prompt": re.compile(
        r"(?:system|hidden|initial) prompt|<\|?(?:im_start|system)\|?>|\[/?INST\]|^ {0,3}(?:system|assistant) {0,2}:|"
        r"系统提示词|(?:输出|显示|告诉我).{0,6}(?:提示词|系统设定)",
        re.IGNORECASE | re.MULTILINE,
    ),
    "approval": re.compile(
        r"(?:without|skip|bypass) {1,3}(?:any |the |my ){0,2}(?:confirm|approval|consent)|"
        r"(?:已经?|视为|默认).{0,4}(?:确认|授权|同意).{0,6}(?:直接|无需|不用)|(?:跳过|绕过).{0,4}(?:确认|审批|授权)",
        re.IGNORECASE,
    ),
}


def signals(text: str) -> tuple[str, ...]:
    """Return which kinds of words meant for a model stand in ``text``: override, role, prompt, approval."""
    return tuple(name for name, pattern in _SIGNALS.items() if pattern.search(text))
