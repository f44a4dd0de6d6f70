"""A task's page: who is on it and why it stands so, the rules' verdict, the log."""

from claims.models import Review, Statement
from tasks_board.models import IssueRevision
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of


def page(scene: Scene, who: str | None, number: int = 1, language: str = "en") -> str:
    client = client_of(getattr(scene, who) if who else None, language)
    return client.get(f"/events/pir/tasks/{scene.tasks[number].pk}/").content.decode()


def test_it_says_why_a_claim_stands_so(scene: Scene) -> None:
    html = page(scene, None)
    assert "PaddlePaddle/Paddle#7 is open" in html
    assert "alice claimed the task" in html
    assert "PaddlePaddle/Paddle#7 已提交，待评审" in page(scene, None, language="zh-hans")


def test_it_shows_the_verdict_of_every_rule(scene: Scene) -> None:
    html = page(scene, "bob")
    assert "You can claim No.2" in html
    assert "The event is running" in html
    done = page(scene, "bob", 2)
    assert "No.3 cannot be claimed now" in done
    assert "data-fail" in done


def test_it_speaks_of_others_only_where_somebody_is_at_work(scene: Scene) -> None:
    hint = "Others are on it"
    assert hint in page(scene, "bob")
    assert hint not in page(scene, "alice")
    scene.tasks[1].claims.update(standing="withdrawn")
    scene.tasks[1].pull_request_links.all().delete()
    assert hint not in page(scene, "bob")
    scenes.make_claim(scene.tasks[2], scene.alice, "done")
    assert hint not in page(scene, "bob", 2)


def test_it_judges_nobody_who_is_done(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[2], scene.alice, "done")
    html = page(scene, "alice", 2)
    assert "You have completed No.3" in html
    assert "data-fail" not in html
    assert "The task can be claimed" not in html


def test_it_offers_release_to_the_claimant_and_sign_in_to_strangers(scene: Scene) -> None:
    assert "/release" in page(scene, "alice")
    stranger = page(scene, None)
    assert "Sign in to claim" in stranger
    assert f'/tasks/{scene.tasks[1].pk}/claim"' not in stranger


def test_it_keeps_facts_statements_decisions_and_doubts_apart(scene: Scene) -> None:
    claim = scene.tasks[1].claims.get()
    claim.doubts = [{"code": "table_says", "about": "done", "at": scenes.NOW.isoformat()}]
    claim.save()
    revision = IssueRevision.objects.create(tracking_issue=scene.issue, sha256="a" * 64, at=scenes.NOW)
    Statement.objects.create(claim=claim, state="done", editor=scene.bob, revision=revision, at=scenes.NOW)
    Review.objects.create(
        pull_request=scene.tasks[1].pull_request_links.get().pull_request,
        github_id=1,
        reviewer=scene.mei,
        association="NONE",
        state="approved",
        submitted_at=scenes.NOW,
    )
    html = page(scene, None)
    for kind in ("fact", "statement", "decision", "doubt"):
        assert f'<li data-kind="{kind}"' in html
    assert "nobody entitled has confirmed it" in html
    assert "The table says of alice: Done" in html


def test_it_belongs_to_one_event(scene: Scene) -> None:
    scenes.make_event("other")
    assert client_of(None).get(f"/events/other/tasks/{scene.tasks[0].pk}/").status_code == 404
