"""Our one answer to a comment: in words, or in a quiet event by a reaction; kept true when something happens since.

At most one comment of ours for each comment of a person's, edited in place, however many events hear it. The claimed tasks
are locked before an answer is, as everywhere: a row of the outbox is a lock too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse

from claims import replies, shared_answers
from claims.grammar.guesses import guess_ids
from claims.grammar.model import Attempt
from claims.models import Claim, IssueComment, Reply
from claims.operations.happened_since import TAKING, happened_since
from claims.operations.task_numbers import task_ids
from claims.replies import Line, Part
from claims.since import AS_SAID
from portal import outbox
from tasks_board.models import Event

_CODES = {standing: code for code, standing in AS_SAID.items() if standing != "yours"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shall stand at GitHub under a comment. `reply` carries it, `spoken` are those whose events have a part in it."""

    reply: Reply
    words: str
    reaction: str
    spoken: Sequence[int] = ()


def answer(comment: IssueComment, lines: Sequence[Line], *, attempt: Attempt | None, now: datetime) -> None:
    """Put the one answer on the outbox: nothing to say says nothing; quiet events and floods get no words."""
    of_all = _replies_to([comment.github_id])
    reply = next((known for known in of_all if known.comment_id == comment.pk), None)
    if not lines and attempt is None and reply is None:
        return
    event = comment.tracking_issue.event
    if comment.updated_at < event.came_at:
        return  # history, read when the event came to us: a first reading writes nothing back
    if not of_all and _is_flooding(comment, now):
        return
    if reply is None:
        reply = Reply(comment=comment)
        of_all.append(reply)
    reply.comment, reply.lines = comment, [line.to_json() for line in lines]
    reply.save()
    _bring_up_to_date(of_all, now)


def answer_anew(comment: IssueComment, now: datetime) -> None:
    """A mentor took the comment for a claim, or takes that back: the one answer says what it claims now, in place."""
    taken = Claim.objects.filter(decisions__comment=comment, decisions__kind__in=TAKING, shown=True)
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
    """A claim stands otherwise, or its time ends soon: what answered the claiming comment says so, in place."""
    by = {d.comment_id for d in claim.decisions.all() if d.kind in TAKING and d.comment_id is not None}
    if not by:
        return
    about = IssueComment.objects.filter(pk__in=by, deleted_at=None).order_by("github_id")
    for github_id in dict.fromkeys(about.values_list("github_id", flat=True)):
        _bring_up_to_date(_replies_to([github_id]), now)


def note_read(*, comment_id: int, number: str, address: str, found: bool, now: datetime) -> None:
    """What a comment names as a pull request for a task was read, or GitHub has none there: our answer says which."""
    github_id = IssueComment.objects.values_list("github_id", flat=True).get(pk=comment_id)
    of_all = _replies_to([github_id])
    reply = next((known for known in of_all if known.comment_id == comment_id), None)
    if reply is None:
        return
    for line in reply.lines or ():
        if line["number"] == number and str(line.get("about", "")).lower() == address.lower():
            line["code"] = "linked" if found else "not_found"
    reply.save(update_fields=["lines"])
    _bring_up_to_date(of_all, now)


def request_answer(reply: Reply, now: datetime) -> None:
    """Words and reaction go out each by itself; what stands already is found to be so and costs no call."""
    key, payload = f"github:{reply.comment.github_id}", {"reply": reply.pk}
    if reply.wanted or reply.body:
        outbox.enqueue("reply_to_comment", key=key, payload=payload, now=now)
    if reply.wanted_reaction or reply.reaction:
        outbox.enqueue("react_to_comment", key=key, payload=payload, now=now)


def wanted_now(reply_pk: int) -> Wanted | None:
    """What shall stand at GitHub at this moment; None while no event that heard the comment has anything written.

    What an event that is silent now said before stays in it.
    """
    github_id = Reply.objects.values_list("comment__github_id", flat=True).get(pk=reply_pk)
    of_all = _replies_to([github_id])
    if all(reply.comment.tracking_issue.event.is_silent for reply in of_all):
        return None
    spoken = [r for r in of_all if r.posted_at is not None or not r.comment.tracking_issue.event.is_silent]
    return _wanted(of_all, spoken)


def _bring_up_to_date(of_all: Sequence[Reply], now: datetime) -> None:
    """Keep what shall stand, as soon as all of the events write, and ask for it to be written."""
    if not of_all or all(reply.lines is None for reply in of_all):
        return
    wanted = _wanted(of_all, of_all)
    reply = wanted.reply
    is_news = (reply.wanted, reply.wanted_reaction) != (wanted.words, wanted.reaction)
    for other in of_all:
        words, reaction = (wanted.words, wanted.reaction) if other is reply else ("", "")
        if (other.wanted, other.wanted_reaction) != (words, reaction):
            other.wanted, other.wanted_reaction = words, reaction
            other.save(update_fields=["wanted", "wanted_reaction"])
    if is_news or (reply.body, reply.reaction) != (wanted.words, wanted.reaction):
        request_answer(reply, now)


def _replies_to(github_ids: Iterable[int]) -> list[Reply]:
    """What every event made of these comments, locked, in order."""
    known = Reply.objects.select_for_update(of=("self",)).filter(comment__github_id__in=github_ids)
    return list(known.select_related("comment__tracking_issue__event", "comment__author").order_by("pk"))


def _wanted(of_all: Sequence[Reply], speaking: Sequence[Reply]) -> Wanted:
    carrier = next((reply for reply in of_all if reply.github_id is not None), of_all[0])
    spoken = [reply for reply in speaking if reply.lines is not None]
    if not spoken:
        return Wanted(carrier, carrier.wanted, carrier.wanted_reaction)
    # Words that stand at GitHub are kept true, also where the event became quiet since.
    has_words = carrier.github_id is not None
    parts = [_part(reply, in_words=has_words or not _event(reply).rule_set.quiet) for reply in spoken]
    shared = shared_answers.share_out(parts)
    loud = [part for part in shared if part.in_words]
    quiet = [part for part in shared if not part.in_words]
    if has_words and not loud:
        loud = [Part(parts[0].about)]
    words = replies.compose(comment=carrier.comment.body, parts=loud) if loud else ""
    return Wanted(carrier, words, replies.reaction_for(quiet), [reply.pk for reply in spoken])


def _event(reply: Reply) -> Event:
    return reply.comment.tracking_issue.event


def _part(reply: Reply, *, in_words: bool) -> Part:
    comment, event = reply.comment, _event(reply)
    lines = [Line.from_json(line) for line in reply.lines or ()]
    attempt = None if lines else _attempt(comment)
    return Part(
        about=_circumstance(comment, event, attempt),
        lines=lines,
        attempt=attempt,
        since=happened_since(comment, lines),
        event=event.name,
        is_on=event.status == Event.Status.RUNNING,
        in_words=in_words,
    )


def _is_flooding(comment: IssueComment, now: datetime) -> bool:
    """Whether the author has had as many answers within the hour as anybody gets."""
    recent = Reply.objects.filter(
        comment__author=comment.author, comment__updated_at__gte=now - timedelta(hours=1)
    ).exclude(comment__github_id=comment.github_id)
    answered = recent.values("comment__github_id").distinct().count()
    return answered >= settings.REPLIES_PER_AUTHOR_AND_HOUR


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
