"""Exams and benchmarks that a user can run too: the report they share, and where their data lies."""

from surefoot.evals.finding import Eval, data_folder, find_eval, known_evals
from surefoot.evals.report import Report

__all__ = ["Eval", "Report", "data_folder", "find_eval", "known_evals"]
