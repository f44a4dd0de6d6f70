"""Signing in with GitHub, the whole conversation against the stand-in; and the demo's way."""

import http.client
from datetime import datetime
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from django.contrib.auth import get_user
from django.contrib.messages import get_messages
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from portal.accounts import sign_in
from portal.common.errors import NotAllowed, NotFound
from portal.github.types import Account
from portal.models import AuditEntry, LoginHistory, Person, User
from tests.github_stand_in.driver import Driver

pytestmark = pytest.mark.django_db


class TestAccount:
    def test_the_first_visit_makes_a_person_and_an_account(self, now: datetime) -> None:
        user = sign_in.account_for(Account(id=7, login="alice"), now=now)
        assert user.person == Person.objects.get(github_id=7)
        assert (user.username, user.email, user.has_usable_password()) == ("alice", "", False)
        assert AuditEntry.objects.get().action == "portal.account_created"

    def test_the_next_visit_finds_them(self, now: datetime) -> None:
        first = sign_in.account_for(Account(id=7, login="alice"), now=now)
        assert sign_in.account_for(Account(id=7, login="alice"), now=now) == first
        assert AuditEntry.objects.count() == 1

    def test_a_person_known_before_is_taken_over(self, now: datetime) -> None:
        person = Person.objects.create(github_id=7, login="alice")
        assert sign_in.account_for(Account(id=7, login="alice"), now=now).person == person

    def test_a_name_from_a_table_proves_nothing(self, now: datetime) -> None:
        written = Person.objects.create(login="alice")
        assert sign_in.account_for(Account(id=7, login="alice"), now=now).person != written

    def test_who_is_renamed_stays_the_same(self, now: datetime) -> None:
        before = sign_in.account_for(Account(id=7, login="alice"), now=now)
        after = sign_in.account_for(Account(id=7, login="alice-in-chains"), now=now)
        assert (after, after.username) == (before, "alice-in-chains")
        assert LoginHistory.objects.filter(person=before.person).count() == 2

    def test_a_login_that_went_to_somebody_else_is_somebody_else(self, now: datetime) -> None:
        sign_in.account_for(Account(id=7, login="alice"), now=now)
        other = sign_in.account_for(Account(id=8, login="Alice"), now=now)
        assert (other.username, User.objects.count()) == ("Alice-8", 2)

    def test_bots_may_not(self, now: datetime) -> None:
        with pytest.raises(NotAllowed):
            sign_in.account_for(Account(id=7, login="x[bot]", is_bot=True), now=now)
        assert not User.objects.exists()


class TestDemo:
    @pytest.fixture
    def request_(self, rf: RequestFactory, settings: Settings) -> HttpRequest:
        settings.DEMO_SIGN_IN = True
        request = rf.post("/")
        request.session = SessionStore()
        return request

    @pytest.fixture
    def alice(self, now: datetime) -> User:
        return sign_in.account_for(Account(id=7, login="alice"), now=now)

    def test_it_signs_in(self, request_: HttpRequest, alice: User) -> None:
        assert sign_in.demo_sign_in(request_, "Alice") == alice
        assert get_user(request_) == alice

    def test_elsewhere_it_does_not_exist(
        self, request_: HttpRequest, alice: User, settings: Settings
    ) -> None:
        settings.DEMO_SIGN_IN = False
        with pytest.raises(NotFound):
            sign_in.demo_sign_in(request_, "alice")

    def test_nobody_else_can_be_chosen(self, request_: HttpRequest, alice: User) -> None:
        User.objects.create(username="root", is_superuser=True)
        for flag in ({"is_staff": True}, {"is_superuser": True}, {"is_active": False}):
            User.objects.filter(pk=alice.pk).update(**{"is_staff": False, "is_superuser": False, **flag})
            with pytest.raises(NotFound):
                sign_in.demo_sign_in(request_, "alice")
        for login in ("", "root", "nobody"):
            with pytest.raises(NotFound):
                sign_in.demo_sign_in(request_, login)


