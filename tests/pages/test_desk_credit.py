"""The desk says where co-authors wait for a mentor's word, to whoever may say it."""

from claims.models import CoAuthor, PullRequest
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

WORDS = "1 merge names co-authors, and nobody has settled who is credited"


def desk(scene: Scene, who: str) -> str:
    return client_of(getattr(scene, who)).get("/events/pir/desk/").content.decode()


def test_co_authors_of_a_merge_wait_until_a_mentor_has_said(scene: Scene) -> None:
    pull_request = PullRequest.objects.get()
    proposed = CoAuthor.objects.create(
        pull_request=pull_request, person=scene.bob, proposed_at=scenes.NOW, is_credited=None
    )
    assert WORDS not in desk(scene, "olga")  # it is open still
    PullRequest.objects.update(state="merged", merged_at=scenes.NOW)
    for who in ("olga", "mei"):
        html = desk(scene, who)
        assert WORDS in html
        assert f'href="/events/pir/tasks/{scene.tasks[1].pk}/#h-settling"' in html
    proposed.is_credited = False
    proposed.save()
    assert WORDS not in desk(scene, "olga")


def test_nobody_is_asked_about_their_own_or_about_tasks_of_others(scene: Scene) -> None:
    PullRequest.objects.update(state="merged", merged_at=scenes.NOW, author=scene.mei)
    CoAuthor.objects.create(
        pull_request=PullRequest.objects.get(), person=scene.bob, proposed_at=scenes.NOW, is_credited=None
    )
    assert WORDS in desk(scene, "olga")
    assert WORDS not in desk(scene, "mei")
    PullRequest.objects.update(author=scene.alice)
    scene.tasks[1].helpers.update(task=scene.tasks[0])
    assert WORDS not in desk(scene, "mei")
