"""Day and night in a real browser, without a script: as chosen, else as the system has it, and by day on paper."""

from typing import TYPE_CHECKING, Literal

import pytest

from tests.pages import scenes

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY, NIGHT = "rgb(244, 247, 248)", "rgb(11, 19, 24)"
_COLOURS = """
() => {
  const tab = getComputedStyle(document.querySelector(".rg-top"));
  return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color, tab.color];
}
"""


@pytest.mark.parametrize(
    ("chosen", "system", "canvas"),
    [
        ("auto", "light", DAY),
        ("auto", "dark", NIGHT),
        ("light", "dark", DAY),
        ("dark", "light", NIGHT),
    ],
)
def test_the_page_is_as_chosen_else_as_the_system_has_it(
    live_server: "LiveServer", browser: "Browser", chosen: str, system: Literal["light", "dark"], canvas: str
) -> None:
    scenes.make_scene()
    context = browser.new_context(java_script_enabled=False, color_scheme=system)
    context.add_cookies([{"name": "regatta_theme", "value": chosen, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/")
    background, ink, _top = page.evaluate(_COLOURS)
    assert background == canvas
    assert ink == ("rgb(19, 35, 45)" if canvas == DAY else "rgb(227, 236, 240)")
    page.emulate_media(media="print")
    assert page.evaluate(_COLOURS)[1] == "rgb(19, 35, 45)"
    context.close()
