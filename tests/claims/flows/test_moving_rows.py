"""Rows that people move between an event's texts stay the same tasks with the same claims, whichever text arrives first."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from claims.models import Claim, Decision
from claims.operations import claiming, issues
from claims.operations.issues import Revision
from portal.models import Person
from tasks_board.models import Event, EventRole, Task, TrackingIssue

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HEAD = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n"


@dataclass(frozen=True)
class Row:
    number: str
    title: str
    people: str = ""

    def line(self) -> str:
        return f"| {self.number} | {self.title} | {self.people} |\n"


def text(*rows: Row) -> str:
    return HEAD + "".join(row.line() for row in rows)


@dataclass
class Form:
    """An event with several texts, which change as people edit them."""

    event: Event
    minutes: int = 0

    @classmethod
    def of(cls, *bodies: str) -> "Form":
        event = Event.objects.create(
            slug="form", name="Form", kind="hackathon", status="running", created_at=NOON
        )
        form = cls(event)
        for number, body in enumerate(bodies, start=1):
            TrackingIssue.objects.create(event=event, repository="o/r", number=number)
            form.write(number, body)
        return form

    def write(self, number: int, body: str, *, editor: Person | None = None, now: datetime = NOON) -> None:
        self.minutes += 1
        at = now + timedelta(minutes=self.minutes)
        revision = Revision(body, at, editor)
        issue = TrackingIssue.objects.get(number=number)
        issues.apply_issue_revision(tracking_issue=issue, revision=revision, now=at)

    def task(self, number: str) -> Task:
        return Task.objects.get(event=self.event, number=number, is_removed=False)

    def claim(self, number: str, person: Person) -> None:
        self.minutes += 1
        at = NOON + timedelta(minutes=self.minutes)
        asked = claiming.Asked(Decision.Source.WEB, at, f"web:{number}:{person.pk}")
        claiming.claim_task(task=self.task(number), claimant=person, asked=asked, now=at)

    def board(self) -> dict[int, tuple[int | None, str, str, str]]:
        """Every task on the board by its key: in which text, number, title, state."""
        tasks = self.event.tasks.on_board().select_related("tracking_issue")
        return {
            t.pk: (t.tracking_issue.number if t.tracking_issue else None, t.number, t.title, t.state)
            for t in tasks
        }

    def claims(self) -> set[tuple[int, str, str]]:
        rows = Claim.objects.filter(
            task__event=self.event, task__is_removed=False, shown=True
        ).select_related("person", "team")
        return {(claim.task_id, str(claim.claimant), claim.standing) for claim in rows}


def somebody(login: str, github_id: int = 5) -> Person:
    return Person.objects.create(login=login, github_id=github_id)


ONE, TWO, THREE = Row("1", "Alpha op"), Row("2", "Beta op"), Row("3", "Gamma op", "@carl")


@pytest.fixture
def form(db: None) -> Form:
    return Form.of(text(ONE, TWO, THREE), text(Row("9", "Iota op")))


@pytest.mark.parametrize("leaves_first", [True, False], ids=["leaves first", "arrives first"])
class TestSplit:
    def move(self, form: Form, row: Row, *, leaves_first: bool, editor: Person | None = None) -> None:
        steps = [(1, text(ONE, TWO)), (2, text(Row("9", "Iota op"), row))]
        for number, body in steps if leaves_first else reversed(steps):
            form.write(number, body, editor=editor)

    @pytest.mark.parametrize(
        "row",
        [THREE, Row("3", "Gamma op"), Row("13", "Gamma op", "@carl"), Row("3", "Gamma op", "@carl @dora")],
        ids=["as it was", "without its names", "renumbered", "with one more"],
    )
    def test_the_task_goes_along_with_its_claims(self, form: Form, row: Row, leaves_first: bool) -> None:
        mei, before = somebody("mei"), form.board()
        form.claim("3", mei)
        task = form.task("3")
        self.move(form, row, leaves_first=leaves_first)
        now = form.board()
        assert set(now) == set(before)
        assert now[task.pk][:3] == (2, row.number, "Gamma op")
        assert {(task.pk, "mei", "claimed"), (task.pk, "carl", "claimed")} <= form.claims()
        assert ((task.pk, "dora", "claimed") in form.claims()) == ("@dora" in row.people)

    def test_what_was_done_with_the_copy_goes_along_too(self, form: Form, leaves_first: bool) -> None:
        task, mei = form.task("3"), somebody("mei")
        steps = [(1, text(ONE, TWO)), (2, text(Row("9", "Iota op"), Row("13", "Gamma op", "@carl")))]
        first, second = steps if leaves_first else reversed(steps)
        form.write(*first)
        if leaves_first:
            form.write(*second)
            form.claim("13", mei)
        else:
            form.claim("13", mei)
            form.write(*second)
        assert form.claims() == {(task.pk, "mei", "claimed"), (task.pk, "carl", "claimed")}
        assert Decision.objects.filter(claim__task=task, kind="claimed").count() == 1

    def test_nobody_is_made_to_say_what_stood_there(self, form: Form, leaves_first: bool) -> None:
        olga = somebody("olga", 8)
        EventRole.objects.create(event=form.event, person=olga, role="organizer", granted_at=NOON)
        self.move(form, Row("3", "Gamma op", "@carl"), leaves_first=leaves_first, editor=olga)
        assert not Decision.objects.exists()

    def test_it_moves_back(self, form: Form, leaves_first: bool) -> None:
        before, claims = form.board(), form.claims()
        self.move(form, THREE, leaves_first=leaves_first)
        steps = [(2, text(Row("9", "Iota op"))), (1, text(ONE, TWO, THREE))]
        for number, body in steps if leaves_first else reversed(steps):
            form.write(number, body)
        assert form.board() == before
        assert form.claims() == claims


class TestCopies:
    def test_a_row_in_two_texts_is_one_task_and_stays_where_it_was(self, form: Form) -> None:
        before = form.board()
        form.write(2, text(Row("9", "Iota op"), THREE))
        form.write(1, text(ONE, TWO, THREE) + "\nbye\n")
        assert form.board() == before

    def test_what_strangers_typed_into_the_copy_awards_nothing(self, form: Form) -> None:
        """An organizer who edits something else is not made to say it either."""
        olga, mallory = somebody("olga", 8), somebody("mallory", 9)
        EventRole.objects.create(event=form.event, person=olga, role="organizer", granted_at=NOON)
        copy = Row("3", "Gamma op", "✅@carl")
        form.write(2, text(Row("9", "Iota op"), copy), editor=mallory)
        form.write(2, text(Row("9", "Iota op!"), copy), editor=olga)
        form.write(1, text(ONE, TWO), editor=olga)
        assert not Decision.objects.exists()
        assert form.task("3").tracking_issue.number == 2  # type: ignore[union-attr]
        assert Claim.objects.get(person__login="carl").statements.filter(editor=None, state="done").exists()

    def test_two_tasks_that_are_called_alike_stay_two(self, form: Form) -> None:
        form.write(2, text(Row("9", "Iota op"), Row("10", "Alpha op")))
        assert sorted(number for _text, number, _title, _state in form.board().values()) == [
            "1",
            "10",
            "2",
            "3",
            "9",
        ]

    def test_a_like_number_in_another_form_is_another_task(self, form: Form) -> None:
        form.write(1, text(ONE, TWO))
        form.write(2, text(Row("9", "Iota op"), Row("3", "Something else")))
        assert len(form.board()) == 4
        assert not form.claims()

    def test_a_row_that_is_struck_or_deleted_leaves_the_board(self, form: Form) -> None:
        form.write(1, text(ONE, TWO))
        assert {entry[1] for entry in form.board().values()} == {"1", "2", "9"}
        form.write(1, text(ONE, TWO, THREE))
        assert {entry[1] for entry in form.board().values()} == {"1", "2", "3", "9"}


class TestAnyOrder(TestCase):
    """Rows of three texts are dealt anew among them; whichever text arrives first, the end is the same."""

    @settings(
        max_examples=4,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        homes=st.lists(st.integers(0, 2), min_size=5, max_size=5),
        new_homes=st.lists(st.integers(0, 2), min_size=5, max_size=5),
        renumbered=st.sets(st.integers(0, 4), max_size=2),
        nameless=st.sets(st.integers(0, 4), max_size=2),
        retold=st.booleans(),
    )
    def test_the_tasks_and_claims_are_the_same(
        self, homes: list[int], new_homes: list[int], renumbered: set[int], nameless: set[int], retold: bool
    ) -> None:
        rows = [Row(str(n + 1), f"Task {'abcde'[n] * 5}", f"@p{n}" if n % 2 else "") for n in range(5)]
        after = [
            Row(
                str(n + 21) if n in renumbered and homes[n] != new_homes[n] else row.number,
                row.title,
                "" if n in nameless and homes[n] != new_homes[n] else row.people,
            )
            for n, row in enumerate(rows)
        ]
        ends = []
        for order in permutations(range(3)):
            begin = transaction.savepoint()
            form = Form.of(
                *(text(*(r for r, h in zip(rows, homes, strict=True) if h == t)) for t in range(3))
            )
            keys = {task.pk: task.number for task in form.event.tasks.all()}
            for t in (*order, *(reversed(order) if retold else ())):
                form.write(t + 1, text(*(r for r, h in zip(after, new_homes, strict=True) if h == t)))
            board = {keys[pk]: entry for pk, entry in form.board().items()}
            ends.append((board, {(keys[pk], who, standing) for pk, who, standing in form.claims()}))
            transaction.savepoint_rollback(begin)
        assert len(ends[0][0]) == 5
        assert ends[0][1] == {(row.number, row.people[1:], "claimed") for row in rows if row.people}
        assert {entry[0] for entry in ends[0][0].values()} == {h + 1 for h in new_homes}
        for end in ends[1:]:
            assert end == ends[0]
