"""What a text of a comment asks for beyond the texts that are known, and the carrying out of it.

A comment is a row of texts in time. Each acts on its difference to the one before it, dated as it was written, so that the
same is asked for whatever the order in which the texts arrive.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from claims.grammar.comments import read_comment
from claims.grammar.model import CommentReading, Intent, IntentKind
from claims.models import Claim, Decision, IssueComment
from claims.operations import claiming, team_forms
from claims.operations.task_numbers import removed_tasks_of, task_ids, tasks_by_number
from claims.replies import Line
from portal import locks, outbox
from portal.github import types
from portal.github.payloads import GHOST
from portal.models import Person
from tasks_board.documents.prose import without_tables
from tasks_board.models import Event, Task, Team, TrackingIssue
from tasks_board.operations.teams import team_of

_ACTS = (IntentKind.CLAIM, IntentKind.RELEASE)
# Where a claim stands so after it was claimed, the answer says that; a closed pull request is not forgotten by claiming again.
_SAID_ITSELF = ("requested", "waiting", "closed_unmerged")
_TAKEN = ("claimed", *_SAID_ITSELF)  # lines of a claim that was granted, or may be


@dataclass(frozen=True, slots=True)
class Written:
    """A text of a comment as GitHub has it.

    `edited_from` and `editor` where it is an edit and GitHub said so; `is_first` if it is the text that was created.
    """

    fact: types.Comment
    edited_from: str | None = None
    editor: types.Account | None = None
    is_first: bool = False
    is_by_issue_author: bool = False

    @property
    def is_by_its_author(self) -> bool:
        """Maintainers may edit anybody's comment; that puts no words into the author's mouth."""
        return self.editor is None or self.editor.id == self.fact.author.id


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked for at a moment."""

    at: datetime
    intents: tuple[Intent, ...]
    team: str | None = None  # as the form of four fields names it
    members: tuple[str, ...] = ()  # the logins beside it, where it claims


class Reader:
    """Reads the texts of one comment. Tables of tasks say nothing for their author where they are the event's own."""

    def __init__(self, issue: TrackingIssue, fact: types.Comment, *, without_tables: bool = False) -> None:
        self.issue, self.fact, self.without_tables = issue, fact, without_tables
        author = Person.objects.filter(github_id=fact.author.id).first()
        self.ids = task_ids(issue.event, also=removed_tasks_of(issue.event, author))

    def read(self, body: str, edited_from: str | None = None) -> CommentReading:
        """The reading of a text. Bots ask for nothing, nor does anybody whose account is gone."""
        author = self.fact.author
        return read_comment(
            self._said(body),
            author=author.login,
            author_type="Bot" if author.is_bot or author.id == GHOST.id else "User",
            repository=self.issue.repository,
            task_ids=self.ids,
            edited_from=None if edited_from is None else self._said(edited_from),
        )

    def _said(self, body: str) -> str:
        return without_tables(body, repository=self.issue.repository) if self.without_tables else body

    def difference(self, body: str, *earlier: str) -> tuple[Intent, ...]:
        """What a text asks for and the known one (the first of `earlier`) did not, and the release of what none keeps."""
        known = self.read(earlier[0]) if earlier else CommentReading()
        asked = {(kind, number) for kind in _ACTS for number in numbers_of(known.intents, kind)}
        readings = [self.read(body, before) for before in earlier] or [self.read(body)]
        return tuple(
            replace(intent, tasks=tasks)
            for intent in dict.fromkeys(intent for reading in readings for intent in reading.intents)
            if (tasks := tuple(n for n in intent.tasks if (intent.kind, n) not in asked))
        )

    def step(self, at: datetime, body: str, *earlier: str) -> Step:
        """What a text asks for beyond the earlier ones, from that moment on."""
        said = self.read(body)
        members = said.members if numbers_of(said.intents, IntentKind.CLAIM) else ()
        return Step(at, self.difference(body, *earlier), said.team, members)

    def first_claimed(self, written: "Written", stored: IssueComment | None) -> list[str]:
        """What a text claims that the one right before it did not."""
        previous = written.edited_from if written.edited_from is not None else stored and stored.body
        before = numbers_of(self.read(previous).intents, IntentKind.CLAIM) if previous else []
        claimed = numbers_of(self.read(written.fact.body).intents, IntentKind.CLAIM)
        return [number for number in claimed if number not in before and written.is_by_its_author]

    def dropped(self, body: str, earlier: str) -> tuple[Intent, ...]:
        """The release of what an earlier text claimed and this one does not keep."""
        own = numbers_of(self.read(body).intents, IntentKind.RELEASE)
        gone = numbers_of(self.read(body, earlier).intents, IntentKind.RELEASE)
        tasks = tuple(number for number in gone if number not in own)
        return (Intent(IntentKind.RELEASE, tasks),) if tasks else ()


