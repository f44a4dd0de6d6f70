import hashlib
import hmac
import json
import uuid

from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import REPOSITORY
from tests.stand_in.receiver import Receiver


def _kinds(receiver: Receiver) -> list[str]:
    return [
        f"{hit.headers['x-github-event']}.{json.loads(hit.body).get('action', '')}" for hit in receiver.hits
    ]


def _make_three(driver: Driver) -> None:
    for title in ("one", "two", "three"):
        driver.create_issue(REPOSITORY, title, "", "mei")


def _titles(receiver: Receiver) -> list[str]:
    return [json.loads(hit.body)["issue"]["title"] for hit in receiver.hits]


class TestDelivery:
    def test_it_is_signed_and_named_like_githubs(self, driver: Driver, receiver: Receiver) -> None:
        driver.create_issue(REPOSITORY, "任务", "正文", "mei")
        assert driver.wait_idle()
        (hit,) = receiver.hits
        digest = hmac.new(b"a shared secret", hit.body, hashlib.sha256).hexdigest()
        assert hit.headers["x-hub-signature-256"] == f"sha256={digest}"
        assert hit.headers["x-github-event"] == "issues"
        assert hit.headers["content-type"] == "application/json"
        assert hit.headers["user-agent"].startswith("GitHub-Hookshot/")
        assert str(uuid.UUID(hit.headers["x-github-delivery"])) == hit.headers["x-github-delivery"]

    def test_an_edit_carries_what_was_before(self, driver: Driver, receiver: Receiver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        driver.edit_issue(REPOSITORY, 1, "mei", "two")
        driver.edit_issue(REPOSITORY, 1, "mei", "two")
        assert driver.wait_idle()
        assert _kinds(receiver) == ["issues.opened", "issues.edited"]
        payload = json.loads(receiver.hits[1].body)
        assert payload["changes"] == {"body": {"from": "one"}}
        assert (payload["issue"]["body"], payload["sender"]["login"]) == ("two", "mei")
        assert payload["repository"]["full_name"] == REPOSITORY

    def test_comments_tell_their_whole_life(self, driver: Driver, receiver: Receiver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        made = driver.comment(REPOSITORY, 1, "alice", "take 1")
        driver.edit_comment(made["id"], "alice", "take 2")
        driver.delete_comment(made["id"], "mei")
        assert driver.wait_idle()
        assert _kinds(receiver)[1:] == [
            "issue_comment.created",
            "issue_comment.edited",
            "issue_comment.deleted",
        ]
        assert json.loads(receiver.hits[2].body)["changes"]["body"]["from"] == "take 1"

    def test_pull_requests_tell_theirs(self, driver: Driver, receiver: Receiver) -> None:
        driver.open_pull_request(REPOSITORY, "T", "alice", draft=True)
        driver.set_draft(REPOSITORY, 1, "alice", False)
        driver.push(REPOSITORY, 1, "alice")
        driver.retitle(REPOSITORY, 1, "alice", "T2")
        made = driver.review(REPOSITORY, 1, "mei", "approve")
        driver.dismiss_review(REPOSITORY, 1, made["id"], "mei")
        driver.close(REPOSITORY, 1, "alice")
        driver.reopen(REPOSITORY, 1, "alice")
        driver.merge(REPOSITORY, 1, "mei")
        assert driver.wait_idle()
        assert _kinds(receiver) == [
            "pull_request.opened",
            "pull_request.ready_for_review",
            "pull_request.synchronize",
            "pull_request.edited",
            "pull_request_review.submitted",
            "pull_request_review.dismissed",
            "pull_request.closed",
            "pull_request.reopened",
            "pull_request.closed",
        ]
        merged = [json.loads(receiver.hits[i].body)["pull_request"]["merged"] for i in (6, 8)]
        assert merged == [False, True]

    def test_a_payload_is_a_picture_of_its_moment(self, driver: Driver, receiver: Receiver) -> None:
        driver.set_delivery_mode(hold=True)
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        driver.edit_issue(REPOSITORY, 1, "mei", "two")
        driver.release()
        assert driver.wait_idle()
        assert [json.loads(hit.body)["issue"]["body"] for hit in receiver.hits] == ["one", "two"]

    def test_ping_has_no_action(self, driver: Driver, receiver: Receiver) -> None:
        driver.ping(REPOSITORY)
        assert driver.wait_idle()
        assert _kinds(receiver) == ["ping."]


class TestTrouble:
    def test_a_failure_is_logged_and_not_repeated_until_asked(
        self, driver: Driver, receiver: Receiver
    ) -> None:
        receiver.status = 500
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        assert driver.wait_idle()
        (failed,) = driver.deliveries()
        assert (failed["state"], failed["status"], len(receiver.hits)) == ("failed", 500, 1)
        receiver.status = 202
        driver.redeliver(failed["id"])
        assert driver.wait_idle()
        assert receiver.ids == [failed["id"], failed["id"]]
        assert driver.deliveries()[0]["state"] == "delivered"

    def test_a_dropped_one_can_be_redelivered(self, driver: Driver, receiver: Receiver) -> None:
        driver.set_delivery_mode(drop=2)
        _make_three(driver)
        assert driver.wait_idle()
        assert _titles(receiver) == ["three"]
        assert [entry["state"] for entry in driver.deliveries()] == ["dropped", "dropped", "delivered"]
        driver.redeliver(driver.deliveries()[0]["id"])
        assert driver.wait_idle()
        assert _titles(receiver) == ["three", "one"]

    def test_held_ones_come_in_any_order(self, driver: Driver, receiver: Receiver) -> None:
        driver.set_delivery_mode(hold=True)
        _make_three(driver)
        assert driver.wait_idle()
        assert receiver.hits == []
        assert driver.release("reversed") == 3
        assert driver.wait_idle()
        assert _titles(receiver) == ["three", "two", "one"]

    def test_duplicates_share_their_id(self, driver: Driver, receiver: Receiver) -> None:
        driver.set_delivery_mode(duplicate=True)
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        assert driver.wait_idle()
        assert len(receiver.ids) == 2
        assert len(set(receiver.ids)) == 1

    def test_nobody_listening_is_a_failure_too(self, driver: Driver) -> None:
        driver.set_webhook("http://127.0.0.1:9/")
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        assert driver.wait_idle()
        (entry,) = driver.deliveries(with_payload=True)
        assert (entry["state"], entry["status"]) == ("failed", None)
        assert json.loads(entry["body"])["action"] == "opened"
