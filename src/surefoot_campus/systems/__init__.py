"""The campus' own systems: a port, an embedded SQLite campus, a client and a server for one behind HTTP."""

from surefoot_campus.systems.embedded import EmbeddedCampus, open_embedded
from surefoot_campus.systems.opening import open_campus
from surefoot_campus.systems.port import Campus

__all__ = ["Campus", "EmbeddedCampus", "open_campus", "open_embedded"]
