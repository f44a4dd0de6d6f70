"""What mentors settle on the page of a task: forms that work without JavaScript, for those who may, and nobody else."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, CoAuthor, PullRequestLink
from claims.operations import standings
from tests.pages.scenes import NOW, Scene, client_of, make_claim, make_person, make_pull_request


@pytest.fixture
def merged(scene: Scene) -> Scene:
    """Bob's pull request for task 1 is merged, and alice is named beside him."""
    make_claim(scene.tasks[0], scene.bob, "claimed")
    made = make_pull_request(scene.tasks[0], scene.bob, 50, "merged")
    CoAuthor.objects.create(pull_request=made, person=scene.alice, proposed_at=NOW)
    standings.recompute_task(task=scene.tasks[0], now=NOW)
    return scene


def page_of(scene: Scene, person: object) -> str:
    address = f"/events/pir/tasks/{scene.tasks[0].pk}/"
    return client_of(person).get(address).content.decode()  # type: ignore[arg-type]


def test_only_who_decides_sees_it(merged: Scene) -> None:
    assert "For mentors" in page_of(merged, merged.olga)
    assert "Co-authors are proposed" in page_of(merged, merged.olga)
    for person in (None, merged.bob, merged.alice):
        assert "For mentors" not in page_of(merged, person)


def test_a_split_is_settled_by_a_form(merged: Scene) -> None:
    pr = merged.tasks[0].pull_request_links.get().pull_request
    where = f"/events/pir/tasks/{merged.tasks[0].pk}/pull-requests/{pr.pk}/credit"
    client = client_of(merged.olga)
    client.post(where, {f"share-{merged.alice.pk}": "lots"})
    assert CoAuthor.objects.get().is_credited is None
    client.post(where, {f"share-{merged.alice.pk}": "33.33"})
    assert CoAuthor.objects.get().share_points == 3333
    assert set(Claim.objects.filter(task=merged.tasks[0]).values_list("standing", flat=True)) == {"done"}
    assert "66.67 %" in page_of(merged, merged.olga)
    client_of(merged.bob).post(where, {f"share-{merged.alice.pk}": "1"})
    assert CoAuthor.objects.get().share_points == 3333


def test_a_pull_request_is_taken_off_and_on_again(merged: Scene) -> None:
    link = PullRequestLink.objects.get(task=merged.tasks[0])
    where = f"/events/pir/tasks/{merged.tasks[0].pk}/pull-requests/{link.pull_request_id}"
    client = client_of(merged.olga)
    for action, standing in (
        ("part", "partly_done"),
        ("whole", "done"),
        ("unlink", "claimed"),
        ("link", "done"),
    ):
        assert client.post(where, {"action": action}).status_code == 302
        assert Claim.objects.get(task=merged.tasks[0]).standing == standing
    listed = client.post(
        f"/events/pir/tasks/{merged.tasks[0].pk}/pull-requests", {"address": "that"}, follow=True
    )
    assert "Write one address" in listed.content.decode()


def test_steps_and_their_legs_show(merged: Scene) -> None:
    client = client_of(merged.olga)
    client.post(f"/events/pir/tasks/{merged.tasks[0].pk}/chain", {"chain": "proposal → code → docs"})
    html = client_of(None).get("/events/pir/tasks/").content.decode()
    assert "Proposal: still to come" in html
    assert "Docs: still to come" in html
    assert "was merged without a proposal" in page_of(merged, merged.olga)


def test_the_number_of_queries_does_not_grow(merged: Scene) -> None:
    client = client_of(merged.olga)
    counts = []
    for wave in range(2):
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/events/pir/tasks/{merged.tasks[0].pk}/")
        counts.append(len(queries))
        for number in range(3):
            somebody = make_person(f"extra-{wave}-{number}", 500 + 10 * wave + number)
            made = make_pull_request(merged.tasks[0], somebody, 600 + 10 * wave + number, "merged")
            CoAuthor.objects.create(pull_request=made, person=merged.alice, proposed_at=NOW)
    assert counts[0] == counts[1]
