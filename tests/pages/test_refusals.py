"""What a form is refused is said on the page that it stood on."""

import pytest

from claims.operations import editing_tasks
from portal.locks import LockBusy
from tests.pages.scenes import make_event, make_task
from tests.permissions.world import give, sign_in

pytestmark = pytest.mark.django_db


def busy(**_values: object) -> None:
    raise LockBusy


@pytest.mark.parametrize(
    ("referer", "led_to"),
    [
        (
            "http://testserver/events/cup/organize/tasks/?page=2",
            "http://testserver/events/cup/organize/tasks/?page=2",
        ),
        ("http://testserver/events/cup/organize/tasks/change", "/"),
        ("https://elsewhere.example/", "/"),
        ("", "/"),
    ],
)
def test_a_lock_that_somebody_holds_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, referer: str, led_to: str
) -> None:
    event = make_event("cup")
    task = make_task(event, 1, "One")
    client = sign_in(give(event, "olga", 9, "organizer"))
    monkeypatch.setattr(editing_tasks, "change_tasks", busy)
    answer = client.post(
        "/events/cup/organize/tasks/change",
        {"task": str(task.pk), "action": "set", "field": "title", "value": "Two"},
        headers={"Referer": referer},
    )
    assert (answer.status_code, answer["Location"]) == (302, led_to)
    assert "Somebody else is changing this" in client.get("/").content.decode()
