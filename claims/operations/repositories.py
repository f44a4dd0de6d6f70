"""Repositories that got another name or owner: everything that names them follows."""

from datetime import datetime

from django.db import transaction

from claims.models import PullRequest, WatchedRepository
from portal import audit, locks
from tasks_board.models import Event


@transaction.atomic
def rename_repository(*, before: str, after: str, now: datetime) -> None:
    """The repository `before` is called `after` from now on, in facts and in what events watch. Again changes nothing. Raises LockBusy."""
    if before.lower() == after.lower():
        return
    for pull_request in locks.lock_rows(PullRequest.objects.filter(repository__iexact=before)):
        if not PullRequest.objects.filter(repository__iexact=after, number=pull_request.number).exists():
            pull_request.repository = after
            pull_request.save(update_fields=["repository"])
    if not WatchedRepository.objects.filter(repository__iexact=after).exists():
        WatchedRepository.objects.filter(repository__iexact=before).update(repository=after)
    for event in Event.objects.exclude(status=Event.Status.ARCHIVED).order_by("pk"):
        _follow(event, before, after, now)


def _follow(event: Event, before: str, after: str, now: datetime) -> None:
    old = [*event.repositories], [*event.proposal_repositories]
    event.repositories = _renamed(event.repositories, before, after)
    event.proposal_repositories = _renamed(event.proposal_repositories, before, after)
    if (event.repositories, event.proposal_repositories) != old:
        event.save(update_fields=["repositories", "proposal_repositories"])
        audit.record(
            "claims.repository_renamed",
            actor=None,
            target=event,
            now=now,
            event_id=event.pk,
            data={"from": before, "to": after},
        )


def _renamed(names: list[str], before: str, after: str) -> list[str]:
    return list(dict.fromkeys(after if name.lower() == before.lower() else name for name in names))
