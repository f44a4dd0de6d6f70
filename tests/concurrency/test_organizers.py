"""Two organizers, or one who clicks twice, do the same thing at the same moment."""

from collections.abc import Callable

import pytest

from claims.models import Claim, ImportDraft
from claims.operations import drafting, editing_tasks, naming, revising, texts
from claims.operations.drafting import Maker
from claims.operations.importing import IssueText
from claims.operations.task_desk import NewTask
from portal.common.errors import DomainError
from portal.models import Person, User
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations import events
from tasks_board.rules import Preset
from tests.concurrency.test_claims import NOON, at_once, event, person
from tests.concurrency.test_undoing import mentor

pytestmark = pytest.mark.django_db(transaction=True)
BODY = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 1 | One | @bare |\n| 2 | Two | |\n"


def codes(results: list[object]) -> list[str]:
    return sorted(result.code for result in results if isinstance(result, DomainError))


def test_a_preview_is_applied_once() -> None:
    of = event()
    olga = mentor(of, 90)

    def apply() -> object:
        return editing_tasks.change_tasks(
            event=of,
            additions=[NewTask({"title": "Anchor"})],
            acting_user=olga,
            now=NOON,
            newest_known=0,
        )

    assert codes(at_once(apply, apply, apply)) == ["stale_preview"] * 2
    assert Task.objects.filter(title="Anchor").count() == 1


def test_an_issue_is_added_once() -> None:
    of = event()
    olga = mentor(of, 90)
    text = IssueText("o/r", 7, "Form", BODY, NOON)

    def add() -> object:
        return texts.add_issue(event=of, text=text, acting_user=olga, now=NOON)

    assert codes(at_once(add, add, add)) == ["already_read"] * 2
    assert TrackingIssue.objects.count() == 1
    assert Task.objects.count() == 2


def test_what_was_looked_at_is_done_once() -> None:
    """Two tabs show the same differences; whoever comes second is shown what is left of them."""
    of = event()
    olga = mentor(of, 90)
    Event.objects.filter(pk=of.pk).update(status="running")
    issue = texts.add_issue(
        event=of, text=IssueText("o/r", 7, "Form", BODY, NOON), acting_user=olga, now=NOON
    )
    user = User.objects.create(username="olga", person=olga)
    newer = IssueText("o/r", 7, "Form", BODY + "| 3 | Three | |\n", NOON.replace(hour=13))
    drafts = [
        ImportDraft.objects.create(
            owner=user,
            repository="o/r",
            number=7,
            title="Form",
            body=newer.body,
            body_at=newer.at,
            created_at=NOON,
        )
        for _tab in range(3)
    ]
    issue.refresh_from_db()
    seen = revising.fingerprint(issue, revising.Update(newer, ReadingChoices()))

    def confirm(draft: ImportDraft) -> Callable[[], object]:
        return lambda: drafting.revise_event(
            draft=draft,
            maker=Maker(user, olga),
            slug=of.slug,
            choices=ReadingChoices(),
            seen=seen,
            now=NOON,
        )

    assert codes(at_once(*map(confirm, drafts))) == ["changed_meanwhile"] * 2
    assert Task.objects.filter(title="Three").count() == 1
    assert ImportDraft.objects.exclude(event=None).count() == 1
    assert confirm(ImportDraft.objects.exclude(event=None).get())() == of  # a second click finds it


def test_an_entry_of_a_file_is_begun_once() -> None:
    olga = mentor(event(), 90)
    maker = Maker(User.objects.create(username="olga", person=olga), olga)
    written = {"issue_name": "Form", "issue_url": "https://github.com/o/r/issues/7"}
    file = drafting.keep_file(maker=maker, entries=[written, {}], name="events.json", now=NOON)

    def take() -> object:
        text = IssueText("o/r", 7, "Form", BODY, NOON)
        return drafting.take_entry(file=file, maker=maker, place=1, text=text, now=NOON).pk

    begun = at_once(take, take, take)
    assert begun == [drafting.list_begun(file).get().pk] * 3


def test_an_address_of_an_event_is_given_once() -> None:
    def make() -> object:
        return events.create_event(
            name="Regatta", preset=Preset.HAPPY_OPEN_SOURCE, acting_user=None, now=NOON, slug="cup"
        )

    assert codes(at_once(make, make, make)) == ["slug_taken"] * 2
    assert Event.objects.filter(slug="cup").count() == 1


def test_texts_are_retired_and_read_again_without_waiting_crosswise() -> None:
    of = event()
    olga = mentor(of, 90)
    added = [
        texts.add_issue(
            event=of,
            text=IssueText(
                "o/r", n, "Form", BODY.replace("| 1 |", f"| {n}1 |").replace("| 2 |", f"| {n}2 |"), NOON
            ),
            acting_user=olga,
            now=NOON,
        )
        for n in (7, 8)
    ]

    def turn(text: TrackingIssue) -> Callable[[], object]:
        def act() -> object:
            for _ in range(3):
                texts.retire_text(tracking_issue=text, acting_user=olga, now=NOON)
                texts.read_text_again(tracking_issue=text, acting_user=olga, now=NOON)
            return None

        return act

    assert at_once(*(turn(text) for text in (*added, *reversed(added)))) == [None] * 4
    assert TrackingIssue.objects.filter(retired_at=None).count() == 2


def test_a_name_is_linked_once() -> None:
    of = event()
    olga, oscar, ann, ben = mentor(of, 90), mentor(of, 91), person(1), person(2)
    texts.add_issue(event=of, text=IssueText("o/r", 7, "Form", BODY, NOON), acting_user=olga, now=NOON)
    bare = Person.objects.get(login="bare")

    def link(to: Person, by: Person) -> Callable[[], object]:
        return lambda: naming.link_name(event=of, name=bare, person=to, acting_user=by, now=NOON)

    assert codes(at_once(link(ann, olga), link(ben, oscar), link(ann, oscar))) == ["linked_already"] * 2
    assert Claim.objects.get(task__number="1").person in (ann, ben)
