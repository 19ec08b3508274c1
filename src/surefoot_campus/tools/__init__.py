"""The campus' tools, one function per contract."""

from surefoot_campus.tools.catalogue import TOOLS

__all__ = ["TOOLS"]
