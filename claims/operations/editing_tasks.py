"""Organizers change tasks, one or many at once: what a table carries goes out as edits of its cells, the rest is ours.

Every refused change says why; the others are done, or nothing at all, as the organizer chose. What follows for claims is
settled in the same transaction.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from claims import task_fields
from claims.operations import row_texts, standings, tables
from claims.operations.task_desk import NewTask, Refusal, Table, TaskChange, TaskDesk, check_not_added
from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Direction, Event, Task, TaskEdit, TrackingIssue
from tasks_board.numbers import sort_key, star_steps
from tasks_board.operations.edits import attributes_of, names_in

LONGEST_ECHO = 500  # characters of a value in the audit


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the tasks that are changed or new, and what was refused. `is_done`: whether anything was stored."""

    changed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    refused: tuple[Refusal, ...] = ()
    is_done: bool = True


@dataclass
class _Steps:
    """What is to be stored, as planned."""

    values: dict[int, dict[str, tuple[str, str]]] = field(default_factory=dict)  # task, field: old and new
    in_table: dict[int, dict[str, tuple[str, str]]] = field(
        default_factory=dict
    )  # task, table's field: base and value


@transaction.atomic
def change_tasks(
    *,
    event: Event,
    changes: Sequence[TaskChange] = (),
    additions: Sequence[NewTask] = (),
    acting_user: Person,
    now: datetime,
    all_or_nothing: bool = False,
    newest_known: int | None = None,
) -> Outcome:
    """Change and add tasks. With `all_or_nothing` one refusal leaves everything as it is.

    `newest_known`: the newest task when the additions were planned; what has come since is not added again.
    Raises NotAllowed, DomainError (stale_preview), LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    if newest_known is not None:
        locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))  # it may have no task yet to wait for
    desk = open_desk(event, [change.task for change in changes], additions)
    if newest_known is not None:
        check_not_added(event, additions, newest_known)
    refused: list[Refusal] = []
    steps = _plan(desk, changes, refused)
    new = _plan_additions(desk, additions, refused)
    if refused and all_or_nothing:
        return Outcome(refused=tuple(refused), is_done=False)
    added = [_add(desk, task, acting_user, now) for task in new]
    changed = _store(desk, steps, acting_user, now)
    touched = [*(desk.tasks[pk] for pk in changed), *added]
    if touched:
        standings.recompute_tasks(tasks=touched, now=now)
    for issue in {task.tracking_issue for task in touched if task.tracking_issue}:
        if issue.writing != TrackingIssue.Writing.MIRROR:
            tables.request_write_of(tracking_issue=issue, now=now)
    return Outcome(tuple(changed), tuple(task.pk for task in added), tuple(refused))


def try_changes(
    *, event: Event, changes: Sequence[TaskChange], additions: Sequence[NewTask], acting_user: Person
) -> tuple[Refusal, ...]:
    """What `change_tasks` would refuse as things stand. Stores and locks nothing. Raises NotAllowed."""
    rights.check_may_organize(event, acting_user)
    desk = TaskDesk.of(event, list(event.tracking_issues.select_related("event")))
    refused: list[Refusal] = []
    _plan(desk, changes, refused)
    _plan_additions(desk, additions, refused)
    return tuple(refused)


def open_desk(event: Event, task_ids: Collection[int], additions: Sequence[NewTask] = ()) -> TaskDesk:
    """The event's tasks under their locks: first the issues whose rows are concerned, then all tasks of the event."""
    concerned: set[int | None] = {addition.row_in for addition in additions}
    concerned.update(
        Task.objects.filter(pk__in=task_ids, event=event).values_list("tracking_issue", flat=True)
    )
    issues = locks.lock_rows(
        TrackingIssue.objects.filter(
            event=event, pk__in=[pk for pk in concerned if pk is not None]
        ).select_related("event")
    )
    locks.lock_rows(Task.objects.filter(event=event).only("pk"))
    return TaskDesk.of(event, issues)


# ----------------------------------------------------------------------------------------------- planning


def _plan(desk: TaskDesk, changes: Sequence[TaskChange], refused: list[Refusal]) -> _Steps:
    steps = _Steps()
    for change in changes:
        task = desk.tasks.get(change.task)
        if task is None:
            refused.append(
                Refusal(change.line, None, "", "unknown_task", _("This task is not in this event."))
            )
            continue
        intended = _readable(desk, change.values)
        for key, text in change.values.items():
            try:
                _plan_one(desk, steps, task, key, text, change.expected, intended)
            except DomainError as error:
                refused.append(Refusal(change.line, task.pk, key, error.code, str(error.message)))
    lines = {change.task: change.line for change in changes}
    for pk, name, code in list(desk.try_cells(steps.in_table)):
        steps.in_table[pk].pop(name)
        ours = next(own for own, theirs in task_fields.IN_TABLE.items() if theirs == name)
        steps.values[pk].pop(ours, None)
        steps.values[pk].pop("stars" if name == "difficulty" else "", None)
        refused.append(Refusal(lines[pk], pk, ours, code, desk.sentence_of(code)))
    return steps


