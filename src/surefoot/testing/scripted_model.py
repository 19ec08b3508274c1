"""A chat model that plays a script: fails on a call it did not expect and on steps that were never used."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

Step = AIMessage | Exception | Callable[[list[BaseMessage]], AIMessage]
"""What the model does at one call: answer, raise, or compute its answer from the messages."""


class ScriptedModel(BaseChatModel):
    """Plays ``script`` step by step. Works with ``bind_tools`` and so with ``with_structured_output``.

    ``calls`` holds the messages of every call, ``bound`` the keyword arguments it was bound with.

    Raises:
        AssertionError: at a call after the last step, and from :meth:`assert_finished` for steps left over.
    """

    script: Sequence[Any]
    _at: int = PrivateAttr(default=0)
    _calls: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _bound: list[dict[str, Any]] = PrivateAttr(default_factory=list)

    @property
    def calls(self) -> list[list[BaseMessage]]:
        """The messages of every call so far."""
        return self._calls

    @property
    def bound(self) -> list[dict[str, Any]]:
        """The keyword arguments (tools, tool_choice, ...) of every call so far."""
        return self._bound

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools as an OpenAI-compatible model would."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._calls.append(list(messages))
        self._bound.append(kwargs)
        assert self._at < len(self.script), f"unexpected call {self._at + 1}: the script has {len(self.script)} steps"
        step = self.script[self._at]
        self._at += 1
        if isinstance(step, Exception):
            raise step
        message = step if isinstance(step, AIMessage) else step(messages)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def assert_finished(self) -> None:
        """Fail when steps of the script were never used."""
        left = len(self.script) - self._at
        assert left == 0, f"{left} of {len(self.script)} scripted steps were never used"
