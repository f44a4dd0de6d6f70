"""What we do at GitHub, each in three steps: plan from the database, perform without a transaction, record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from claims.github_marks import find_marked
from claims.github_texts import Text, list_edits, read_text, write_text
from claims.models import PullRequestLink, Reply
from claims.operations import alarms, answering, comments, pull_requests, retracing, table_links, tables
from claims.operations.answering import Wanted
from claims.operations.issues import Revision
from claims.operations.pull_requests import READ
from claims.operations.table_links import NamedLink
from claims.operations.tables import LONGEST_BODY, TableText
from portal.accounts import people
from portal.github import types
from portal.github.errors import GitHubRefused
from portal.github.gateway import Gateway
from portal.github.signatures import mark_comment
from portal.models import Person
from portal.outbox import BAD_TOKEN, Postpone
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations import events
from tasks_board.tracking import address_of

NOT_THERE = (404, 410)
_PAUSE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class WritePlan:
    """The text an issue shall have, if GitHub still holds the one we know."""

    tracking_issue: TrackingIssue
    expected: str
    text: TableText


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What GitHub held, or holds after our write; with the steps by which it got there, where it is not what we knew."""

    issue: Text
    is_written: bool
    edits: Sequence[types.BodyEdit]


class WriteTable:
    """Bring an issue's table up to date."""

    def plan(self, payload: dict[str, Any], now: datetime) -> WritePlan | Postpone | None:
        """None where nothing differs, writing is off, or the text would be too long (an alarm says so)."""
        issue = TrackingIssue.objects.select_related("event").get(pk=payload["tracking_issue"])
        is_on = issue.writing == TrackingIssue.Writing.ON and issue.retired_at is None
        if not is_on or issue.event.is_silent:
            return None
        spacing = timedelta(seconds=max(settings.TABLE_WRITE_SPACING, issue.write_spacing))
        if issue.written_at is not None and now < issue.written_at + spacing:
            return Postpone(issue.written_at + spacing)
        text = tables.text_to_write(issue)
        if len(text.body) > LONGEST_BODY:
            events.raise_alarm(tracking_issue=issue, code="body_too_long", now=now)
            return None
        if text.body == issue.body:
            tables.note_found(tracking_issue=issue, text=text, now=now)
            return None
        if not tables.intend_write(tracking_issue=issue, text=text, now=now):
            return Postpone(now + _PAUSE)  # tried a moment ago: what GitHub holds could not be taken in
        return WritePlan(issue, issue.body, text)

    def perform(self, plan: WritePlan, gateway: Gateway) -> WriteOutcome:
        """Read just before; write only over what we know; ask afterwards what came in between."""
        current = read_text(plan.tracking_issue, gateway)
        is_written = current.body == plan.text.body  # an earlier attempt got through, but was not recorded
        if not is_written and current.body == plan.expected:
            current = write_text(current, plan.text.body, gateway)
            is_written = True
        return WriteOutcome(current, is_written, list_edits(current, gateway))

    def record(self, plan: WritePlan, outcome: WriteOutcome, now: datetime) -> None:
        """Note our write, and take in every edit of people that GitHub's history shows and we did not know."""
        issue = plan.tracking_issue
        steps = _steps_after(outcome.edits, plan.expected)
        if outcome.is_written:
            self._record_write(plan, outcome, steps, now)
            return
        if not steps or steps[-1].body != outcome.issue.body:
            steps.append(Revision(outcome.issue.body, outcome.issue.updated_at))
        retracing.retrace(tracking_issue=issue, steps=steps, now=now, over=plan.text.body)
        tables.request_write_of(tracking_issue=issue, now=now)

    def _record_write(
        self, plan: WritePlan, outcome: WriteOutcome, steps: Sequence[Revision], now: datetime
    ) -> None:
        """Edits before ours were covered by it and are merged back; what came on top of ours is plain news."""
        issue = plan.tracking_issue
        text = replace(plan.text, body=outcome.issue.body)  # as GitHub keeps it
        if text.body != plan.text.body:
            tables.intend_write(tracking_issue=issue, text=text, now=now)
        ours = next((n for n, step in enumerate(steps) if step.body == text.body), len(steps))
        retracing.retrace(tracking_issue=issue, steps=steps[:ours], now=now, over=text.body, before_ours=True)
        tables.record_write(
            tracking_issue=issue,
            text=text,
            at=outcome.issue.updated_at,
            covered=[step.body for step in steps[:ours]],
            now=now,
        )
        retracing.retrace(tracking_issue=issue, steps=steps[ours + 1 :], now=now, over=text.body)

    def note_refusal(self, payload: dict[str, Any], error: GitHubRefused, now: datetime) -> None:
        """An organizer hears of it, in GitHub's words; nothing is written until they have looked."""
        issue = TrackingIssue.objects.select_related("event").get(pk=payload["tracking_issue"])
        alarms.note_refusal(tracking_issue=issue, error=error, now=now)