def numbers_of(intents: Iterable[Intent], kind: IntentKind) -> list[str]:
    """The numbers that intents of one kind name."""
    return [number for intent in intents if intent.kind is kind for number in intent.tasks]


def steps_of(reader: Reader, written: Written, stored: IssueComment | None) -> list[Step]:
    """What the newest known text asks for. `stored` is the one known until now."""
    fact, previous = written.fact, written.edited_from
    if stored is not None:
        before = [stored.body, *([previous] if previous not in (None, stored.body) else [])]
        return _of_author(written, reader.step(fact.updated_at, fact.body, *filter(None, before)))
    if previous is None:
        return [reader.step(fact.updated_at, fact.body)]
    # An edit of a comment that we never saw: the text before it asked for something too.
    first = reader.step(fact.created_at, previous)
    return [first, *_of_author(written, reader.step(fact.updated_at, fact.body, previous))]


def steps_of_late(reader: Reader, written: Written, stored: IssueComment) -> list[Step]:
    """What an earlier text asks for that arrives after a later one; the later one may drop it again."""
    fact, previous = written.fact, written.edited_from
    said = reader.step(fact.updated_at, fact.body, *([] if previous is None else [previous]))
    later = Step(stored.updated_at, reader.dropped(stored.body, fact.body))
    return _of_author(written, said, later)


def _of_author(written: Written, *steps: Step) -> list[Step]:
    return list(steps) if written.is_by_its_author else []


@dataclass(frozen=True, slots=True)
class _Spoken:
    comment: IssueComment
    at: datetime
    now: datetime
    team: Team | None = None

    @property
    def event(self) -> Event:
        return self.comment.tracking_issue.event


def carry_out(comment: IssueComment, steps: Sequence[Step], now: datetime) -> list[Line]:
    """One operation for each task named; a refusal of one costs no other. Raises LockBusy."""
    own = _lock(comment, steps)
    lines: list[Line] = []
    for step in steps:
        lines += _carry_out_step(comment, step, own, now)
        own = own or team_of(comment.tracking_issue.event, comment.author)
    return lines


def _carry_out_step(comment: IssueComment, step: Step, own: Team | None, now: datetime) -> list[Line]:
    """What a text asks for, for the team that it names. A team that is made for it stays only if it got a task."""
    if step.team is None:
        return _carry_out_intents(_Spoken(comment, step.at, now), step.intents)
    claims = bool(numbers_of(step.intents, IntentKind.CLAIM))
    with transaction.atomic():
        undo = transaction.savepoint()
        named = _named(comment, step.team, own, now) if claims else _known(step.team, own)
        lines = _carry_out_intents(_Spoken(comment, step.at, now, named.team), step.intents)
        if named.is_new and not any(line.code in _TAKEN for line in lines):
            transaction.savepoint_rollback(undo)
            return _carry_out_intents(_Spoken(comment, step.at, now), step.intents)
        transaction.savepoint_commit(undo)
    invited = team_forms.invite_named(named.team, step.members, comment, now) if named.team else []
    return [*named.lines, *invited, *lines]


def _named(comment: IssueComment, name: str, own: Team | None, now: datetime) -> team_forms.Named:
    return team_forms.find_team(comment.tracking_issue.event, comment.author, name, own=own, now=now)


def _known(name: str, own: Team | None) -> team_forms.Named:
    """The author's own team, if that is whom a text names that claims nothing."""
    return team_forms.Named(own if own is not None and own.name.lower() == name.lower() else None)


def _carry_out_intents(spoken: _Spoken, intents: Sequence[Intent]) -> list[Line]:
    return [line for intent in intents for line in _carry_out_intent(spoken, intent)]


def _lock(comment: IssueComment, steps: Sequence[Step]) -> Team | None:
    """The person, their team, then every task that is named, by key: the order of the numbers is anybody's."""
    author = comment.author
    event = comment.tracking_issue.event
    locks.lock_rows(Person.objects.filter(pk=author.whole_id))
    team = team_of(event, author)
    if team is not None:
        locks.lock_rows(Team.objects.filter(pk=team.pk))
    named = {number for step in steps for intent in step.intents for number in intent.tasks}
    locks.lock_rows(Task.objects.filter(event=event, number__in=named).only("pk"))
    return team


