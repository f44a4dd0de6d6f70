"""Random walks through everything that people, texts and GitHub do to the claims of a small event.

`Walk` takes one step after another, through the operations that the doors call;
`tests.claims.invariants` says what does not hold after it.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from claims.models import Claim, CoAuthor, Decision, PullRequest
from claims.operations import (
    claiming,
    crediting,
    deciding,
    editing_tasks,
    eligibility,
    issues,
    naming,
    teaming,
    undoing,
)
from claims.operations.claiming import Asked
from claims.operations.issues import Revision
from claims.operations.pull_requests import Seen, record_pull_request
from claims.operations.task_desk import TaskChange
from portal.common.errors import DomainError
from portal.github import types
from portal.models import Person
from rewards import operations
from rewards.models import EventReward, Pool
from tasks_board.models import EventMark, Task, Team, TeamMember, TrackingIssue
from tasks_board.operations import teams
from tests.claims.people import at, make_event, make_organizer

HEAD = "| 序号 | 题目 | 认领人 | PR |\n| - | - | - | - |\n"
_T = TypeVar("_T")


class Walk:
    """An event of three tasks, one of them with a single place, seven people, two of whom are one, and two organizers."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.event = make_event(first_merged_wins=True, people_per_team=3)
        self.organizers = [make_organizer(self.event, 900), make_organizer(self.event, 901)]
        self.people = [Person.objects.create(github_id=n, login=f"racer-{n}") for n in range(1, 8)]
        Person.objects.filter(pk=self.people[6].pk).update(canonical=self.people[0])
        self.people[6].refresh_from_db()
        self.pool = operations.get_or_create_pool(
            name="Points", unit=Pool.Unit.POINT, acting_user=None, now=at(0)
        )
        operations.set_event_reward(
            event=self.event,
            pool=self.pool,
            per=EventReward.Per.TASK,
            amount=Decimal(1),
            partly_percent=50,
            acting_user=None,
            now=at(0),
        )
        self.issue = TrackingIssue.objects.create(event=self.event, repository="o/r", number=7)
        self.rows = {n: ["", ""] for n in ("1", "2", "3")}
        self.minutes = 0
        self.log: list[str] = []
        self._post_text(None)
        Task.objects.filter(number="2").update(places=1)
        self.facts: dict[int, types.PullRequest] = {}

    # what time it is, and who is there

    @property
    def now(self) -> datetime:
        return at(0) + timedelta(minutes=self.minutes)

    def pick(self, things: list[_T]) -> _T:
        return self.dice.choice(things)

    def person(self) -> Person:
        return Person.objects.select_related("canonical").get(pk=self.pick(self.people).pk)

    def mentor(self) -> Person:
        return self.pick(self.organizers)

    def task(self) -> Task:
        return self.pick(
            list(Task.objects.select_related("event").filter(number__in=self.rows).order_by("pk"))
        )

    def claim(self) -> Claim | None:
        found = list(Claim.objects.select_related("task__event", "person", "team").order_by("pk"))
        return self.pick(found) if found else None

    def team(self) -> Team | None:
        found = list(Team.objects.filter(canonical=None).select_related("event", "captain").order_by("pk"))
        return self.pick(found) if found else None

    def pull_request(self) -> PullRequest | None:
        found = list(PullRequest.objects.select_related("author").order_by("pk"))
        return self.pick(found) if found else None

    # steps

    def step(self) -> bool:
        """One step; False if it was refused, or there was nothing to do."""
        self.minutes += self.dice.choice([1, 7, 90])
        steps: list[Callable[[], object]] = [
            self.press,
            self.press,
            self.give_back,
            self.decide,
            self.decide,
            self.undo,
            self.undo,
            self.mark,
            self.open,
            self.merge,
            self.merge,
            self.retitle,
            self.link,
            self.split,
            self.edit_text,
            self.edit_text,
            self.form_team,
            self.join,
            self.leave,
            self.name_person,
            self.name_team,
            self.admit,
            self.places,
            self.accept_without,
        ]
        chosen = self.pick(steps)
        try:
            said = chosen()
        except DomainError as refusal:
            self.log.append(f"{chosen.__name__}: refused, {refusal.code}")
            return False
        if said is not None:
            self.log.append(f"{chosen.__name__}: {said}")
        return said is not None

    def press(self) -> object:
        task, person = self.task(), self.person()
        team = teams.team_of(self.event, person) if self.dice.random() < 0.4 else None
        asked = Asked(Decision.Source.WEB, self.now, f"walk:{self.minutes}:{len(self.log)}")
        claiming.claim_task(task=task, claimant=person, asked=asked, now=self.now, team=team)
        return f"No.{task.number} by {person}, {team}"

    def give_back(self) -> object:
        task, person = self.task(), self.person()
        asked = Asked(Decision.Source.WEB, self.now, f"walk:{self.minutes}:{len(self.log)}")
        claiming.release_task(task=task, claimant=person, asked=asked, now=self.now)
        return f"No.{task.number} by {person}"

    def decide(self) -> object:
        claim, kind = self.claim(), self.pick(list(Decision.BY_MENTORS))
        if claim is None:
            return None
        key = f"walk:{self.minutes}:{len(self.log)}"
        deciding.decide(claim=claim, kind=kind, acting_user=self.mentor(), key=key, now=self.now)
        return f"{kind} of {claim.claimant} on No.{claim.task.number}"

    def accept_without(self) -> object:
        claim = self.claim()
        if claim is None:
            return None
        crediting.accept_without_pull_request(
            claim=claim, note="seen", acting_user=self.mentor(), key=f"walk:{len(self.log)}", now=self.now
        )
        return f"{claim.claimant} on No.{claim.task.number}"

    def undo(self) -> object:
        by_others = Decision.objects.filter(decided_by__in=self.organizers).order_by("-pk")
        found = list(by_others.values_list("pk", flat=True)[:6])
        if not found:
            return None
        decision = undoing.get_decisions(self.event, [self.pick(found)])[0]
        undoing.undo_decision(decision=decision, acting_user=self.mentor(), now=self.now)
        return f"{decision.kind} of {decision.claim.claimant} on No.{decision.claim.task.number}"

    def mark(self) -> object:
        kind = self.pick([EventMark.Kind.UNPAID, EventMark.Kind.UNPAID, EventMark.Kind.BANNED])
        marked = list(EventMark.objects.filter(lifted_at=None).select_related("person").order_by("pk"))
        if marked and self.dice.random() < 0.5:
            lifted = self.pick(marked)
            eligibility.lift_mark(event=self.event, mark=lifted, acting_user=self.mentor(), now=self.now)
            return f"lifted {lifted.kind} of {lifted.person}"
        person = self.person()
        eligibility.mark_people(
            event=self.event,
            logins=[person.login],
            kind=kind,
            note="",
            acting_user=self.mentor(),
            now=self.now,
        )
        return f"{kind} {person}"

    def open(self) -> object:
        person, number, task = self.person(), len(self.facts) + 1, self.task()
        assert person.github_id is not None
        self.facts[number] = types.PullRequest(
            id=number,
            repository="o/r",
            number=number,
            title=f"【Race No.{task.number}】 work",
            body=self.pick(["", "", f"Revert o/r#{max(number - 1, 1)}\n\nReverts o/r#{max(number - 1, 1)}"]),
            author=types.Account(id=person.github_id, login=person.login),
            state=types.PullRequestState.OPEN,
            is_draft=False,
            base_branch="develop",
            created_at=self.now,
            updated_at=self.now,
        )
        if self.facts[number].body:
            self._change(number, title=f'Revert "{self.facts.get(number - 1, self.facts[number]).title}"')
        self._tell(number)
        stored = PullRequest.objects.get(number=number)
        if self.dice.random() < 0.4:
            CoAuthor.objects.get_or_create(
                pull_request=stored, person=self.person(), defaults={"proposed_at": self.now}
            )
        return f"#{number} {self.facts[number].title} by {person}"

    def merge(self) -> object:
        waiting = [n for n, fact in self.facts.items() if fact.state is not types.PullRequestState.MERGED]
        if not waiting:
            return None
        number = self.pick(waiting)
        state = self.pick(list(types.PullRequestState))
        is_over = state is not types.PullRequestState.OPEN
        self._change(
            number,
            state=state,
            closed_at=self.now if is_over else None,
            merged_at=self.now if state is types.PullRequestState.MERGED else None,
        )
        self._tell(number)
        return f"#{number} {state}"

    def retitle(self) -> object:
        if not self.facts:
            return None
        number, task = self.pick(list(self.facts)), self.task()
        before = self.facts[number].title
        editor = self.pick([*self.organizers, *self.people])
        assert editor.github_id is not None
        self._change(number, title=f"【Race No.{task.number}】{self.pick(['', ' part 1'])}")
        by = types.Account(id=editor.github_id, login=editor.login)
        self._tell(number, Seen(previous_title=before, retitled_by=by))
        return f"#{number} {self.facts[number].title} by {editor}"

    def _change(self, number: int, **values: object) -> None:
        fact = self.facts[number]
        fields = {name: getattr(fact, name) for name in fact.__slots__}
        self.facts[number] = types.PullRequest(**{**fields, "updated_at": self.now, **values})

    def _tell(self, number: int, seen: Seen = Seen()) -> None:  # noqa: B008 (frozen)
        record_pull_request(fact=self.facts[number], now=self.now, seen=seen)

    def link(self) -> object:
        pull_request, task = self.pull_request(), self.task()
        if pull_request is None:
            return None
        values = {"task": task, "pull_request": pull_request, "acting_user": self.mentor(), "now": self.now}
        turn = self.dice.random()
        if turn < 0.4:
            crediting.link(**values)  # type: ignore[arg-type]
        elif turn < 0.7:
            crediting.unlink(**values)  # type: ignore[arg-type]
        else:
            crediting.mark_part(**values, is_partial=self.dice.random() < 0.5)  # type: ignore[arg-type]
        return f"{pull_request} and No.{task.number}, {turn:.1f}"

    def split(self) -> object:
        pull_request, task = self.pull_request(), self.task()
        if pull_request is None:
            return None
        whom = self.dice.sample(self.people, self.dice.choice([1, 2]))
        points = {person.pk: self.dice.choice([0, 2500, 3333, 5000]) for person in whom}
        crediting.split_credit(
            task=task, pull_request=pull_request, points=points, acting_user=self.mentor(), now=self.now
        )
        return f"{pull_request} on No.{task.number}: {points}"

    def admit(self) -> object:
        pull_request, task = self.pull_request(), self.task()
        if pull_request is None:
            return None
        deciding.admit_author(task=task, pull_request=pull_request, acting_user=self.mentor(), now=self.now)
        return f"{pull_request.author} on No.{task.number}"

    def places(self) -> object:
        task, places = self.task(), self.pick([None, 1, 2])
        wanted = TaskChange(task.pk, {"places": str(places or "")})
        editing_tasks.change_tasks(
            event=self.event, changes=[wanted], acting_user=self.mentor(), now=self.now
        )
        return f"{places} on No.{task.number}"

    def edit_text(self) -> object:
        number = self.pick(list(self.rows))
        names = [
            f"@{person.login}{self.pick(['', ' ✅', ' 🚧'])}" for person in self.dice.sample(self.people, 2)
        ]
        names += [self.pick(["@bare-name", "@bare-other ✅", "", "Rowers", "Sailors ✅", "Team 1"])]
        self.dice.shuffle(names)
        self.rows[number][0] = " ".join(names[: self.dice.randint(0, 3)])
        self.rows[number][1] = (
            f"#{self.pick(list(self.facts))}" if self.facts and self.dice.random() < 0.2 else ""
        )
        editor = self.pick([None, *self.people, *self.organizers])
        self._post_text(editor)
        return f"No.{number}: {self.rows[number]} by {editor}"

    def _post_text(self, editor: Person | None) -> None:
        rows = [f"| {number} | Task {number} | {who} | {what} |" for number, (who, what) in self.rows.items()]
        revision = Revision(HEAD + "\n".join(rows) + "\n", self.now, editor=editor)
        self.issue.refresh_from_db()
        issues.apply_issue_revision(tracking_issue=self.issue, revision=revision, now=self.now)

    def form_team(self) -> object:
        captain = self.person()
        team = teams.create_team(
            event=self.event, name=f"Team {Team.objects.count()}", captain=captain, now=self.now
        )
        for person in self.dice.sample(self.people, 2):
            teaming.invite_to_team(team=team, login=person.login, acting_user=captain, now=self.now)
        return f"{team} by {captain}"

    def join(self) -> object:
        open_seats = TeamMember.objects.filter(left_at=None, accepted_at=None).select_related(
            "team", "person"
        )
        found = list(open_seats.order_by("pk"))
        if not found:
            return None
        seat = self.pick(found)
        teaming.accept_invitation(team=seat.team, person=seat.person, now=self.now)
        return f"{seat.person} to {seat.team}"

    def leave(self) -> object:
        team, person = self.team(), self.person()
        if team is None or self.dice.random() < 0.3:
            return None
        teaming.leave_team(team=team, person=person, now=self.now)
        return f"{person} from {team}"

    def name_person(self) -> object:
        found = list(Person.objects.filter(github_id=None, canonical=None).order_by("pk"))
        if not found or self.dice.random() < 0.5:
            return None
        name, person = self.pick(found), self.person()
        naming.link_name(event=self.event, name=name, person=person, acting_user=self.mentor(), now=self.now)
        return f"{name} is {person}"

    def name_team(self) -> object:
        bare = list(Team.objects.filter(canonical=None, members=None).select_related("event").order_by("pk"))
        if not bare:
            return None
        name = self.pick(bare)
        team = self.team()
        if self.dice.random() < 0.5 and team is not None:
            teaming.point_team_name(name=name, team=team, acting_user=self.mentor(), now=self.now)
            return f"{name} is {team}"
        members = [self.person(), self.person()]
        teaming.link_team_name(team=name, members=members, acting_user=self.mentor(), now=self.now)
        return f"{name} are {members}"
