"""A form that is sent after the session ran out leads to sign-in, and from there back to its page."""

import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("http://testserver/events/pir/tasks/1/", "http%3A//testserver/events/pir/tasks/1/"),
        ("https://elsewhere.example/x", "/"),
        ("", "/"),
    ],
)
def test_it_leads_back_to_the_page_of_the_form(client: Client, page: str, back: str) -> None:
    answer = client.post(reverse("claim", args=["pir", 1]), headers={"Referer": page})
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('sign_in')}?next={back}"


@pytest.mark.django_db
def test_a_page_is_its_own_way_back(client: Client) -> None:
    answer = client.get("/events/pir/desk/")
    assert answer["Location"] == f"{reverse('sign_in')}?next=/events/pir/desk/"
