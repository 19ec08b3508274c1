"""Half-open intervals [start, end) of moments: merge, subtract, intersect, and the fits in what is free."""

from collections.abc import Iterable
from datetime import datetime, timedelta

Interval = tuple[datetime, datetime]


def merge(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the union, sorted, touching intervals joined; empty ones are dropped."""
    merged: list[Interval] = []
    for start, end in sorted(interval for interval in intervals if interval[0] < interval[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def subtract(windows: Iterable[Interval], busy: Iterable[Interval]) -> list[Interval]:
    """Return what is left of ``windows`` without ``busy``, sorted: one sweep over both."""
    left: list[Interval] = []
    taken = merge(busy)
    for start, end in merge(windows):
        at = start
        for busy_start, busy_end in taken:
            if busy_end <= at:
                continue
            if busy_start >= end:
                break
            if busy_start > at:
                left.append((at, busy_start))
            at = max(at, busy_end)
        if at < end:
            left.append((at, end))
    return left


def intersect(left: Iterable[Interval], right: Iterable[Interval]) -> list[Interval]:
    """Return what both have in common, sorted: one sweep over both."""
    ours, theirs = merge(left), merge(right)
    shared: list[Interval] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        start, end = max(ours[i][0], theirs[j][0]), min(ours[i][1], theirs[j][1])
        if start < end:
            shared.append((start, end))
        if ours[i][1] <= theirs[j][1]:
            i += 1
        else:
            j += 1
    return shared


def overlap(left: Interval, right: Interval) -> bool:
    """Return whether two half-open intervals share a moment."""
    return left[0] < right[1] and right[0] < left[1]


def earliest(free: Iterable[Interval], length: timedelta) -> Interval | None:
    """Return the earliest interval of ``length`` that lies in ``free``, or ``None``."""
    for start, end in free:
        if end - start >= length:
            return start, start + length
    return None


def longest(free: Iterable[Interval]) -> Interval | None:
    """Return the longest interval, the earliest of several; ``None`` when there is none."""
    return max(free, key=lambda span: (span[1] - span[0], -span[0].timestamp()), default=None)
