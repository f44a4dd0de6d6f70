"""A NUL character, which PostgreSQL's texts cannot hold, is never an error of ours."""

import pytest
from django.test import Client, RequestFactory

from portal.common import web


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/people/no%00body/", "/api/v1/people/no%00body/", "/events/p%00ir/"])
def test_such_an_address_leads_nowhere(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/tasks/?q=a%00b", "/tasks/?%00=1", "/api/v1/people/?q=%00"])
def test_such_a_query_is_read_without(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_a_field_of_a_form_comes_without_it() -> None:
    request = RequestFactory().post("/", {"note": " a\x00b" + "c" * 50})
    assert web.posted(request, "note", longest=4) == "abcc"
