"""Pull requests for a task by people who have no claim on it: those who decide hear that one waits at the desk."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from claims.models import Claim, PullRequest
from claims.operations import telling
from tasks_board.models import TeamMember


def tell_of_strays(pull_request: PullRequest, *, now: datetime) -> None:
    """Tell those who decide of a pull request, open or merged, whose author has no claim on its tasks: once for each state."""
    if pull_request.state == PullRequest.State.CLOSED and pull_request.landed_at is None:
        return
    author = pull_request.author.whole_id
    seats = TeamMember.objects.seated().filter(Q(person=author) | Q(person__canonical=author))
    theirs = Q(person=author) | Q(person__canonical=author) | Q(team__in=seats.values("team"))
    has_claim = Exists(Claim.objects.filter(theirs, task=OuterRef("task"), shown=True))
    loose = pull_request.links.holding().filter(~has_claim, is_revert=False, task__is_removed=False)
    for link in loose.select_related("task__event").order_by("task_id"):
        telling.tell_deciders(
            link.task.event,
            cause=f"stray:{pull_request.pk}:{link.task_id}:{pull_request.state}",
            at=pull_request.updated_at,
            but=[pull_request.author],
            now=now,
            task=link.task,
        )
