"""The door for LangChain's create_agent, for a bare ToolNode, and an observer for agents that allow nothing else."""

from surefoot.agents.middleware.observer import SurefootObserver
from surefoot.agents.middleware.surefoot import SurefootMiddleware, wrap_tools
from surefoot.agents.stores import OpenStores, Stores

__all__ = ["OpenStores", "Stores", "SurefootMiddleware", "SurefootObserver", "wrap_tools"]
