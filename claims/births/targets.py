"""Which events a text may be about: those that its issue carries already, as far as somebody may know of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from claims.models import ImportDraft
from portal.models import Person
from tasks_board import rights
from tasks_board.configurations.model import Configuration, Entry
from tasks_board.models import Event, EventRole, TrackingIssue
from tasks_board.tracking import list_bodies


@dataclass(frozen=True, slots=True)
class Targets:
    """Texts at the address whose events the person organizes, and the other events that they may see.

    `match`: the one that a configuration names, or the only one there is.
    """

    own: Sequence[TrackingIssue]
    others: Sequence[Event]
    match: TrackingIssue | None = None

    def find(self, slug: str) -> TrackingIssue | None:
        """The text of the event with this address, if it is theirs to bring up to date."""
        return next((text for text in self.own if text.event.slug == slug), None)

    @property
    def is_open(self) -> bool:
        """Whether the person has to say which event is meant."""
        return bool(self.own) and self.match is None


def find_targets(
    draft: ImportDraft, *, viewer: Person | None, configuration: Configuration | None
) -> Targets:
    """What a draft may be about. A pasted text of no issue may be about others of its repository. Three queries."""
    texts = list_bodies(repository=draft.repository, number=draft.number)
    events = [text.event_id for text in texts]
    seen = set(Event.objects.filter(rights.visible_to(viewer), pk__in=events).values_list("pk", flat=True))
    roles = EventRole.objects.filter(event__in=events, person=viewer, role=EventRole.Role.ORGANIZER)
    organized = set(roles.values_list("event_id", flat=True)) if viewer is not None else set()
    own = [text for text in texts if text.event_id in organized]
    others = [text.event for text in texts if text.event_id in seen - organized]
    return Targets(own, others, _match(own, others, draft, configuration))


def _match(
    own: Sequence[TrackingIssue],
    others: Sequence[Event],
    draft: ImportDraft,
    configuration: Configuration | None,
) -> TrackingIssue | None:
    if draft.number is None:
        return None
    if configuration is not None:
        name = configuration.name
        named = [text for text in own if text.configuration.get("name") == name]
        return next(iter([*named, *(t for t in own if not t.configuration and t.event.name == name)]), None)
    return own[0] if len(own) == 1 and not others else None


@dataclass(frozen=True, slots=True)
class Stored:
    """An event with an entry's identity; `text` is its issue, where the viewer organizes it."""

    event: Event
    text: TrackingIssue | None


def events_of_entries(entries: Sequence[Entry], *, viewer: Person | None) -> dict[int, Stored]:
    """By the place of an entry, the event with its identity, as far as the viewer may know of it. Two queries."""
    roles = EventRole.objects.filter(person=viewer, role=EventRole.Role.ORGANIZER)
    organized = set(roles.values_list("event_id", flat=True)) if viewer is not None else set()
    seen = Event.objects.filter(rights.visible_to(viewer)).values("pk")
    texts = TrackingIssue.objects.filter(comment_id=None, event__in=seen).exclude(number=None)
    known: dict[tuple[str, str], Stored] = {}
    for text in texts.select_related("event").defer("body", "agreed_body").order_by("-pk"):
        name = text.configuration.get("name") or text.event.name
        is_own = text.event_id in organized
        found = Stored(text.event, text if is_own else None)
        for address in (f"{text.repository}#{text.number}", *text.former_addresses):
            identity = (address.lower(), name)
            if is_own or identity not in known or known[identity].text is None:
                known[identity] = found
    named = {e.place: e.configuration.identity for e in entries if e.configuration is not None}
    return {place: known[identity] for place, identity in named.items() if identity in known}
