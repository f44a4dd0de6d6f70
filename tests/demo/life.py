"""`python -m tests.demo.life`: some life for the demo's three events. Invented people claim, propose, code, review, merge.

What happens is drawn from a seed, so a run can be repeated; it all goes through the stand-in's driving API, and the
portal hears of it by webhook as it would from GitHub.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tasks_board.documents.reading import read_body
from tests.demo import people, portal
from tests.demo.supervisor import Stopped, stoppable
from tests.github_stand_in.driver import Driver
from tests.scenarios.campaigns import COMMUNITY, CONTEST, HACKATHON, PIR, Campaign

WORKERS = (people.CONTRIBUTOR, *people.OTHERS)
_CLAIMS = ("【报名】：{}", "/claim {}")
_RELEASES = ("【取消报名】：{}", "/release {}")
_SMALL_TALK = (
    "请问有参考实现吗？",
    "The guide helped a lot, thank you!",
    "这两天会更新。",
    "Is there a similar test to look at?",
)


@dataclass(frozen=True)
class Tasks:
    """An event's tasks that life plays on: title and repository by number; `proposed` are those that want a proposal."""

    campaign: Campaign
    titles: Mapping[int, str]
    repositories: Mapping[int, str]
    proposed: frozenset[int] = frozenset()


def tasks_of(campaign: Campaign) -> Tasks:
    """The tasks of an event's text, as the portal numbers them."""
    rows = read_body(campaign.body, repository=campaign.repository).tasks
    titles = {int(row.number or place): row.title for place, row in enumerate(rows, 1)}
    parts = {number: part for part in campaign.parts for number in range(part.first, part.last + 1)}
    repositories = {n: parts[n].repository if n in parts else campaign.repository for n in titles}
    proposed = frozenset(n for n in titles if n in parts and parts[n].proposed is not None)
    return Tasks(campaign, titles, repositories, proposed)


def all_tasks() -> tuple[Tasks, ...]:
    """Those of the demo's three events."""
    return tuple(tasks_of(campaign) for campaign in (PIR, HACKATHON, CONTEST))


@dataclass
class Piece:
    """Somebody's work on one task, and how far it came."""

    login: str
    tasks: Tasks
    number: int
    stage: str = "claimed"
    pull: int = 0

    @property
    def name(self) -> str:
        return f"task {self.number} of {self.tasks.campaign.slug}"


@dataclass
class Life:
    """Draws what happens next and lets it happen."""

    driver: Driver
    events: Sequence[Tasks]
    dice: random.Random
    pieces: list[Piece] = field(default_factory=list)

    def step(self) -> str:
        """One thing happens; returns it as a sentence."""
        going = [piece for piece in self.pieces if piece.stage != "over"]
        moves: list[Callable[[], str]] = [self._talk]
        if len(going) < 2 * len(WORKERS):
            moves += [self._claim] * 3
        if going:
            moves += [lambda: self._move(self.dice.choice(going))] * 6
        return self.dice.choice(moves)()

    def _say(self, login: str, campaign: Campaign, text: str) -> None:
        self.driver.comment(campaign.repository, campaign.number, login, text)

    def _talk(self) -> str:
        login = self.dice.choice(WORKERS).login
        campaign = self.dice.choice(self.events).campaign
        self._say(login, campaign, self.dice.choice(_SMALL_TALK))
        return f"{login} writes a comment in {campaign.slug}."

    def _claim(self) -> str:
        taken = {(piece.login, piece.tasks.campaign.slug, piece.number) for piece in self.pieces}
        tasks = self.dice.choice(self.events)
        slug = tasks.campaign.slug
        free = [(w.login, n) for w in WORKERS for n in tasks.titles if (w.login, slug, n) not in taken]
        if not free:
            return self._talk()
        login, number = self.dice.choice(free)
        self._say(login, tasks.campaign, self.dice.choice(_CLAIMS).format(number))
        piece = Piece(login, tasks, number)
        self.pieces.append(piece)
        return f"{login} claims {piece.name}."

    def _move(self, piece: Piece) -> str:
        if piece.stage == "claimed" and self.dice.random() < 0.15:
            piece.stage = "over"
            self._say(piece.login, piece.tasks.campaign, self.dice.choice(_RELEASES).format(piece.number))
            return f"{piece.login} releases {piece.name}."
        if piece.stage == "claimed" and piece.number in piece.tasks.proposed:
            return self._propose(piece)
        steps = {"claimed": self._code, "proposed": self._agree, "agreed": self._code}
        return (steps | {"open": self._review, "approved": self._merge})[piece.stage](piece)

    def _open(self, piece: Piece, repository: str, stage: str, suffix: str = "") -> None:
        tasks = piece.tasks
        title = f"【{tasks.campaign.prefix}{piece.number}】{tasks.titles[piece.number]}{suffix}"
        pull = self.driver.open_pull_request(repository, title, piece.login)
        piece.pull, piece.stage = pull["number"], stage

    def _propose(self, piece: Piece) -> str:
        self._open(piece, COMMUNITY, "proposed", " 设计文档")
        return f"{piece.login} opens proposal {piece.pull} for {piece.name}."

    def _agree(self, piece: Piece) -> str:
        self.driver.merge(COMMUNITY, piece.pull, people.MENTOR.login)
        piece.stage = "agreed"
        return f"{people.MENTOR.login} merges proposal {piece.pull} for {piece.name}."

    def _code(self, piece: Piece) -> str:
        self._open(piece, piece.tasks.repositories[piece.number], "open")
        return f"{piece.login} opens pull request {piece.pull} for {piece.name}."

    def _review(self, piece: Piece) -> str:
        approves = self.dice.random() < 0.7
        state = "approve" if approves else "request_changes"
        self.driver.review(
            piece.tasks.repositories[piece.number],
            piece.pull,
            people.MENTOR.login,
            state,
            body="" if approves else "差一个测试。",
        )
        piece.stage = "approved" if approves else "open"
        return f"{people.MENTOR.login} {'approves' if approves else 'asks for changes in'} {piece.pull}."

    def _merge(self, piece: Piece) -> str:
        self.driver.merge(piece.tasks.repositories[piece.number], piece.pull, people.MENTOR.login)
        piece.stage = "over"
        return f"{people.MENTOR.login} merges {piece.pull}: the code of {piece.login} for {piece.name} is in."


def find_running(port: int) -> str | None:
    """The stand-in's address of the demo on this port."""
    remembered = Path(portal.ROOT, "var", "demo", str(port), "running.json")
    if not remembered.exists():
        return None
    address: str = json.loads(remembered.read_text(encoding="utf-8"))["github"]
    return address


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.demo.life", description="Some life for the running demo.")
    parser.add_argument("--port", type=int, default=8000, help="the demo's port (default: 8000)")
    parser.add_argument("--github", help="the stand-in's address, instead of the port")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between steps")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    address = arguments.github or find_running(arguments.port)
    if address is None:
        print(f"No demo runs on port {arguments.port}: start it with make demo.", file=sys.stderr)
        return 1
    life = Life(Driver(address), all_tasks(), random.Random(arguments.seed))
    with stoppable():
        try:
            for _ in range(arguments.steps):
                print(life.step(), flush=True)
                time.sleep(arguments.pause)
        except Stopped:
            return 0
        except OSError as error:
            print(
                f"The stand-in at {address} does not answer ({error}): is the demo still running?",
                file=sys.stderr,
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
