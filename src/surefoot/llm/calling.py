"""Calling a model: within a deadline, tried again where that may help, and never half an answer taken for a whole one.

Asking a model changes nothing in the world, so unlike a tool it may simply be asked again. The provider's own retries
are off; these are the only ones.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.runnables import Runnable

from surefoot.llm.accounting import Meter, Price
from surefoot.llm.failures import RETRYABLE, ModelFailed, translate

CUT = frozenset({"length", "max_tokens", "MAX_TOKENS"})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often a model is asked: ``seconds`` in all, ``attempts`` at most, pauses from ``pause_s`` on."""

    seconds: float = 20.0
    attempts: int = 3
    pause_s: float = 0.5


@dataclass(frozen=True)
class Caller:
    """Asks models on behalf of one run. ``sleep`` and ``spread`` (jitter in [0, 1)) are injected."""

    meter: Meter = field(default_factory=Meter)
    patience: Patience = field(default_factory=Patience)
    price: Price = field(default_factory=Price)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    spread: Callable[[], float] = lambda: 0.5

    async def ask(
        self,
        model: Runnable[Any, Any],
        messages: Sequence[BaseMessage],
        *,
        on_token: Callable[[str], None] | None = None,
    ) -> AIMessage:
        """Return the model's whole answer.

        Raises:
            ModelFailed: nothing usable within the patience; ``kind`` says what the last attempt met.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self.patience.seconds
        for number in range(1, self.patience.attempts + 1):
            self.meter.allow()
            self.meter.attempted()
            try:
                async with asyncio.timeout_at(end):
                    answer = await _whole_answer(model, list(messages), on_token)
            except Exception as error:
                failed = translate(error)
                pause = self._pause(number, failed)
                if failed.kind not in RETRYABLE or number == self.patience.attempts or loop.time() + pause >= end:
                    raise failed from error
                await self.sleep(pause)
                continue
            self.meter.answered(list(messages), answer, self.price)
            return answer
        raise AssertionError("unreachable")

    def _pause(self, number: int, failed: ModelFailed) -> float:
        if failed.retry_after is not None:
            return failed.retry_after
        return float(self.patience.pause_s * 2 ** (number - 1) * (0.5 + self.spread()))


async def _whole_answer(
    model: Runnable[Any, Any], messages: list[BaseMessage], on_token: Callable[[str], None] | None
) -> AIMessage:
    gathered: AIMessage | None = None
    async for chunk in model.astream(messages):
        gathered = chunk if gathered is None else gathered + chunk
        if on_token is not None and isinstance(chunk.content, str) and chunk.content:
            on_token(chunk.content)
    if gathered is None:
        raise ModelFailed("dropped", "the stream ended before it began")
    reason = gathered.response_metadata.get("finish_reason") or gathered.response_metadata.get("stop_reason")
    if reason in CUT:
        raise ModelFailed("cut_off", f"finish reason {reason}")
    if reason is None and isinstance(gathered, AIMessageChunk) and gathered.response_metadata.get("model_provider"):
        # A provider that tells why it stopped and has not told was cut off on the way.
        raise ModelFailed("dropped", "the stream ended without a finish reason")
    return _as_message(gathered)


def _as_message(gathered: AIMessage) -> AIMessage:
    if not isinstance(gathered, AIMessageChunk):
        return gathered
    calls, broken = _calls(gathered)
    return AIMessage(
        content=gathered.content,
        tool_calls=calls,
        invalid_tool_calls=broken,
        usage_metadata=gathered.usage_metadata,
        response_metadata=gathered.response_metadata,
        additional_kwargs=gathered.additional_kwargs,
        id=gathered.id,
    )


def _calls(gathered: AIMessageChunk) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    """Parse the arguments strictly: LangChain completes a text that breaks off, and half an argument is none."""
    if not gathered.tool_call_chunks:
        return gathered.tool_calls, gathered.invalid_tool_calls
    calls: list[ToolCall] = []
    broken: list[InvalidToolCall] = []
    for chunk in gathered.tool_call_chunks:
        name, text = chunk["name"] or "", chunk["args"] or ""
        try:
            arguments = json.loads(text or "{}")
        except ValueError as error:
            broken.append(
                InvalidToolCall(type="invalid_tool_call", name=name, args=text, id=chunk["id"], error=str(error))
            )
            continue
        if isinstance(arguments, dict):
            calls.append(ToolCall(name=name, args=arguments, id=chunk["id"]))
        else:
            broken.append(
                InvalidToolCall(type="invalid_tool_call", name=name, args=text, id=chunk["id"], error="no object")
            )
    return calls, broken
