"""Why a comment or pull request that we know does or does not count, rule by rule. Reads what is stored; asks nobody."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from claims import evidence, replies, standing, words
from claims.explaining import Line, explain_comment, explain_title
from claims.models import Claim, Decision, IssueComment, PullRequest, PullRequestLink, Reply
from claims.operations import titles
from claims.standing import PullRequestFact
from portal.common.errors import NotFound
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task
from tasks_board.queries import list_visible_events
from tasks_board.tracking import address_of

_PULL_REQUEST = re.compile(
    r"(?:https?://[\w.:-]+/)?([\w.-]+/[\w.-]+)(?:/(?:pull|issues)/|#)(\d{1,9})(?:[/?#].*)?", re.ASCII
)
_COMMENT = re.compile(r"(?:\S*#)?issuecomment-(\d{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Group:
    """The findings that belong together: those of one event, or of one task of it."""

    event: Event
    task: Task | None
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Told:
    """What is known about a comment or pull request, and what follows from it where."""

    title: str
    url: str
    author: str
    at: datetime
    groups: Sequence[Group]
    quote: str = ""
    answer: str = ""  # our reply, as it stands at GitHub

    @property
    def main(self) -> Sequence[Group]:
        """What is said of the events in which it is for a task: each event, then its tasks. Everything, if it is for none."""
        meant = [group.event.pk for group in self.groups if group.task is not None]
        found = [group for group in self.groups if group.event.pk in meant]
        return sorted(found, key=lambda group: meant.index(group.event.pk)) or self.groups

    @property
    def aside(self) -> Sequence[Group]:
        """The rest: events that look at the repository, and for which it is nothing."""
        return [group for group in self.groups if group not in self.main]


def tell(about: str, *, viewer: Person | None) -> Told:
    """What an address of a comment or pull request counts for, in the events that the reader may see. Raises NotFound."""
    text = about.strip()
    if comment := _COMMENT.fullmatch(text):
        return _tell_comment(int(comment[1]), viewer)
    if address := _PULL_REQUEST.fullmatch(text):
        return _tell_pull_request(address[1], int(address[2]), viewer)
    raise NotFound(
        "no_address",
        _(
            "This is no address of a comment or pull request. Paste it as the browser shows it, or as owner/name#number."
        ),
    )


def _unknown() -> NotFound:
    return NotFound(
        "not_known_here",
        _(
            "Nothing is known here about this address. Pull requests are known once they stand in a repository that an "
            "event watches, or are named by a claimant; comments, once they stand under an event’s issue."
        ),
    )


# ---------------------------------------------------------------------------------------------- comments


def _tell_comment(github_id: int, viewer: Person | None) -> Told:
    visible = list_visible_events(viewer=viewer)
    known = IssueComment.objects.filter(github_id=github_id, tracking_issue__event__in=visible)
    found = list(known.select_related("tracking_issue__event", "author").order_by("pk"))
    if not found:
        raise _unknown()
    first = found[0]
    repository, number = address_of(first.tracking_issue)
    reply = Reply.objects.filter(comment__github_id=github_id).exclude(body="").first()
    return Told(
        title=_("Comment under %(issue)s") % {"issue": first.tracking_issue},
        url=f"{settings.GITHUB_WEB_URL}/{repository}/issues/{number}#issuecomment-{github_id}",
        author=first.author.login,
        at=first.written_at,
        groups=[Group(c.tracking_issue.event, None, list(_comment_lines(c))) for c in found],
        quote="" if first.deleted_at else first.body,
        answer=reply.body if reply else "",
    )


def _comment_lines(comment: IssueComment) -> Iterator[Line]:
    event = comment.tracking_issue.event
    if comment.deleted_at:
        yield Line(
            True, _("Deleted at GitHub"), _("What it claimed stays claimed; people release with a word.")
        )
    read = explain_comment(
        comment.body, event=event, repository=comment.tracking_issue.repository, author=comment.author.login
    )
    yield from read.lines
    decided = Decision.objects.filter(comment=comment).select_related(
        "claim__person", "claim__team", "claim__task"
    )
    done = list(decided.order_by("at", "pk"))
    for decision in done:
        yield Line(True, _("No.%(number)s") % {"number": decision.claim.task.number}, words.decided(decision))
    acted = {decision.claim.task.number for decision in done}
    claimed = {
        n
        for intent in comment.reading.get("intents", ())
        for n in intent["tasks"]
        if intent["kind"] == "claim"
    }
    for number in sorted(claimed - acted):
        yield Line(False, _("No.%(number)s") % {"number": number}, _nothing_done(comment, number))
    yield from _pull_request_lines(comment)
    if comment.needs_help and not comment.handled_at:
        yield Line(
            False, _("Waits for a mentor"), _("Not all of it could be read; it stands in the mentor’s queue.")
        )
    elif comment.needs_help:
        yield Line(True, _("Seen to"), _("A mentor has looked at what could not be read."))


def _pull_request_lines(comment: IssueComment) -> Iterator[Line]:
    """What GitHub was found to have of the pull requests that a comment names."""
    reply = Reply.objects.filter(comment=comment).first()
    for line in map(replies.Line.from_json, (reply.lines or ()) if reply else ()):
        if line.about:
            told = replies.sentence(line, show=str)
            yield Line(line.code == "linked", _("No.%(number)s") % {"number": line.number}, told)


def _nothing_done(comment: IssueComment, number: str) -> str:
    """Why a number that a comment claims has no decision of it."""
    event = comment.tracking_issue.event
    theirs = (comment.author.pk, comment.author.canonical_id)
    held = Claim.objects.filter(
        task__event=event, task__number=number, person__in=[pk for pk in theirs if pk]
    )
    claim = held.select_related("person", "team").first()
    if claim is not None:
        return _("Held already: %(why)s") % {"why": words.why(claim)}
    if event.tasks.on_board().filter(number=number).count() > 1:
        return _(
            "Several tasks carry this number, so it names none of them. Claim the right one on the board."
        )
    return _("A rule said no; the answer to the comment says which.")


# ----------------------------------------------------------------------------------------- pull requests


def _tell_pull_request(repository: str, number: int, viewer: Person | None) -> Told:
    known = PullRequest.objects.filter(repository__iexact=repository, number=number).select_related("author")
    pull_request = known.first()
    events = _events_of(pull_request, viewer) if pull_request else []
    if pull_request is None or not events:
        raise _unknown()
    return Told(
        title=pull_request.title,
        url=f"{settings.GITHUB_WEB_URL}/{pull_request.repository}/pull/{pull_request.number}",
        author=pull_request.author.login,
        at=pull_request.opened_at,
        groups=[group for event in events for group in _groups(pull_request, event)],
    )


def _events_of(pull_request: PullRequest, viewer: Person | None) -> list[Event]:
    """The events that the reader may see and that look at the repository, or have a task that it is tied to."""
    linked = set(pull_request.links.values_list("task__event_id", flat=True))
    repository = pull_request.repository.lower()
    visible = list_visible_events(viewer=viewer).order_by("pk")
    return [event for event in visible if event.pk in linked or repository in _watched(event)]


def _watched(event: Event) -> set[str]:
    return {name.lower() for name in (*event.repositories, *event.proposal_repositories)}


def _groups(pull_request: PullRequest, event: Event) -> Iterator[Group]:
    """What its title says to the event, then each task that it is tied to."""
    counted = titles.title_that_counts(pull_request)
    title = explain_title(counted, event=event, repository=pull_request.repository)
    lines = [*_merged_as(pull_request, counted), *title.lines, *_of_its_time(pull_request, event)]
    holding = pull_request.links.holding().filter(task__event=event).select_related("task__event")
    links = list(holding.order_by("task__position", "pk"))
    if not links:
        lines.append(
            Line(False, _("Tied to a task"), _("To none of this event; a mentor can tie it to one."))
        )
    yield Group(event, None, lines)
    by_task: dict[int, list[PullRequestLink]] = {}
    for link in links:
        by_task.setdefault(link.task_id, []).append(link)
    for of_task in by_task.values():
        yield Group(event, of_task[0].task, list(_task_lines(pull_request, of_task)))


def _merged_as(pull_request: PullRequest, counted: str) -> Iterator[Line]:
    if counted != pull_request.title:
        yield Line(True, _("Its title at the merge counts, not the later one"), counted)


def _of_its_time(pull_request: PullRequest, event: Event) -> Iterator[Line]:
    since = event.pull_requests_since
    if since is not None:
        asks = _("Opened on or after %(date)s") % {"date": f"{since:%Y-%m-%d}"}
        yield Line(pull_request.opened_at >= since, asks, f"{pull_request.opened_at:%Y-%m-%d}")


_REASONS = {
    "title": gettext_lazy("its title names the task"),
    "retitled": gettext_lazy("its title names it since after the merge"),
    "comment": gettext_lazy("a comment names it"),
    "table": gettext_lazy("the table names it"),
    "mentor": gettext_lazy("a mentor linked it"),
}
_STATES = {
    "open": gettext_lazy("Open"),
    "draft": gettext_lazy("Draft"),
    "closed": gettext_lazy("Closed without merging"),
    "merged": gettext_lazy("Merged"),
}


def _task_lines(pull_request: PullRequest, links: Sequence[PullRequestLink]) -> Iterator[Line]:
    """Why it does or does not count for one task."""
    task = links[0].task
    reasons = "; ".join(str(_REASONS[link.reason]) for link in links)
    yield Line(True, _("Tied to the task"), reasons)
    yield Line(*_state(pull_request))
    if any(link.is_revert for link in links):
        yield Line(True, _("A revert"), _("Once merged, it takes the credit of those tasks back."))
        return
    entry, fact = _fact_of(pull_request, task)
    if entry is None or fact is None:
        words_for = _("%(login)s has no claim on this task; it waits on the mentor’s desk.")
        yield Line(False, _("By a claimant"), words_for % {"login": pull_request.author.login})
        return
    yield Line(True, _("By a claimant"), str(entry.claim.claimant))
    yield from _fact_lines(pull_request, fact, entry.claim)
    claim = entry.claim
    is_through = claim.standing not in Claim.GONE and str(claim.reason.get("about", "")) == str(pull_request)
    yield Line(
        is_through or claim.standing in standing.FINISHED, words.state_word(claim.standing), words.why(claim)
    )
    for entry_of_doubt in claim.doubts:
        yield Line(False, _("In doubt"), words.doubt(entry_of_doubt))


def _state(pull_request: PullRequest) -> tuple[bool, str, str]:
    is_draft = pull_request.is_draft and pull_request.state == PullRequest.State.OPEN
    code = "draft" if is_draft else pull_request.state
    at = pull_request.merged_at or pull_request.closed_at or pull_request.opened_at
    return code != PullRequest.State.CLOSED, str(_STATES[code]), f"{at:%Y-%m-%d}"


def _fact_of(
    pull_request: PullRequest, task: Task
) -> tuple[evidence.Evidence, PullRequestFact] | tuple[None, None]:
    """The claim for which the pull request is work, with what the standing is derived from."""
    whole, by_task = rights.deciders(task.event)
    found = evidence.gather([task], {task.pk: whole | by_task.get(task.pk, set())})
    for entry in found[task.pk]:
        for fact in entry.pull_requests:
            if entry.claim.shown and fact.address == str(pull_request):
                return entry, fact
    return None, None


def _fact_lines(pull_request: PullRequest, fact: PullRequestFact, claim: Claim) -> Iterator[Line]:
    rules = claim.task.event.rule_set
    if rules.branches:
        asks = _("Into one of the branches %(branches)s") % {"branches": ", ".join(rules.branches)}
        yield Line(rules.counts_on(pull_request.base_branch), asks, pull_request.base_branch)
    if fact.is_only_named:
        yield Line(
            False,
            _("Not only the claimant ties it to the task"),
            _("It counts once a mentor says so: a word in a comment or a table alone awards nothing."),
        )
    if fact.is_partial:
        yield Line(True, _("One part"), _("It does not finish the task; another pull request has to."))
    if fact.is_proposal:
        yield Line(True, _("A proposal"), _("It counts as the design, not as the work."))
    if fact.reverted_at is not None:
        yield Line(False, _("Reverted"), f"{fact.reverted_at:%Y-%m-%d}")
    if fact.is_approved:
        yield Line(True, pgettext("a review", "Approved"), _("by somebody whose review counts"))
    elif fact.is_with_author and fact.state == "open":
        yield Line(True, _("Waits for its author"), _("a draft, or changes are asked for"))
