"""Agents: LangGraph lives here. Import what you need from the modules; nothing is imported at once."""