@pytest.mark.processes
class TestGitHub:
    @pytest.fixture(autouse=True)
    def _allauth_points_at_the_stand_in(self, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(GitHubOAuth2Adapter, "web_url", driver.base_url)
        for name, path in (
            ("access_token_url", "/login/oauth/access_token"),
            ("authorize_url", "/login/oauth/authorize"),
            ("profile_url", "/api/v3/user"),
        ):
            monkeypatch.setattr(GitHubOAuth2Adapter, name, driver.base_url + path)

    def come_back(self, driver: Driver, client: Client, login: str, *, next_url: str = "/") -> str:
        """Ask to sign in, choose `login` at the stand-in, come back; where that leads."""
        asked = client.post("/accounts/github/login/", {"process": "connect", "next": next_url})
        address = urlsplit(asked["Location"])
        assert parse_qs(address.query)["scope"] == ["read:user"]
        connection = http.client.HTTPConnection(urlsplit(driver.base_url).netloc, timeout=10)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{address.path}?{address.query}", urlencode({"login": login}), form)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        back = urlsplit(answer.headers["Location"])
        return str(client.get(f"{back.path}?{back.query}")["Location"])

    def said(self, client: Client) -> list[str]:
        """What the next page would say."""
        request = client.get("/sign-in/").wsgi_request
        return [str(message) for message in get_messages(request)]

    def test_it_signs_in_by_the_numeric_id(self, driver: Driver, client: Client) -> None:
        driver.create_user("alice", id=4242, name="Alice A.")
        assert self.come_back(driver, client, "alice", next_url="/tasks/") == "/tasks/"
        user = User.objects.get()
        assert user.person is not None
        assert (user.person.github_id, user.person.login) == (4242, "alice")
        assert client.session["_auth_user_id"] == str(user.pk)

    def test_nothing_but_id_and_login_is_stored(self, driver: Driver, client: Client) -> None:
        driver.create_user("alice", name="Alice A.")
        self.come_back(driver, client, "alice")
        self.come_back(driver, client, "alice")
        user = User.objects.get()
        assert (user.email, user.first_name, user.last_name) == ("", "", "")
        assert not SocialAccount.objects.exists()

    def test_another_page_of_another_site_is_not_gone_to(self, driver: Driver, client: Client) -> None:
        driver.create_user("alice")
        assert self.come_back(driver, client, "alice", next_url="https://evil.example/") == "/"

    def test_bots_are_sent_back(self, driver: Driver, client: Client) -> None:
        driver.create_user("helper[bot]", type="Bot")
        driver.create_user("alice")
        assert self.come_back(driver, client, "helper[bot]") in {"/sign-in/", "/"}
        assert not User.objects.exists()

    def test_who_says_no_is_sent_back(self, driver: Driver, client: Client) -> None:
        assert self.come_back(driver, client, "") == "/sign-in/"
        assert not User.objects.exists()

    def test_a_closed_account_is_sent_back(self, driver: Driver, client: Client) -> None:
        driver.create_user("alice")
        self.come_back(driver, client, "alice")
        client.logout()
        User.objects.update(is_active=False)
        assert self.come_back(driver, client, "alice") == "/sign-in/"
        assert "_auth_user_id" not in client.session

    def test_an_answer_that_nobody_asked_for_is_sent_back(self, client: Client) -> None:
        response = client.get("/accounts/github/login/callback/?code=x&state=y")
        assert response["Location"] == "/sign-in/"

    def test_without_github_one_is_sent_back(
        self, client: Client, driver: Driver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        driver.create_user("alice")
        monkeypatch.setattr(GitHubOAuth2Adapter, "access_token_url", "http://127.0.0.1:1/")
        assert self.come_back(driver, client, "alice") == "/sign-in/"

    @pytest.mark.parametrize("path", ["signup/", "login/", "password/reset/", "email/", "3rdparty/"])
    def test_there_is_no_other_way_in(self, client: Client, path: str) -> None:
        assert client.get(f"/accounts/{path}").status_code == 404
