"""What became of a request, in the words of docs/permissions.md; and whether anything in the database is another."""

import copy
from typing import Any

from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.test import Client

_WORDS = {401: "unsigned", 403: "no", 404: "hidden", 405: "405", 409: "told why"}


def fingerprint() -> tuple[tuple[str, str], ...]:
    """Every row of every table, summed up; PostgreSQL does it in one query."""
    names = connection.introspection.table_names()
    each = " UNION ALL ".join(
        f"SELECT '{name}', coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM \"{name}\" t"  # noqa: S608
        for name in sorted(names)
    )
    with connection.cursor() as cursor:
        cursor.execute(each)
        return tuple(cursor.fetchall())


def attempt(client: Client, method: str, address: str, form: dict[str, Any] | None = None) -> str:
    """The word for what becomes of the request. Its traces are wiped, so that the next one finds the same scene."""
    cookies = copy.deepcopy(client.cookies)
    with transaction.atomic():
        before = fingerprint()
        response = getattr(client, method.lower())(address, form or {})
        word = _word(response, method)
        changed = [then[0] for then, now in zip(before, fingerprint(), strict=True) if then != now]
        transaction.set_rollback(True)
    client.cookies = cookies
    if word == "yes" and method != "GET":
        return "yes" if changed else "same"
    return f"{word}, and wrote {changed}" if changed else word


def _word(response: Any, method: str) -> str:
    status = response.status_code
    if status not in (301, 302):
        return "yes" if status in (200, 202) else _WORDS.get(status, str(status))
    if response["Location"].startswith("/sign-in/?"):
        return "sign in"
    if response["Location"].startswith("/admin/login/?"):
        return "staff only"
    levels = {message.level_tag for message in get_messages(response.wsgi_request)}
    if "error" in levels:
        return "told why"
    return "led on" if method == "GET" else "yes"
