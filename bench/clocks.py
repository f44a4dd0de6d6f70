"""Measuring: the best of several runs, so that a busy neighbour does not count."""

import time
from collections.abc import Callable


def best_seconds(act: Callable[[], object], *, runs: int = 7, warm_up: int = 1) -> float:
    """The shortest of several runs, in seconds of wall-clock time, after some that do not count."""
    return _best(act, time.perf_counter, runs, warm_up)


def best_cpu_seconds(act: Callable[[], object], *, runs: int = 7, warm_up: int = 1) -> float:
    """The same in seconds of one core: for what only computes, and waits for nobody."""
    return _best(act, time.process_time, runs, warm_up)


def _best(act: Callable[[], object], clock: Callable[[], float], runs: int, warm_up: int) -> float:
    for _ in range(warm_up):
        act()
    taken = []
    for _ in range(runs):
        begun = clock()
        act()
        taken.append(clock() - begun)
    return min(taken)
