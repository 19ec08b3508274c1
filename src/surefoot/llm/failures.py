"""What can go wrong with a model, one closed set, whatever the provider's library raises."""

from collections.abc import Mapping
from typing import Any, Literal

from surefoot.errors import SurefootError
from surefoot.texts import Text

Kind = Literal[
    "unreachable", "timeout", "rate_limited", "server_error", "dropped", "cut_off", "refused", "auth", "not_found",
    "too_long", "malformed", "spent", "not_installed",
]  # fmt: skip

TEXTS: Mapping[Kind, Text] = {
    "unreachable": Text("连不上语言模型服务。", "The language model cannot be reached."),
    "timeout": Text("语言模型没有在时限内回答。", "The language model did not answer in time."),
    "rate_limited": Text("语言模型服务要求稍后再用。", "The language model's provider asks to slow down."),
    "server_error": Text("语言模型服务出错。", "The language model's provider has an error."),
    "dropped": Text("语言模型的回答传到一半断了。", "The language model's answer broke off on the way."),
    "cut_off": Text("语言模型的回答太长，被截断了。", "The language model's answer was too long and was cut off."),
    "refused": Text("语言模型服务拒绝了这次请求。", "The language model's provider refused the request."),
    "auth": Text("语言模型的密钥不对或没有权限。", "The language model's key is wrong or lacks permission."),
    "not_found": Text("没有这个语言模型。", "There is no such language model."),
    "too_long": Text("给语言模型的内容太长。", "What was sent to the language model is too long."),
    "malformed": Text("语言模型的回答无法使用。", "The language model's answer cannot be used."),
    "spent": Text("这次任务给语言模型的额度已用完。", "This run has used up its allowance for the language model."),
    "not_installed": Text("语言模型的程序库没有安装。", "The language model's library is not installed."),
}

RETRYABLE: frozenset[Kind] = frozenset({"unreachable", "timeout", "rate_limited", "server_error", "dropped"})
"""Failures after which the same request may succeed; asking a model has no effect, so it may be asked again."""


class ModelFailed(SurefootError):
    """A model gave nothing that can be used. ``kind`` is one of a closed set; ``retry_after`` is in seconds."""

    code = "MODEL_FAILED"

    def __init__(self, kind: Kind, detail: str = "", *, retry_after: float | None = None) -> None:
        self.kind, self.detail, self.retry_after = kind, detail, retry_after
        self.text = TEXTS[kind]
        super().__init__(f"{self.text.en} {detail}".strip())


class StructuredOutputFailed(ModelFailed):
    """No attempt gave a valid object; ``reasons`` says in words what was wrong with each."""

    code = "STRUCTURED_OUTPUT_FAILED"

    def __init__(self, reasons: tuple[str, ...]) -> None:
        self.reasons = reasons
        super().__init__("malformed", f"no valid object in {len(reasons)} attempts: {'; '.join(reasons)[:500]}")


_BY_NAME: Mapping[str, Kind] = {
    "ContextOverflowError": "too_long", "ModelRateLimitError": "rate_limited", "ModelTimeoutError": "timeout",
    "ModelConnectionError": "unreachable", "ModelAuthenticationError": "auth",
    "ModelPermissionDeniedError": "auth", "ModelNotFoundError": "not_found",
    "ModelInvalidRequestError": "refused", "ModelRefusalError": "refused", "ModelAPIError": "server_error",
    "APITimeoutError": "timeout", "APIConnectionError": "unreachable", "TimeoutError": "timeout",
    "ConnectError": "unreachable", "ConnectionError": "unreachable", "ReadTimeout": "timeout",
    "ConnectTimeout": "unreachable", "RemoteProtocolError": "dropped", "ReadError": "dropped",
    "JSONDecodeError": "malformed", "ModuleNotFoundError": "not_installed", "ImportError": "not_installed",
}  # fmt: skip


def translate(error: BaseException) -> ModelFailed:
    """Return the failure that ``error`` stands for, whichever of LangChain, openai and httpx raised it.

    Told by the names of its classes, so that no provider's library need be imported here.
    """
    if isinstance(error, ModelFailed):
        return error
    kind = _kind(error)
    return ModelFailed(kind, f"{type(error).__name__}: {str(error)[:300]}", retry_after=_retry_after(error))


def _kind(error: BaseException) -> Kind:
    status = getattr(error, "status_code", None)
    if status is not None and status >= 500:
        return "server_error"
    if _broke_off(error):
        return "dropped"
    for cls in type(error).__mro__:
        if cls.__name__ in _BY_NAME:
            return _BY_NAME[cls.__name__]
    return "malformed"


def _broke_off(error: BaseException | None) -> bool:
    """Whether the connection broke while an answer was under way, somewhere down the chain of causes."""
    for _ in range(6):
        if error is None:
            return False
        if type(error).__name__ in ("RemoteProtocolError", "ReadError", "IncompleteRead"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _retry_after(error: BaseException) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
