"""The kernel's admin: to look, and to try again."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from portal import inbox, outbox
from portal.models import AuditEntry, Delivery, LoginHistory, OutboxMessage, Person, User
from tests.portal.routes import Log

pytestmark = pytest.mark.django_db

MODELS = ("delivery", "outboxmessage", "auditentry", "person", "user")


@pytest.fixture
def rows(now: datetime, log: Log) -> dict[str, int]:
    person = Person.objects.create(github_id=7, login="alice")
    LoginHistory.objects.create(person=person, login="alice", first_seen_at=now, last_seen_at=now)
    user = User.objects.create(username="alice", person=person)
    entry = AuditEntry.objects.create(
        action="x", actor=person, target_type="portal.person", target_id=1, at=now
    )
    delivery = inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
    message = outbox.enqueue("send", key="k", now=now)
    return dict(zip(MODELS, (delivery.pk, message.pk, entry.pk, person.pk, user.pk), strict=True))


@pytest.mark.parametrize("model", MODELS)
def test_every_page_shows(admin_client: Client, rows: dict[str, int], model: str) -> None:
    for url in (
        reverse(f"admin:portal_{model}_changelist") + "?q=a",
        reverse(f"admin:portal_{model}_change", args=[rows[model]]),
    ):
        assert admin_client.get(url).status_code == 200


@pytest.mark.parametrize("model", MODELS[:-1])
def test_nothing_is_added_or_changed_or_deleted_by_hand(
    admin_client: Client, rows: dict[str, int], model: str
) -> None:
    assert admin_client.get(reverse(f"admin:portal_{model}_add")).status_code == 403
    assert admin_client.post(reverse(f"admin:portal_{model}_change", args=[rows[model]])).status_code == 403
    assert admin_client.post(reverse(f"admin:portal_{model}_delete", args=[rows[model]])).status_code == 403


def test_what_failed_is_tried_again(admin_client: Client, rows: dict[str, int], now: datetime) -> None:
    Delivery.objects.update(next_attempt_at=datetime.max.replace(tzinfo=now.tzinfo))
    OutboxMessage.objects.update(refused_at=now)
    for model in ("delivery", "outboxmessage"):
        form = {"action": "requeue", "_selected_action": [rows[model]]}
        response = admin_client.post(reverse(f"admin:portal_{model}_changelist"), form, follow=True)
        assert "1 is tried again." in response.content.decode()
    assert OutboxMessage.objects.get().refused_at is None
    due = Delivery.objects.get().next_attempt_at
    assert due is not None
    assert due.year < 9999


def test_who_may_only_look_cannot_requeue(client: Client, rows: dict[str, int]) -> None:
    from django.contrib.auth.models import Permission

    looker = User.objects.create(username="looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_outboxmessage"))
    client.force_login(looker)
    page = client.get(reverse("admin:portal_outboxmessage_changelist"))
    assert (page.status_code, b"requeue" in page.content) == (200, False)
