"""A chat model that plays the gold actions, one tool call a turn, and reads nothing."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from surefoot.evals.tau2.stage import Stage

CHARACTERS_PER_TOKEN = 4
"""A rough count, good for comparing runners; the scripted model has no tokeniser."""


class Scripted(BaseChatModel):
    """Emits the stage's next gold action, then a closing sentence; counts what turns beyond the gold ones would cost.

    ``until`` ends the script early, before that position.
    """

    stage: Stage
    until: int | None = None
    calls: int = 0
    extra_tokens: int = 0

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
        """Bind the tools as every chat model does; the script knows its calls without them."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        script = self.stage.script[: self.until]
        # The position is read off the history, so that a resumed run goes on where its checkpoint stands.
        position = sum(1 for message in messages if isinstance(message, AIMessage) and message.tool_calls)
        self.stage.advance(position)
        if position < len(script):
            action = script[position]
            call = {"name": action.name, "args": action.arguments, "id": call_id(position), "type": "tool_call"}
            answer = AIMessage(content="", tool_calls=[call])
        else:
            answer = AIMessage(content="Done.")
        self.calls += 1
        if self.calls > len(script) + 1:
            self.extra_tokens += sum(map(_tokens, [*messages, answer]))
        return ChatResult(generations=[ChatGeneration(message=answer)])


def call_id(position: int) -> str:
    """Return the tool-call id of the gold action at a position."""
    return f"call_{position}"


def _tokens(message: BaseMessage) -> int:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return (len(str(message.content)) + sum(len(str(call)) for call in calls)) // CHARACTERS_PER_TOKEN + 1
