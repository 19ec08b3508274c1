"""A sentence for people, in Chinese and in English."""

from dataclasses import dataclass
from typing import Literal

Lang = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence or label in both languages of the product."""

    zh: str
    en: str

    def say(self, lang: str) -> str:
        """Return the sentence in ``lang``; anything but ``"zh"`` is answered in English."""
        return self.zh if lang == "zh" else self.en

    def to_json(self) -> dict[str, str]:
        """Return ``{"zh": ..., "en": ...}``."""
        return {"zh": self.zh, "en": self.en}

    @classmethod
    def from_json(cls, value: "dict[str, str] | str") -> "Text":
        """Read what :meth:`to_json` wrote; a bare string stands for both languages."""
        if isinstance(value, str):
            return cls(value, value)
        return cls(value["zh"], value["en"])
