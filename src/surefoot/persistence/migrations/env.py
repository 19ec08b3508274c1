"""Alembic's environment: the connection is handed in by surefoot.persistence.database."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
