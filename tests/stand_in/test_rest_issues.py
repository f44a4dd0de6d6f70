import github
import pytest

from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import REPOSITORY, fetch


def _issue(driver: Driver, body: str = "| a | b |", author: str = "mei") -> int:
    return int(driver.create_issue(REPOSITORY, "Tasks", body, author)["number"])


class TestReading:
    def test_it_knows_the_owner_of_the_token(self, mei: github.Github) -> None:
        assert mei.get_user().login == "mei"

    def test_it_finds_users_by_login_in_any_case_and_by_id(self, driver: Driver, mei: github.Github) -> None:
        alice = mei.get_user("ALICE")
        assert alice.login == "alice"
        assert mei.get_user_by_id(alice.id).login == "alice"
        driver.rename_user("alice", "alice-of-the-sea")
        assert mei.get_user_by_id(alice.id).login == "alice-of-the-sea"
        with pytest.raises(github.UnknownObjectException):
            mei.get_user("alice")

    def test_it_shows_the_repository_and_its_permissions(
        self, mei: github.Github, alice: github.Github
    ) -> None:
        assert mei.get_repo(REPOSITORY).permissions.admin is True
        assert alice.get_repo(REPOSITORY).permissions.push is False
        assert mei.get_repo(REPOSITORY).get_collaborator_permission("alice") == "read"
        assert mei.get_repo(REPOSITORY).get_collaborator_permission("mei") == "admin"

    def test_it_sends_a_renamed_owners_repository_to_its_number(
        self, driver: Driver, mei: github.Github
    ) -> None:
        driver.create_repository("bob/skiff")
        driver.create_issue("bob/skiff", "Leak", "", "bob")
        driver.rename_user("bob", "bob-the-second")
        assert mei.get_repo("bob/skiff").full_name == "bob-the-second/skiff"

    def test_it_filters_by_state_label_and_since(self, driver: Driver, mei: github.Github) -> None:
        driver.create_issue(REPOSITORY, "Old", "", "mei", at="2026-01-01T00:00:00Z")
        driver.create_issue(REPOSITORY, "New", "", "mei", labels=["task"])
        driver.create_issue(REPOSITORY, "Done", "", "mei")
        driver.close(REPOSITORY, 3, "mei")
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues"
        titles = {
            query: [issue["title"] for issue in fetch(f"{url}?{query}").json]
            for query in ("", "state=all&direction=asc", "labels=task", "since=2026-02-01T00:00:00Z")
        }
        assert titles == {
            "": ["New", "Old"],
            "state=all&direction=asc": ["Old", "New", "Done"],
            "labels=task": ["New"],
            "since=2026-02-01T00:00:00Z": ["New"],
        }

    def test_it_answers_under_the_enterprise_prefix_with_its_own_addresses(self, driver: Driver) -> None:
        number = _issue(driver)
        answer = fetch(f"{driver.base_url}/api/v3/repos/{REPOSITORY}/issues/{number}").json
        assert answer["url"] == f"{driver.base_url}/api/v3/repos/{REPOSITORY}/issues/{number}"
        assert answer["html_url"] == f"{driver.base_url}/{REPOSITORY}/issues/{number}"


