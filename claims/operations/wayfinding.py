"""A claim that is written where nobody reads claims: under another issue, a pull request, a text that was retired.

Its author is told once where the task is claimed; nothing is claimed by it. Only for our own forms with the number of a
task, only where running events have their issues, and not where such an event answers quietly.
"""

import re
from datetime import datetime, timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.db.models import F
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from claims.echoes import echo
from claims.grammar.model import IntentKind
from claims.operations.speaking import Reader, numbers_of
from claims.replies import language_of
from portal import audit, outbox
from portal.accounts import people
from portal.github import types
from portal.github.signatures import read_mark
from portal.models import AuditEntry, Person
from tasks_board.models import Event, TrackingIssue

_ACTION = "claims.way_shown"
_OWN_FORM = re.compile(r"^\s*(?:【\s*报名\s*】|/claim\b)", re.MULTILINE | re.IGNORECASE)


def show_the_way(*, fact: types.Comment, now: datetime) -> None:
    """Put the one friendly answer on the outbox, if the comment claims a task that is claimed elsewhere."""
    if not _OWN_FORM.search(fact.body) or read_mark(fact.body) is not None:
        return
    found = _meant(fact)
    if found is None:
        return
    author = people.remember(fact.author, seen_at=fact.updated_at)
    if author.is_portal or _is_flooding(author, now):
        return
    issue, numbers = found
    data = {"comment": fact.id, "repository": fact.repository, "number": fact.issue_number}
    audit.record(_ACTION, actor=author, target=author, now=now, event_id=issue.event_id, data=data)
    outbox.enqueue(
        "show_the_way",
        key=str(fact.id),
        payload={
            "event": issue.event_id,
            "repository": fact.repository,
            "number": fact.issue_number,
            "comment": fact.id,
            "since": fact.created_at.isoformat(),
            "words": _words(fact, issue.event, numbers),
        },
        now=now,
    )


def _meant(fact: types.Comment) -> tuple[TrackingIssue, list[str]] | None:
    """The issue of a running event in the repository whose tasks the comment claims, with their numbers; retired ones last."""
    here = TrackingIssue.objects.filter(
        repository__iexact=fact.repository,
        event__status=Event.Status.RUNNING,
        comment_id=None,
        number__isnull=False,
    )
    live_first = here.order_by(F("retired_at").asc(nulls_first=True), "pk")
    for issue in live_first.select_related("event"):
        claimed = numbers_of(Reader(issue, fact).read(fact.body).intents, IntentKind.CLAIM)
        if claimed and not issue.event.rule_set.quiet:
            return issue, claimed
    return None


def _words(fact: types.Comment, event: Event, numbers: list[str]) -> str:
    with translation.override(language_of(fact.body)):
        told = _(
            "@%(author)s, claims are not read in this thread, so nothing is booked. "
            "%(numbers)s of %(event)s can be claimed on the board: %(url)s"
        ) % {
            "author": fact.author.login,
            "numbers": echo(", ".join(numbers)),
            "event": echo(event.name),
            "url": urljoin(settings.SITE_URL, reverse("board", args=[event.slug])),
        }
    return f"{told}\n"


def _is_flooding(author: Person, now: datetime) -> bool:
    """Whether the author was shown the way as often within the hour as anybody gets answers."""
    shown = AuditEntry.objects.filter(
        target_type=Person._meta.label_lower, target_id=author.pk, action=_ACTION
    )
    return shown.filter(at__gte=now - timedelta(hours=1)).count() >= settings.REPLIES_PER_AUTHOR_AND_HOUR
