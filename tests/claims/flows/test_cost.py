"""What an event costs does not grow with the table, nor with how many claim one task."""

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision
from claims.operations import issues, standings, tables
from claims.operations.decisions import get_or_create_claim, record_decision
from claims.operations.issues import Revision
from portal.models import Person
from tasks_board.models import Event, Task, TrackingIssue

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def body(rows: int, extra: str = "") -> str:
    head = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n"
    ticked = (f"| {n} | Title {n} | @user{n} ✅ |\n" for n in range(2, rows + 1))
    return f"{head}| 1 | Title 1 | {extra}|\n" + "".join(ticked)


def issue(rows: int) -> TrackingIssue:
    event = Event.objects.create(
        slug=f"of-{rows}", name="E", kind="happy_open_source", status="running", created_at=NOON
    )
    made = TrackingIssue.objects.create(event=event, repository="o/r", number=rows)
    issues.apply_issue_revision(tracking_issue=made, revision=Revision(body(rows), NOON), now=NOON)
    made.refresh_from_db()
    return made


def cost_of_an_edit(rows: int) -> int:
    made = issue(rows)
    revision = Revision(body(rows, "@newcomer "), NOON + timedelta(hours=1))
    with CaptureQueriesContext(connection) as queries:
        issues.apply_issue_revision(tracking_issue=made, revision=revision, now=NOON)
    return len(queries)


def test_an_edit_of_one_row_costs_the_same_in_a_long_table(db: None) -> None:
    Person.objects.create(github_id=1, login="newcomer")
    assert cost_of_an_edit(40) <= cost_of_an_edit(10)


def cost_of_recomputing(task: Task, claims: int) -> int:
    for number in range(claims):
        person = Person.objects.create(github_id=number + 1000 * claims, login=f"p-{claims}-{number}")
        claim, _created = get_or_create_claim(task=task, person=person, team=None, at=NOON)
        record_decision(
            claim=claim,
            kind=Decision.Kind.CLAIMED,
            at=NOON,
            decided_by=person,
            source=Decision.Source.WEB,
            key=person.login,
            now=NOON,
        )
    standings.recompute_task(task=task, now=NOON)
    with CaptureQueriesContext(connection) as queries:
        standings.recompute_task(task=task, now=NOON)
    return len(queries)


def test_deriving_a_task_costs_the_same_with_many_claims(db: None) -> None:
    made = issue(5)
    few, many = made.tasks.get(number="1"), made.tasks.get(number="2")
    assert cost_of_recomputing(many, 30) <= cost_of_recomputing(few, 2) + 2


def test_the_text_to_write_costs_the_same_for_many_differences(db: None) -> None:
    def cost(rows: int) -> int:
        made = issue(rows)
        Claim.objects.filter(task__tracking_issue=made).update(table_standing="claimed")
        with CaptureQueriesContext(connection) as queries:
            assert len(tables.text_to_write(made).wanted) == rows - 1
        return len(queries)

    assert cost(20) == cost(4)
