"""`python -m tests.demo.life`: some life for the demo. Invented people claim, open pull requests, review, merge.

What happens is drawn from a seed, so a run can be repeated; it all goes through the stand-in's driving API, and the
portal hears of it by webhook as it would from GitHub.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.demo import people, portal, scenario
from tests.demo.supervisor import Stopped, stoppable
from tests.github_stand_in.driver import Driver

WORKERS = (people.CONTRIBUTOR, *people.OTHERS)
_CLAIMS = ("【报名】：{}", "/claim {}")
_RELEASES = ("【取消报名】：{}", "/release {}")
_SMALL_TALK = (
    "请问有参考实现吗？",
    "The guide helped a lot, thank you!",
    "这两天会更新。",
    "Is there a similar test to look at?",
)


@dataclass
class Piece:
    """Somebody's work on one task, and how far it came."""

    login: str
    number: int
    stage: str = "claimed"
    pull: int = 0


@dataclass
class Life:
    """Draws what happens next and lets it happen."""

    driver: Driver
    titles: list[str]
    dice: random.Random
    pieces: list[Piece] = field(default_factory=list)

    def step(self) -> str:
        """One thing happens; returns it as a sentence."""
        going = [piece for piece in self.pieces if piece.stage != "over"]
        moves: list[Callable[[], str]] = [self._talk]
        if len(going) < len(WORKERS):
            moves += [self._claim] * 3
        if going:
            moves += [lambda: self._move(self.dice.choice(going))] * 6
        return self.dice.choice(moves)()

    def _say(self, login: str, text: str) -> None:
        self.driver.comment(scenario.REPOSITORY, scenario.FORM_NUMBER, login, text)

    def _talk(self) -> str:
        login = self.dice.choice(WORKERS).login
        self._say(login, self.dice.choice(_SMALL_TALK))
        return f"{login} writes a comment."

    def _claim(self) -> str:
        taken = {(piece.login, piece.number) for piece in self.pieces}
        numbers = range(1, len(self.titles) + 1)
        free = [(w.login, n) for w in WORKERS for n in numbers if (w.login, n) not in taken]
        if not free:
            return self._talk()
        login, number = self.dice.choice(free)
        self._say(login, self.dice.choice(_CLAIMS).format(number))
        self.pieces.append(Piece(login, number))
        return f"{login} claims task {number}."

    def _move(self, piece: Piece) -> str:
        if piece.stage == "claimed" and self.dice.random() < 0.15:
            piece.stage = "over"
            self._say(piece.login, self.dice.choice(_RELEASES).format(piece.number))
            return f"{piece.login} releases task {piece.number}."
        return {"claimed": self._open, "open": self._review, "approved": self._merge}[piece.stage](piece)

    def _open(self, piece: Piece) -> str:
        title = f"【{scenario.PREFIX}{piece.number}】{self.titles[piece.number - 1]}"
        pull = self.driver.open_pull_request(scenario.REPOSITORY, title, piece.login)
        piece.pull, piece.stage = pull["number"], "open"
        return f"{piece.login} opens pull request {piece.pull} for task {piece.number}."

    def _review(self, piece: Piece) -> str:
        approves = self.dice.random() < 0.7
        state = "approve" if approves else "request_changes"
        self.driver.review(
            scenario.REPOSITORY,
            piece.pull,
            people.MENTOR.login,
            state,
            body="" if approves else "差一个测试。",
        )
        piece.stage = "approved" if approves else "open"
        return f"{people.MENTOR.login} {'approves' if approves else 'asks for changes in'} {piece.pull}."

    def _merge(self, piece: Piece) -> str:
        self.driver.merge(scenario.REPOSITORY, piece.pull, people.MENTOR.login)
        piece.stage = "over"
        return f"{people.MENTOR.login} merges {piece.pull}: {piece.login} is done with task {piece.number}."


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
    titles = scenario.task_titles(scenario.FORM.read_text(encoding="utf-8"))
    life = Life(Driver(address), titles, random.Random(arguments.seed))
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
