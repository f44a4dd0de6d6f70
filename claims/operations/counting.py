"""The figures and the people of an issue, counted from its tasks: what its blocks shall say, and where they say otherwise."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claims.models import Claim
from claims.operations.names import find_people
from tasks_board.documents.blocks import label_key, refresh_board, refresh_contributors
from tasks_board.documents.figures import Figures
from tasks_board.documents.model import BoardRow, ContributorCount, Reading, State
from tasks_board.models import Task, TrackingIssue


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure that the text states and the tasks do not bear out. `about`: a direction or a login; `key`: what is counted."""

    about: str
    key: str
    stated: int
    ours: int
    differs: bool = True


def refresh(body: str, *, tracking_issue: TrackingIssue, tasks: Sequence[Task], reading: Reading) -> str:
    """The body with its blocks brought up to date; the same body where it has none. Four queries at most."""
    if reading.board is not None:
        struck = [row.own_mark or State.OPEN for row in reading.tasks if row.removed]
        body = refresh_board(body, _figures(tracking_issue, tasks, reading.board, struck))
    if reading.contributors_block is not None:
        counts = _contributors(tasks, reading.contributors_block)
        body = refresh_contributors(body, counts, dialect=reading.dialect)
    return body


def note_stated(issue: TrackingIssue, reading: Reading) -> None:
    """Keep what a text states beside its rows, so that pages compare it without reading the text."""
    stated: dict[str, object] = {}
    if reading.board:
        struck = [str(row.own_mark or State.OPEN) for row in reading.tasks if row.removed]
        stated = {"board": [[row.label, dict(row.counts)] for row in reading.board], "struck": struck}
    if reading.contributors_block:
        stated["people"] = [[entry.login, entry.count] for entry in reading.contributors_block]
    if stated != issue.stated:
        issue.stated = stated
        issue.save(update_fields=["stated"])


def list_stated(tracking_issue: TrackingIssue) -> list[StatedFigure]:
    """Every figure that the text states, beside ours. Five queries at most; none where the text states nothing."""
    stated = tracking_issue.stated
    if not stated:
        return []
    tasks = list(tracking_issue.tasks.on_board().select_related("direction"))
    rows = [BoardRow(label, counts, {}) for label, counts in stated.get("board", ())]
    struck = [State(mark) for mark in stated.get("struck", ())]
    ours = {label_key(f.label): f for f in _figures(tracking_issue, tasks, rows, struck)} if rows else {}
    found: list[StatedFigure] = []
    for row in rows:
        figures = ours.get(label_key(row.label))
        found += _compared(row, figures) if figures else []
    people = [ContributorCount(login, count) for login, count in stated.get("people", ())]
    return found + (_compared_people(tasks, people) if people else [])


def stated_differences(tracking_issue: TrackingIssue) -> list[StatedFigure]:
    """Where the text that people agreed on states another figure than we count."""
    return [figure for figure in list_stated(tracking_issue) if figure.differs]


def _compared(row: BoardRow, figures: Figures) -> list[StatedFigure]:
    """autoTable counts struck rows too, so either count bears the text out."""
    plain, with_struck = figures.counts(), figures.counts(with_struck=True)
    return [
        StatedFigure(
            row.label or "", key, stated, plain[key], differs=stated not in (plain[key], with_struck[key])
        )
        for key, stated in row.counts.items()
    ]


def _compared_people(tasks: Sequence[Task], stated: Sequence[ContributorCount]) -> list[StatedFigure]:
    ours = {entry.login.lower(): entry for entry in _contributors(tasks, stated)}
    found = []
    for entry in stated:
        counted = ours.pop(entry.login.lower(), None)
        count = counted.count if counted else 0
        found.append(StatedFigure(entry.login, "done", entry.count, count, differs=count != entry.count))
    return found + [StatedFigure(entry.login, "done", 0, entry.count) for entry in ours.values()]


def _figures(
    issue: TrackingIssue, tasks: Sequence[Task], rows: Sequence[BoardRow], struck: Sequence[State]
) -> list[Figures]:
    """One for each row of the board whose direction we know, and for those that the configuration names.

    A board of one row, whatever its label, counts all tasks, unless a direction has its name.
    """
    by_name = _states_by_direction(tasks)
    configured = [str(name) for name, _ in issue.configuration.get("directions", ())]
    labels = {label_key(row.label): row.label for row in rows} | {label_key(n): n for n in configured}
    everything = Figures.of(None, [State(task.state) for task in tasks if task.state != "removed"], struck)
    found = [Figures.of(label, by_name[key]) for key, label in labels.items() if key in by_name and label]
    if len(rows) == 1 and not found:
        found = [Figures(rows[0].label, everything.states, everything.struck)]
    return found


def _states_by_direction(tasks: Sequence[Task]) -> Mapping[str, list[State]]:
    """The states of tasks by the key of each direction they belong to: their section, and the values of a column."""
    tags: dict[int, list[str]] = defaultdict(list)
    through = Task.also_in.through
    for task_id, name in through.objects.filter(task__in=tasks).values_list("task_id", "direction__name"):
        tags[task_id].append(name)
    found: dict[str, list[State]] = defaultdict(list)
    for task in tasks:
        names = [*tags[task.pk], *([task.direction.name] if task.direction else [])]
        for key in {label_key(name) for name in names}:
            if task.state != Task.State.REMOVED:
                found[key].append(State(task.state))
    return dict(found)


def _contributors(tasks: Sequence[Task], stated: Sequence[ContributorCount]) -> list[ContributorCount]:
    """How many tasks each person has finished; called as the line calls them, also by a former login."""
    done = Claim.objects.filter(
        task__in=tasks, shown=True, standing=Claim.Standing.DONE, person__isnull=False
    )
    counts: Counter[int] = Counter()
    known = find_people(entry.login for entry in stated)
    logins = {
        known[entry.login.lower()].pk: entry.login
        for entry in reversed(stated)
        if entry.login.lower() in known
    }
    for claim in done.select_related("person__canonical").order_by("created_at", "pk"):
        assert claim.person is not None  # noqa: S101 (asked for above)
        person = claim.person.canonical or claim.person
        counts[person.pk] += 1
        logins.setdefault(person.pk, person.login)
    return [ContributorCount(logins[pk], count) for pk, count in counts.items()]
