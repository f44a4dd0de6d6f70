"""People at GitHub, organizers at the portal, dying workers and a failing GitHub at once: in the end nothing is lost and all is right.

`MIXES_TO=40 MIX_STEPS=80` looks further.
"""

import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from claims import github_reading
from claims.models import IssueComment
from claims.operations import editing_tasks
from claims.operations.checking import check_standings
from claims.operations.task_desk import NewTask, TaskChange
from portal import outbox
from portal.github.connect import connect
from portal.github.errors import GitHubError
from portal.models import OutboxMessage
from tasks_board.models import TaskEdit
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.claims.flows.test_deaths import Dying, Killed
from tests.services.deliveries import process_due

STEPS = int(os.environ.get("MIX_STEPS", "24"))
SEEDS = range(int(os.environ.get("MIXES_FROM", "0")), int(os.environ.get("MIXES_TO", "2")))
FAULTS = ("bad_gateway", "server_error", "secondary_limit", "too_many_requests", "hang_up", "garbage")
TITLES = {
    4: "dtype 动静统一",
    5: "SOT 动态 shape 支持",
}
OURS = "动转静 train step 整图训练 PIR 适配"
CELL = "AST 动转静 + API"


class Mix:
    """The scene, and what everybody did to it, to be looked for at the end."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.scene, self.dice = scene, random.Random(seed)
        self.titles = dict(TITLES)
        self.sentences: list[str] = []
        self.ours, self.cell = OURS, CELL
        self.added: list[str] = []
        self.comments: dict[int, str] = {}
        self.pull_requests: list[int] = []
        self.merged: list[int] = []
        self.late: list[dict[str, Any]] = []
        self.log: list[str] = []
        scene.write_table()

    def step(self, turn: int) -> None:
        steps: list[Callable[[str], object]] = [
            self.write_comment,
            self.write_comment,
            self.edit_comment,
            self.delete_comment,
            self.open,
            self.retitle,
            self.merge,
            self.revert,
            self.edit_text,
            self.edit_text,
            self.edit_between,
            self.change_task,
            self.change_task,
            self.change_rules,
            self.add_task,
            self.fail,
            self.die,
        ]
        chosen = self.dice.choice(steps)
        self.log.append(f"{turn} {chosen.__name__}")
        chosen(str(turn))
        self.bring()
        if self.dice.random() < 0.2:
            self.log.append("poll")
            self.poll()
        if self.dice.random() < 0.7:
            self.log.append("drain")
            self.drain()
        self.scene.keep_pace()

    # people at GitHub

    def write_comment(self, turn: str) -> None:
        author, row = self.dice.choice((NEWCOMER, OTHER)), self.dice.choice((4, 5, 6))
        word = self.dice.choice(("/claim", "/claim", "/release"))
        self.comments[self.scene.comment(author, f"{word} {row}")["id"]] = author

    def edit_comment(self, turn: str) -> None:
        if self.comments:
            pk, author = self.dice.choice(list(self.comments.items()))
            self.scene.driver.edit_comment(pk, author, f"/claim {self.dice.choice((4, 5, 6))}")

    def delete_comment(self, turn: str) -> None:
        if self.comments and self.dice.random() < 0.5:
            pk = self.dice.choice(list(self.comments))
            self.scene.driver.delete_comment(pk, self.comments.pop(pk))

    def open(self, turn: str) -> None:
        author, row = self.dice.choice((NEWCOMER, OTHER)), self.dice.choice((4, 5, 6))
        self.pull_requests.append(self.scene.open_pull_request(author, f"【PIR No.{row}】{turn}"))

    def retitle(self, turn: str) -> None:
        if self.pull_requests:
            number = self.dice.choice(self.pull_requests)
            row = self.dice.choice((4, 5, 6))
            self.scene.driver.retitle(REPOSITORY, number, MENTOR, f"【PIR No.{row}】{turn}")

    def merge(self, turn: str) -> None:
        waiting = [number for number in self.pull_requests if number not in self.merged]
        if waiting:
            self.merged.append(self.dice.choice(waiting))
            self.scene.merge(self.merged[-1])

    def revert(self, turn: str) -> None:
        if self.merged and self.dice.random() < 0.5:
            made = self.scene.driver.revert(REPOSITORY, self.dice.choice(self.merged), MENTOR)
            self.scene.merge(int(made["number"]))

    def edit_text(self, turn: str) -> None:
        if not self.scene.driver.pending_edits():  # that one is a save over the text as it was
            editor = self.dice.choice((ORGANIZER, MENTOR))
            self.scene.driver.edit_issue(REPOSITORY, NUMBER, editor, self.change(turn))

    def edit_between(self, turn: str) -> None:
        if not self.scene.driver.pending_edits():
            self.scene.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, self.change(turn))

    def change(self, turn: str) -> str:
        """A person's next save over the text as it is; what a write of ours has covered for the moment they do not see."""
        body = self.scene.body().replace("\r\n", "\n")
        row = self.dice.choice(list(self.titles))
        kind = self.dice.choice(("sentence", "title", "cell"))
        if kind == "title" and self.titles[row] in body:
            old, self.titles[row] = self.titles[row], f"{TITLES[row]}（{turn}）"
            return body.replace(old, self.titles[row], 1)
        if kind == "cell" and f"| {self.cell} |" in body:
            old, self.cell = self.cell, f"{CELL} {turn}"
            return body.replace(f"| {old} |", f"| {self.cell} |", 1)
        self.sentences.append(f"第{turn}句。")
        return body.replace("## 背景\n", f"## 背景\n\n{self.sentences[-1]}\n", 1)

    # organizers at the portal

    def change_task(self, turn: str) -> None:
        self.ours = f"整图训练 {turn}"
        self._change(6, title=self.ours)

    def change_rules(self, turn: str) -> None:
        self._change(self.dice.choice((4, 5, 6)), places=self.dice.choice(("", "1", "2")), description=turn)

    def _change(self, row: int, **values: str) -> None:
        editing_tasks.change_tasks(
            event=self.scene.event,
            changes=[TaskChange(self.scene.task(row).pk, values)],
            acting_user=self.scene.person(ORGANIZER),
            now=self.scene.now(),
        )

    def add_task(self, turn: str) -> None:
        if len(self.added) < 3:
            self.added.append(f"新任务 {turn}。")
            editing_tasks.change_tasks(
                event=self.scene.event,
                additions=[NewTask({"title": self.added[-1]}, self.scene.issue.pk)],
                acting_user=self.scene.person(ORGANIZER),
                now=self.scene.now(),
            )

    # what goes wrong

    def fail(self, turn: str) -> None:
        self.scene.driver.add_fault(self.dice.choice(FAULTS), after=self.dice.random() < 0.5)

    def die(self, turn: str) -> None:
        waiting = outbox.sweep(self.scene.now())
        if waiting:
            dying = Dying(connect(), self.dice.randint(0, 4))
            try:
                outbox.drain_one(self.dice.choice(waiting), dying.connect, self.scene.now())
            except Killed:
                self.log.append("killed")

    # what reaches us

    def bring(self, *, everything: bool = False) -> None:
        """Webhooks come twice, late, out of order or not at all."""
        waiting = [*self.late, *self.news()]
        self.dice.shuffle(waiting)
        self.late = []
        for delivery in waiting:
            luck = 1.0 if everything else self.dice.random()
            if luck < 0.3:
                self.late.append(delivery)
            elif luck > 0.45:
                self.scene.post(delivery)
                if luck > 0.8:
                    self.scene.post(delivery)
        process_due(self.scene.now())

    def news(self) -> list[dict[str, Any]]:
        found = self.scene.driver.deliveries(with_payload=True, after=self.scene.looked_at)
        self.scene.looked_at += len(found)
        return found

    def poll(self) -> None:
        try:
            github_reading.poll_tracking_issue(
                tracking_issue=self.scene.issue, gateway=connect(), now=self.scene.now()
            )
            for repository in github_reading.list_repositories_to_watch():
                github_reading.reconcile_repository(
                    repository=repository, gateway=connect(), now=self.scene.now()
                )
        except GitHubError as error:
            self.log.append(f"poll: {error.code}")

    def drain(self) -> None:
        self.scene.passed += outbox.FIRST_RETRY * 13
        for pk in outbox.sweep(self.scene.now()):
            outbox.drain_one(pk, connect, self.scene.now())

    def finish(self) -> None:
        self.scene.driver.clear_faults()
        for turn in range(4):
            self.scene.passed += outbox.LEASE * 2
            self.scene.keep_pace()
            if self.scene.driver.pending_edits():  # a save that waits for a write of ours
                self.change_task(f"{turn}末")
            self.bring(everything=True)
            self.poll()
            for _hours in range(3):
                self.scene.work()
                self.scene.passed += outbox.LEASE * 12

    # what has to hold

    def faults(self) -> list[str]:
        body = self.scene.body().replace("\r\n", "\n")
        issue = self.scene.issue
        found = [f"sentence {s}" for s in self.sentences if body.count(s) != 1]
        found += [f"title {t}" for t in self.titles.values() if body.count(t) != 1]
        found += [f"row {t}" for t in self.added if body.count(t) != 1]
        found += [] if body.count(f"| {self.cell} |") == 1 else [f"cell {self.cell}"]
        found += [] if self.scene.task(6).title == self.ours else [f"No.6 is {self.scene.task(6).title}"]
        found += [] if body.count(self.ours) == 1 else [f"our title {self.ours}"]
        found += [] if issue.agreed_body == self.scene.body() else ["agreed text"]
        found += [] if issue.body == self.scene.body() else ["known text"]
        found += [f"alarm {issue.alarm}"] if issue.alarm else []
        found += [f"waits: {message} {message.last_error}" for message in OutboxMessage.objects.all()]
        found += [f"open: {edit}" for edit in TaskEdit.objects.filter(settled_at=None)]
        found += [str(difference) for difference in check_standings(now=self.scene.now(), fix=False)]
        answered = self.scene.answers()
        found += ["answered twice"] if len(answered) > IssueComment.objects.count() else []
        found += [] if len(answered) == len({a.rpartition("<!--")[2] for a in answered}) else ["same answer"]
        rows = [line for line in self.scene.rows() if not set(line) <= set("|- :")]
        tasks = self.scene.event.tasks.on_board()
        found += [] if len(rows) - body.count("| 任务标题 |") == tasks.count() else ["rows and tasks"]
        for task in tasks.filter(number__in=["4", "5", "6"]):
            [row] = [line for line in rows if task.title in line] or [""]
            for claim in task.claims.filter(shown=True):
                is_on = claim.standing not in ("withdrawn", "declined")
                if is_on and f"@{claim.claimant}" not in row and str(claim.claimant) in (NEWCOMER, OTHER):
                    found.append(f"{claim.claimant} ({claim.standing}) is missing: {row}")
        return found


@pytest.mark.parametrize("seed", SEEDS)
def test_in_the_end_all_is_right(scene: Scene, seed: int) -> None:
    mix = Mix(scene, seed)
    scene.looked_at = len(scene.driver.deliveries())
    for turn in range(STEPS):
        mix.step(turn)
    mix.finish()
    assert mix.faults() == [], "\n".join(mix.log)
