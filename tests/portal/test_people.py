"""People are known by id; a login is only how they are called at present."""

from datetime import datetime, timedelta

import pytest

from portal.accounts import people
from portal.github.types import Account
from portal.models import LoginHistory, Person

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def see(login: str, at: datetime, *, id: int = 7) -> Person:
    return people.remember(Account(id=id, login=login), seen_at=at)


class TestRemember:
    def test_the_same_id_is_the_same_person_by_any_name(self, now: datetime) -> None:
        assert see("alice", now) == see("alicia", now + DAY)
        assert Person.objects.get().login == "alicia"

    def test_old_news_does_not_rename(self, now: datetime) -> None:
        see("alicia", now)
        assert see("alice", now - DAY).login == "alicia"

    def test_every_login_is_kept_with_its_time(self, now: datetime) -> None:
        for days, login in enumerate(("alice", "alicia", "Alice")):
            see(login, now + days * DAY)
        rows = LoginHistory.objects.order_by("first_seen_at")
        assert [(row.login, row.first_seen_at, row.last_seen_at) for row in rows] == [
            ("alice", now, now + 2 * DAY),
            ("alicia", now + DAY, now + DAY),
        ]

    def test_a_bot_is_noted(self, now: datetime) -> None:
        assert people.remember(Account(id=9, login="x[bot]", is_bot=True), seen_at=now).is_bot


class TestNames:
    def test_a_name_is_one_person_in_any_case(self) -> None:
        assert people.remember_name("Alice") == people.remember_name("alice")
        assert Person.objects.get().login == "Alice"

    def test_a_name_is_not_the_account_of_that_login(self, now: datetime) -> None:
        known = see("alice", now)
        written = people.remember_name("alice")
        assert (written != known, written.is_resolved, known.is_resolved) == (True, False, True)

    def test_an_account_comes_before_a_name_and_the_latest_before_older_ones(self, now: datetime) -> None:
        people.remember_name("alice")
        see("Alice", now, id=7)
        latest = see("alice", now + DAY, id=8)
        name = people.remember_name("Bob")
        assert people.find_by_logins(["ALICE", "bob", "nobody"]) == {"alice": latest, "bob": name}