def _steps_after(edits: Sequence[types.BodyEdit], known: str) -> list[Revision]:
    """The steps after the last one that left the text we know; none if the history does not show it."""
    places = [place for place, edit in enumerate(edits) if edit.body == known]
    if not places:
        return []
    chain = [Revision(edit.body, edit.edited_at, _editor(edit)) for edit in edits[places[-1] :]]
    return retracing.chained(chain)[1:]


def _editor(edit: types.BodyEdit) -> Person | None:
    return people.remember(edit.editor, seen_at=edit.edited_at) if edit.editor else None


@dataclass(frozen=True, slots=True)
class ReplyPlan:
    """The answer as it shall stand, and the comment it answers."""

    wanted: Wanted
    repository: str
    number: int
    since: datetime
    key: str
    body: str


class ReplyToComment:
    """Write our one answer to a comment, or bring it up to date in place."""

    def plan(self, payload: dict[str, Any], now: datetime) -> ReplyPlan | None:
        """None where the answer stands already, and while nothing is written for the event."""
        wanted = answering.wanted_now(payload["reply"])
        if wanted is None or wanted.words in ("", wanted.reply.body):
            return None
        comment = wanted.reply.comment
        repository, number = address_of(comment.tracking_issue)
        key = f"comment-{comment.github_id}"
        body = mark_comment(wanted.words, key)
        return ReplyPlan(wanted, repository, number, comment.written_at, key, body)

    def perform(self, plan: ReplyPlan, gateway: Gateway) -> types.Comment:
        """An answer that got through without being recorded is found by its mark, and not written twice."""
        github_id = plan.wanted.reply.github_id
        if github_id is None:
            mine = find_marked(
                gateway, repository=plan.repository, number=plan.number, since=plan.since, key=plan.key
            )
            if mine is None:
                return gateway.create_comment(plan.repository, plan.number, plan.body)
            if mine.body == plan.body:
                return mine
            github_id = mine.id
        return gateway.edit_comment(plan.repository, github_id, plan.body)

    def record(self, plan: ReplyPlan, outcome: types.Comment, now: datetime) -> None:
        """Note the answer, and whose account wrote it: ours."""
        people.remember_portal(outcome.author, seen_at=outcome.updated_at)
        comments.record_reply(wanted=plan.wanted, github_id=outcome.id, now=now)

    def note_refusal(self, payload: dict[str, Any], error: GitHubRefused, now: datetime) -> None:
        """An organizer hears of it."""
        reply = Reply.objects.select_related("comment__tracking_issue__event").get(pk=payload["reply"])
        alarms.note_refused_reply(tracking_issue=reply.comment.tracking_issue, error=error, now=now)


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """A pull request that a text names for a task; `comment` and `named` if it is a comment that names it for this number."""

    task: Task
    repository: str
    number: int
    reason: str
    comment: int | None = None
    named: str = ""


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """The pull request with its reviews."""

    pull_request: types.PullRequest
    reviews: Sequence[types.Review]


