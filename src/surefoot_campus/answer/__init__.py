"""How the campus answers: runs into blocks, edits on cards, names for people."""

from surefoot_campus.answer.compose import compose
from surefoot_campus.answer.editing import read_edit
from surefoot_campus.answer.labels import LABELS

__all__ = ["LABELS", "compose", "read_edit"]
