"""Every page that `make screenshots` draws, in every way, in a real browser: nothing that axe knows, nothing amiss.

The states that the docs do not show are looked at in two ways, which have each language, theme and width among them.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.screenshots import stage
from tests.screenshots.view import View
from tests.screenshots.views import STATES, VIEWS, WAYS, Gallery, Way

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.timeout(400),
]  # the stage is built first

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
# A long table takes axe many seconds, so the whole of it is looked at in these two ways.
_WHOLE = {WAYS[0], WAYS[-1]}
# Pages without pictures of their own are looked at in one of the two, turn by turn.
_KEPT = [view for view in VIEWS if view.is_kept]
_OTHERS = [*(view for view in VIEWS if not view.is_kept), *STATES]
_LOOKS = [(view, way) for view in _KEPT for way in WAYS]
_LOOKS += [(view, WAYS[-(place % 2)]) for place, view in enumerate(_OTHERS)]

# What is cut off without a way to see the rest: text wider than its box that neither wraps nor scrolls.
_CUT = """
[...document.querySelectorAll("main *, header *")].filter((e) => {
  const style = getComputedStyle(e);
  const hides = style.overflowX === "hidden" || style.overflowX === "clip";
  return hides && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && e.innerText && !e.closest(".visually-hidden");
}).map((e) => `${e.className || e.tagName}: ${e.innerText.slice(0, 60)}`)
"""


@pytest.fixture(scope="module")
def gallery(browser: "Browser") -> Iterator[Gallery]:
    with stage.running(with_states=True) as url:
        yield Gallery(browser, url)


def violations(page: "Page") -> list[str]:
    found = Axe().run(page, options=_RULES).response["violations"]
    return [f"{v['id']}: {n['html'][:120]} {n['failureSummary'][:200]}" for v in found for n in v["nodes"]]


class Watch:
    """What a page did that it should not: errors on the console, and requests to anybody else."""

    def __init__(self, page: "Page", url: str, view: View) -> None:
        self.host, self.view = urlsplit(url).netloc, view
        self.failures: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("request", self._asked)

    def _said(self, message: "ConsoleMessage") -> None:
        is_the_page_itself = message.location["url"].endswith(self.view.address) and self.view.status != 200
        is_the_page_itself |= self.view.refuses and "status of 409" in message.text
        if message.type in {"error", "warning"} and not is_the_page_itself:
            self.failures.append(message.text)

    def _asked(self, request: "Request") -> None:
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.netloc != self.host:
            self.failures.append(f"asked {request.url}")


@pytest.mark.parametrize(("view", "way"), _LOOKS, ids=[f"{view.name}-{way.name}" for view, way in _LOOKS])
def test_it_is_open_to_everybody_and_keeps_to_itself(gallery: Gallery, view: View, way: Way) -> None:
    if view.sample and way not in _WHOLE:
        view = replace(view, address=view.sample)
    context = gallery.context(view, way)
    try:
        page = context.new_page()
        watch = Watch(page, gallery.url, view)
        gallery.open(page, view)
        assert page.evaluate("document.documentElement.lang").lower().startswith(way.language)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "scrolls sideways"
        assert page.evaluate(_CUT) == []
        assert watch.failures == []
    finally:
        context.close()