class ReadPullRequest:
    """Fetch a pull request that a comment or a mentor names, and link it; the answer to the comment says what was found."""

    def plan(self, payload: dict[str, Any], now: datetime) -> ReadPlan:
        """Always something to do."""
        task = Task.objects.select_related("event").get(pk=payload["task"])
        comment, named = payload.get("comment"), payload.get("named", "")
        return ReadPlan(task, payload["repository"], payload["number"], payload["reason"], comment, named)

    def perform(self, plan: ReadPlan, gateway: Gateway) -> ReadOutcome | None:
        """Two reads; None where GitHub shows no pull request that a comment names, since people mistype."""
        try:
            fact = gateway.get_pull_request(plan.repository, plan.number)
        except GitHubRefused as refusal:
            if plan.comment is None or refusal.status == BAD_TOKEN:
                raise
            return None
        return ReadOutcome(fact, gateway.list_reviews(plan.repository, plan.number))

    def record(self, plan: ReadPlan, outcome: ReadOutcome | None, now: datetime) -> None:
        """Store the facts, then the link, then what the comment is answered."""
        if outcome is not None:
            self._link(plan, outcome, now)
        if plan.comment is not None:
            answering.note_read(
                comment_id=plan.comment,
                number=plan.named,
                address=f"{plan.repository}#{plan.number}",
                found=outcome is not None,
                now=now,
            )

    def _link(self, plan: ReadPlan, outcome: ReadOutcome, now: datetime) -> None:
        stored = pull_requests.record_pull_request(
            fact=outcome.pull_request, seen=READ, now=now, is_named=True
        )
        for review in outcome.reviews:
            pull_requests.record_review(fact=review, now=now)
        if stored is not None:
            pull_requests.link_pull_request(
                pull_request=stored, task=plan.task, reason=PullRequestLink.Reason(plan.reason), now=now
            )


@dataclass(frozen=True, slots=True)
class NamedPlan:
    """Pull requests that a table names: which of them are to be read now, which are left for the next message."""

    named: Sequence[NamedLink]
    unread: Sequence[NamedLink]
    rest: Sequence[NamedLink]
    key: str


class ReadNamedPullRequests:
    """Fetch the pull requests that a table names, some at a time, and link them."""

    def plan(self, payload: dict[str, Any], now: datetime) -> NamedPlan:
        """Always something to do."""
        named, rest = table_links.first_of(payload)
        unread = [entry for entry in named if table_links.is_to_be_read(entry)]
        return NamedPlan(named, unread, rest, payload["key"])

    def perform(self, plan: NamedPlan, gateway: Gateway) -> list[table_links.Read]:
        """Two reads for each; a number that is no pull request is left out, since people mistype."""
        found = []
        for repository, number in dict.fromkeys((entry.repository, entry.number) for entry in plan.unread):
            try:
                fact = gateway.get_pull_request(repository, number)
            except GitHubRefused as refusal:
                if refusal.status not in NOT_THERE:
                    raise
                continue
            found.append(table_links.Read(fact, gateway.list_reviews(repository, number)))
        return found

    def record(self, plan: NamedPlan, outcome: list[table_links.Read], now: datetime) -> None:
        """Store the facts, then the links, then ask for the rest."""
        table_links.record_links(named=plan.named, read=outcome, rest=plan.rest, key=plan.key, now=now)


class RelinkTitles:
    """Read the titles of known pull requests anew, where numbers came to mean other tasks. Asks nothing of GitHub."""

    def plan(self, payload: dict[str, Any], now: datetime) -> None:
        """All of it is done here, in a transaction of its own."""
        event = Event.objects.get(pk=payload["event"])
        pull_requests.relink(event=event, numbers=payload["numbers"], now=now)

    def perform(self, plan: None, gateway: Gateway) -> None:
        """Never called: there is no plan."""

    def record(self, plan: None, outcome: None, now: datetime) -> None:
        """Never called."""
