"""The campus application, put together for the core."""

from pathlib import Path

from surefoot.app import App
from surefoot.texts import Text
from surefoot_campus.answer import LABELS, compose, read_edit
from surefoot_campus.guards import GUARDS
from surefoot_campus.reader import RulesPlanner, facts_of
from surefoot_campus.reader.choosing import CHOICES as READER_CHOICES
from surefoot_campus.reader.choosing import minding
from surefoot_campus.reader.habits import observe
from surefoot_campus.rules import CHOICES, FEES, RULES
from surefoot_campus.systems import open_campus
from surefoot_campus.tools import TOOLS

_EVERYBODY = frozenset(
    {"schedule:read", "rooms:read", "rooms:book", "bookings:read", "bookings:cancel", "canteens:read"}
)


def permissions(user_id: str) -> frozenset[str]:
    """Return what a user may do. Who may not book at all is stopped by a guard, with a reason."""
    return _EVERYBODY


app = App(
    name="campus",
    title=Text("校园助手", "Campus assistant"),
    timezone="Asia/Shanghai",
    contracts=Path(__file__).parent / "contracts",
    tools=TOOLS,
    planner=RulesPlanner(facts_of),
    open=open_campus,
    permissions=permissions,
    compose=compose,
    rules=RULES,
    fees=FEES,
    choices={**minding(CHOICES), **READER_CHOICES},
    guards=GUARDS,
    labels=LABELS,
    read_edit=read_edit,
    observe=observe,
)
