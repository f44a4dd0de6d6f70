"""A mentor names a pull request by its address: linked at once if it is known, else read from GitHub first."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import PullRequest, PullRequestLink
from claims.operations import crediting
from claims.operations.pull_requests import find_pull_request
from portal import outbox
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.references import find_references
from tasks_board.models import Task


@transaction.atomic
def link_by_address(*, task: Task, text: str, acting_user: Person, now: datetime) -> PullRequest | None:
    """Tie the pull request at this address to the task; None while it is still to be read.

    `#12` is of the event's first repository. Raises NotAllowed, DomainError (no_address), LockBusy.
    """
    rights.check_may_decide_on(task, acting_user)
    home = str(task.event.repositories[0]) if task.event.repositories else ""
    found = find_references(text, repository=home)
    if len(found) != 1 or not found[0].ref.repository:
        raise DomainError(
            "no_address", _("Write one address, as https://github.com/owner/name/pull/12 or owner/name#12.")
        )
    repository, number = found[0].ref.repository, found[0].ref.number
    known = find_pull_request(repository, number)
    if known is None:
        outbox.enqueue(
            "read_pull_request",
            key=f"task:{task.pk}:{repository.lower()}#{number}:mentor",
            payload={
                "task": task.pk,
                "repository": repository,
                "number": number,
                "reason": PullRequestLink.Reason.MENTOR.value,
            },
            now=now,
        )
        return None
    crediting.link(task=task, pull_request=known, acting_user=acting_user, now=now)
    return known
