"""What people write beside their claims: other choices, whether they would take another task, and with whom they work.

Nothing of it books anything, so it is kept nowhere but in their comments, and read there for mentors.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from claims.grammar.model import CommentReading, IntentKind
from claims.models import IssueComment
from tasks_board.models import Event, Task

_MOST_COMMENTS = 300


@dataclass(frozen=True, slots=True)
class Wish:
    """What the latest comment of somebody says that says any of it. `flexible`: would take another task (None: unsaid)."""

    comment: IssueComment
    alternatives: tuple[str, ...]
    flexible: bool | None
    members: tuple[str, ...]


def wishes_of(event: Event, people: Collection[int], *, ids: TaskIds) -> list[Wish]:
    """What these people (by the account that counts) wrote in the event, the latest first. `ids`: its tasks'. One query."""
    return _latest(_comments(event).filter(_by(people)), ids) if people else []


def wishes_about(task: Task, people: Collection[int]) -> list[Wish]:
    """What these people wrote, and whoever names the task as another choice, the latest first. Two queries."""
    said = _comments(task.event).annotate(said=Cast("reading", TextField()))
    chosen = said.filter(_by(people) | Q(said__contains=f'"{IntentKind.ALTERNATIVE.value}"'))
    ids = TaskIds.of(task.event.tasks.on_board().values_list("number", flat=True))
    return [
        wish
        for wish in _latest(chosen, ids)
        if wish.comment.author.whole_id in people or task.number in wish.alternatives
    ]


def _comments(event: Event) -> QuerySet[IssueComment]:
    heard = IssueComment.objects.filter(tracking_issue__event=event, deleted_at=None)
    return heard.select_related("author", "tracking_issue").order_by("-written_at", "-pk")


def _by(people: Collection[int]) -> Q:
    return Q(author__in=people) | Q(author__canonical__in=people)


def _latest(comments: QuerySet[IssueComment], ids: TaskIds) -> list[Wish]:
    """One of each person."""
    found: dict[int, Wish] = {}
    for comment in comments[:_MOST_COMMENTS]:
        reading = read_comment(
            comment.body,
            author=comment.author.login,
            author_type="Bot" if comment.author.is_bot else "User",
            repository=comment.tracking_issue.repository,
            task_ids=ids,
        )
        alternatives = _alternatives(reading)
        if alternatives or reading.flexible is not None or reading.members:
            wish = Wish(comment, alternatives, reading.flexible, reading.members)
            found.setdefault(comment.author.whole_id, wish)
    return list(found.values())


def _alternatives(reading: CommentReading) -> tuple[str, ...]:
    return tuple(
        number
        for intent in reading.intents
        if intent.kind is IntentKind.ALTERNATIVE
        for number in intent.tasks
    )
