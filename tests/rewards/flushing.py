"""Lets the test runner empty the ledger after tests that really commit.

The flush of such tests is a TRUNCATE (PostgreSQL) or DELETE (SQLite) of all tables, which the ledger's triggers
refuse. For the length of the flush's own transaction those triggers are set aside; they stand in every test.
"""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock


@contextmanager
def flushable_ledger() -> Iterator[None]:
    """While this runs, `flush` sets the ledger's guards aside and puts them back in one transaction."""
    from django.db import connection

    operations = type(connection.ops)
    plain_flush = operations.sql_flush

    def sql_flush(self: Any, *arguments: Any, **options: Any) -> list[str]:
        statements = plain_flush(self, *arguments, **options)
        return [*_aside(connection.vendor), *statements, *_back(connection.vendor)] if statements else []

    with mock.patch.object(operations, "sql_flush", sql_flush):
        yield


def _migration() -> Any:
    return importlib.import_module("rewards.migrations.0002_append_only")


def _aside(vendor: str) -> list[str]:
    if vendor == "sqlite":
        return [str(statement) for statement in _migration().dropping("sqlite")]
    return [f"ALTER TABLE {table} DISABLE TRIGGER {table}_refuses_truncate" for table in _tables()]


def _back(vendor: str) -> list[str]:
    if vendor == "sqlite":
        return [str(statement) for statement in _migration().making("sqlite")]
    return [f"ALTER TABLE {table} ENABLE TRIGGER {table}_refuses_truncate" for table in _tables()]


def _tables() -> tuple[str, ...]:
    return tuple(_migration().APPEND_ONLY)
