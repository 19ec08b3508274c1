"""``surefoot eval tau2``: gold tasks of tau2-bench through the real create_agent graph, each write faulted blindly."""

from surefoot.evals.tau2.command import tau2

__all__ = ["tau2"]
