"""How long to wait before the next try: doubling, an hour at most."""

from datetime import timedelta

LONGEST = timedelta(hours=1)


def delay(attempts: int, *, first: timedelta) -> timedelta:
    """The pause after this many failed attempts: `first`, then double each time, never more than an hour."""
    doublings = min(max(attempts - 1, 0), 20)  # beyond that the hour holds anyway
    factor: int = 2**doublings
    return min(first * factor, LONGEST)
