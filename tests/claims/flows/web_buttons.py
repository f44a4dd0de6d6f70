"""What people press on the web in a random walk: claimants, mentors, organizers, teams. Each step is a form that is sent."""

import itertools
import random
from decimal import Decimal
from typing import TypeVar

from django.test import Client
from django.urls import reverse

from claims.models import Claim, Decision
from portal.models import Person, User
from rewards import operations
from rewards.models import EventReward, Pool
from tasks_board.models import EventMark, EventRole, Task, TaskEdit, Team, TeamMember
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, Scene
from tests.demo import people

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


class Buttons:
    """The people of a small event, signed in, and their buttons. `broken` holds what was wrong with an answer."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.scene, self.dice, self.seed = scene, random.Random(seed), seed
        self.log: list[str] = []
        self.broken: list[str] = []
        self.counter = itertools.count(1)
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
