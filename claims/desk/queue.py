"""What waits for a mentor, by what it asks of them: to settle, to take in, to review, to look after; what hurts most first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from claims.desk.rows import ClaimRow, DeskRows, LinkRow, TaskRow, offer, strays_of
from claims.grammar.guesses import guess_ids
from claims.grammar.ids import TaskIds
from claims.models import Claim, IssueComment
from claims.policy import ALREADY
from portal.models import Person
from tasks_board.models import Task

# In the order in which they hurt: somebody's finished work or place hangs in the air, somebody waits for a yes, for a
# review, and at last what nobody has touched for long.
CATEGORIES = ("doubtful", "merged", "approve", "review", "stale")
SILENT_DAYS = (7, 14, 30)
_MERGED_DOUBTS = frozenset({"merged_elsewhere", "named_only"})
_OPEN_STANDINGS = frozenset(
    {"claimed", "rfc_submitted", "rfc_merged", "pr_open", "approved", "closed_unmerged"}
)


@dataclass(frozen=True, slots=True)
class DeskItem:
    """One thing that waits. `code` (with `about`) says why it is here, `since` from when on.

    `kind`: claim; author (a pull request by somebody without a claim); comment; title (a pull request that is tied to
    nothing). `candidates`: what a comment or title might mean.
    """

    kind: str
    pk: int
    category: str
    code: str
    since: datetime
    name: str
    task: TaskRow | None = None
    about: str = ""
    at: datetime | None = None
    name_kind: str = "person"
    standing: str = ""
    is_own: bool = False
    claim: ClaimRow | None = None
    link: LinkRow | None = None
    comment: IssueComment | None = None
    candidates: Sequence[TaskRow] = ()

    @property
    def key(self) -> str:
        """Names the item in an address: claim-7, comment-3, author-5-12 (task and pull request)."""
        if self.kind == "author" and self.task is not None:
            return f"author-{self.task.pk}-{self.pk}"
        return f"{self.kind}-{self.pk}"

    @property
    def choice(self) -> str:
        """What a tick on it sends: its key, with the pull request or the one task that is offered with it."""
        if self.kind == "claim" and self.link is not None:
            return f"{self.key}-{self.link.pull_request_id}"
        if self.kind == "comment" and len(self.candidates) == 1:
            return f"{self.key}-{self.candidates[0].pk}"
        return self.key

    @property
    def is_tickable(self) -> bool:
        """Whether it is settled together with others; a title asks for a look at each."""
        return not self.is_own and self.kind != "title"

    @property
    def is_outside(self) -> bool:
        """Whether the claimant is no longer (or not yet) on the task."""
        return self.standing in ("withdrawn", "declined", "expired", "requested")

    @property
    def may_be_let_in(self) -> bool:
        """Whether the claimant is not on the task, and a mentor may say yes."""
        return self.is_outside or self.standing in ("waiting", "superseded")

    @property
    def text(self) -> str:
        """What a search looks at."""
        parts = [self.name, self.about]
        if self.task is not None:
            parts += [self.task.number, f"no.{self.task.number}", self.task.title]
        if self.link is not None:
            parts += [self.link.address, self.link.title]
        if self.comment is not None:
            parts.append(self.comment.body)
        return "\n".join(parts).lower()


def find_claim(rows: DeskRows, key: str, *, viewer: Person) -> DeskItem | None:
    """The claim of this key, as an item that asks nobody: a mentor may decide on it all the same."""
    claim = next((row for row in rows.claims if f"claim-{row.pk}" == key), None)
    if claim is None or not rows.may_decide_on(claim.task_id):
        return None
    return DeskItem(
        kind="claim",
        pk=claim.pk,
        category="",
        code="at_rest",
        since=claim.standing_at,
        name=claim.name,
        task=rows.tasks[claim.task_id],
        name_kind=claim.whose[0],
        standing=claim.standing,
        is_own=viewer.whole_id in rows.people_of(claim),
        claim=claim,
    )


def list_items(
    rows: DeskRows, *, viewer: Person, silent_days: int, reminder_days: int, now: datetime
) -> list[DeskItem]:
    """Everything that waits for this person, each thing once."""
    me = viewer.whole_id
    limits = _Limits(now - timedelta(days=silent_days), now + timedelta(days=reminder_days), now)
    claims = [item for item in _claim_items(rows, me, limits) if item is not None]
    return [*claims, *_strays(rows, me), *_comments(rows), *_titles(rows, me)]


@dataclass(frozen=True, slots=True)
class _Limits:
    """Silent since; due before; now."""

    silent: datetime
    due: datetime
    now: datetime

    def is_patient(self, until: datetime | None) -> bool:
        """Whether the time that a mentor gave still lasts: what is quiet then asks nobody."""
        return until is not None and until > self.now


def _claim_items(rows: DeskRows, me: int, limits: _Limits) -> Iterator[DeskItem | None]:
    for claim in rows.claims:
        task = rows.tasks[claim.task_id]
        if rows.may_decide_on(task.pk) and not task.is_removed:
            found = _of_claim(rows, claim, task, limits)
            yield replace(found, is_own=me in rows.people_of(claim)) if found else None


def _of_claim(rows: DeskRows, claim: ClaimRow, task: TaskRow, limits: _Limits) -> DeskItem | None:
    def item(
        category: str,
        code: str,
        since: datetime,
        *,
        about: str = "",
        at: datetime | None = None,
        link: LinkRow | None = None,
    ) -> DeskItem:
        return DeskItem(
            kind="claim",
            pk=claim.pk,
            category=category,
            code=code,
            since=since,
            name=claim.name,
            task=task,
            about=about,
            at=at,
            name_kind=claim.whose[0],
            standing=claim.standing,
            claim=claim,
            link=link,
        )

    if any(doubt.get("code") not in _MERGED_DOUBTS for doubt in claim.doubts):
        return item("doubtful", "doubt", claim.standing_at)
    if claim.standing == Claim.Standing.REQUESTED:
        code = "entered" if claim.reason.get("code") == "entered" else "requested"
        return item("approve", code, claim.standing_at)
    links = rows.links_of(claim)
    if (merged := _merged_but_open(claim, task, links)) is not None:
        code, since, about = merged
        return item("merged", code, since, about=about)
    if (offer := _offered_by_branch(rows, claim)) is not None:
        return item(
            "merged", "by_branch", offer.merged_at or claim.standing_at, about=offer.address, link=offer
        )
    if claim.turn == Claim.Turn.REVIEWER:
        code, since, link = _review(rows, claim, links)
        return item("review", code, since, about=link.address if link else "")
    if claim.turn == Claim.Turn.CLAIMANT:
        touched = max([claim.standing_at, *(rows.last_activity(link) for link in links)])
        if claim.due_at is not None and claim.due_at <= limits.due:
            return item("stale", "overdue" if claim.due_at <= limits.now else "due", touched, at=claim.due_at)
        if touched <= limits.silent and not limits.is_patient(claim.given_until):
            return item("stale", "silent", touched, at=touched)
    return None


def _merged_but_open(
    claim: ClaimRow, task: TaskRow, links: Sequence[LinkRow]
) -> tuple[str, datetime, str] | None:
    """Why a merged pull request has not completed the task: a code, since when, and which pull request."""
    if task.state == Task.State.DONE or claim.standing == Claim.Standing.DONE:
        return None
    by_address = {link.address: link for link in links}
    for doubt in claim.doubts:
        link = by_address.get(str(doubt.get("about")))
        if link is not None and link.merged_at is not None:
            is_early = doubt["code"] == "named_only" and link.merged_at < claim.created_at
            return "merged_before" if is_early else str(doubt["code"]), link.merged_at, link.address
    about = str(claim.reason.get("about", ""))
    if claim.standing == Claim.Standing.PARTLY_DONE and claim.reason.get("code") == "merged_in_part":
        return "merged_in_part", claim.standing_at, about
    if claim.standing not in _OPEN_STANDINGS:
        return None
    if claim.reason.get("code") == "reverted":
        return "reverted", claim.standing_at, about
    landed = next((link for link in links if link.state == "closed" and link.landed_at is not None), None)
    if landed is not None and landed.landed_at is not None:
        return "landed", landed.landed_at, landed.address
    work = [link for link in links if link.merged_at is not None and not link.is_proposal]
    if claim.reason.get("code") == "rejected":  # a mentor has answered whatever was merged before
        work = [link for link in work if link.merged_at is not None and link.merged_at > claim.standing_at]
    if work and claim.basis != Claim.Basis.FACT and work[0].merged_at is not None:
        return "merged_undone", work[0].merged_at, work[0].address
    return None


def _offered_by_branch(rows: DeskRows, claim: ClaimRow) -> LinkRow | None:
    if claim.standing not in (*_OPEN_STANDINGS, Claim.Standing.PARTLY_DONE):
        return None
    people = rows.people_of(claim)
    return next((link for link in rows.offers.get(claim.task_id, ()) if link.author in people), None)


def _review(
    rows: DeskRows, claim: ClaimRow, links: Sequence[LinkRow]
) -> tuple[str, datetime, LinkRow | None]:
    """What the reviewers have to do, since when, on which pull request: the one that waits longest."""
    waiting = [(rows.reviews.get(link.pull_request_id, ()), link) for link in links if link.state == "open"]
    ready = [pair for pair in waiting if not pair[1].is_draft] or waiting
    if not ready:
        return "review", claim.standing_at, None
    said, link = min(ready, key=lambda pair: _waits_since(*pair))
    since = _waits_since(said, link)
    if claim.standing == Claim.Standing.APPROVED:
        return "approved", since, link
    if link.is_proposal:
        return "review_proposal", since, link
    return ("review_again" if said else "review"), since, link


def _waits_since(said: Sequence[tuple[str, datetime]], link: LinkRow) -> datetime:
    return max([link.opened_at, *(at for _state, at in said)])


def _strays(rows: DeskRows, me: int) -> Iterator[DeskItem]:
    for link in strays_of(rows):
        task = rows.tasks[link.task_id]
        if not rows.may_decide_on(task.pk) or task.is_removed:
            continue
        yield DeskItem(
            kind="author",
            pk=link.pull_request_id,
            category="approve",
            code="stray_merged" if link.merged_at else "stray",
            since=link.opened_at,
            name=link.login,
            task=task,
            about=link.address,
            standing=task.state,
            is_own=link.author == me,
            link=link,
        )


def _titles(rows: DeskRows, me: int) -> Iterator[DeskItem]:
    """Pull requests that seem to mean a task and are tied to none, with the tasks that they may be for."""
    for unread in rows.titles:
        found = [rows.tasks[pk] for pk in unread.tasks if pk in rows.tasks and rows.may_decide_on(pk)]
        if found:
            link = offer(found[0].pk, unread.pull_request, is_proposal=False)
            yield DeskItem(
                kind="title",
                pk=unread.pull_request.pk,
                category="doubtful",
                code=unread.miss.why.value,
                since=link.opened_at,
                name=link.login,
                about=unread.miss.said or link.address,
                is_own=link.author == me,
                link=link,
                candidates=found,
            )


def _comments(rows: DeskRows) -> Iterator[DeskItem]:
    """Comments that were an attempt: with what they might mean, to take in; those without any guess, hard to read."""
    if not rows.comments:
        return
    on_board = [task for task in rows.tasks.values() if not task.is_removed]
    ids = TaskIds.of(task.number for task in on_board)
    held = {(claim.task_id, claim.whose) for claim in rows.claims if claim.standing in ALREADY}
    for comment in rows.comments:
        author = comment.author.whole_id
        numbers = guess_ids(comment.body, ids)
        found = [
            task
            for number in numbers
            for task in on_board
            if task.number == number
            and (task.pk, ("person", author)) not in held
            and rows.may_decide_on(task.pk)
        ]
        yield DeskItem(
            kind="comment",
            pk=comment.pk,
            category="approve" if found else "doubtful",
            code="uncertain" if found else "unread",
            since=comment.written_at,
            name=comment.author.login,
            comment=comment,
            candidates=found,
        )
