"""The only place that reads the system clock. Interfaces call it and pass the time on."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)
