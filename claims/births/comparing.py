"""What a text, or another reading of it, would change of an event's tasks and claims. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from claims import words
from claims.models import Claim, Decision
from claims.operations.carrying import list_doubles
from claims.operations.names import said
from tasks_board.configurations.model import Assigned
from tasks_board.documents.identity import identity_of_row
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import Task, TrackingIssue
from tasks_board.operations.edits import OpenEdits, pair_with_rows, rows_of_tasks
from tasks_board.operations.following import find_texts_of, follow_rows, list_siblings


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that a row says otherwise, in words; `note` says what becomes of a claim that a person decided on."""

    what: str
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A task that is new, gone, back, or says something else; `kept` are the claims that stay with one that goes.

    `stands`: the text has a row of it. `where`: the text of the same event that its row moved to or came from, or in which
    it stands too.
    """

    kind: str  # new, changed, gone, back; moved, came, copy
    number: str
    title: str
    differences: Sequence[Difference]
    kept: Sequence[str] = ()
    stands: bool = True
    where: str = ""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row before and after, with the task that it is; None where there is none.

    `other`: the `kind` and `where` of a row that another text of the event has to do with.
    """

    task: Task | None
    old: ReadTask | None
    new: ReadTask | None
    other: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """What hangs on the tasks: their claims by task, those that hold by a decision, and the cells changed here."""

    claims: Mapping[int, Sequence[Claim]] = field(default_factory=dict)
    decided: Mapping[int, frozenset[str]] = field(default_factory=dict)
    edits: OpenEdits = field(default_factory=OpenEdits)


def compare(
    tracking_issue: TrackingIssue,
    before: Reading,
    after: Reading,
    *,
    is_same_text: bool,
    now: datetime,
    assigned: Assigned | None = None,
) -> list[Change]:
    """Row by row; in the same text a row is known by its line, in another as the import knows it.

    `assigned`: what a bot's configuration will say by number; None: what it says now.
    Queries grow with the event's texts, not with their rows.
    """
    holds = Assigned.from_json(tracking_issue.configuration)
    tasks = list_tasks(tracking_issue)
    if is_same_text:
        pairs = _pairs_by_line(tasks, before, after)
    else:
        pairs = _pairs_by_task(tracking_issue, tasks, before, after, now)
    known = _known(tasks)
    changes = []
    for pair in pairs:
        change = _change(pair, holds, holds if assigned is None else assigned, known)
        if change is not None:
            changes.append(change)
    return changes


def _pairs_by_line(tasks: Sequence[Task], before: Reading, after: Reading) -> list[_Pair]:
    """New and old rows; rows that are gone follow."""
    by_key = {task.pk: task for task in tasks}
    of_row = {id(row): by_key[pk] for pk, row in rows_of_tasks(tasks, before).items()}
    lines = {row.line: row for row in before.tasks}
    paired = []
    for row in after.tasks:
        old = lines.pop(row.line, None)
        paired.append(_Pair(of_row.get(id(old)), old, row))
    return [*paired, *(_Pair(of_row.get(id(row)), row, None) for row in lines.values())]


def list_tasks(tracking_issue: TrackingIssue) -> list[Task]:
    """The tasks of a text in its order; none of one that is only planned."""
    if tracking_issue.pk is None:
        return []
    return list(tracking_issue.tasks.select_related("direction").order_by("position", "pk"))


def _pairs_by_task(
    text: TrackingIssue, tasks: Sequence[Task], before: Reading, after: Reading, now: datetime
) -> list[_Pair]:
    """The same in another text, where a row is the task that the import will take it for."""
    old = rows_of_tasks(tasks, before)
    followed = follow_rows(event=text.event, tracking_issue=text, own=tasks, rows=after.tasks)
    found = pair_with_rows(tasks, after.tasks, OpenEdits.of(tasks), without=followed.places)
    unowned = {identity_of_row(row) for row in before.tasks} - set(map(identity_of_row, old.values()))
    elsewhere = {**followed.moved, **followed.held}
    texts = TrackingIssue.objects.in_bulk({task.tracking_issue_id for task in elsewhere.values()} - {None})
    paired = []
    for place, row in enumerate(after.tasks):
        if place in found:
            task = tasks[found[place]]
            paired.append(_Pair(task, old.get(task.pk), row))
        elif place in elsewhere:
            task = elsewhere[place]
            kind = "copy" if place in followed.held else "came"
            if kind == "came" or identity_of_row(row) not in unowned:
                where = str(texts[task.tracking_issue_id]) if task.tracking_issue_id else ""
                paired.append(_Pair(task, None, row, (kind, where)))
        else:
            paired.append(_Pair(None, None, row))
    stay = {tasks[place].pk for place in found.values()}
    gone = [task for task in tasks if task.pk in old and task.pk not in stay]
    homes = _new_homes(text, gone, now)
    for task in gone:
        home = ("moved", str(homes[task.pk])) if task.pk in homes else None
        paired.append(_Pair(task, old[task.pk], None, home))
    return paired


