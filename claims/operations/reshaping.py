"""What an event is called, when it is, how titles name it and where its pull requests are: changed by an organizer."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.operations import pull_requests, rivals, writing
from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.chains import chain_from_json
from tasks_board.models import Event
from tasks_board.operations import events, life

FIELDS = (
    "name",
    "summary",
    "language",
    "accent",
    "time_zone",
    "opens_at",
    "closes_at",
    "title_prefix",
    "title_aliases",
    "repositories",
    "proposal_repositories",
)
_NAMES_PULL_REQUESTS = {"title_prefix", "title_aliases", "repositories", "proposal_repositories"}


@transaction.atomic
def change_event(*, event: Event, values: Mapping[str, Any], acting_user: Person, now: datetime) -> list[str]:
    """Change what differs; returns the names of what does. Pull requests are linked anew if titles or repositories do.

    Raises NotAllowed, DomainError (event_closes_first, step_left_out), LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    if values["opens_at"] and values["closes_at"] and values["closes_at"] <= values["opens_at"]:
        raise DomainError("event_closes_first", _("An event has to close after it opens."), field="closes_at")
    changed = [name for name in FIELDS if getattr(event, name) != values[name]]
    if not {"repositories", "proposal_repositories"}.isdisjoint(changed):
        _check_steps(event, {*values["repositories"], *values["proposal_repositories"]})
    relinks = not _NAMES_PULL_REQUESTS.isdisjoint(changed)
    watched = pull_requests.watched_by(event)
    if relinks:
        named = (*watched, *values["repositories"], *values["proposal_repositories"])
        pull_requests.lock_known({name.lower() for name in named})
    locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))
    before = {name: getattr(event, name) for name in changed}
    for name in changed:
        setattr(event, name, values[name])
    if not changed:
        return []
    event.save(update_fields=changed)
    if relinks:
        pull_requests.relink(event=event, now=now, also_in=watched)
    audit.record(
        "claims.event_changed",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={name: {"from": _plain(before[name]), "to": _plain(values[name])} for name in changed},
    )
    return changed


@transaction.atomic
def publish(*, event: Event, acting_user: Person | None, now: datetime) -> None:
    """Show a draft to everyone. Titles that other events had for themselves are read anew. Raises NotAllowed, LockBusy."""
    has_rivals = bool(rivals.rivals_of(event))
    if has_rivals:
        pull_requests.lock_known(pull_requests.watched_by(event))
    events.publish_event(event=event, acting_user=acting_user, now=now)
    if has_rivals:
        pull_requests.relink(event=event, now=now)


@transaction.atomic
def set_status(*, event: Event, status: Event.Status, acting_user: Person, now: datetime) -> None:
    """Close, open again, archive or take out of the archive. What was not written meanwhile is written then.

    Raises NotAllowed, DomainError.
    """
    was_archived = event.status == Event.Status.ARCHIVED
    life.set_status(event=event, status=status, acting_user=acting_user, now=now)
    if was_archived:
        writing.send_waiting(event=event, now=now)


def _check_steps(event: Event, wanted: Iterable[str]) -> None:
    """Raises DomainError (step_left_out) where a repository would be watched no more in which a step is to be merged."""
    gone = pull_requests.watched_by(event) - {name.lower() for name in wanted}
    if not gone:
        return
    steps = [(step.repository, "") for step in event.rule_set.chain]
    for number, stored in event.tasks.on_board().exclude(chain=[]).values_list("number", "chain"):
        steps += [(step.repository, number) for step in chain_from_json(stored)]
    for repository, number in steps:
        if repository.lower() in gone:
            by_rules = _("The event’s rules have a step in %(repository)s. Change the steps there first.")
            by_task = _("No.%(number)s has a step in %(repository)s. Change the steps of the task first.")
            words = (by_task if number else by_rules) % {"repository": repository, "number": number}
            raise DomainError("step_left_out", words, repository=repository)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
