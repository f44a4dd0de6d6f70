"""What a worker does with webhooks, at once and here."""

from datetime import datetime

from portal import inbox


def process_due(now: datetime, *, limit: int = 200) -> int:
    """Process what is due, oldest first; how many were processed."""
    return sum(inbox.process_delivery(pk, now) for pk in inbox.sweep(now, limit=limit))