def _readable(desk: TaskDesk, values: Mapping[str, str]) -> dict[str, str]:
    read = {}
    for key, text in values.items():
        with suppress(DomainError):  # said where the field's own turn comes
            read[key] = desk.texts.read(key, text)
    return read


def _plan_one(
    desk: TaskDesk,
    steps: _Steps,
    task: Task,
    key: str,
    text: str,
    expected: Mapping[str, str] | None,
    intended: Mapping[str, str],
) -> None:
    old = desk.texts.show(task, key)
    if expected is not None and key in expected and expected[key] != old:
        raise DomainError(
            "changed_meanwhile",
            _("Somebody changed this meanwhile, from “%(before)s” to “%(now)s”.")
            % {"before": expected[key][:80], "now": old[:80]},
        )
    new = desk.texts.read(key, text)
    if new == old:
        return
    desk.check(task, key, new, intended)
    cell = desk.cell_for(task, key, new)
    if cell is not None:
        name, base, value = cell
        earlier = steps.in_table.setdefault(task.pk, {}).get(name)
        if earlier is not None and earlier[1] != value:
            raise DomainError(
                "stars_differ",
                _("The table has one cell for the difficulty and its stars; these two differ."),
            )
        steps.in_table[task.pk][name] = (base, value)
    steps.values.setdefault(task.pk, {})[key] = (old, new)


def _plan_additions(desk: TaskDesk, additions: Sequence[NewTask], refused: list[Refusal]) -> list[NewTask]:
    planned = []
    for addition in additions:
        problems = []
        values = {}
        for key, text in ({"title": ""} | dict(addition.values)).items():
            try:
                values[key] = desk.texts.read(key, text)
            except DomainError as error:
                problems.append(Refusal(addition.line, None, key, error.code, str(error.message)))
        new = NewTask(values, addition.row_in, addition.line)
        if not problems:
            try:
                new = desk.prepare(new)
            except DomainError as error:
                problems.append(Refusal(addition.line, None, "", error.code, str(error.message)))
        refused += problems
        if not problems:
            planned.append(new)
    return planned


# ------------------------------------------------------------------------------------------------ storing


def _store(desk: TaskDesk, steps: _Steps, acting_user: Person, now: datetime) -> list[int]:
    changed = [pk for pk, values in steps.values.items() if values]
    renumbered: set[str] = set()
    for pk in changed:
        task, values = desk.tasks[pk], steps.values[pk]
        cells = steps.in_table.get(pk, {})
        for name, (base, value) in cells.items():
            _put_on_its_way(desk, task, name, base, value, acting_user, now)
            _set_from_table(desk, task, name, value)
        in_table = {ours for ours, theirs in task_fields.IN_TABLE.items() if theirs in cells}
        in_table |= {"stars"} if "difficulty" in cells else set()
        for key, (old, new) in values.items():
            if key not in in_table:
                _set(desk, task, key, new, has_stars="stars" in values)
            renumbered |= {old, new} if key == "number" else set()
        task.save()
        audit.record(
            "claims.task_changed",
            actor=acting_user,
            target=task,
            now=now,
            event_id=desk.event.pk,
            data={
                "fields": {
                    key: [old[:LONGEST_ECHO], new[:LONGEST_ECHO]] for key, (old, new) in values.items()
                }
            },
        )
    row_texts.request_relinking(event=desk.event, numbers=renumbered, now=now)
    return changed


def _put_on_its_way(
    desk: TaskDesk, task: Task, name: str, base: str, value: str, acting_user: Person, now: datetime
) -> None:
    edit = desk.edits.of_task(task).get(name)
    if edit is None:
        TaskEdit.objects.create(
            task=task, field=name, base=base, value=value, made_by=acting_user, made_at=now
        )
        return
    edit.value, edit.made_by, edit.made_at = value, acting_user, now
    is_on_its_way = (
        task.tracking_issue is not None and task.tracking_issue.writing != TrackingIssue.Writing.MIRROR
    )
    if value == edit.base and not is_on_its_way:
        edit.settled_at, edit.settled_by, edit.outcome = now, acting_user, TaskEdit.Outcome.TAKEN_BACK
    edit.save()


def _set_from_table(desk: TaskDesk, task: Task, name: str, value: str) -> None:
    for attribute, stored in attributes_of(name, value).items():
        setattr(task, attribute, stored)
    if name == "direction":
        desk.tag(task, names_in(value))


def _set(desk: TaskDesk, task: Task, key: str, new: str, *, has_stars: bool) -> None:
    """A field that is ours alone."""
    if key == "requires":
        task.requires.set(desk.texts.read_requires(new))
        return
    if key == "directions":
        desk.tag(task, names_in(new))
        return
    own = _OWN.get(key)
    wanted = own(desk, new) if own else attributes_of(task_fields.IN_TABLE[key], new)
    if key == "difficulty" and (has_stars or wanted["star_steps"] is None):
        wanted.pop("star_steps")
    for attribute, value in wanted.items():
        setattr(task, attribute, value)