class TestWriting:
    def test_it_edits_a_body_and_keeps_the_history(self, driver: Driver, mei: github.Github) -> None:
        issue = mei.get_repo(REPOSITORY).get_issue(_issue(driver, "one"))
        issue.edit(body="two")
        driver.edit_issue(REPOSITORY, issue.number, "mei", "three")
        history = driver.issue_history(REPOSITORY, issue.number)
        assert [version["body"] for version in history] == ["one", "two", "three"]
        assert mei.get_repo(REPOSITORY).get_issue(issue.number).body == "three"

    def test_it_refuses_edits_of_others_issues_without_write_access(
        self, driver: Driver, alice: github.Github
    ) -> None:
        issue = alice.get_repo(REPOSITORY).get_issue(_issue(driver))
        with pytest.raises(github.GithubException) as refused:
            issue.edit(body="mine now")
        assert refused.value.status == 403
        driver.set_permission(REPOSITORY, "alice", "write")
        issue.edit(body="ours now")
        assert driver.get_issue(REPOSITORY, issue.number)["body"] == "ours now"

    @pytest.mark.parametrize(("length", "status"), [(65_536, 200), (65_537, 422)])
    def test_it_takes_65536_characters_and_no_more(self, driver: Driver, length: int, status: int) -> None:
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/{_issue(driver)}"
        answer = fetch(url, method="PATCH", data={"body": "好" * length})
        assert answer.status == status
        if status == 422:
            assert answer.json["errors"][0]["message"] == "body is too long (maximum is 65536 characters)"

    def test_it_opens_closes_and_labels(self, driver: Driver, mei: github.Github) -> None:
        repository = mei.get_repo(REPOSITORY)
        issue = repository.create_issue("A task", body="text", labels=["task"])
        issue.edit(state="closed", state_reason="not_planned")
        assert (issue.state, issue.state_reason) == ("closed", "not_planned")
        issue.edit(state="open")
        issue.add_to_labels("urgent")
        issue.remove_from_labels("task")
        assert [label.name for label in repository.get_issue(issue.number).labels] == ["urgent"]

    def test_it_assigns_only_people_with_a_tie(self, driver: Driver, mei: github.Github) -> None:
        issue = mei.get_repo(REPOSITORY).get_issue(_issue(driver))
        driver.comment(REPOSITORY, issue.number, "bob", "I am here")
        issue.add_to_assignees("bob", "alice")
        assert [person.login for person in mei.get_repo(REPOSITORY).get_issue(issue.number).assignees] == [
            "bob"
        ]

    def test_it_slips_a_hidden_edit_between_reading_and_writing(
        self, driver: Driver, mei: github.Github
    ) -> None:
        number = _issue(driver, "base")
        driver.inject_edit_between(REPOSITORY, number, "mei", "a person's edit")
        issue = mei.get_repo(REPOSITORY).get_issue(number)
        assert issue.body == "base"
        issue.edit(body="our write")
        versions = [version["body"] for version in driver.issue_history(REPOSITORY, number)]
        assert versions == ["base", "a person's edit", "our write"]
        assert driver.pending_edits() == 0


class TestComments:
    def test_it_creates_edits_deletes_and_reacts(self, driver: Driver, alice: github.Github) -> None:
        issue = alice.get_repo(REPOSITORY).get_issue(_issue(driver))
        comment = issue.create_comment("I take 【1】")
        comment.edit("I take 【2】")
        assert comment.create_reaction("+1").content == "+1"
        assert [c.body for c in issue.get_comments()] == ["I take 【2】"]
        comment.delete()
        assert list(issue.get_comments()) == []

    def test_it_refuses_blank_comments_and_strangers_edits(
        self, driver: Driver, alice: github.Github
    ) -> None:
        issue = alice.get_repo(REPOSITORY).get_issue(_issue(driver))
        with pytest.raises(github.GithubException) as blank:
            issue.create_comment(" ")
        made = driver.comment(REPOSITORY, issue.number, "bob", "mine")
        with pytest.raises(github.GithubException) as foreign:
            issue.get_comment(made["id"]).edit("yours")
        assert (blank.value.status, foreign.value.status) == (422, 403)

    def test_it_lists_a_repositorys_comments_since(self, driver: Driver, mei: github.Github) -> None:
        number = _issue(driver)
        driver.comment(REPOSITORY, number, "bob", "early", at="2026-01-01T00:00:00Z")
        driver.comment(REPOSITORY, number, "bob", "late", at="2026-03-01T00:00:00Z")
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/comments?since=2026-02-01T00:00:00Z"
        assert [comment["body"] for comment in fetch(url).json] == ["late"]
        assert len(fetch(url.partition("?")[0]).json) == 2

    def test_a_deleted_account_leaves_a_ghost(self, driver: Driver, mei: github.Github) -> None:
        number = _issue(driver)
        driver.comment(REPOSITORY, number, "bob", "here I was")
        driver.delete_user("bob")
        comment = next(iter(mei.get_repo(REPOSITORY).get_issue(number).get_comments()))
        assert comment.user.login == "ghost"


class TestMoved:
    def test_writes_to_an_old_name_keep_their_verb(self, driver: Driver) -> None:
        driver.create_repository("bob/skiff")
        driver.create_issue("bob/skiff", "Leak", "", "bob")
        driver.rename_user("bob", "bob-the-second")
        url = f"{driver.base_url}/repos/bob/skiff/issues/1"
        answer = fetch(url, method="PATCH", token="token-of-bob", data={"body": "x"})
        assert (answer.status, "/repositories/" in answer.headers["location"]) == (307, True)
        moved = fetch(answer.headers["location"], method="PATCH", token="token-of-bob", data={"body": "x"})
        assert moved.json["body"] == "x"
