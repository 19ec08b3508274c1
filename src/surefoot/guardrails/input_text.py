"""The first look at a message: empty, too long, control characters."""

import unicodedata

from surefoot.errors import InputInvalid
from surefoot.texts import Text

MAX_CHARACTERS = 4000


def clean(text: str) -> str:
    """Return the message without control characters, blanks collapsed at its ends.

    Raises:
        InputInvalid: nothing is left, or it is longer than ``MAX_CHARACTERS`` characters.
    """
    kept = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs"))
    kept = kept.strip()
    if not kept:
        raise InputInvalid(
            Text(
                "您还没有写内容，请写一句话说明需要什么。",
                "The message is empty. Write one sentence saying what you need.",
            )
        )
    if len(kept) > MAX_CHARACTERS:
        raise InputInvalid(
            Text(
                f"内容太长（{len(kept)} 个字符，最多 {MAX_CHARACTERS} 个）。请只写需要办的事。",
                f"The message is too long ({len(kept)} characters, limit {MAX_CHARACTERS}). Just write what you need.",
            )
        )
    return kept
