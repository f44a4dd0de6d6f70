"""A quiet event answers with one reaction, exchanged when the comment changes; others with words, kept true in place."""

from claims.models import Notice, Reply
from portal import outbox
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.stand_in.cast import fetch


def be_quiet(*, quiet: bool = True) -> None:
    Event.objects.filter(slug="pir").update(rules={"quiet": quiet})


def reactions(scene: Scene, comment_id: int) -> list[str]:
    """What stands at GitHub under a comment."""
    [found] = [c for c in scene.driver.list_comments(REPOSITORY, NUMBER) if c["id"] == comment_id]
    counts = found["reactions"]
    return [name for name in ("+1", "eyes", "confused") if counts[name]]


class TestQuiet:
    def test_it_says_by_a_reaction_how_much_was_done(self, scene: Scene) -> None:
        be_quiet()
        texts = {
            "/claim 5": "+1",
            "/claim 6, 99": "eyes",
            "/claim 99": "confused",
            "我想做 5 这个题": "confused",
        }
        made = {scene.comment(NEWCOMER, text)["id"]: wanted for text, wanted in texts.items()}
        scene.settle()
        assert {pk: reactions(scene, pk) for pk in made} == {pk: [wanted] for pk, wanted in made.items()}
        assert scene.answers() == []

    def test_what_asks_for_nothing_gets_nothing(self, scene: Scene) -> None:
        be_quiet()
        made = scene.comment(NEWCOMER, "Nice work, everybody!")
        scene.settle()
        assert reactions(scene, made["id"]) == []
        assert not Reply.objects.exists()

    def test_it_is_exchanged_when_the_comment_is_edited(self, scene: Scene) -> None:
        be_quiet()
        made = scene.comment(NEWCOMER, "/claim 99")
        scene.settle()
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5")
        scene.settle()
        assert reactions(scene, made["id"]) == ["+1"]
        assert Reply.objects.get().reaction == "+1"
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5, 99")
        scene.settle()
        assert reactions(scene, made["id"]) == ["eyes"]

    def test_a_redelivery_reacts_once(self, scene: Scene) -> None:
        be_quiet()
        made = scene.comment(NEWCOMER, "/claim 5")
        scene.bring(scene.waiting() * 3)
        outbox.enqueue(
            "react_to_comment", key="again", payload={"reply": Reply.objects.get().pk}, now=scene.now()
        )
        scene.work()
        assert reactions(scene, made["id"]) == ["+1"]
        posted = [
            r for r in scene.driver.requests() if r["path"].endswith("/reactions") and r["method"] == "POST"
        ]
        assert len(posted) == 1

    def test_other_peoples_reactions_stay(self, scene: Scene) -> None:
        be_quiet()
        made = scene.comment(NEWCOMER, "/claim 99")
        scene.driver.set_token("token-of-other", OTHER)
        url = f"{scene.driver.base_url}/repos/{REPOSITORY}/issues/comments/{made['id']}/reactions"
        assert fetch(url, method="POST", token="token-of-other", data={"content": "confused"}).status == 201
        scene.settle()
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5")
        scene.settle()
        assert reactions(scene, made["id"]) == ["+1", "confused"]

    def test_words_come_in_place_of_the_reaction_when_it_is_no_longer_quiet(self, scene: Scene) -> None:
        be_quiet()
        made = scene.comment(NEWCOMER, "/claim 99")
        scene.settle()
        be_quiet(quiet=False)
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5")
        scene.settle()
        assert reactions(scene, made["id"]) == []
        assert len(scene.answers()) == 1

    def test_words_that_stand_are_kept_true_when_it_becomes_quiet(self, scene: Scene) -> None:
        made = scene.comment(NEWCOMER, "/claim 99")
        scene.settle()
        be_quiet()
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5")
        scene.settle()
        (answer,) = scene.answers()
        assert "`5` is yours" in answer
        assert reactions(scene, made["id"]) == []


class TestOvertaken:
    def lose(self, scene: Scene, text: str) -> int:
        """Somebody claims with this comment, and another one is merged first: with which pull request."""
        scene.comment(NEWCOMER, text)
        scene.comment(OTHER, "/claim 5")
        scene.settle()
        number = scene.open_pull_request(OTHER, "【PIR No.5】 done")
        scene.settle()
        scene.merge(number)
        scene.settle()
        return number

    def test_the_answer_to_the_claim_says_so_in_place_and_names_what_is_free(self, scene: Scene) -> None:
        self.lose(scene, "/claim 5")
        answers = scene.answers()
        assert len(answers) == 2
        assert "`5` is yours: claimed" in answers[0]
        assert "somebody else’s work was merged first" in answers[0]
        assert "thank you for taking part" in answers[0]
        assert "merged first" not in answers[1]
        assert scene.claim(5, NEWCOMER).standing == "superseded"
        kinds = Notice.objects.filter(person__login=NEWCOMER).values_list("kind", flat=True)
        assert list(kinds) == ["superseded"]

    def test_in_the_language_of_the_comment(self, scene: Scene) -> None:
        self.lose(scene, "【报名】：5")
        answer = scene.answers()[0]
        assert "<!-- since then -->" in answer
        assert "is yours" not in answer

    def test_it_is_taken_back_when_the_claim_is_open_again(self, scene: Scene) -> None:
        lost_to = self.lose(scene, "/claim 5")
        revert = scene.driver.revert(REPOSITORY, lost_to, ORGANIZER)["number"]
        scene.merge(revert)
        scene.settle()
        assert scene.claim(5, NEWCOMER).standing == "claimed"
        assert "merged first" not in scene.answers()[0]
        assert "`5` is yours: claimed" in scene.answers()[0]

    def test_a_quiet_event_tells_it_by_the_bell_alone(self, scene: Scene) -> None:
        be_quiet()
        self.lose(scene, "/claim 5")
        assert scene.answers() == []
        assert Notice.objects.filter(person__login=NEWCOMER, kind="superseded").exists()

    def test_a_task_without_places_in_words_is_inert(self, scene: Scene) -> None:
        scene.event.tasks.update(title="@everybody #1 `code`\n## head")
        self.lose(scene, "/claim 5")
        news = scene.answers()[0].partition("<!-- since then -->")[2]
        outside = "".join(news.split("`")[::2])
        assert "@everybody" not in outside
        assert "#1" not in outside


def test_what_arrives_three_times_is_told_once_and_the_import_tells_nobody(scene: Scene) -> None:
    assert not Notice.objects.exists()
    scene.comment(NEWCOMER, "/claim 5")
    scene.comment(OTHER, "/claim 5")
    number = scene.open_pull_request(OTHER, "【PIR No.5】 done")
    scene.driver.review(REPOSITORY, number, ORGANIZER, "approve")
    scene.merge(number)
    scene.bring(scene.waiting() * 3)
    scene.settle()
    told = Notice.objects.order_by("pk").values_list("person__login", "kind")
    assert sorted(told) == sorted(
        [
            (OTHER, "approved"),
            (OTHER, "completed"),
            (NEWCOMER, "superseded"),
            ("zrr1999", "superseded"),  # whom the table names for it
        ]
    )
