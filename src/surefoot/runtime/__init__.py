"""Who runs a run: the embedded runner, its lease, and asking back for what nobody resumes."""

from surefoot.runtime.runner import Runner, RunResult

__all__ = ["RunResult", "Runner"]
