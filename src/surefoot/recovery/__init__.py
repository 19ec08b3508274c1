"""Recovery: decide what an outcome means, ask back, undo, hand over."""

from surefoot.recovery.handover import Ticket, Tickets, write_ticket
from surefoot.recovery.reconcile import reconcile
from surefoot.recovery.saga import Undone, undo_run
from surefoot.recovery.settle import Decision, History, settle

__all__ = ["Decision", "History", "Ticket", "Tickets", "Undone", "reconcile", "settle", "undo_run", "write_ticket"]