_OWN: Mapping[str, Callable[[TaskDesk, str], dict[str, Any]]] = {
    "number": lambda desk, new: {"number": new, "sort_key": sort_key(new), "number_is_ours": False},
    "section": lambda desk, new: {
        "direction": desk.direction(Direction.Source.SECTION, new) if new else None
    },
    "stars": lambda desk, new: {"star_steps": star_steps(new or None)},
    "places": lambda desk, new: {"places": int(new) if new else None},
    "claims_open": lambda desk, new: {"claims_open_at": task_fields.read_time(new, desk.event.time_zone)},
    "claims_close": lambda desk, new: {
        "claims_close_at": task_fields.read_time(new, desk.event.time_zone, is_end=True)
    },
    "chain": lambda desk, new: {"chain": [step.to_json() for step in task_fields.read_steps(new)]},
}


def _add(desk: TaskDesk, new: NewTask, acting_user: Person, now: datetime) -> Task:
    values = new.values
    issue = desk.issues[new.row_in].issue if new.row_in is not None else None
    task = Task(
        event=desk.event,
        tracking_issue=issue,
        row_wanted_at=now if issue else None,
        number_is_ours=new.number_is_ours,
        position=desk.next_position(),
        created_at=now,
    )
    task.number, task.sort_key = values["number"], sort_key(values["number"])
    task.title = values["title"]
    task.save()
    for key, value in values.items():
        if key not in ("number", "title") and value:
            _set(desk, task, key, value, has_stars=bool(values.get("stars")))
    task.save()
    audit.record(
        "claims.task_added",
        actor=acting_user,
        target=task,
        now=now,
        event_id=desk.event.pk,
        data={"number": task.number, "title": task.title[:LONGEST_ECHO], "row_in": new.row_in},
    )
    row_texts.request_relinking(event=desk.event, numbers=[task.number], now=now)
    return task


# ----------------------------------------------------------------------------- taking away, bringing back


@transaction.atomic
def remove_tasks(
    *, event: Event, tasks: Collection[int], acting_user: Person, now: datetime, restore: bool = False
) -> Outcome:
    """Take tasks that were made here off the board, or bring them back; claims and history stay.

    What stands in a table is struck there. Raises NotAllowed, LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    desk = open_desk(event, tasks)
    refused, changed = [], []
    for pk in tasks:
        task = desk.tasks.get(pk)
        if task is None:
            refused.append(Refusal(0, None, "", "unknown_task", _("This task is not in this event.")))
        elif task.tracking_issue is not None and task.row_wanted_at is None:
            words = _("This task stands in the issue. Strike its row there, or put it back there.")
            refused.append(Refusal(0, pk, "", "stands_in_issue", words))
        elif task.is_removed is restore:
            task.is_removed = not restore
            task.tracking_issue = task.row_wanted_at = None
            task.save(update_fields=["is_removed", "tracking_issue", "row_wanted_at"])
            action = "claims.task_restored" if restore else "claims.task_removed"
            audit.record(action, actor=acting_user, target=task, now=now, event_id=event.pk)
            changed.append(pk)
    if changed:
        standings.recompute_tasks(tasks=[desk.tasks[pk] for pk in changed], now=now)
        row_texts.request_relinking(event=event, numbers=[desk.tasks[pk].number for pk in changed], now=now)
    return Outcome(changed=tuple(changed), refused=tuple(refused))


@transaction.atomic
def settle_cell_conflict(*, edit: TaskEdit, keep_ours: bool, acting_user: Person, now: datetime) -> TaskEdit:
    """A cell that both sides changed: write ours over theirs, or keep theirs. Raises NotAllowed, DomainError, LockBusy."""
    rights.check_may_organize(edit.task.event, acting_user)
    desk = open_desk(edit.task.event, [edit.task_id])
    task = desk.tasks[edit.task_id]
    found = desk.edits.of_task(task).get(edit.field)
    if found is None or found.pk != edit.pk or found.conflict_at is None:
        raise DomainError("settled_already", _("This is settled already."))
    issue = task.tracking_issue
    if keep_ours:
        Table.check_writing(issue)
        found.base, found.theirs, found.conflict_at = found.theirs, "", None
        _set_from_table(desk, task, found.field, found.value)
        task.save()
    else:
        found.settled_at, found.settled_by, found.outcome = now, acting_user, TaskEdit.Outcome.THEIRS
    found.save()
    audit.record(
        "claims.cell_conflict_settled",
        actor=acting_user,
        target=task,
        now=now,
        event_id=task.event_id,
        data={
            "field": found.field,
            "kept": "ours" if keep_ours else "theirs",
            "value": found.value[:LONGEST_ECHO],
        },
    )
    standings.recompute_task(task=task, now=now)
    if issue is not None and keep_ours:
        tables.request_write_of(tracking_issue=issue, now=now)
    return found
