"""What a tool promises: contracts from YAML, paired with functions, checked at load time."""

from surefoot.contracts.clock import Clock, Deadline, StandingClock, SystemClock
from surefoot.contracts.envelope import Envelope, failure, success
from surefoot.contracts.model import Compensation, Reconcile, RetryPolicy, ToolContract
from surefoot.contracts.registry import BoundTool, Registry
from surefoot.contracts.tool import Fee, FeeRule, Rule, Tool, ToolContext, Violation

__all__ = [
    "BoundTool",
    "Clock",
    "Compensation",
    "Deadline",
    "Envelope",
    "Fee",
    "FeeRule",
    "Reconcile",
    "Registry",
    "RetryPolicy",
    "Rule",
    "StandingClock",
    "SystemClock",
    "Tool",
    "ToolContext",
    "ToolContract",
    "Violation",
    "failure",
    "success",
]
