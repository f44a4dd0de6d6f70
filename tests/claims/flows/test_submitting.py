"""`【提交】` names a pull request: the answer says that it is looked for, then what GitHub has there."""

from claims.models import PullRequestLink, Reply
from tests.claims.flows.scene import NEWCOMER, NUMBER, REPOSITORY, Scene


def submit(scene: Scene, number: int) -> str:
    """The answer to a comment that hands in a pull request."""
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    scene.comment(NEWCOMER, f"【提交】6 #{number}\nsee there")
    scene.settle()
    return scene.answers()[-1]


class TestAnswer:
    def test_what_was_found_is_noted(self, scene: Scene) -> None:
        number = scene.open_pull_request(NEWCOMER, "try")
        answer = submit(scene, number)
        assert f"`{REPOSITORY}#{number}`" in answer
        assert scene.claim(6, NEWCOMER).standing == "pr_open"
        [line] = reply_lines()
        assert line["code"] == "linked"

    def test_before_it_was_read_it_is_only_looked_for(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "【提交】6 #99999")
        scene.hear()
        [line] = reply_lines()
        assert line == {"number": "6", "code": "looked_for", "about": f"{REPOSITORY}#99999"}

    def test_a_number_that_github_has_not_is_said_with_the_right_form(self, scene: Scene) -> None:
        answer = submit(scene, 99999)
        assert f"`{REPOSITORY}#99999`" in answer
        assert "`【提交】：6 #12345`" in answer
        assert not PullRequestLink.objects.exists()

    def test_the_number_of_an_issue_is_none(self, scene: Scene) -> None:
        submit(scene, NUMBER)
        assert [line["code"] for line in reply_lines()] == ["not_found"]

    def test_a_correction_is_looked_for_again(self, scene: Scene) -> None:
        made = scene.comment(NEWCOMER, "【提交】6 #99999")
        scene.settle()
        number = scene.open_pull_request(NEWCOMER, "try")
        scene.settle()
        scene.driver.edit_comment(made["id"], NEWCOMER, f"【提交】6 #{number}")
        scene.settle()
        assert [line["code"] for line in reply_lines()] == ["linked"]
        (answer,) = scene.answers()
        assert "99999" not in answer

    def test_how_it_was_read_says_so_too(self, scene: Scene) -> None:
        made = scene.comment(NEWCOMER, "【提交】6 #99999")
        scene.settle()
        page = scene.client.get(f"/read/?about=issuecomment-{made['id']}").content.decode()
        assert "GitHub shows no pull request" in page


def reply_lines() -> list[dict[str, str]]:
    """What the last answer says of each number."""
    kept = Reply.objects.order_by("pk").last()
    assert kept is not None
    return list(kept.lines or ())
