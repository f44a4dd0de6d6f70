import base64
import hashlib
import urllib.parse

import pytest

from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import REPOSITORY, Answer, fetch

_TABLE = "| 序号 | 任务 |\n|:-:|---|\n| 1 | <script>alert(1)</script>lamp @alice #2 |\n"


def _post(driver: Driver, path: str, actor: str | None, origin: str | None = None, **form: str) -> Answer:
    users = {"mei": 90000001, "alice": 90000002, "bob": 90000003}
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin or driver.base_url}
    if actor:
        headers["Cookie"] = f"stand_in_actor={users[actor]}"
    data = urllib.parse.urlencode(form).encode()
    return fetch(driver.base_url + path, method="POST", token=None, data=data, headers=headers)


def _page(driver: Driver, path: str) -> str:
    answer = fetch(driver.base_url + path, token=None)
    assert answer.status == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return answer.body.decode()


class TestPages:
    def test_every_link_of_the_portal_resolves(self, driver: Driver) -> None:
        issue = driver.create_issue(REPOSITORY, "Tasks", _TABLE, "mei")
        pull = driver.open_pull_request(REPOSITORY, "Lamp", "alice", "Fixes #1")
        comment = driver.comment(REPOSITORY, 1, "bob", "hello")
        for url in (issue["html_url"], pull["html_url"], comment["html_url"], comment["user"]["html_url"]):
            assert "stand-in for GitHub" in _page(driver, url.removeprefix(driver.base_url).partition("#")[0])
        for path in ("/", f"/{REPOSITORY}", f"/{REPOSITORY}/issues", f"/{REPOSITORY}/pulls", "/harbor"):
            assert "lantern" in _page(driver, path)

    def test_text_is_rendered_and_harmless(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "<b>Tasks</b>", _TABLE, "mei")
        page = _page(driver, f"/{REPOSITORY}/issues/1")
        assert '<td align="center">1</td>' in page
        assert "<script" not in page
        assert "&lt;b&gt;Tasks&lt;/b&gt;" in page
        assert 'href="/alice"' in page
        assert f'href="/{REPOSITORY}/issues/2"' in page

    def test_a_pull_request_found_as_an_issue_moves_on(self, driver: Driver) -> None:
        driver.open_pull_request(REPOSITORY, "Lamp", "alice")
        answer = fetch(f"{driver.base_url}/{REPOSITORY}/issues/1", token=None)
        assert (answer.status, answer.headers["location"]) == (302, f"/{REPOSITORY}/pull/1")

    def test_avatars_are_pictures(self, driver: Driver) -> None:
        url = driver.create_user("zoe")["avatar_url"]
        assert fetch(url, token=None).body.startswith(b"\x89PNG")

    def test_nothing_there_is_404(self, driver: Driver) -> None:
        for path in ("/nobody", f"/{REPOSITORY}/issues/9", "/harbor/nowhere", "/a/b/c/d"):
            assert fetch(driver.base_url + path, token=None).status == 404


class TestForms:
    def test_people_act_without_javascript(self, driver: Driver) -> None:
        path = f"/{REPOSITORY}"
        assert _post(driver, path, "mei", do="new_issue", title="Tasks", body="one").status == 303
        _post(driver, f"{path}/issues/1", "alice", do="comment", body="I take 1")
        _post(driver, f"{path}/issues/1", "mei", do="edit", body="two\r\n")
        opened = _post(driver, path, "alice", do="new_pull", title="Lamp", body="", base="develop")
        assert opened.headers["location"] == f"/{REPOSITORY}/pull/2"
        _post(driver, f"{path}/pull/2", "mei", do="approve", body="fine")
        _post(driver, f"{path}/pull/2", "mei", do="merge")
        _post(driver, f"{path}/pull/2", "mei", do="revert")
        assert driver.get_issue(REPOSITORY, 1)["body"] == "two\r\n"
        assert driver.list_comments(REPOSITORY, 1)[0]["user"]["login"] == "alice"
        assert driver.get_pull_request(REPOSITORY, 2)["merged_by"]["login"] == "mei"
        assert driver.get_pull_request(REPOSITORY, 3)["title"] == 'Revert "Lamp"'

    @pytest.mark.parametrize(("actor", "do"), [(None, "comment"), ("alice", "edit"), ("alice", "close")])
    def test_the_rules_of_the_api_hold(self, driver: Driver, actor: str | None, do: str) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        assert _post(driver, f"/{REPOSITORY}/issues/1", actor, do=do, body="x").status == 403
        assert driver.get_issue(REPOSITORY, 1)["body"] == "one"

    def test_forms_of_other_sites_are_refused(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        path = f"/{REPOSITORY}/issues/1"
        assert _post(driver, path, "mei", origin="http://evil.example", do="close").status == 403

    def test_acting_as_somebody_goes_back_to_the_page(self, driver: Driver) -> None:
        answer = _post(driver, "/_as", None, login="mei", back=f"/{REPOSITORY}")
        assert answer.headers["location"] == f"/{REPOSITORY}"
        assert "stand_in_actor=90000001" in answer.headers["set-cookie"]
        assert _post(driver, "/_as", None, login="mei", back="//evil.example").headers["location"] == "/"


class TestSignIn:
    callback = "http://127.0.0.1:8000/accounts/github/login/callback/"

    def _authorize(self, driver: Driver, login: str, **more: str) -> dict[str, str]:
        query = {"client_id": "portal", "redirect_uri": self.callback, "state": "s1", **more}
        path = f"/login/oauth/authorize?{urllib.parse.urlencode(query)}"
        assert 'value="alice"' in _page(driver, path)
        target = _post(driver, path, None, login=login).headers["location"]
        assert target.startswith(f"{self.callback}?")
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))

    def _exchange(self, driver: Driver, **values: str) -> dict[str, str]:
        url = f"{driver.base_url}/login/oauth/access_token"
        form = urllib.parse.urlencode({"client_id": "portal", "client_secret": "x", **values}).encode()
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        answer: dict[str, str] = fetch(url, method="POST", token=None, data=form, headers=headers).json
        return answer

    def test_it_hands_out_a_token_once(self, driver: Driver) -> None:
        given = self._authorize(driver, "alice")
        assert given["state"] == "s1"
        token = self._exchange(driver, code=given["code"], redirect_uri=self.callback)["access_token"]
        assert fetch(f"{driver.base_url}/api/v3/user", token=token).json["login"] == "alice"
        assert fetch(f"{driver.base_url}/api/v3/user/emails", token=token).json[0]["verified"] is True
        assert self._exchange(driver, code=given["code"])["error"] == "bad_verification_code"

    def test_it_checks_the_code_challenge(self, driver: Driver) -> None:
        verifier = "v" * 43
        digest = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        asked = {"code_challenge": challenge, "code_challenge_method": "S256"}
        wrong = self._authorize(driver, "alice", **asked)
        assert "error" in self._exchange(driver, code=wrong["code"], code_verifier="other")
        right = self._authorize(driver, "alice", **asked)
        assert "access_token" in self._exchange(driver, code=right["code"], code_verifier=verifier)

    def test_one_may_say_no(self, driver: Driver) -> None:
        assert self._authorize(driver, "")["error"] == "access_denied"
