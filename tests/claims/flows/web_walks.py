"""Random walks through the doors of the web and of GitHub: claimants, mentors and organizers press buttons while people edit the issue.

Every step is a form that is sent, or something that happens at GitHub and is brought to the door. Time is the scene's.
`tests.claims.flows.web_faults` says what does not hold when everything is at rest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from claims import github_reading
from portal.common import clock
from portal.github.connect import connect
from tasks_board.models import TrackingIssue
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, REPOSITORY, Scene
from tests.claims.flows.web_buttons import NUMBERS, RACERS, ROWS, STAFF, Buttons

HEAD = "| 序号 | 题目 | 描述 | 认领人 | PR |\n| - | - | - | - | - |"


def first_body() -> str:
    rows = "\n".join(f"| {n} | 题{n:03} | 说明{n} | | |" for n in range(1, ROWS + 1))
    return f"# 任务\n\n{HEAD}\n{rows}\n\n## 尾声\n"


@dataclass
class TimedScene(Scene):
    """A scene whose time is everybody's: the pages' too."""

    def now(self) -> datetime:
        return clock.now()


def with_time_of(scene: Scene, real: Callable[[], datetime]) -> Callable[[], datetime]:
    """The clock for everybody: the real one, and what the scene has let pass."""
    return lambda: real() + scene.passed


class WebWalk(Buttons):
    """One walk: what is pressed, and what people do at GitHub meanwhile."""

    def __init__(self, scene: Scene, seed: int) -> None:
        super().__init__(scene, seed)
        self.second = NUMBER
        self.pull_requests: list[int] = []
        self.merged: list[int] = []

    # steps

    def step(self) -> None:
        self.scene.passed += timedelta(minutes=self.pick((1, 3, 20)))
        steps: dict[Callable[[], str | None], int] = {
            self.claim: 5,
            self.release: 3,
            self.renew: 1,
            self.comment: 4,
            self.decide: 4,
            self.extend: 2,
            self.undo: 3,
            self.change_rules: 4,
            self.change_life: 1,
            self.hold: 1,
            self.change_task: 3,
            self.remove_task: 1,
            self.edit_text: 3,
            self.edit_people: 2,
            self.split: 1,
            self.merge_back: 1,
            self.team: 3,
            self.leave: 1,
            self.mark: 1,
            self.open: 3,
            self.merge: 2,
            self.revert: 1,
            self.settle_conflicts: 1,
            self.let_days_pass: 1,
        }
        chosen = self.dice.choices(list(steps), list(steps.values()))[0]
        said = chosen()
        if said is not None:
            self.log.append(f"{len(self.log)} {chosen.__name__}: {said}")
        if self.maybe(0.6):
            self.hear()

    def hear(self) -> None:
        """What happened at GitHub arrives, twice at times; sometimes what waits goes out."""
        self.scene.keep_pace()
        waiting = self.scene.waiting()
        if waiting and self.maybe(0.3):
            self.dice.shuffle(waiting)
        if self.maybe(0.5):
            self.scene.bring(waiting)
        else:
            self.scene.hear()

    # GitHub

    def comment(self) -> str:
        login, word, number = self.pick(RACERS), self.pick(("claim", "claim", "release")), self.pick(NUMBERS)
        self.scene.comment(login, f"/{word} {number}")
        return f"{login} /{word} {number}"

    def open(self) -> str:
        login, number = self.pick(RACERS), self.pick(NUMBERS)
        self.pull_requests.append(self.scene.open_pull_request(login, f"【PIR No.{number}】 work"))
        return f"{login} No.{number} #{self.pull_requests[-1]}"

    def merge(self) -> str | None:
        waiting = [n for n in self.pull_requests if n not in self.merged]
        if not waiting:
            return None
        self.merged.append(self.pick(waiting))
        self.scene.merge(self.merged[-1])
        return f"#{self.merged[-1]}"

    def revert(self) -> str | None:
        if not self.merged:
            return None
        number = self.pick(self.merged)
        made = self.scene.driver.revert(REPOSITORY, number, MENTOR)
        self.scene.merge(int(made["number"]))
        return f"#{number}"

    def _save(self, number: int, editor: str, change: Callable[[list[str]], list[str]]) -> None:
        body = self.body(number)
        self.scene.driver.edit_issue(REPOSITORY, number, editor, "\n".join(change(body.split("\n"))))

    def _row(self, number: int) -> int | None:
        """A row of a text as it stands at GitHub."""
        body = self.body(number)
        rows = [n for n, line in enumerate(body.split("\n")) if "| 题" in line and "题目" not in line]
        return self.pick(rows) if rows else None

    def edit_text(self) -> str | None:
        number, turn = self.pick((NUMBER, self.second)), next(self.counter)
        place = self._row(number)
        if place is None:
            return None
        column = self.pick((1, 2))

        def change(lines: list[str]) -> list[str]:
            cells = lines[place].strip().strip("|").split("|")
            cells[column] = f" 题{int(cells[0]):03}人{turn} " if column == 1 else f" 人{turn} "
            lines[place] = f"|{'|'.join(cells)}|"
            return lines

        self._save(number, self.pick(STAFF), change)
        return f"#{number} line {place} column {column} {turn}"

    def edit_people(self) -> str | None:
        place, editor = self._row(NUMBER), self.pick((*STAFF, NEWCOMER))
        if place is None:
            return None
        text = self.pick(
            ("", f"@{self.pick(RACERS)}", f"@{self.pick(RACERS)} ✅", f"@{self.pick(RACERS)} 🚧")
        )

        def change(lines: list[str]) -> list[str]:
            cells = lines[place].strip().strip("|").split("|")
            kept = cells[3].strip() if self.maybe(0.5) else ""
            cells[3] = f" {f'{kept} {text}'.strip()} "
            lines[place] = f"|{'|'.join(cells)}|"
            return lines

        self._save(NUMBER, editor, change)
        return f"line {place} {text!r} by {editor}"

    def split(self) -> str | None:
        """A row goes into a new issue, which the organizer adds."""
        if self.second != NUMBER or self.scene.event.writing_held_at is not None:
            return None
        self.scene.settle()
        place = self._row(NUMBER)
        if place is None:
            return None
        row = self.body(NUMBER).split("\n")[place]
        self.second = 70_000 + 1_000 * next(self.counter)  # pull requests count on from it
        self.scene.driver.create_issue(REPOSITORY, "更多任务", f"{HEAD}\n{row}\n", ORGANIZER, self.second)
        self.post(ORGANIZER, "add_issue", issue=f"{REPOSITORY}#{self.second}")
        TrackingIssue.objects.filter(number=self.second).update(writing=TrackingIssue.Writing.ON)
        self._save(NUMBER, ORGANIZER, lambda lines: lines[:place] + lines[place + 1 :])
        self.scene.settle()
        return f"{row} into #{self.second}"

    def merge_back(self) -> str | None:
        if self.second == NUMBER or self.scene.event.writing_held_at is not None:
            return None
        self.scene.settle()
        text = self.body(self.second)
        rows = [line for line in text.split("\n") if "| 题" in line and "题目" not in line]
        at = self.body(NUMBER).split("\n").index("| - | - | - | - | - |") + 1
        self._save(NUMBER, ORGANIZER, lambda lines: [*lines[:at], *rows, *lines[at:]])
        if self.maybe(0.5):
            self.scene.settle()
        self._save(self.second, ORGANIZER, lambda lines: [line for line in lines if line not in rows])
        if self.maybe(0.5):
            self.scene.settle()
        issue = TrackingIssue.objects.filter(number=self.second).first()
        if issue is not None:
            self.post(ORGANIZER, "retire_issue", issue.pk)
        said, self.second = f"{len(rows)} rows of #{self.second}", NUMBER
        self.scene.settle()
        return said

    def let_days_pass(self) -> str:
        days = self.pick((1, 3, 8))
        for _day in range(days):
            self.scene.passed += timedelta(days=1)
            self.scene.keep_pace()
            github_reading.settle_deadlines(gateway=connect(), now=self.scene.now())
        return f"{days}"

    def rest(self) -> None:
        """Nothing is held, everything is brought, nothing is due any more."""
        if self.scene.event.writing_held_at is not None:
            self.hold()
        self.scene.keep_pace()
        self.scene.settle()

    def body(self, number: int) -> str:
        """A text as it stands at GitHub."""
        return str(self.scene.driver.get_issue(REPOSITORY, number)["body"]).replace("\r\n", "\n")
