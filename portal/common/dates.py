"""Which dates that people write are taken."""

from datetime import date

EARLIEST_YEAR, LATEST_YEAR = 1971, 2199


def is_within_reach(day: date) -> bool:
    """Whether a date is one that every zone, database and sum of days can hold; any other is a slip of the hand."""
    return EARLIEST_YEAR <= day.year <= LATEST_YEAR
