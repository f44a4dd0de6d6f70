"""The item that is open on the mentor's desk: the facts about it, and what was decided before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from claims import log, policy, undoable, words
from claims.circumstances import Asker, OnTask, rule_on_admission
from claims.desk.queue import DeskItem
from claims.desk.rows import ClaimRow, DeskRows, TaskRow
from claims.desk.several import find_comments
from claims.grammar.ids import TaskIds
from claims.models import Claim, Decision, IssueComment
from claims.pull_requests import SeenPullRequest
from claims.wishes import Wish, wishes_of
from portal.models import AuditEntry, Person
from tasks_board.models import Event, Team

_DECISIONS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class DeskDetail:
    """What the mentor should know before they decide."""

    doubts: Sequence[str]
    why: str
    pull_requests: Sequence[SeenPullRequest]
    last_activity: datetime | None
    turn: str
    due_at: datetime | None
    in_hand: int
    done: int
    taken: int
    places: int | None
    line: Sequence[str]
    decisions: Sequence[log.LogEntry]
    wishes: Sequence[Wish] = ()


def describe_item(
    item: DeskItem, rows: DeskRows, event: Event, *, viewer: Person, organizes: bool, now: datetime
) -> DeskDetail:
    """The open item. Three queries at most: the decisions about its claim, and what its people wrote beside it."""
    claim = item.claim
    links = rows.links_of(claim) if claim is not None else []
    links += [item.link] if item.link is not None else []
    theirs = [other for other in rows.claims if _is_by(item, claim, other)]
    here = [other for other in rows.claims if item.task is not None and other.task_id == item.task.pk]
    line = sorted((o for o in here if o.standing == "waiting"), key=lambda o: (o.standing_at, o.pk))
    return DeskDetail(
        doubts=[words.doubt(doubt) for doubt in claim.doubts] if claim else [],
        why=words.why(Claim(reason=claim.reason)) if claim else "",
        pull_requests=[rows.seen(link) for link in links],
        last_activity=max((rows.last_activity(link) for link in links), default=None),
        turn=claim.turn if claim else "",
        due_at=claim.due_at if claim else None,
        in_hand=sum(other.turn == Claim.Turn.CLAIMANT for other in theirs),
        done=sum(other.standing == Claim.Standing.DONE for other in theirs),
        taken=sum(other.standing in Claim.HOLDS_PLACE for other in here),
        places=_places(item.task, event),
        line=[other.name for other in line],
        decisions=_decisions(claim, viewer, now, organizes=organizes) if claim else [],
        wishes=wishes_of(event, _people_of(item, rows), ids=TaskIds.of(rows.by_number())),
    )


def _people_of(item: DeskItem, rows: DeskRows) -> frozenset[int]:
    """Who might be let in, and would rather have something else; the comment of an item is shown whole."""
    if item.category != "approve":
        return frozenset()
    if item.claim is not None:
        return rows.people_of(item.claim)
    return frozenset({item.link.author}) if item.link is not None else frozenset()


def _is_by(item: DeskItem, claim: ClaimRow | None, other: ClaimRow) -> bool:
    if claim is not None:
        return other.whose == claim.whose
    if item.link is not None:
        return other.whose == ("person", item.link.author)
    assert item.comment is not None  # noqa: S101 (an item is of a claim, a pull request or a comment)
    author = item.comment.author
    return other.whose == ("person", author.whole_id)


def _places(task: TaskRow | None, event: Event) -> int | None:
    if task is None:
        return None
    return event.rule_set.places_per_task if task.places is None else task.places


def _decisions(claim: ClaimRow, viewer: Person, now: datetime, *, organizes: bool) -> list[log.LogEntry]:
    found = list(undoable.with_claimants(Decision.objects.filter(claim=claim.pk)))
    may = undoable.list_undoable(found, viewer=viewer, organizes=organizes, now=now)
    found.sort(key=lambda decision: (decision.at, decision.pk), reverse=True)
    return [log.entry_of(decision, may) for decision in found[:_DECISIONS_SHOWN]]


def rule_on_candidates(item: DeskItem, rows: DeskRows, event: Event) -> list[tuple[TaskRow, policy.Ruling]]:
    """What the rules say to a comment's author about each task that it might mean, as of the comment. Four queries."""
    if item.comment is None or not item.candidates:
        return []
    author = item.comment.author
    asker = Asker(event, author, item.comment.updated_at)
    missing = rows.missing_for(item.candidates)
    me = author.whole_id
    found = []
    for task in item.candidates:
        on_it = [row for row in rows.claims if row.task_id == task.pk]
        here = OnTask.of(
            [Claim(standing=row.standing) for row in on_it],
            missing=missing.get(task.pk, ()),
            own=[Claim(standing=row.standing) for row in on_it if me in rows.people_of(row)],
        )
        found.append((task, policy.judge(asker.rules, asker.on(task.as_task(event), here))))
    return found


