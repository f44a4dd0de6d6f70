import github
import pytest

from tests.github_stand_in.driver import Driver, DriverError
from tests.stand_in.cast import REPOSITORY, fetch


def _pull(driver: Driver, title: str = "Add a lamp", body: str = "", *, draft: bool = False) -> int:
    return int(driver.open_pull_request(REPOSITORY, title, "alice", body, draft)["number"])


class TestPullRequests:
    def test_issues_and_pull_requests_share_their_numbers(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        assert _pull(driver) == 2
        assert driver.create_issue(REPOSITORY, "More", "", "mei")["number"] == 3
        assert driver.create_issue(REPOSITORY, "Far", "", "mei", number=107)["number"] == 107
        assert _pull(driver) == 108

    def test_it_merges_and_says_who_and_when(self, driver: Driver, mei: github.Github) -> None:
        number = _pull(driver)
        driver.review(REPOSITORY, number, "mei", "approve")
        pull = mei.get_repo(REPOSITORY).get_pull(number)
        assert pull.merge().merged is True
        merged = mei.get_repo(REPOSITORY).get_pull(number)
        assert (merged.state, merged.merged, merged.merged_by.login) == ("closed", True, "mei")
        assert merged.merge_commit_sha == mei.get_repo(REPOSITORY).get_commits()[0].sha

    def test_contributors_can_neither_merge_nor_approve_themselves(
        self, driver: Driver, alice: github.Github
    ) -> None:
        pull = alice.get_repo(REPOSITORY).get_pull(_pull(driver))
        with pytest.raises(github.UnknownObjectException):
            pull.merge()
        with pytest.raises(github.GithubException) as refused:
            pull.create_review(event="APPROVE")
        assert refused.value.status == 422

    def test_a_draft_is_not_merged(self, driver: Driver) -> None:
        number = _pull(driver, draft=True)
        with pytest.raises(DriverError, match="still a draft"):
            driver.merge(REPOSITORY, number, "mei")
        driver.set_draft(REPOSITORY, number, "alice", False)
        assert driver.merge(REPOSITORY, number, "mei")["merged"] is True

    def test_it_reverts_with_githubs_words(self, driver: Driver, mei: github.Github) -> None:
        number = _pull(driver)
        driver.merge(REPOSITORY, number, "mei")
        revert = driver.revert(REPOSITORY, number, "mei")
        assert revert["title"] == 'Revert "Add a lamp"'
        assert revert["body"] == f"Reverts {REPOSITORY}#{number}"
        assert driver.merge(REPOSITORY, revert["number"], "mei")["merged"] is True

    def test_merging_closes_what_the_text_fixes(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Dark", "", "mei")
        driver.merge(REPOSITORY, _pull(driver, body="Fixes #1"), "mei")
        assert driver.get_issue(REPOSITORY, 1)["state"] == "closed"

    def test_reviews_carry_the_association(self, driver: Driver, mei: github.Github) -> None:
        number = _pull(driver)
        driver.review(REPOSITORY, number, "mei", "request_changes", body="smaller, please")
        driver.review(REPOSITORY, number, "bob", "approve")
        driver.review(REPOSITORY, number, "bob", "approve", "COLLABORATOR")
        reviews = [(r.user.login, r.state, r.raw_data["author_association"]) for r in _reviews(mei, number)]
        assert reviews == [
            ("mei", "CHANGES_REQUESTED", "MEMBER"),
            ("bob", "APPROVED", "NONE"),
            ("bob", "APPROVED", "COLLABORATOR"),
        ]

    def test_it_lists_by_update_and_reads_commits(self, driver: Driver, mei: github.Github) -> None:
        first, second = _pull(driver), _pull(driver, "Second")
        driver.push(REPOSITORY, first, "alice", "More\n\nCo-authored-by: Bob <bob@mail.example>")
        driver.set_clock("+60")
        driver.retitle(REPOSITORY, first, "alice", "First, again")
        pulls = mei.get_repo(REPOSITORY).get_pulls(state="all", sort="updated", direction="desc")
        assert [pull.number for pull in pulls] == [first, second]
        assert pulls[0].get_commits().totalCount == 2

    def test_a_closed_pull_request_reopens_and_a_merged_one_does_not(self, driver: Driver) -> None:
        number = _pull(driver)
        driver.close(REPOSITORY, number, "alice")
        assert driver.reopen(REPOSITORY, number, "alice")["state"] == "open"
        driver.merge(REPOSITORY, number, "mei")
        with pytest.raises(DriverError):
            driver.reopen(REPOSITORY, number, "alice")

    def test_associations_follow_permission_and_merges(self, driver: Driver) -> None:
        def association() -> str:
            return str(driver.get_pull_request(REPOSITORY, number)["author_association"])

        number = _pull(driver)
        assert association() == "NONE"
        driver.merge(REPOSITORY, number, "mei")
        assert association() == "CONTRIBUTOR"
        driver.set_association(REPOSITORY, "alice", "OWNER")
        assert association() == "OWNER"

    def test_an_issue_is_no_pull_request(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        assert fetch(f"{driver.base_url}/repos/{REPOSITORY}/pulls/1").status == 404


def _reviews(connection: github.Github, number: int) -> list[github.PullRequestReview.PullRequestReview]:
    return list(connection.get_repo(REPOSITORY).get_pull(number).get_reviews())
