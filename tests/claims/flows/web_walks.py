"""Random walks through the doors of the web and of GitHub: claimants, mentors and organizers press buttons while people edit the issue.

Every step is a form that is sent, or something that happens at GitHub and is brought to the door. Time is the scene's.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from django.test import Client
from django.urls import reverse

from claims import github_reading
from claims.models import Claim, Decision, IssueComment, PullRequest, TableConflict
from portal.common import clock
from portal.github.connect import connect
from portal.models import OutboxMessage, Person, User
from rewards import operations
from rewards.models import EventReward, LedgerEntry, Pool
from tasks_board.models import EventMark, EventRole, Task, TaskEdit, Team, TeamMember, TrackingIssue
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.claims.invariants import faults
from tests.demo import people

HEAD = "| 序号 | 题目 | 描述 | 认领人 | PR |\n| - | - | - | - | - |"
ROWS = 3
NUMBERS = tuple(str(number) for number in range(1, ROWS + 1))
RACERS = (NEWCOMER, OTHER, people.OTHERS[1].login, people.OTHERS[2].login)
EVERYBODY = (ORGANIZER, MENTOR, *RACERS)
STAFF = (ORGANIZER, MENTOR)
RULES = {
    "who_may_claim": ("open", "open", "open", "mentor_approves", "invitation"),
    "places_per_task": ("", "1", "1", "2"),
    "open_claims_per_person": ("", "", "1", "2"),
    "people_per_team": ("", "2"),
    "days_to_pull_request": ("", "4"),
    "days_of_silence": ("", "", "6"),
    "reminder_days": ("0", "2"),
    "grace_days": ("0", "1"),
    "renewals": ("0", "1"),
    "waiting_list": (True, True, False),
    "first_merged_wins": (True, False),
    "proposal_required": (False, False, False, True),
    "quiet": (False, True),
}
_T = TypeVar("_T")


def first_body() -> str:
    rows = "\n".join(f"| {n} | 题{n:03} | 说明{n} | | |" for n in range(1, ROWS + 1))
    return f"# 任务\n\n{HEAD}\n{rows}\n\n## 尾声\n"


@dataclass
class TimedScene(Scene):
    """A scene whose time is everybody's: the pages' too."""

    def now(self) -> datetime:
        return clock.now()


class WebWalk:
    """One walk. `broken` holds what was wrong with an answer on the way."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.scene, self.dice, self.seed = scene, random.Random(seed), seed
        self.log: list[str] = []
        self.broken: list[str] = []
        self.second = NUMBER
        self.pull_requests: list[int] = []
        self.merged: list[int] = []
        self.counter = itertools.count(1)
        self.kept: dict[str, set[int]] = {}
        self.clients = {login: self._sign_in(login) for login in EVERYBODY}
        event = scene.event
        mentor = Person.objects.get(login=MENTOR)
        EventRole.objects.get_or_create(
            event=event, person=mentor, role="mentor", defaults={"granted_at": scene.now()}
        )
        self.pool = operations.get_or_create_pool(
            name="Points", unit=Pool.Unit.POINT, acting_user=None, now=scene.now()
        )
        operations.set_event_reward(
            event=event,
            pool=self.pool,
            per=EventReward.Per.TASK,
            amount=Decimal(1),
            partly_percent=50,
            acting_user=None,
            now=scene.now(),
        )
        scene.write_table()

    def _sign_in(self, login: str) -> Client:
        known = {person.login: person.id for person in people.EVERYBODY}
        person, _ = Person.objects.get_or_create(github_id=known[login], defaults={"login": login})
        client = Client()
        client.force_login(User.objects.create(username=login, person=person))
        return client

    # choosing

    def pick(self, things: "list[_T] | tuple[_T, ...]") -> _T:
        return self.dice.choice(things)

    def maybe(self, chance: float) -> bool:
        return self.dice.random() < chance

    def task(self) -> Task:
        return self.pick(list(self.scene.event.tasks.on_board().order_by("pk")))

    def post(self, login: str, name: str, /, *arguments: object, **data: object) -> int:
        """Press a button; whatever comes, it is an answer."""
        where = reverse(name, args=["pir", *arguments])
        sent = {key: value for key, value in data.items() if value is not False}
        answer = self.clients[login].post(where, {key: str(value) for key, value in sent.items()})
        if answer.status_code >= 500 or answer.status_code in (400, 405):
            self.broken.append(f"{where} {data}: {answer.status_code}")
        return int(answer.status_code)

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

    # claimants

    def claim(self) -> str:
        task, login, group = self.task(), self.pick(RACERS), self.maybe(0.25)
        status = self.post(login, "claim", task.pk, **({"for": "team"} if group else {}))
        return f"{login} No.{task.number}{' team' if group else ''} {status}"

    def release(self) -> str:
        found = list(Claim.objects.filter(person__login__in=RACERS, shown=True).order_by("pk"))
        claim = self.pick(found) if found else None
        task, login = (claim.task, str(claim.person)) if claim else (self.task(), NEWCOMER)
        return f"{login} No.{task.number} {self.post(login, 'release', task.pk)}"

    def renew(self) -> str:
        task, login = self.task(), self.pick(RACERS)
        return f"{login} No.{task.number} {self.post(login, 'renew', task.pk)}"

    def comment(self) -> str:
        login, word, number = self.pick(RACERS), self.pick(("claim", "claim", "release")), self.pick(NUMBERS)
        self.scene.comment(login, f"/{word} {number}")
        return f"{login} /{word} {number}"

    # mentors

    def _claim(self) -> Claim | None:
        found = list(Claim.objects.select_related("task", "person", "team").order_by("pk"))
        return self.pick(found) if found else None

    def decide(self) -> str | None:
        claim, login = self._claim(), self.pick(STAFF)
        if claim is None:
            return None
        kind = self.pick(list(Decision.BY_MENTORS))
        status = self.post(login, "decide", claim.pk, kind=kind.value, note=self.pick(("", "看过")))
        return f"{login} {kind} {claim.claimant} No.{claim.task.number} {status}"

    def extend(self) -> str | None:
        claim, login = self._claim(), self.pick(STAFF)
        if claim is None:
            return None
        status = self.post(login, "extend", claim.pk, days=self.pick((1, 5, 30)))
        return f"{login} {claim.claimant} No.{claim.task.number} {status}"

    def undo(self) -> str | None:
        found = list(Decision.objects.filter(decided_by__login__in=STAFF).order_by("-pk")[:5])
        if not found:
            return None
        decision, login = self.pick(found), self.pick(STAFF)
        self.post(login, "undo", decision.pk)
        return f"{login} {decision.kind} of {decision.claim.claimant} No.{decision.claim.task.number}"

    # organizers

    def change_rules(self) -> str:
        """The form as it stands, and one or two values of it changed."""
        rules = self.scene.event.rule_set.to_json()
        data = {name: rules[name] if rules[name] is not None else "" for name in RULES}
        chosen = {name: self.pick(RULES[name]) for name in self.dice.sample(list(RULES), 2)}
        self.post(ORGANIZER, "change_rules", **{**data, **chosen})
        return str(chosen)

    def change_life(self) -> str:
        status = self.pick(("closed", "archived"))
        first = self.scene.event.status
        self.post(ORGANIZER, "set_event_status", status=status)
        self.claim()
        self.comment()
        self.hear()
        while (now := self.scene.event.status) != "running":
            back = {"archived": "closed", "closed": "running", "draft": "running"}[now]
            self.post(ORGANIZER, "set_event_status", status=back)
            if self.scene.event.status == now:
                self.broken.append(f"the event stays {now}")
                break
        return f"{first}, {status} and back"

    def hold(self) -> str:
        held = self.scene.event.writing_held_at is None
        self.post(ORGANIZER, "hold_writing", held="1" if held else "")
        return "held" if held else "released"

    def change_task(self) -> str:
        task, turn = self.task(), next(self.counter)
        field, value = self.pick(
            (
                ("title", f"题{int(task.number):03}改{turn}"),
                ("description", f"记{turn}"),
                ("places", "1"),
                ("places", ""),
            )
        )
        sent = {"task": task.pk, "action": "change", "field": field, "value": value}
        return f"No.{task.number} {field} {value} {self.post(ORGANIZER, 'change_tasks', **sent)}"

    def remove_task(self) -> str:
        """Off the board and back again."""
        task = self.task()
        self.post(ORGANIZER, "change_tasks", task=task.pk, action="remove")
        self.claim()
        status = self.post(ORGANIZER, "change_tasks", task=task.pk, action="restore")
        return f"No.{task.number} {status}"

    def mark(self) -> str:
        marked = list(EventMark.objects.filter(lifted_at=None).order_by("pk"))
        if marked and self.maybe(0.6):
            lifted = self.pick(marked)
            return f"lift {lifted.kind} {lifted.person} {self.post(ORGANIZER, 'lift_mark', lifted.pk)}"
        login, kind = self.pick(RACERS), self.pick(("banned", "invited", "unpaid"))
        return f"{kind} {login} {self.post(ORGANIZER, 'mark_people', logins=login, kind=kind)}"

    def settle_conflicts(self) -> str:
        keep = self.pick(("ours", "theirs"))
        self.post(ORGANIZER, "settle_conflicts", keep=keep, sure="1")
        for edit in TaskEdit.objects.filter(conflict_at__isnull=False, settled_at=None):
            self.post(ORGANIZER, "settle_cell", edit.pk, keep=keep)
        return keep

    # teams

    def team(self) -> str:
        invited = list(
            TeamMember.objects.filter(left_at=None, accepted_at=None, person__login__in=RACERS)
            .select_related("team", "person")
            .order_by("pk")
        )
        if invited and self.maybe(0.7):
            seat = self.pick(invited)
            answer = self.pick(("accept", "accept", "decline"))
            status = self.post(str(seat.person), "answer_invitation", seat.team_id, answer=answer)
            return f"{seat.person} {answer} {seat.team} {status}"
        login, turn = self.pick(RACERS), next(self.counter)
        self.post(login, "create_team", name=f"队{turn}")
        team = Team.objects.filter(name=f"队{turn}").first()
        if team is None:
            return f"{login} makes none"
        other = self.pick(RACERS)
        return f"{login} {team} asks {other} {self.post(login, 'invite_to_team', team.pk, login=other)}"

    def leave(self) -> str | None:
        seats = list(TeamMember.objects.seated().select_related("team", "person").order_by("pk"))
        if not seats:
            return None
        seat = self.pick(seats)
        captains = [s for s in seats if s.team_id == seat.team_id and s.person_id == seat.team.captain_id]
        if captains and self.maybe(0.4):
            self.post(str(captains[0].person), "remove_from_team", seat.team_id, person=seat.person_id)
        return f"{seat.person} {seat.team} {self.post(str(seat.person), 'leave_team', seat.team_id)}"

    # GitHub

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
        body = self._body(number)
        self.scene.driver.edit_issue(REPOSITORY, number, editor, "\n".join(change(body.split("\n"))))

    def _row(self, number: int) -> int | None:
        """A row of a text as it stands at GitHub."""
        body = self._body(number)
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
        row = self._body(NUMBER).split("\n")[place]
        self.second = 70_000 + next(self.counter)
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
        text = self._body(self.second)
        rows = [line for line in text.split("\n") if "| 题" in line and "题目" not in line]
        at = self._body(NUMBER).split("\n").index("| - | - | - | - | - |") + 1
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

    # what has to hold

    def rest(self) -> None:
        """Nothing is held, everything is brought, nothing is due any more."""
        if self.scene.event.writing_held_at is not None:
            self.hold()
        self.scene.keep_pace()
        self.scene.settle()

    def faults(self) -> Iterator[str]:
        """What does not hold, once everything is at rest."""
        yield from faults(pool=self.pool, now=self.scene.now())
        yield from self._lost()
        yield from (f"waits: {message} {message.last_error}" for message in OutboxMessage.objects.all())
        marks = [answer.rpartition("<!--")[2] for answer in self.scene.answers()]
        if len(set(marks)) != len(marks) or len(marks) > IssueComment.objects.count():
            yield "answered twice"
        yield from self._differences()

    def _lost(self) -> Iterator[str]:
        for model in (Claim, Decision, PullRequest, LedgerEntry, IssueComment):
            now = set(model.objects.values_list("pk", flat=True))
            if gone := self.kept.get(model.__name__, set()) - now:
                yield f"{model.__name__} lost: {gone}"
            self.kept[model.__name__] = now

    def _body(self, number: int) -> str:
        return str(self.scene.driver.get_issue(REPOSITORY, number)["body"]).replace("\r\n", "\n")

    def _differences(self) -> Iterator[str]:
        """Where the board and the texts do not say the same, and nothing visible says why."""
        bodies = {}
        for issue in TrackingIssue.objects.filter(retired_at=None, number__isnull=False):
            bodies[issue.pk] = self._body(issue.number or 0)
            if issue.alarm:
                yield f"alarm {issue.alarm}"
            if issue.agreed_body.replace("\r\n", "\n") != bodies[issue.pk]:
                yield f"{issue} is not as agreed"
        for edit in TaskEdit.objects.filter(settled_at=None, conflict_at=None):
            yield f"an edit never went out: {edit.task.number} {edit}"
        tasks = list(self.scene.event.tasks.on_board().order_by("pk"))
        if len(tasks) != ROWS:
            yield f"{len(tasks)} tasks"
        for task in tasks:
            lines = bodies.get(task.tracking_issue_id or 0, "").split("\n")
            rows = [line for line in lines if line.startswith(f"| {task.number} |")]
            if len(rows) != 1:
                yield f"No.{task.number} stands {len(rows)} times"
            else:
                yield from self._differences_of(task, rows[0])

    def _differences_of(self, task: Task, row: str) -> Iterator[str]:
        is_edited = TaskEdit.objects.filter(settled_at=None, task=task).exists()
        if not is_edited and (task.title not in row or task.description not in row):
            yield f"{task.title} {task.description} differs from {row}"
        told = TableConflict.objects.filter(settled_at=None).values("claim")
        for claim in task.claims.filter(shown=True, person__isnull=False).exclude(pk__in=told):
            named = f"@{claim.claimant}" in row.replace(f"~~@{claim.claimant}~~", "")
            if named is (claim.standing in Claim.GONE):
                yield f"{claim.claimant} ({claim.standing}) and {row}"

    def faults_of_pages(self) -> Iterator[str]:
        """Pages that do not answer those whose they are."""
        task = self.task()
        mine = ["me", "notices", "home"]
        shared = ["event", "board", "teams", "leaderboard"]
        organizing = [
            "organize", "people", "names", "organize_tasks", "writing", "issues", "event_settings", "readings", "registrations",
        ]  # fmt: skip
        for login in EVERYBODY:
            addresses = [reverse(name) for name in mine] + [reverse(name, args=["pir"]) for name in shared]
            addresses.append(reverse("task", args=["pir", task.pk]))
            if login in STAFF:
                addresses.append(reverse("desk", args=["pir"]))
                addresses.append(reverse("desk", args=["pir"]) + "?show=handled")
            if login == ORGANIZER:
                addresses += [reverse(name, args=["pir"]) for name in organizing]
                addresses.append(reverse("edit_task", args=["pir", task.pk]))
            for address in addresses:
                status = self.clients[login].get(address, follow=True).status_code
                if status != 200:
                    yield f"{login} {address}: {status}"


def with_time_of(scene: Scene, real: Callable[[], datetime]) -> Callable[[], datetime]:
    """The clock for everybody: the real one, and what the scene has let pass."""
    return lambda: real() + scene.passed
