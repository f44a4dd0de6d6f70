"""Which pages are looked at, as whom, and in which ways: the pictures and the test with axe go through the same list."""

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.demo import people
from tests.screenshots.organizing import ORGANIZING
from tests.screenshots.view import View

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


HACKATHON = "/events/hackathon-3/"
VIEWS = (
    View("home", "/", people.CONTRIBUTOR.login),
    View("event", HACKATHON),
    View("event-form", "/events/pir/"),
    View(
        "board",
        f"{HACKATHON}tasks/",
        people.CONTRIBUTOR.login,
        sample=f"{HACKATHON}tasks/?mentor=mei-compass",
    ),
    View("board-form", "/events/pir/tasks/"),
    View("task", f"{HACKATHON}tasks/", people.CONTRIBUTOR.login, row="13"),
    View("mine", "/me/", people.CONTRIBUTOR.login),
    View("notices", "/me/notices/", people.CONTRIBUTOR.login),
    View("leaderboard", f"{HACKATHON}leaderboard/"),
    View("leaderboard-form", "/events/pir/leaderboard/"),
    View("sign-in", "/sign-in/"),
    View("404", "/nowhere/", status=404),
    View("desk", "/events/ccf-6/desk/", people.MENTOR.login),
    View("organize", "/events/pir/organize/", people.ORGANIZER.login),
    *ORGANIZING,
)


# Pages whose states the docs do not show; they stand on the stage with the event of all states.
RELAY = "/events/relay/"
STATES = (
    View("state-home", "/", people.CONTRIBUTOR.login),
    View("state-mine", "/me/", people.CONTRIBUTOR.login),
    View("state-notices", "/me/notices/", people.CONTRIBUTOR.login),
    View("state-board", f"{RELAY}tasks/", people.CONTRIBUTOR.login),
    View("state-board-team", f"{RELAY}tasks/", people.OTHERS[0].login),
    View("state-task-stranger", f"{RELAY}tasks/", row="1"),
    View("state-task-claimant", f"{RELAY}tasks/", people.CONTRIBUTOR.login, row="3"),
    View("state-task-mentor", f"{RELAY}tasks/", people.MENTOR.login, row="7"),
    View("state-task-organizer", f"{RELAY}tasks/", people.ORGANIZER.login, row="8"),
    View("state-teams", f"{RELAY}teams/", people.CONTRIBUTOR.login),
    View("state-teams-captain", f"{RELAY}teams/", people.OTHERS[0].login),
    View("state-teams-stranger", f"{RELAY}teams/"),
    View("state-desk", f"{RELAY}desk/", people.MENTOR.login),
    View("state-desk-merged", f"{RELAY}desk/?show=merged", people.MENTOR.login),
    View("state-desk-approve", f"{RELAY}desk/?show=approve", people.MENTOR.login),
    View("state-desk-offer", f"{RELAY}desk/?q=%E7%AC%AC%E4%B9%9D", people.MENTOR.login),
    View("state-desk-stale", f"{RELAY}desk/?show=stale", people.MENTOR.login),
    View("state-desk-ticked", f"{RELAY}desk/?ticked=approve", people.MENTOR.login),
    View("state-desk-handled", f"{RELAY}desk/?show=handled", people.MENTOR.login),
    View("state-desk-empty", f"{RELAY}desk/?q=nothing-like-it", people.MENTOR.login),
    View("state-person", f"/people/{people.CONTRIBUTOR.login}/", people.OTHERS[0].login),
    View("state-read", "/read/"),
    View("state-read-about", "/read/?about=PaddlePaddle/Paddle%2321"),
    View("state-search", "/tasks/?q=paddle", people.CONTRIBUTOR.login),
    View("state-search-empty", "/tasks/?q=nothing-like-it"),
    View("state-leaderboard", f"{RELAY}leaderboard/"),
)


@dataclass(frozen=True)
class Way:
    """A way of looking at a page."""

    language: str
    theme: str
    width: int

    @property
    def name(self) -> str:
        return f"{self.language}-{self.width}-{self.theme}"


WAYS = tuple(itertools.starmap(Way, itertools.product(("en", "zh"), ("light", "dark"), (1440, 390))))
_HEIGHTS = {1440: 900, 390: 844}
_SCALES = {1440: 1, 390: 1.5}
_TAGS = {"en": "en", "zh": "zh-hans"}


class Gallery:
    """A browser on a stage: opens a view in one of the ways, signed in as it asks."""

    def __init__(self, browser: "Browser", url: str) -> None:
        self.browser, self.url = browser, url
        self._sessions: dict[str, str] = {}

    def open(self, page: "Page", view: View) -> None:
        """Go there. Raises RuntimeError if the portal answers otherwise than it should."""
        answer = page.goto(self.url + view.address)
        if view.row:
            row = page.locator(f'tr:has(> .rg-board__no:text-is("{view.row}")) > .rg-board__title a')
            answer = page.goto(self.url + (row.get_attribute("href") or ""))
        if answer is None or answer.status != view.status:
            raise RuntimeError(f"{view.name} answers {answer and answer.status}, not {view.status}")
        if view.act:
            view.act(page)
            page.wait_for_load_state()
        page.evaluate("document.fonts.ready")

    def context(self, view: View, way: Way) -> "BrowserContext":
        """A browser that knows nothing but this way, and who is signed in."""
        context = self.browser.new_context(
            viewport={"width": way.width, "height": _HEIGHTS[way.width]},
            device_scale_factor=_SCALES[way.width],
            has_touch=way.width < 500,
            reduced_motion="reduce",
            locale="en-US",
        )
        cookies = {"regatta_theme": way.theme, "regatta_language": _TAGS[way.language]}
        if view.login:
            cookies["sessionid"] = self._session(view.login)
        context.add_cookies(
            [{"name": name, "value": value, "url": self.url} for name, value in cookies.items()]
        )
        return context

    def _session(self, login: str) -> str:
        """The cookie of somebody who has signed in as one does in the demo."""
        if login not in self._sessions:
            context = self.browser.new_context(locale="en-US")
            page = context.new_page()
            page.goto(f"{self.url}/sign-in/")
            page.get_by_role("button", name=f"Sign in as {login}", exact=True).click()
            page.wait_for_load_state()
            [value] = [cookie["value"] for cookie in context.cookies() if cookie["name"] == "sessionid"]
            context.close()
            self._sessions[login] = value
        return self._sessions[login]
