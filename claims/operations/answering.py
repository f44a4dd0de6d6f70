"""Our one answer to a comment: in words, or in a quiet event by a reaction; kept true when something happens since.

At most one comment of ours for each comment of a person's, edited in place. The claimed tasks are locked before an
answer is, as everywhere: a row of the outbox is a lock too.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse

from claims import replies
from claims.free_tasks import free_near
from claims.grammar.guesses import guess_ids
from claims.grammar.model import Attempt
from claims.models import Claim, IssueComment, Reply
from claims.operations.task_numbers import task_ids
from claims.replies import Line, Overtaken
from portal import outbox
from tasks_board.models import Event

_TAKING = (
    "claimed",
    "requested",
    "waiting",
    "admitted",
)  # the last by a mentor who took the comment for a claim

_CODES = {"requested": "requested", "waiting": "waiting", "done": "finished"}


def answer(comment: IssueComment, lines: Sequence[Line], *, attempt: Attempt | None, now: datetime) -> None:
    """Put the one answer on the outbox: nothing to say says nothing; quiet events and floods get no words."""
    reply = Reply.objects.select_for_update().filter(comment=comment).first()
    if not lines and attempt is None and reply is None:
        return
    event = comment.tracking_issue.event
    if comment.updated_at < event.created_at.replace(microsecond=0):  # GitHub's times are whole seconds
        return  # history, read when the event came to us: a first reading writes nothing back
    if reply is None and _is_flooding(comment, now):
        return
    reply = reply or Reply(comment=comment)
    # Words that stand at GitHub are kept true, also where the event became quiet since.
    if event.rule_set.quiet and reply.github_id is None:
        reply.wanted, reply.wanted_reaction = "", replies.reaction_for(lines, hint=attempt is not None)
    else:
        about = _circumstance(comment, event, attempt)
        words = replies.compose(comment=comment.body, lines=lines, about=about, attempt=attempt)
        reply.wanted, reply.wanted_reaction = _with_news(words, comment), ""
    reply.save()
    request_answer(reply, now)


def answer_anew(comment: IssueComment, now: datetime) -> None:
    """A mentor took the comment for a claim, or takes that back: the one answer says what it claims now, in place."""
    taken = Claim.objects.filter(decisions__comment=comment, decisions__kind__in=_TAKING, shown=True)
    claims = taken.exclude(standing__in=Claim.GONE).select_related("task").distinct()
    held = [
        Line(claim.task.number, _CODES.get(claim.standing, "claimed"))
        for claim in claims.order_by("task__sort_key", "task_id")
    ]
    lines = held or [Line(number, "unknown") for number in comment.reading.get("unknown", ())]
    answer(comment, lines, attempt=None if held else _attempt(comment), now=now)


def _attempt(comment: IssueComment) -> Attempt | None:
    """What a stored comment tried; readings of earlier days say only that it did."""
    tried = comment.reading.get("attempt")
    return Attempt(tried) if tried else Attempt.WORDS if comment.reading.get("hint") else None


def bring_news(claim: Claim, now: datetime) -> None:
    """Another one's merge ended the claim, or no longer does: what answered the claiming comment says so, in place."""
    if claim.task.event.rule_set.quiet:
        return
    answered = Reply.objects.select_for_update(of=("self",)).exclude(wanted="")
    answered = answered.filter(
        comment__in=claim.decisions.filter(kind__in=_TAKING, comment__isnull=False).values("comment"),
        comment__deleted_at=None,
    )
    for reply in answered.select_related("comment__tracking_issue__event").order_by("pk"):
        wanted = _with_news(reply.wanted, reply.comment)
        if wanted != reply.wanted:
            reply.wanted = wanted
            reply.save(update_fields=["wanted"])
            request_answer(reply, now)


def request_answer(reply: Reply, now: datetime) -> None:
    """Words and reaction go out each by itself; what stands already is found to be so and costs no call."""
    key, payload = f"comment:{reply.comment_id}", {"reply": reply.pk}
    if reply.wanted or reply.body:
        outbox.enqueue("reply_to_comment", key=key, payload=payload, now=now)
    if reply.wanted_reaction or reply.reaction:
        outbox.enqueue("react_to_comment", key=key, payload=payload, now=now)


def _with_news(words: str, comment: IssueComment) -> str:
    lost = Claim.objects.filter(
        decisions__comment=comment, decisions__kind__in=_TAKING, standing=Claim.Standing.SUPERSEDED
    )
    claims = list(lost.select_related("task").distinct().order_by("task__sort_key", "task_id"))
    free = free_near(claim.task for claim in claims) if claims else {}
    overtaken = [
        Overtaken(claim.task.number, [(task.number, task.title) for task in free[claim.task_id]])
        for claim in claims
    ]
    return replies.with_news(
        words, overtaken, comment=comment.body, board_url=_board_url(comment.tracking_issue.event)
    )


def _is_flooding(comment: IssueComment, now: datetime) -> bool:
    """Whether the author has had as many answers within the hour as anybody gets."""
    recent = Reply.objects.filter(
        comment__author=comment.author, comment__updated_at__gte=now - timedelta(hours=1)
    ).exclude(comment=comment)
    return recent.count() >= settings.REPLIES_PER_AUTHOR_AND_HOUR


def _board_url(event: Event) -> str:
    return urljoin(settings.SITE_URL, reverse("board", args=[event.slug]))


def _circumstance(
    comment: IssueComment, event: Event, attempt: Attempt | None = None
) -> replies.Circumstance:
    return replies.Circumstance(
        author=comment.author.login,
        board_url=_board_url(event),
        title_prefix=event.title_prefix,
        example=_example(comment, event) if attempt else "",
        teams_url=urljoin(settings.SITE_URL, reverse("teams", args=[event.slug])),
    )


def _example(comment: IssueComment, event: Event) -> str:
    """A number to show the right form with: one that the comment tried for, else one that is free."""
    if meant := guess_ids(comment.body, task_ids(event)):
        return meant[0]
    on_board = event.tasks.on_board().order_by("sort_key", "pk")
    some = on_board.filter(state="open").first() or on_board.first()
    return some.number if some else "3"
