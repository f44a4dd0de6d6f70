"""Theme, language and signing in: by cookies and forms, never to a foreign address."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, clear_url_caches, reverse

import portal.urls
from portal.models import User
from portal.pages import urls
from tests.pages.scenes import Scene, client_of


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_it_keeps_the_theme(scene: Scene, theme: str) -> None:
    client = client_of(None)
    response = client.post("/theme/", {"theme": theme, "next": "/events/pir/"})
    assert response["Location"] == "/events/pir/"
    assert f'data-bs-theme="{theme}"' in client.get("/").content.decode()


def test_it_knows_three_themes_only(scene: Scene) -> None:
    client = client_of(None)
    assert client.post("/theme/", {"theme": "pink"}).status_code == 400
    client.cookies["regatta_theme"] = '"><script>'
    assert 'data-bs-theme="auto"' in client.get("/").content.decode()


def test_it_leads_nowhere_else(scene: Scene) -> None:
    response = client_of(None).post("/theme/", {"theme": "dark", "next": "https://evil.example/"})
    assert response["Location"] == "/"


def test_it_switches_the_language(scene: Scene) -> None:
    client = Client()
    client.post("/i18n/setlang/", {"language": "zh-hans", "next": "/"})
    assert '<html lang="zh-Hans"' in client.get("/").content.decode()


def test_it_signs_out_by_post_only(scene: Scene) -> None:
    client = client_of(scene.alice)
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert "Signed in as" not in client.get("/").content.decode()


def test_it_has_no_demo_sign_in_outside_of_the_demo(scene: Scene) -> None:
    html = client_of(None).get("/sign-in/").content.decode()
    assert "alice" not in html
    with pytest.raises(NoReverseMatch):
        reverse("demo_sign_in")
    assert client_of(None).post("/sign-in/as/", {"login": "alice"}).status_code == 404


@pytest.fixture
def demo(settings: Any) -> Iterator[None]:
    """The portal with the demo's address, as its settings make it."""
    settings.DEMO_SIGN_IN = True
    _reload()
    yield
    settings.DEMO_SIGN_IN = False
    _reload()


def _reload() -> None:
    importlib.reload(urls)
    importlib.reload(portal.urls)
    clear_url_caches()


def test_it_lists_invented_people_in_the_demo_and_never_staff(scene: Scene, demo: None) -> None:
    User.objects.filter(person=scene.bob).update(is_staff=True)
    html = client_of(None).get("/sign-in/?next=/events/pir/").content.decode()
    assert 'value="alice"' in html
    assert 'value="bob"' not in html
    assert client_of(None).post("/sign-in/as/", {"login": "bob"}).status_code == 404


def test_it_signs_in_as_an_invented_person(scene: Scene, demo: None) -> None:
    form = {"login": "olga", "next": "/events/pir/organize/"}
    response = client_of(None).post("/sign-in/as/", form, follow=True)
    assert response.status_code == 200
    assert "Signed in as olga" in response.content.decode()
