"""A mentor takes a comment that could not be read for sure as the claim that it might have been."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from claims import policy
from claims.grammar.guesses import guess_ids
from claims.models import Claim, Decision, IssueComment
from claims.operations import answering, claiming
from claims.operations.task_numbers import task_ids
from portal import locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task


@transaction.atomic
def take_as_claim(
    *, comment: IssueComment, task: Task, acting_user: Person, key: str, now: datetime, note: str = ""
) -> Claim:
    """Claim the task for the comment's author, as of the comment, by a mentor's word; the rules are asked as ever.

    The comment leaves the list once nothing else can be meant, and our one answer to it says what it claims. Raises NotAllowed (mentors_only, own_claim),
    DomainError (handled_already), ClaimRefused, LockBusy.
    """
    rights.check_may_decide_on(task, acting_user)
    author = comment.author.canonical or comment.author
    if acting_user.whole_id == author.pk:
        raise NotAllowed("own_claim", _("Nobody decides on their own claim. Ask another mentor."))
    event = comment.tracking_issue.event
    locks.lock_rows(Person.objects.filter(pk=author.pk))
    locks.lock_rows(Task.objects.filter(pk=task.pk).only("pk"))
    is_known = Decision.objects.filter(key=key).exists()
    comment.refresh_from_db(fields=["handled_at", "deleted_at", "body"])
    if not is_known and (comment.handled_at is not None or comment.deleted_at is not None):
        raise DomainError("handled_already", _("Somebody has seen to this comment already."))
    asked = claiming.Asked(Decision.Source.COMMENT, comment.updated_at, key, comment, note)
    claim = claiming.claim_task(task=task, claimant=author, asked=asked, now=now, admitted_by=acting_user)
    if not _may_mean_more(event, comment, author):
        IssueComment.objects.filter(pk=comment.pk, handled_at=None).update(handled_at=now)
    answering.answer_anew(comment, now)
    return claim


def _may_mean_more(event: Event, comment: IssueComment, author: Person) -> bool:
    """Whether the comment might mean a task that its author has not."""
    guessed = guess_ids(comment.body, task_ids(event))
    held = Claim.objects.filter(task=OuterRef("pk"), person=author, standing__in=policy.ALREADY)
    return event.tasks.on_board().filter(~Exists(held), number__in=guessed).exists()
