"""Every strategy of recovery, one module each: reconcile, repair, retry, cached, fallback, relax, infer, and so on."""

from surefoot.recovery.strategies.ask import Asking
from surefoot.recovery.strategies.ask_back import AskingBack
from surefoot.recovery.strategies.cached import UsingCached
from surefoot.recovery.strategies.fallback import FallingBack
from surefoot.recovery.strategies.hand_over import HandingOver
from surefoot.recovery.strategies.infer import Inferring
from surefoot.recovery.strategies.relax import Relaxing
from surefoot.recovery.strategies.repair import Repairing
from surefoot.recovery.strategies.replan import Replanning
from surefoot.recovery.strategies.retry import Retrying
from surefoot.recovery.strategies.skip import Skipping
from surefoot.recovery.strategies.strategy import Acting, Adjustment, Change, Site, Strategy
from surefoot.recovery.strategies.undo import Undoing

__all__ = [
    "Acting",
    "Adjustment",
    "Asking",
    "AskingBack",
    "Change",
    "FallingBack",
    "HandingOver",
    "Inferring",
    "Relaxing",
    "Repairing",
    "Replanning",
    "Retrying",
    "Site",
    "Skipping",
    "Strategy",
    "Undoing",
    "UsingCached",
]
