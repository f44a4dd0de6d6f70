"""Measuring: the best of several runs, so that a busy neighbour does not count."""

import time
from collections.abc import Callable


def best_seconds(act: Callable[[], object], *, runs: int = 7, warm_up: int = 1) -> float:
    """The shortest of several runs, in seconds of wall-clock time, after some that do not count."""
    for _ in range(warm_up):
        act()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        act()
        taken.append(time.perf_counter() - begun)
    return min(taken)
