"""What a form is refused is said on the page that it stood on."""

import pytest
from django.http import HttpResponse
from django.test import Client

from claims.operations import editing_tasks
from portal.locks import LockBusy
from tasks_board.models import Task
from tests.pages.scenes import make_event, make_task
from tests.permissions.world import give, sign_in

pytestmark = pytest.mark.django_db


def busy(**_values: object) -> None:
    raise LockBusy


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    event = make_event("cup")
    make_task(event, 1, "One")
    monkeypatch.setattr(editing_tasks, "change_tasks", busy)
    return sign_in(give(event, "olga", 9, "organizer"))


def change(client: Client, referer: str) -> HttpResponse:
    form = {"task": str(Task.objects.get().pk), "action": "set", "field": "places", "value": "2"}
    return client.post(  # type: ignore[return-value]  # the test client's own answer is one
        "/events/cup/organize/tasks/change", form, headers={"Referer": referer}
    )


def test_a_lock_that_somebody_holds_is_no_failure(client: Client) -> None:
    page = "http://testserver/events/cup/organize/tasks/?q=One"
    answer = change(client, page)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else is changing this" in html
    assert 'data-page="/events/cup/organize/tasks/?q=One"' in html


@pytest.mark.parametrize(
    "referer", ["http://testserver/events/cup/organize/tasks/change", "https://elsewhere.example/", ""]
)
def test_where_the_form_stood_on_no_page_of_ours_the_first_one_says_so(client: Client, referer: str) -> None:
    answer = change(client, referer)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert "Somebody else is changing this" in client.get("/").content.decode()


def test_where_the_form_stood_at_the_address_of_another_form_the_first_page_says_so(client: Client) -> None:
    answer = change(client, "http://testserver/events/cup/organize/rules")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert "Somebody else is changing this" in client.get("/").content.decode()