def _new_homes(text: TrackingIssue, gone: Sequence[Task], now: datetime) -> dict[int, TrackingIssue]:
    """The other texts of the event in which rows that leave this one stand, also under another number."""
    siblings = list_siblings(text) if gone else []
    doubles = {
        first.pk: sibling for sibling in siblings for first, _second in list_doubles(sibling, gone, now)
    }
    return find_texts_of(gone, among=siblings) | doubles


def _change(pair: _Pair, holds: Assigned, assigned: Assigned, known: _Known) -> Change | None:
    """What becomes of one row, or None if nothing does."""
    task, old, new = pair.task, pair.old, pair.new
    shown = new or old
    if shown is None:
        return None
    if pair.other is not None:
        kind, where = pair.other
        kept = _kept(task, known) if kind == "moved" else ()
        return Change(kind, *_named(shown, task), (), kept, stands=new is not None, where=where)
    was_off = (task.is_removed if task is not None else False) if old is None else is_off(old, holds)
    if old is None and task is None:
        kind = "new"
    elif new is None or is_off(new, assigned):
        kind = "changed" if was_off else "gone"
    else:
        kind = "back" if was_off else "changed"
    if new is None and was_off:
        return None
    differences = _differences(pair, known) if new is not None else []
    if kind == "changed" and not differences:
        return None
    kept = _kept(task, known) if kind == "gone" else ()
    return Change(kind, *_named(shown, task), differences, kept, stands=new is not None)


def _named(row: ReadTask, task: Task | None) -> tuple[str, str]:
    """Number and title, as the row says them, or else the task."""
    return row.number or (task.number if task else ""), row.title or (task.title if task else "")


def _kept(task: Task | None, known: _Known) -> list[str]:
    claims = known.claims.get(task.pk, ()) if task is not None else ()
    return [f"{claim.claimant}: {words.state_word(claim.standing)}" for claim in claims]


def is_off(row: ReadTask, assigned: Assigned) -> bool:
    """Whether a row is off the board: struck, or taken off by its number."""
    return row.removed or assigned.removes(row.number)


def _differences(pair: _Pair, known: _Known) -> list[Difference]:
    found = []
    old, new, task = pair.old, pair.new, pair.task
    if old is not None and new is not None:
        edited = known.edits.of_task(task) if task is not None else {}
        for key, what, one, other in (
            ("number", _("number"), old.number or "", new.number or ""),
            ("title", _("title"), old.title, new.title),
            ("direction", _("direction"), _directions(old), _directions(new)),
            ("difficulty", _("difficulty"), old.difficulty or "", new.difficulty or ""),
            ("url", _("link"), old.url or "", new.url or ""),
            ("description", _("description"), old.description or "", new.description or ""),
            ("state", _("state"), words.state_word(old.state), words.state_word(new.state)),
            ("mentors", _("mentors"), ", ".join(old.mentors), ", ".join(new.mentors)),
        ):
            if one != other:
                note = _("changed here too: you are asked which holds") if key in edited else ""
                found.append(Difference(what, one, other, note))
    decided = known.decided.get(task.pk, frozenset()) if task is not None else frozenset()
    return found + _claims(old, new, decided)


def _claims(old: ReadTask | None, new: ReadTask | None, decided: frozenset[str]) -> list[Difference]:
    said_before = said(old.claimants) if old else {}
    said_now = said(new.claimants) if new else {}
    found = []
    for key in {**said_before, **said_now}:
        one, other = said_before.get(key), said_now.get(key)
        if one is not None and other is not None and one[1] == other[1]:
            continue
        name = (other or one or said_before[key])[0].name
        stays = new is not None and other is None and key in decided
        note = _("stays: somebody claimed it here, or decided on it") if stays else ""
        found.append(Difference(name, _spoken(one), _spoken(other), note))
    return found


def _spoken(entry: tuple[object, tuple[str, tuple[str, ...]]] | None) -> str:
    if entry is None:
        return ""
    state, pull_requests = entry[1]
    return " ".join([words.state_word(state), *pull_requests])


def _directions(row: ReadTask) -> str:
    return ", ".join(filter(None, [row.section or "", *row.directions]))


def _known(tasks: Sequence[Task]) -> _Known:
    claims = Claim.objects.filter(task__in=tasks).select_related("person", "team").order_by("pk")
    by_hand = set(
        claims.filter(Exists(Decision.objects.filter(claim=OuterRef("pk")))).values_list("pk", flat=True)
    )
    shown: dict[int, list[Claim]] = {}
    decided: dict[int, set[str]] = {}
    for claim in claims:
        if claim.shown:
            shown.setdefault(claim.task_id, []).append(claim)
        if claim.pk in by_hand:
            key = f"@{claim.person.login.lower()}" if claim.person else f"team {str(claim.team).lower()}"
            decided.setdefault(claim.task_id, set()).add(key)
    whole = {task: frozenset(keys) for task, keys in decided.items()}
    return _Known(shown, whole, OpenEdits.of(tasks))
