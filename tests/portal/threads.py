"""Several threads at once, each with a database connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(count: int, action: Callable[[int], T]) -> list[T]:
    """Run the action in so many threads that start together; what each of them returned."""
    barrier = threading.Barrier(count)

    def run(index: int) -> T:
        barrier.wait(10)
        try:
            return action(index)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
