"""How the campus reads people: one sentence into tasks and slots, and these into a plan, without a model."""

from surefoot_campus.reader.campus import calendar_of, facts_of
from surefoot_campus.reader.interpret import read
from surefoot_campus.reader.planner import RulesPlanner
from surefoot_campus.reader.reading import Found, Reading

__all__ = ["Found", "Reading", "RulesPlanner", "calendar_of", "facts_of", "read"]
