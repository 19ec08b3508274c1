"""Memory: what a person said, what they confirmed, and what was only inferred; kept, shown, corrected, forgotten."""

from surefoot.memory.behaviour import Behaviour, Observation, weights
from surefoot.memory.compression import Folded, Originals, compress
from surefoot.memory.item import Item, Source, Standing, remember, settle
from surefoot.memory.preferences import Preferences, Shelf
from surefoot.memory.summary import Done, Summary
from surefoot.memory.topic import Shift, Topic, judge
from surefoot.memory.window import ModelInput, ModelInputTooLarge, Turn, fit

__all__ = [
    "Behaviour",
    "Done",
    "Folded",
    "Item",
    "ModelInput",
    "ModelInputTooLarge",
    "Observation",
    "Originals",
    "Preferences",
    "Shelf",
    "Shift",
    "Source",
    "Standing",
    "Summary",
    "Topic",
    "Turn",
    "compress",
    "fit",
    "judge",
    "remember",
    "settle",
    "weights",
]
