"""What a text, or another reading of it, would change of an event's tasks and claims. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from claims import words
from claims.models import Claim, Decision
from claims.operations.names import said
from tasks_board.configurations.model import Assigned
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import Task, TrackingIssue
from tasks_board.operations.edits import OpenEdits, rows_of_tasks


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

    `stands`: the text has a row of it.
    """

    kind: str  # new, changed, gone, back
    number: str
    title: str
    differences: Sequence[Difference]
    kept: Sequence[str] = ()
    stands: bool = True


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row before and after, with the task that it is; None where there is none."""

    task: Task | None
    old: ReadTask | None
    new: ReadTask | None


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
    assigned: Assigned | None = None,
) -> list[Change]:
    """Row by row; in the same text a row is known by its line, in another as the import knows it. Six queries at most.

    `assigned`: what a bot's configuration will say by number; None: what it says now.
    """
    holds = Assigned.from_json(tracking_issue.configuration)
    tasks = list(tracking_issue.tasks.select_related("direction").order_by("position", "pk"))
    pairs = _pairs_by_line(tasks, before, after) if is_same_text else _pairs_by_task(tasks, before, after)
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


def _pairs_by_task(tasks: Sequence[Task], before: Reading, after: Reading) -> list[_Pair]:
    """The same in another text, where a row is the task that the import will take it for."""
    by_key = {task.pk: task for task in tasks}
    old = rows_of_tasks(tasks, before)
    new = rows_of_tasks(tasks, after)
    of_row = {id(row): pk for pk, row in new.items()}
    paired = []
    for row in after.tasks:
        pk = of_row.get(id(row))
        paired.append(_Pair(by_key[pk], old.get(pk), row) if pk is not None else _Pair(None, None, row))
    gone = [task for task in tasks if task.pk in old and task.pk not in new]
    return [*paired, *(_Pair(task, old[task.pk], None) for task in gone)]


def _change(pair: _Pair, holds: Assigned, assigned: Assigned, known: _Known) -> Change | None:
    """What becomes of one row, or None if nothing does."""
    task, old, new = pair.task, pair.old, pair.new
    shown = new or old
    if shown is None:
        return None
    was_off = (task.is_removed if task is not None else False) if old is None else _is_off(old, holds)
    is_off = new is None or _is_off(new, assigned)
    if old is None and task is None:
        kind = "new"
    elif is_off:
        kind = "changed" if was_off else "gone"
    else:
        kind = "back" if was_off else "changed"
    if new is None and was_off:
        return None
    differences = _differences(pair, known) if new is not None else []
    if kind == "changed" and not differences:
        return None
    kept = []
    if kind == "gone" and task is not None:
        kept = [
            f"{claim.claimant}: {words.state_word(claim.standing)}" for claim in known.claims.get(task.pk, ())
        ]
    number = shown.number or (task.number if task is not None else "")
    title = shown.title or (task.title if task is not None else "")
    return Change(kind, number, title, differences, kept, stands=new is not None)


def _is_off(row: ReadTask, assigned: Assigned) -> bool:
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