def rule_on_item(item: DeskItem, rows: DeskRows, event: Event, now: datetime) -> policy.Ruling | None:
    """What the rules say of letting in whoever asks, is out, or works without a claim; None of anybody else. Eight queries at most."""
    claim = item.claim
    if item.task is None or (claim is not None and not item.may_be_let_in):
        return None
    asker = _asker_of(item, claim, event, now)
    if asker is None:
        return None
    beside = [
        row for row in rows.claims if row.task_id == item.task.pk and (claim is None or row.pk != claim.pk)
    ]
    return rule_on_admission(
        asker,
        item.task.as_task(event),
        [Claim(standing=row.standing) for row in beside],
        own=[Claim(standing=row.standing) for row in beside if asker.people & rows.people_of(row)],
        missing=rows.missing_for([item.task]).get(item.task.pk, ()),
        is_in_line=item.standing == Claim.Standing.WAITING,
    )


def _asker_of(item: DeskItem, claim: ClaimRow | None, event: Event, now: datetime) -> Asker | None:
    kind, pk = claim.whose if claim is not None else ("person", item.link.author if item.link else 0)
    team = Team.objects.filter(pk=pk).first() if kind == "team" else None
    person = Person.objects.filter(pk=pk).first() if kind == "person" else None
    return Asker(event, person, now, team=team) if team or person else None


@dataclass(frozen=True, slots=True)
class PutOff:
    """A comment that was put off the list lately, with who did it."""

    comment: IssueComment
    entry: AuditEntry


def list_put_off(event: Event, *, viewer: Person, organizes: bool, now: datetime) -> list[PutOff]:
    """The comments that this person put off the list within a day (organizers: everybody), the latest first; two queries."""
    entries = undoable.put_off_since(now).filter(event_id=event.pk)
    if not organizes:
        entries = entries.filter(actor=viewer)
    latest = list(entries.select_related("actor").order_by("-pk")[:100])
    comments = find_comments(event, [entry.target_id for entry in latest])
    shown = []
    for entry in latest:
        comment = comments.get(entry.target_id)
        if comment is not None and comment.handled_at == entry.at:
            shown.append(PutOff(comment, entry))
    return shown


@dataclass(frozen=True, slots=True)
class Handled:
    """A decision that was made on the desk lately, for the tab of what is settled."""

    decision: Decision
    text: str
    is_undone: bool
    may_undo: bool


def list_handled(event: Event, *, viewer: Person, organizes: bool, now: datetime) -> list[Handled]:
    """What this person settled within a day (organizers: everybody's), the latest first; three queries."""
    recent = Decision.objects.filter(
        claim__task__event=event,
        recorded_at__gte=now - timedelta(hours=24),
        kind__in=undoable.KINDS,
        source__in=[Decision.Source.WEB, Decision.Source.COMMENT],
        decided_by__isnull=False,
    )
    if not organizes:
        recent = recent.filter(decided_by=viewer)
    claims = recent.values("claim_id")
    known = list(undoable.with_claimants(Decision.objects.filter(claim__in=claims)))
    may = undoable.list_undoable(known, viewer=viewer, organizes=organizes, now=now)
    shown = [
        d
        for d in known
        if undoable.reason_against(d, now) is None and (organizes or d.decided_by_id == viewer.pk)
    ]
    shown.sort(key=lambda decision: decision.pk, reverse=True)
    return [
        Handled(d, words.decided(d), is_undone=hasattr(d, "undone_by"), may_undo=d.pk in may)
        for d in shown[:100]
    ]
