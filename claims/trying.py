"""What a pasted comment or title would do, were its reader to write it now: rule by rule and task by task. Writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext as _

from claims import board
from claims.explaining import Explanation, Line, comment_lines, read_for_event, title_lines
from claims.grammar.model import CommentReading, IntentKind
from claims.grammar.titles import read_title
from claims.operations.pull_requests import watching
from claims.operations.task_numbers import tasks_by_number, title_prefix
from claims.policy import Ruling, Verdict
from claims.words import rule as rule_in_words
from claims.words import state_word
from portal.models import Person
from tasks_board.models import Event, Task

MOST_TASKS = 60  # of one comment, as in an answer


def try_comment(
    text: str, *, event: Event, repository: str, viewer: Person | None, now: datetime
) -> Explanation:
    """What a comment under the event's issue asks for, and for each task it claims what the rules say to its reader."""
    author = viewer.login if viewer else ""
    reading = read_for_event(text, event=event, repository=repository, author=author)
    return Explanation(lines=[*comment_lines(reading), *_verdicts(reading, event, viewer, now)])


def try_title(text: str, *, event: Event, repository: str) -> Explanation:
    """Which tasks the title of a pull request in a repository names, in this event or in another that looks there."""
    others = [other for other in watching(repository) if other.pk != event.pk]
    reading = read_title(text, repository=repository, events=[title_prefix(one) for one in (event, *others)])
    meant = next((other for other in others if str(other.pk) == reading.event), None)
    lines = title_lines(reading if meant is None else replace(reading, event=None), event, repository)
    if meant is not None:
        lines.append(Line(False, _("It names another event"), meant.name))
        return Explanation(lines=lines)
    return Explanation(lines=[*lines, *_tasks_of_title(event, reading.tasks)])


def _verdicts(reading: CommentReading, event: Event, viewer: Person | None, now: datetime) -> Iterator[Line]:
    wanted = [n for intent in reading.intents if intent.kind is IntentKind.CLAIM for n in intent.tasks]
    by_number = tasks_by_number(event, wanted[:MOST_TASKS])
    single = [tasks[0] for tasks in by_number.values() if len(tasks) == 1]
    rows = {row.pk: row for row in board.list_rows_of(event, single, viewer=viewer, now=now)}
    taken = 0
    for number, tasks in by_number.items():
        if len(tasks) != 1:
            yield _shared(number)
            continue
        ruling = _after(taken, rows[tasks[0].pk].ruling)
        taken += ruling.allowed and not ruling.must_wait and not ruling.needs_mentor
        yield from _ruled(number, ruling)


def _after(taken: int, ruling: Ruling) -> Ruling:
    """The ruling once earlier numbers of the same comment are in hand."""
    return replace(ruling, verdicts=tuple(_counting(taken, verdict) for verdict in ruling.verdicts))


def _counting(taken: int, verdict: Verdict) -> Verdict:
    if verdict.rule != "open_claims_within_cap":
        return verdict
    held, cap = int(verdict.values["open"]) + taken, int(verdict.values["cap"])
    return replace(verdict, passed=held < cap, values={"open": held, "cap": cap})


def _ruled(number: str, ruling: Ruling) -> Iterator[Line]:
    about = _("No.%(number)s") % {"number": number}
    for verdict in ruling.failed:
        asks, answer = rule_in_words(verdict)
        yield Line(False, about, _("%(rule)s: %(answer)s") % {"rule": asks, "answer": answer})
    if ruling.allowed:
        yield Line(True, about, _outcome(ruling))


def _outcome(ruling: Ruling) -> str:
    if ruling.needs_mentor:
        return _("A mentor would be asked.")
    return _("You would wait in line.") if ruling.must_wait else _("It would be claimed.")


def _tasks_of_title(event: Event, numbers: Sequence[str]) -> Iterator[Line]:
    for number, tasks in tasks_by_number(event, numbers[:MOST_TASKS]).items():
        if len(tasks) != 1:
            yield _shared(number)
            continue
        is_over = tasks[0].state == Task.State.DONE
        yield Line(not is_over, _("No.%(number)s") % {"number": number}, state_word(tasks[0].state))


def _shared(number: str) -> Line:
    told = _("Several tasks have this number, so it names none of them.")
    return Line(False, _("No.%(number)s") % {"number": number}, told)
