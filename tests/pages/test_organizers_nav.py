"""The organizers' navigation: on every one of their pages, with counts where something waits."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from claims.models import Claim, Statement, TableConflict
from claims.organizing.waiting import Waiting, count_waiting
from tasks_board.models import IssueRevision, TaskEdit, TaskHelper
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene

PAGES = {
    "": "Overview",
    "tasks/": "Tasks",
    "tasks/add": "Tasks",
    "issues/": "Issues",
    "reading/": "Reading",
    "writing/": "Writing",
    "people/": "People",
    "names/": "People",
    "registrations/": "People",
    "event/": "Event",
}


@pytest.fixture
def olga(scene: Scene) -> Client:
    return scenes.client_of(scene.olga)


def test_nothing_waits(scene: Scene) -> None:
    assert count_waiting(scene.event) == Waiting(0, 0, 0, 0, 0)


def test_what_waits_is_counted_in_one_query(scene: Scene, django_assert_num_queries: object) -> None:
    scenes.make_people(scene)
    settle_something(scene)
    with django_assert_num_queries(1):  # type: ignore[operator]  # pytest-django's fixture has no public type
        found = count_waiting(scene.event)
    assert found == Waiting(rows=1, ticks=1, mentors=1, cells=1, names=2)
    assert found.overview == 3


def settle_something(scene: Scene) -> None:
    """A row and a cell that both sides changed, a tick of the first text, a mentor with two tasks."""
    revision = IssueRevision.objects.create(tracking_issue=scene.issue, sha256="1", body="x", at=NOW)
    claim = scenes.make_claim(scene.tasks[3], scene.bob, "done", basis="statement")
    Statement.objects.create(claim=claim, state="done", revision=revision, at=NOW)
    TableConflict.objects.create(
        claim=Claim.objects.get(person=scene.alice),
        ours="pr_open",
        theirs="done",
        revision=revision,
        raised_at=NOW,
    )
    edit = {"task": scene.tasks[1], "base": "a", "value": "b", "made_by": scene.olga, "made_at": NOW}
    TaskEdit.objects.create(field="title", theirs="c", conflict_at=NOW + timedelta(hours=1), **edit)
    TaskEdit.objects.create(field="difficulty", **edit)
    for task in scene.tasks[2:4]:
        TaskHelper.objects.create(task=task, person=scene.alice, role="mentor")


@pytest.mark.parametrize("page", PAGES)
def test_it_stands_on_every_page_with_its_current_item(scene: Scene, olga: Client, page: str) -> None:
    settle_something(scene)
    answer = olga.get(f"/events/pir/organize/{page}", follow=True)
    text = answer.content.decode()
    nav = re.search(r'<nav class="mb-3" aria-label="Organize">(.*?)</nav>', text, re.DOTALL)
    assert nav is not None
    assert re.findall(r'aria-current="page">([^<]+)<', nav[1]) == [PAGES[page]]
    assert text.count('<h2 class="mb-3">Organize</h2>') == 1
    assert 'Overview<span class="rg-count">3</span>' in nav[1]
    assert 'Tasks<span class="rg-count">1</span>' in nav[1]


@pytest.mark.parametrize("page", ["", "tasks/", "people/"])
def test_a_mentor_is_not_let_in(scene: Scene, page: str) -> None:
    assert scenes.client_of(scene.mei).get(f"/events/pir/organize/{page}").status_code == 403


def test_a_comment_with_a_table_stands_beside_the_issues(scene: Scene, olga: Client) -> None:
    """Its alarm is seen, counted and settled like that of an issue; the masthead keeps to the issues."""
    issue = scene.issue
    comment = scene.event.tracking_issues.create(
        repository=issue.repository,
        number=issue.number,
        comment_id=77,
        writing="held",
        alarm="comment_deleted",
    )
    text = olga.get("/events/pir/organize/writing/").content.decode()
    assert f'action="/events/pir/organize/issues/{comment.pk}/alarm"' in text
    assert 'Writing<span class="rg-count">1</span>' in text
    assert f"/organize/issues/{comment.pk}/" in text
    assert "#issuecomment-77" not in scenes.client_of(scene.bob).get("/events/pir/").content.decode()
