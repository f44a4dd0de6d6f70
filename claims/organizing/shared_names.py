"""Events that titles call by the same words in a common repository: said where a prefix is chosen."""

import re
from collections.abc import Iterable

from claims.title_prefixes import meet, plain_prefix
from portal.models import Person
from tasks_board.models import Event
from tasks_board.queries import list_visible_events

_APART = re.compile(r"[\s,，;；、]+")


def list_sharing(event: Event, *, viewer: Person | None) -> list[Event]:
    """The other events, archived ones aside, that go by the same name; only those that the reader may see. One query."""
    own = plain_prefix(event)
    if not (own.prefix or own.aliases):
        return []
    others = list_visible_events(viewer=viewer).exclude(status=Event.Status.ARCHIVED).exclude(pk=event.pk)
    return [other for other in others.order_by("name", "pk") if meet(own, plain_prefix(other))]


def as_typed(*, prefix: str, aliases: str, repositories: Iterable[str]) -> Event:
    """What was typed of an event that is not made yet; not to be stored."""
    return Event(
        title_prefix=prefix.strip(),
        title_aliases=[line.strip() for line in aliases.splitlines() if line.strip()],
        repositories=[name for names in repositories for name in _APART.split(names) if name],
    )
