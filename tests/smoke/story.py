"""The story: a form becomes a board, a claim a row, a merged pull request a point, and back again."""

import csv
import io
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from tests.demo import people, scenario
from tests.github_stand_in.driver import Driver
from tests.smoke import signing_in
from tests.smoke.browser import Browser
from tests.smoke.report import Lie, Report, require

BOARD_SECONDS, ISSUE_SECONDS = 2.0, 10.0  # what the project promises
CLAIMED = "动转静 train step 整图训练 PIR 适配"
RELEASED = "SOT 动态 shape 支持"
NEWCOMER, OTHER, REVIEWER = people.OTHERS[0], people.OTHERS[1], people.MENTOR


class Portal(Protocol):
    """A running portal as the story needs it: its address, the stand-in beside it, its manage.py."""

    @property
    def url(self) -> str: ...

    @property
    def driver(self) -> Driver: ...

    def manage(self, *arguments: str) -> None: ...


@dataclass
class Story:
    """One playing of it, on a portal that has no event yet."""

    portal: Portal
    report: Report = field(default_factory=Report)
    sign_in: signing_in.SignIn = signing_in.from_the_demo_list

    def play(self) -> None:
        """Raises Lie at the first thing that is not as it should be."""
        self.import_form()
        self.switch_writing_on()
        self.claim()
        pull = self.work()
        self.merge(pull)
        self.release()
        self.revert(pull)
        self.leave_nothing_behind()

    # the scenes

    def import_form(self) -> None:
        self.report.measure(
            "the form is imported", lambda: self.portal.manage("import_event", *scenario.IMPORT)
        )
        board = self.visitor.get(self.board_url)
        require(board.status == 200, f"The board answers {board.status}.")
        for title in scenario.task_titles(self.first_body):
            require(title in board.text, f"The board does not show the task {title}.")
        require(self.body() == self.first_body, "The import changed the issue.")
        require(self.points(NEWCOMER.login) == 0, "There are points before anything was done.")

    def switch_writing_on(self) -> None:
        self.report.measure("the organizer signs in", self._sign_in)
        self.report.measure("and switches writing on", self._switch_writing_on)

    def claim(self) -> None:
        began = self._comment(NEWCOMER.login, f"【报名】：{self.number(CLAIMED)}")
        self._await_board("the claim is on the board", CLAIMED, NEWCOMER.login, since=began)
        self._await_body("and in the issue's table", CLAIMED, NEWCOMER.login, since=began)
        self._await_reply(NEWCOMER.login, since=began)
        self._require_other_lines_untouched(CLAIMED)

    def work(self) -> int:
        title = f"【{scenario.PREFIX}{self.number(CLAIMED)}】{CLAIMED}"
        began = time.monotonic()
        pull: int = self.github.open_pull_request(scenario.REPOSITORY, title, NEWCOMER.login)["number"]
        self._await_board("the pull request is on the board", CLAIMED, f"#{pull}", since=began)
        before = self.row(CLAIMED)
        began = time.monotonic()
        self.github.review(scenario.REPOSITORY, pull, REVIEWER.login, "approve", "COLLABORATOR")
        self._await("the approval changes the row", lambda: self.row(CLAIMED) != before, since=began)
        return pull

    def merge(self, pull: int) -> None:
        began = time.monotonic()
        self.github.merge(scenario.REPOSITORY, pull, REVIEWER.login)
        self._await("the merged task is done", lambda: self.is_done(CLAIMED), since=began)
        self._await("one point is on the leaderboard", lambda: self.points(NEWCOMER.login) == 1, since=began)
        self._require_other_lines_untouched(CLAIMED)

    def release(self) -> None:
        number = self.number(RELEASED)
        began = self._comment(OTHER.login, f"/claim {number}")
        self._await_board("another claims in English", RELEASED, OTHER.login, since=began)
        self._await_body("and stands in the table", RELEASED, OTHER.login, since=began)
        began = self._comment(OTHER.login, f"/release {number}")
        withdrawn = f"{OTHER.login} Withdrawn"
        self._await_board("releases, and shows as withdrawn", RELEASED, withdrawn, since=began)
        self._await_body("and is struck out in the table", RELEASED, f"~~@{OTHER.login}~~", since=began)

    def revert(self, pull: int) -> None:
        began = time.monotonic()
        undo: int = self.github.revert(scenario.REPOSITORY, pull, REVIEWER.login)["number"]
        self.github.merge(scenario.REPOSITORY, undo, REVIEWER.login)
        self._await("the revert takes the point back", lambda: self.points(NEWCOMER.login) == 0, since=began)
        self._await("and the task is not done any more", lambda: not self.is_done(CLAIMED), since=began)

    def leave_nothing_behind(self) -> None:
        began = time.monotonic()
        self._await("every webhook is taken", lambda: not self._lost_webhooks(), since=began)
        self._require_other_lines_untouched(CLAIMED, RELEASED)
        comments = len(self.replies())
        require(
            comments == 3, f"Three comments asked for something, the portal has answered {comments} times."
        )

    def _lost_webhooks(self) -> list[object]:
        """Those that the portal did not take; ours about its own last words may be on their way still.

        What happened before the portal's address was known had nowhere to go.
        """
        require(self.github.wait_idle(), "There are webhooks that were never delivered.")
        return [d for d in self.github.deliveries() if d["state"] not in ("delivered", "no target")]

    # what the portal shows

    @cached_property
    def visitor(self) -> Browser:
        return Browser(self.portal.url)

    @cached_property
    def organizer(self) -> Browser:
        return Browser(self.portal.url)

    @property
    def github(self) -> Driver:
        return self.portal.driver

    @cached_property
    def event_url(self) -> str:
        """The home page leads to the one event there is."""
        home = self.visitor.get("/")
        found: set[str] = set(re.findall(r'href="(/events/[^/"]+/)', home.text))
        require(len(found) == 1, f"The home page leads to {sorted(found) or 'no event'}.")
        return found.pop()

    @property
    def board_url(self) -> str:
        return f"{self.event_url}tasks/"

    def row(self, title: str) -> str:
        """The task's row on the board, as words."""
        rows = [row for row in self.visitor.get(self.board_url).rows() if title in row]
        if len(rows) != 1:
            raise Lie(f"The board shows {len(rows)} rows for {title}.")
        return rows[0]

    def number(self, title: str) -> int:
        """The form has no numbers: row n is task n."""
        return scenario.task_titles(self.first_body).index(title) + 1

    def is_done(self, title: str) -> bool:
        done = self.visitor.get(f"{self.board_url}?state=done")
        return any(title in row for row in done.rows())

    def points(self, login: str) -> float:
        answer = self.visitor.get(f"{self.event_url}leaderboard.csv")
        require(answer.status == 200, f"The leaderboard's CSV answers {answer.status}.")
        for row in csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))):
            if login in row.values():
                return float(row["points"])
        return 0

    # what GitHub shows

    @cached_property
    def first_body(self) -> str:
        return scenario.FORM.read_text(encoding="utf-8")

    def body(self) -> str:
        issue = self.github.get_issue(scenario.REPOSITORY, scenario.FORM_NUMBER)
        return str(issue["body"])

    def line(self, title: str) -> str:
        return next((line for line in self.body().splitlines() if title in line), "")

    def replies(self) -> list[str]:
        comments = self.github.list_comments(scenario.REPOSITORY, scenario.FORM_NUMBER)
        return [c["body"] for c in comments if c["user"]["login"] == people.PORTAL.login]

    # acting and waiting

    def _comment(self, login: str, text: str) -> float:
        began = time.monotonic()
        self.github.comment(scenario.REPOSITORY, scenario.FORM_NUMBER, login, text)
        return began

    def _sign_in(self) -> None:
        page = self.sign_in(self.organizer, people.ORGANIZER.login)
        require(people.ORGANIZER.login in page.text, "After signing in the page does not know the organizer.")

    def _switch_writing_on(self) -> None:
        page = self.organizer.get(f"{self.event_url}organize/")
        require(page.status == 200, f"The organizer's page answers {page.status}.")
        review = re.search(r'href="([^"]*/organize/issues/\d+/)"', page.text)
        require(review is not None, "The organizer's page leads to no review of what would be written.")
        page = self.organizer.get(review[1] if review else "")
        form, button = page.find_button("/writing", "1")
        page = self.organizer.submit(page, form, button)
        stops = [b for f in page.forms if f.action.endswith("/writing") for b in f.buttons]
        require(bool(stops), "After switching writing on the organizer's page does not say so.")

    def _await(self, what: str, is_so: Callable[[], bool], *, since: float) -> None:
        self.report.await_truth(what, is_so, since=since, limit=BOARD_SECONDS, show=lambda: self.row(CLAIMED))

    def _await_board(self, what: str, title: str, words: str, *, since: float) -> None:
        self.report.await_truth(
            what,
            lambda: words in self.row(title),
            since=since,
            limit=BOARD_SECONDS,
            show=lambda: self.row(title),
        )

    def _await_body(self, what: str, title: str, words: str, *, since: float) -> None:
        self.report.await_truth(
            what,
            lambda: words in self.line(title),
            since=since,
            limit=ISSUE_SECONDS,
            show=lambda: self.line(title),
        )

    def _await_reply(self, login: str, *, since: float) -> None:
        self.report.await_truth(
            "the portal has answered, once",
            lambda: sum(login in reply for reply in self.replies()) == 1,
            since=since,
            limit=ISSUE_SECONDS,
            show=lambda: "\n".join(self.replies()) or "no reply",
        )

    def _require_other_lines_untouched(self, *titles: str) -> None:
        before, after = self.first_body.splitlines(), self.body().splitlines()
        require(len(before) == len(after), "The issue has gained or lost lines.")
        changed = [new for old, new in zip(before, after, strict=True) if old != new]
        wrong = [line for line in changed if not any(title in line for title in titles)]
        require(not wrong, f"Lines changed in the issue that nobody asked to change: {wrong}")
