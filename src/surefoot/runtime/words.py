"""What an operator said about a run is in its answer, whatever the app composes."""

from typing import Any

from surefoot.app import Answer, Block, Compose, RunView
from surefoot.texts import Text


def operators_words(note: str) -> Text:
    """Return an operator's note as a sentence for the person."""
    return Text(f"工作人员：{note}", f"An operator: {note}")


def with_operators_words(compose: Compose) -> Compose:
    """Return the app's compose with what an operator said added as a notice, where one said something."""

    def composed(view: RunView) -> Answer:
        answer = compose(view)
        said: dict[str, Any] = view.result.get("operator") or {}
        return [*answer, notice(said["note"], view.lang)] if said.get("note") else answer

    return composed


def notice(note: str, lang: str) -> Block:
    """Return the block that tells what an operator said."""
    return Block("notice", {"level": "info", "text": operators_words(note).say(lang)})
