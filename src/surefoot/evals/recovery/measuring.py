"""What a run cost, read from its stage; and the statistics of the report."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, sqrt

from surefoot.evals.recovery.judging import Judged
from surefoot.evals.recovery.scenarios import Stage


def measured(judged: Judged, stage: Stage) -> Judged:
    """Return the judgement with what its stage counted."""
    faults = stage.faults
    return replace(
        judged,
        calls=faults.calls.total(),
        faults=faults.struck.total(),
        permanent=len(faults.lasting),
        lost=faults.lost_seconds(),
    )


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927)."""
    if total == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return round((middle - spread) / scale, 4), round((middle + spread) / scale, 4)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least ``share`` of the values do not exceed. Raises IndexError for none."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]
