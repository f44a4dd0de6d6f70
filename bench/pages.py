"""Figures of the pages, under production settings on PostgreSQL: the board of the longest event beside an empty page."""

import gzip

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.clocks import best_seconds
from bench.events import seed_long_event
from portal.common import clock
from portal.models import Person, User

ROWS = 664
EMPTY = "/api/docs/"  # the chrome of every page, for somebody who is signed in, around next to nothing


def measure() -> dict[str, float]:
    """Milliseconds, queries and kilobytes (compressed), by the names of the figures."""
    event = seed_long_event(ROWS)
    client = Client()
    client.force_login(_reader())
    board = f"/events/{event.slug}/tasks/?page=all"
    with CaptureQueriesContext(connection) as queries:
        page = _get(client, board)
        count = len(queries)
    return {
        "empty_view_ms": 1_000 * best_seconds(lambda: _get(client, EMPTY), runs=30),
        "board_664_ms": 1_000 * best_seconds(lambda: _get(client, board)),
        "board_664_queries": float(count),
        "board_664_kb": len(gzip.compress(page)) / 1_000,
    }


def _reader() -> User:
    """Somebody who is signed in, as most readers of a board are."""
    person = Person.objects.create(github_id=77, login="reader", login_seen_at=clock.now())
    return User.objects.create(username="reader", person=person)


def _get(client: Client, path: str) -> bytes:
    answer = client.get(path, secure=True)
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answers {answer.status_code}")
    return answer.content
