"""Polling makes it right: what a lost webhook would have told is read from GitHub and enters by the same operations."""

import logging

from celery import shared_task

from claims import github_reading
from claims.operations import seeing
from portal.common import clock
from portal.github.connect import connect
from portal.github.errors import GitHubError
from tasks_board.models import TrackingIssue

logger = logging.getLogger(__name__)


@shared_task
def poll_tracking_issues(**_: object) -> None:
    """Start the reading of every tracking issue."""
    for pk in github_reading.list_tracking_issues_to_poll():
        poll_tracking_issue.delay(tracking_issue_pk=pk)


@shared_task
def poll_tracking_issue(*, tracking_issue_pk: int, **_: object) -> None:
    """Read one issue's body and new comments; what GitHub does not answer now is read the next time."""
    issue = TrackingIssue.objects.select_related("event").get(pk=tracking_issue_pk)
    try:
        github_reading.poll_tracking_issue(tracking_issue=issue, gateway=connect(), now=clock.now())
    except GitHubError as error:
        logger.warning("Polling %s: %s", issue, error)


@shared_task
def settle_deadlines(**_: object) -> None:
    """Remind whom the time limits call on, release what has run out, let people in line move up."""
    github_reading.settle_deadlines(gateway=connect(), now=clock.now())


@shared_task
def reconcile_pull_requests(**_: object) -> None:
    """Start the reading of every watched repository."""
    for repository in github_reading.list_repositories_to_watch():
        reconcile_repository.delay(repository=repository)


@shared_task
def reconcile_repository(*, repository: str, **_: object) -> None:
    """Read what changed in one repository; what GitHub does not answer now is read the next time."""
    try:
        github_reading.reconcile_repository(repository=repository, gateway=connect(), now=clock.now())
    except GitHubError as error:
        logger.warning("Reconciling %s: %s", repository, error)


@shared_task
def forget_old_notices(**_: object) -> None:
    """Delete notices that were seen long ago."""
    seeing.forget_old_notices(clock.now())
