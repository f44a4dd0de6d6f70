"""Keys of different tables lie far apart in the tests' database.

Where every table counts from one, a claim's key taken for a task's finds some task, and a page that must not show
the number 3 shows it by chance. Apart, the first fails at once and the second can't happen.
"""

from typing import Any

APART = 10_000_000


def number_apart() -> None:
    """From now on each table counts its rows in a range of its own."""
    from django.apps import apps
    from django.db import connection

    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    with connection.cursor() as cursor:
        for place, model in enumerate(sorted(models, key=lambda model: model._meta.db_table), start=1):
            for sequence in connection.introspection.get_sequences(cursor, model._meta.db_table):
                _start(cursor, connection.vendor, (sequence["table"], sequence["column"]), place * APART)


def _start(cursor: Any, vendor: str, of: tuple[str, str | None], first: int) -> None:
    table, column = of
    if vendor == "sqlite":
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, first])
    else:
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, column, first])
