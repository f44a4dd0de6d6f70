"""Whether we stand inside a transaction of our own. The one that a test wraps around itself does not count."""

from django.db import DEFAULT_DB_ALIAS, connections


def is_open(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Whether a transaction that application code began is open now.

    Django marks the blocks of TestCase (and so of pytest's `django_db`) for its own `durable` check in the same way.
    """
    return any(not getattr(block, "_from_testcase", False) for block in connections[using].atomic_blocks)