def _carry_out_intent(spoken: _Spoken, intent: Intent) -> list[Line]:
    by_number = tasks_by_number(spoken.event, intent.tasks)
    if intent.kind is IntentKind.RELEASE:
        gone = removed_tasks_of(spoken.event, spoken.comment.author)
        by_number = {number: tasks or gone.get(number, []) for number, tasks in by_number.items()}
    if intent.kind is IntentKind.SUBMIT:
        return _submit(intent, by_number)
    if intent.kind is IntentKind.ALTERNATIVE:
        return [Line(number, _why_none(by_number[number]) or "alternative") for number in intent.tasks]
    return [_carry_out_one(spoken, intent.kind, number, by_number[number]) for number in intent.tasks]


def _why_none(tasks: Sequence[Task]) -> str:
    """Why a number does not name one task; empty if it does."""
    return "" if len(tasks) == 1 else "ambiguous" if tasks else "unknown"


def _carry_out_one(spoken: _Spoken, kind: IntentKind, number: str, tasks: list[Task]) -> Line:
    if why_none := _why_none(tasks):
        return Line(number, why_none)
    if kind is IntentKind.RELEASE:
        return _release(spoken, number, tasks[0])
    return _claim(spoken, number, tasks[0])


def _claim(spoken: _Spoken, number: str, task: Task) -> Line:
    try:
        claim = claiming.claim_task(
            task=task,
            claimant=spoken.comment.author,
            asked=_asked(spoken, IntentKind.CLAIM, task),
            now=spoken.now,
            team=spoken.team,
        )
    except claiming.ClaimRefused as refusal:
        failed = refusal.ruling.failed
        if [verdict.rule for verdict in failed] != ["not_claimed_by_you"]:
            return Line(number, "refused", refusal.ruling)
        held = str(failed[0].values["standing"])
        return Line(number, held if held in _SAID_ITSELF else "already")
    return Line(number, claim.standing if claim.standing in _SAID_ITSELF else "claimed")


def _release(spoken: _Spoken, number: str, task: Task) -> Line:
    asked = _asked(spoken, IntentKind.RELEASE, task)
    claim = claiming.release_task(task=task, claimant=spoken.comment.author, asked=asked, now=spoken.now)
    again = _claimed_again(spoken, number)
    if again is not None:
        _claim(replace(spoken, comment=again, at=again.updated_at), number, task)
    return Line(number, _release_code(claim))


def _claimed_again(spoken: _Spoken, number: str) -> IssueComment | None:
    """A later claim of the same task that said nothing new as long as this release had not arrived."""
    mine = IssueComment.objects.filter(
        tracking_issue=spoken.comment.tracking_issue,
        author=spoken.comment.author,
        updated_at__gt=spoken.at,
    )
    later = mine.select_related("tracking_issue__event", "author").order_by("-updated_at", "-pk")
    return next((comment for comment in later if number in comment.reading.get("claims", ())), None)


def _asked(spoken: _Spoken, kind: IntentKind, task: Task) -> claiming.Asked:
    key = f"comment:{spoken.comment.github_id}:{spoken.at.isoformat()}:{kind.value}:{task.pk}"
    return claiming.Asked(Decision.Source.COMMENT, spoken.at, key, spoken.comment)


def _release_code(claim: Claim) -> str:
    if not claim.shown:
        return "nothing"
    return "released" if claim.standing == "withdrawn" else "finished"


def _submit(intent: Intent, by_number: dict[str, list[Task]]) -> list[Line]:
    """The pull requests that a comment names for tasks are to be looked for, each by itself."""
    lines = []
    for number, tasks in by_number.items():
        why_none = _why_none(tasks) or ("" if intent.pull_requests else "unlinked")
        if why_none:
            lines.append(Line(number, why_none))
            continue
        lines += [Line(number, "looked_for", about=str(named)) for named in intent.pull_requests]
    return lines


def look_for(comment: IssueComment, lines: Sequence[Line], now: datetime) -> None:
    """Have the pull requests fetched and linked that a comment names; after its answer is locked, as when they are found."""
    named = [line for line in lines if line.code == "looked_for"]
    tasks = tasks_by_number(comment.tracking_issue.event, [line.number for line in named])
    for line in named:
        repository, _hash, number = line.about.rpartition("#")
        [task] = tasks[line.number]
        outbox.enqueue(
            "read_pull_request",
            key=f"{task.pk}:{comment.pk}:{line.about.lower()}",
            payload={
                "task": task.pk,
                "repository": repository,
                "number": int(number),
                "reason": "comment",
                "comment": comment.pk,
                "named": line.number,
            },
            now=now,
        )
