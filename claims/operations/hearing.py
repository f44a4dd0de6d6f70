"""What a text of a tracking issue says of people: the difference to the text before, as its editor's word.

An entitled person's change is their decision; anybody else's is a statement, which shows and asks but never awards.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models.functions import Coalesce

from claims.belonging import is_own
from claims.models import Claim, Decision, PullRequestLink, Statement, TableConflict
from claims.operations import twice
from claims.operations.deciding import decision_for_mark
from claims.operations.decisions import get_or_create_claim, record_decision
from claims.operations.entries import is_entry, settle_entry
from claims.operations.names import Spoken, find_people, said
from claims.operations.table_links import NamedLink
from portal.accounts import people
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.model import ReadClaimant, Reading, ReadTask, State
from tasks_board.models import IssueRevision, Task, Team, TeamMember, TrackingIssue

_ABOUT_WORK = ("accepted", "partial", "rejected", "deferred", "blocked")


class Finder:
    """People and teams by the names that texts use; unknown names become unresolved people."""

    def __init__(self, readings: Iterable[Reading | None]) -> None:
        rows = [row for reading in readings if reading for row in reading.tasks]
        logins = {c.login for row in rows for c in row.claimants if c.login}
        logins |= {login for row in rows for login in (*row.mentors, *row.assistants)}
        self.people = find_people(logins)
        self._seated: dict[int, set[int]] = {}

    def person(self, login: str) -> Person:
        found = self.people.get(login.lower())
        if found is None:
            found = self.people[login.lower()] = people.remember_name(login)
        return found

    def claim(self, task: Task, name: ReadClaimant, at: datetime, *, leaves: bool = False) -> Claim:
        """Whose claim a text speaks of. A name that leaves the table takes a team along only if it stood for the team."""
        if name.login is not None:
            person = self.person(name.login)
            in_team = self._claim_in_team(task, person, leaves=leaves)
            if in_team is not None:
                return in_team
            return get_or_create_claim(task=task, person=person, team=None, at=at)[0]
        team, _created = Team.objects.get_or_create(
            event=task.event,
            name__iexact=name.name,
            defaults={"name": name.name, "event": task.event, "created_at": at},
        )
        return get_or_create_claim(task=task, person=None, team=team.canonical or team, at=at)[0]

    def _claim_in_team(self, task: Task, person: Person, *, leaves: bool) -> Claim | None:
        if person.pk not in self._members(task.event_id):
            return None
        spoken_of = Claim.objects.filter(task=task, person=person).exclude(table_standing="")
        return None if leaves and spoken_of.exists() else twice.claim_to_hear(task, person)

    def _members(self, event_id: int) -> set[int]:
        """Who sits in a team of the event, by the account that counts."""
        if event_id not in self._seated:
            seats = TeamMember.objects.seated().filter(team__event=event_id)
            whole = Coalesce("person__canonical", "person")
            self._seated[event_id] = set(seats.values_list(whole, flat=True))
        return self._seated[event_id]


class Listener:
    """Turns the difference between a row before and now into statements and decisions of `editor`, made at `at`.

    `is_late`: a newer text is known already, so this one says nothing about what the table holds now.
    """

    def __init__(
        self,
        issue: TrackingIssue,
        row: IssueRevision,
        *,
        editor: Person | None,
        at: datetime,
        find: Finder,
        now: datetime,
        is_late: bool = False,
    ) -> None:
        self.issue, self.row, self.editor, self.at = issue, row, editor, at
        self.find, self.now, self.is_late = find, now, is_late
        self.is_first_text = not issue.revisions.filter(pk__lt=row.pk).exists()
        self.whole, self.by_task = rights.deciders(issue.event)
        self.named: list[
            NamedLink
        ] = []  # pull requests that the text ties to tasks, and the one before did not

    def hear(self, task: Task, row: ReadTask, before: ReadTask | None, *, is_new: bool = False) -> bool:
        """Whether the row says anything new about its people.

        Without a row before, a known task was moved, or put back: what the table had said of it already is not said anew.
        """
        said_before, said_now = said(before.claimants) if before else {}, said(row.claimants)
        is_back = before is None and not is_new
        heard = False
        known = {str(ref) for ref in before.pull_requests} if before else set()
        self._name(task, {str(ref) for ref in row.pull_requests} - known, PullRequestLink.Reason.TABLE)
        for key, (name, spoken) in said_now.items():
            if key not in said_before or said_before[key][1] != spoken:
                earlier = said_before[key][1][1] if key in said_before else ()
                heard = self._hear_one(task, name, spoken, earlier, is_back=is_back) or heard
        gone = [name for key, (name, _spoken) in said_before.items() if key not in said_now]
        # A claimant may stand in a row under two names: a team and its member, a name and what it was linked to.
        kept = {self.find.claim(task, name, self.at).pk for name, _ in said_now.values()} if gone else set()
        for name in gone:
            if self.find.claim(task, name, self.at, leaves=True).pk not in kept:
                heard = self._hear_one(task, name, (State.WITHDRAWN.value, ())) or heard
        return heard

    def _hear_one(
        self,
        task: Task,
        name: ReadClaimant,
        spoken: Spoken,
        earlier: tuple[str, ...] = (),
        *,
        is_back: bool = False,
    ) -> bool:
        state, pull_requests = spoken
        claim = self.find.claim(task, name, self.at, leaves=state == State.WITHDRAWN)
        is_word_of_right = not is_back and self._is_entitled(task) and not self._is_own(claim)
        reason = PullRequestLink.Reason.MENTOR if is_word_of_right else PullRequestLink.Reason.TABLE
        self._name(task, set(pull_requests) - set(earlier), reason)
        if is_back and (claim.table_standing, tuple(claim.table_pull_requests)) == spoken:
            return False
        if not self.is_late and self._note_in_table(claim, spoken):
            return True
        if not self._may_decide(task, claim, state):
            self._take_statement(task, claim, spoken)
            return True
        return self._decide(claim, (state, pull_requests))

    def _name(self, task: Task, addresses: set[str], reason: PullRequestLink.Reason) -> None:
        self.named += [NamedLink.of(task, address, reason) for address in sorted(addresses)]

    def _note_in_table(self, claim: Claim, spoken: Spoken) -> bool:
        """What both sides agree that the table says; whether it meets a change of ours that is on its way."""
        is_conflict = self._conflict(claim, spoken[0])
        claim.table_standing, claim.table_pull_requests = spoken[0], list(spoken[1])
        claim.save(update_fields=["table_standing", "table_pull_requests"])
        return is_conflict

    def _take_statement(self, task: Task, claim: Claim, spoken: Spoken) -> None:
        """Whoever comes into the table by it is there by the rules; an issue's first text is its organizer's to confirm."""
        comes_in = spoken[0] != State.WITHDRAWN and not self.is_first_text and is_entry(claim)
        self._state(claim, spoken)
        if comes_in:
            asker = self.editor if self._is_own(claim) else None
            settle_entry(claim=claim, task=task, asker=asker, revision=self.row, at=self.at, now=self.now)

    def _state(self, claim: Claim, spoken: Spoken) -> None:
        Statement.objects.get_or_create(
            claim=claim,
            revision=self.row,
            defaults={
                "state": spoken[0],
                "editor": self.editor,
                "at": self.at,
                "pull_requests": list(spoken[1]),
            },
        )

    def _may_decide(self, task: Task, claim: Claim, state: str) -> bool:
        """Entitled people decide on others' claims; claimants may take themselves off the table."""
        if self._is_own(claim):
            return state == State.WITHDRAWN
        return self._is_entitled(task)

    def _is_own(self, claim: Claim) -> bool:
        return self.editor is not None and is_own(claim, self.editor)

    def _is_entitled(self, task: Task) -> bool:
        editor = self.editor
        if editor is None:
            return False
        return editor.pk in self.whole or editor.pk in self.by_task.get(task.pk, set())

    def _decide(self, claim: Claim, spoken: Spoken) -> bool:
        """A mark of work under way takes the claimant in, frees the claim from what was settled before, and shows."""
        kind = decision_for_mark(spoken[0])
        is_new = self._record(claim, kind)
        if kind is Decision.Kind.ADMITTED:
            if claim.decisions.filter(kind__in=_ABOUT_WORK).exists():
                self._record(claim, Decision.Kind.FOLLOWS_FACTS, ":facts")
            self._state(claim, spoken)
        return is_new

    def _record(self, claim: Claim, kind: Decision.Kind, suffix: str = "") -> bool:
        return record_decision(
            claim=claim,
            kind=kind,
            at=self.at,
            decided_by=self.editor,
            source=Decision.Source.TABLE,
            revision=self.row,
            key=f"table:{self.row.pk}:{claim.pk}{suffix}",
            now=self.now,
        )

    def _conflict(self, claim: Claim, theirs: str) -> bool:
        """We had a change of our own on its way to this cell, and it says something else: nobody is overruled."""
        ours = claim.standing
        is_pending = claim.table_standing not in ("", ours) and self.issue.writing == TrackingIssue.Writing.ON
        if not is_pending or ours == theirs or theirs == claim.table_standing:
            return False
        TableConflict.objects.get_or_create(
            claim=claim,
            settled_at=None,
            defaults={"ours": ours, "theirs": theirs, "revision": self.row, "raised_at": self.now},
        )
        return True
