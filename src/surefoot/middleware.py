"""What a user of ``create_agent`` imports: the middleware, and a ledger for it in a file."""

from surefoot.agents.middleware import SurefootMiddleware, SurefootObserver, wrap_tools
from surefoot.bootstrap import sqlite_ledger

__all__ = ["SurefootMiddleware", "SurefootObserver", "sqlite_ledger", "wrap_tools"]
