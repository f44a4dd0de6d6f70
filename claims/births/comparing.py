"""What a text, or another reading of it, would change of an event's tasks and claims. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from claims import words
from claims.models import Claim, Decision
from claims.operations.names import said
from tasks_board.documents.identity import identity_of_row, pair_rows
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import TrackingIssue
from tasks_board.operations.edits import rows_of_tasks


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that a row says otherwise, in words; `note` says what becomes of a claim that a person decided on."""

    what: str
    before: str
    after: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A task that is new, gone, or says something else."""

    kind: str  # new, changed, gone
    number: str
    title: str
    differences: Sequence[Difference]


def compare(
    tracking_issue: TrackingIssue, before: Reading, after: Reading, *, is_same_text: bool
) -> list[Change]:
    """Row by row; in the same text a row is known by its line. Three queries."""
    pairs = _pairs(before, after, is_same_text)
    decided = _decided(tracking_issue, before)
    changes = []
    for row, old in pairs:
        kind = "new" if old is None else "gone" if row is None else "changed"
        shown = row or old
        assert shown is not None  # noqa: S101 (one of the two is there)
        differences = _differences(old, row, decided.get(id(old), frozenset()))
        if kind != "changed" or differences:
            changes.append(Change(kind, shown.number or "", shown.title, differences))
    return changes


def _pairs(
    before: Reading, after: Reading, is_same_text: bool
) -> list[tuple[ReadTask | None, ReadTask | None]]:
    """New and old rows; rows that are gone follow."""
    old, new = before.tasks, after.tasks
    if is_same_text:
        places = {row.line: place for place, row in enumerate(old)}
        found = {place: places[row.line] for place, row in enumerate(new) if row.line in places}
    else:
        found = pair_rows(list(map(identity_of_row, old)), list(map(identity_of_row, new)))
    kept = set(found.values())
    paired: list[tuple[ReadTask | None, ReadTask | None]] = [
        (row, old[found[place]] if place in found else None) for place, row in enumerate(new)
    ]
    return [*paired, *((None, row) for place, row in enumerate(old) if place not in kept)]


def _differences(old: ReadTask | None, new: ReadTask | None, decided: frozenset[str]) -> list[Difference]:
    found = []
    if old is not None and new is not None:
        for what, one, other in (
            (_("number"), old.number or "", new.number or ""),
            (_("title"), old.title, new.title),
            (_("direction"), _directions(old), _directions(new)),
            (_("state"), words.state_word(old.state), words.state_word(new.state)),
            (_("mentors"), ", ".join(old.mentors), ", ".join(new.mentors)),
        ):
            if one != other:
                found.append(Difference(what, one, other))
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


def _decided(tracking_issue: TrackingIssue, before: Reading) -> Mapping[int, frozenset[str]]:
    """By row of the reading that holds: the claimants whose claims hold by a decision too."""
    tasks = list(tracking_issue.tasks.select_related("direction"))
    rows = rows_of_tasks(tasks, before)
    claims = Claim.objects.filter(task__in=tasks).select_related("person", "team")
    by_hand = claims.filter(Exists(Decision.objects.filter(claim=OuterRef("pk"))))
    found: dict[int, set[str]] = {}
    for claim in by_hand:
        key = f"@{claim.person.login.lower()}" if claim.person else f"team {str(claim.team).lower()}"
        if claim.task_id in rows:
            found.setdefault(id(rows[claim.task_id]), set()).add(key)
    return {row: frozenset(keys) for row, keys in found.items()}
