"""Alembic's scripts for the core's tables."""
