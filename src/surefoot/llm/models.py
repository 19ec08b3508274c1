"""Models by name: settings in, a chat model out, with the provider's own retries off (ours are the only ones)."""

import os
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from surefoot.errors import SettingsInvalid
from surefoot.llm.accounting import Price
from surefoot.llm.failures import ModelFailed

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Role = Literal["small", "large"]


class ModelSettings(BaseModel):
    """How one model is reached. ``name`` is a string of LangChain's ``init_chat_model``: ``openai:gpt-4o-mini``.

    The key is never kept: ``key_env`` names the environment variable that holds it. Times are in seconds, prices per
    million tokens.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    base_url: str | None = None
    key_env: str | None = None
    timeout_s: float = Field(default=15.0, gt=0)
    temperature: float | None = 0.0
    max_output_tokens: int = Field(default=1024, gt=0)
    input_per_million: float = Field(default=0.0, ge=0)
    output_per_million: float = Field(default=0.0, ge=0)

    @property
    def price(self) -> Price:
        """What its tokens cost."""
        return Price(self.input_per_million, self.output_per_million)


def open_model(settings: ModelSettings) -> "BaseChatModel":
    """Return the chat model.

    Raises:
        SettingsInvalid: the name or the key's variable cannot be used.
        ModelFailed: the provider's library is not installed (kind ``not_installed``).
    """
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {
        "timeout": settings.timeout_s,
        "max_retries": 0,
        "max_tokens": settings.max_output_tokens,
    }
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    if settings.base_url is not None:
        options["base_url"] = settings.base_url
    if settings.name.startswith("openai:"):
        options["stream_usage"] = True
    if settings.key_env is not None:
        options["api_key"] = _key(settings.key_env)
    try:
        model: BaseChatModel = init_chat_model(settings.name, **options)
    except ImportError as error:
        raise ModelFailed("not_installed", f"{error}; for an OpenAI-compatible endpoint: surefoot[openai]") from error
    except ValueError as error:
        raise SettingsInvalid(f"model {settings.name!r}: {error}; write it as provider:model") from error
    return model


def _key(variable: str) -> str:
    key = os.environ.get(variable)
    if not key:
        raise SettingsInvalid(f"the model's key is looked for in {variable}, which is not set")
    return key
