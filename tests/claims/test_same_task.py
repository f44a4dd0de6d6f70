"""Nobody is on a task both alone and in a team, whichever way they come; names that are linked give one claim, credited once."""

import pytest

from claims.models import Claim, Decision
from claims.operations import deciding, naming, standings, teaming, undoing
from claims.operations.hearing import Finder, Listener
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from rewards.models import Completion
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, IssueRevision, Task, Team, TrackingIssue
from tasks_board.operations import teams
from tests.claims.people import (
    at,
    claim,
    code_of,
    event_of_two,
    make_event,
    make_organizer,
    make_person,
    make_task,
    make_team,
    pull_request,
    release,
    standings_of,
)

pytestmark = pytest.mark.django_db


def hear(event: Event, task: Task, editor: Person, before: str, after: str, days: float) -> None:
    """Somebody edits the cell of claimants in the task's row."""
    issue, _created = TrackingIssue.objects.get_or_create(
        event=event, repository="o/r", number=1, defaults={"read_at": at(0)}
    )
    head = "| 序号 | 任务 | 认领人 |\n| - | - | - |\n"
    readings = [read_body(f"{head}| 1 | x | {cell} |", repository="o/r") for cell in (before, after)]
    revision = IssueRevision.objects.create(
        tracking_issue=issue, sha256=f"{days}".ljust(64, "0"), editor=editor, at=at(days)
    )
    listener = Listener(issue, revision, editor=editor, at=at(days), find=Finder(readings), now=at(days))
    listener.hear(task, readings[1].tasks[0], readings[0].tasks[0])

    standings.recompute_task(task=task, now=at(days))


class TestTables:
    def test_naming_a_team_mate_speaks_of_the_team(self) -> None:
        event, ann, ben = event_of_two()
        task, organizer = make_task(event, 1), make_organizer(event)
        team = make_team(event, ann, ben)
        claim(task, ann, team=team)
        hear(event, task, organizer, "", "@racer-2 ✅", 1)
        assert standings_of(task) == {"Oars": "done"}
        assert [(c.person, c.team) for c in Completion.objects.active()] == [(None, team)]

    def test_a_team_mate_s_name_that_goes_takes_the_team_only_where_it_stood_for_it(self) -> None:
        event, ann, ben = event_of_two()
        task, organizer = make_task(event, 1), make_organizer(event)
        team = make_team(event, ann, ben)
        claim(task, ann, team=team)
        hear(event, task, organizer, "Oars", "Oars、@racer-2", 1)
        hear(event, task, organizer, "Oars、@racer-2", "Oars", 2)
        assert standings_of(task) == {"Oars": "claimed"}

    def test_a_claim_that_was_given_up_alone_leaves_alone(self) -> None:
        event, ann, ben = event_of_two()
        task, organizer = make_task(event, 1), make_organizer(event)
        hear(event, task, organizer, "", "@racer-2", 1)
        release(task, ben, 2)
        team = make_team(event, ann, ben)
        claim(task, ann, 3, team=team)
        hear(event, task, organizer, "@racer-2", "", 4)
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": "claimed"}


class TestMentors:
    def test_the_author_of_a_pull_request_is_not_let_in_beside_their_team(self) -> None:
        event, ann, ben = event_of_two()
        task, organizer, team = make_task(event, 1), make_organizer(event), make_team(event, ann, ben)
        claim(task, ann, team=team)
        made = pull_request(task, ben, 1)
        values = {"task": task, "pull_request": made, "acting_user": organizer, "now": at(2)}
        assert code_of(DomainError, deciding.admit_author, **values) == "in_team_too"
        assert standings_of(task) == {"Oars": "pr_open"}

    @pytest.mark.parametrize("kind", [Decision.Kind.ADMITTED, Decision.Kind.ACCEPTED])
    def test_what_was_given_up_is_not_brought_back_beside_the_team(self, kind: Decision.Kind) -> None:
        event, ann, ben = event_of_two()
        task, organizer, team = make_task(event, 1), make_organizer(event), make_team(event, ann, ben)
        alone = claim(task, ben)
        release(task, ben, 1)
        held = claim(task, ann, 2, team=team)
        alone.refresh_from_db()
        values = {"kind": kind, "acting_user": organizer, "now": at(3), "key": "k"}
        assert code_of(DomainError, deciding.decide, claim=alone, **values) == "in_team_too"
        release(task, ann, 4)
        held.refresh_from_db()
        deciding.decide(claim=alone, **values)  # type: ignore[arg-type]
        assert code_of(DomainError, deciding.decide, claim=held, **{**values, "key": "l"}) == "in_team_too"


class TestFacts:
    def test_what_was_closed_unmerged_alone_does_not_come_back_beside_the_team(self) -> None:
        event, ann, ben = event_of_two()
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ben)
        made = pull_request(task, ben, 1)
        type(made).objects.filter(pk=made.pk).update(state="closed", closed_at=at(2), updated_at=at(2))

        standings.recompute_task(task=task, now=at(2))
        assert standings_of(task) == {"racer-2": "closed_unmerged"}
        claim(task, ann, 3, team=team)
        type(made).objects.filter(pk=made.pk).update(state="merged", merged_at=at(5), updated_at=at(5))
        standings.recompute_task(task=task, now=at(5))
        assert [(c.person, c.team) for c in Completion.objects.active()] == [(None, team)]

    def test_joining_under_another_account_meets_the_own_claim(self) -> None:
        event, ann, ben = event_of_two()
        second = Person.objects.create(github_id=22, login="ben-at-work", canonical=ben)
        task, team = make_task(event, 1), make_team(event, ann)
        claim(task, ann, team=team)
        Claim.objects.create(task=task, person=second, standing_at=at(0), created_at=at(0))
        teams.invite(team=team, login="ben-at-work", acting_user=ann, now=at(1))
        values = {"team": team, "person": second, "now": at(1)}
        assert code_of(DomainError, teaming.accept_invitation, **values) == "claims_overlap"


class TestOvertaken:
    """Somebody overtaken by another's merge joins the winning team: what comes of a revert counts once."""

    def join(self, team: Team, person: Person, days: float) -> None:
        captain = team.captain
        assert captain is not None
        teams.invite(team=team, login=person.login, acting_user=captain, now=at(days))
        teaming.accept_invitation(team=team, person=person, now=at(days))

    def revert(self, task: Task, number: int, by: Person, days: float) -> None:
        made = pull_request(task, by, days)
        type(made).objects.filter(pk=made.pk).update(
            body=f"Reverts o/r#{number}", title=f'Revert "#{number}"', state="merged", merged_at=at(days)
        )
        made.links.update(is_revert=True)
        standings.recompute_task(task=task, now=at(days))

    @pytest.mark.parametrize("has_merge", [False, True])
    def test_the_team_s_merge_is_reverted(self, has_merge: bool) -> None:
        event, ann, ben = make_event(first_merged_wins=True), make_person(1), make_person(2)
        task, team = make_task(event, 1), make_team(event, ann)
        claim(task, ben)
        claim(task, ann, team=team)
        won = pull_request(task, ann, 1, merged=2)
        if has_merge:
            pull_request(task, ben, 1, merged=3)
        assert standings_of(task) == {"racer-2": "superseded", "Oars": "done"}
        self.join(team, ben, 4)
        self.revert(task, won.number, make_organizer(event), 5)
        expected = "done" if has_merge else "claimed"
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": expected}
        held = [(c.person, c.team) for c in Completion.objects.active()]
        assert held == ([(None, team)] if has_merge else [])
        teaming.leave_team(team=team, person=ben, now=at(6))
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": expected}

    def test_a_mentor_s_word_for_the_team_is_taken_back(self) -> None:
        event, ann, ben = make_event(first_merged_wins=True), make_person(1), make_person(2)
        task, team, organizer = make_task(event, 1), make_team(event, ann), make_organizer(event)
        claim(task, ben)
        held = claim(task, ann, team=team)
        pull_request(task, ben, 1)
        deciding.decide(claim=held, kind=Decision.Kind.ACCEPTED, acting_user=organizer, key="k", now=at(2))
        assert standings_of(task) == {"racer-2": "superseded", "Oars": "done"}
        self.join(team, ben, 2.1)
        undoing.undo_decision(decision=Decision.objects.get(key="k"), acting_user=organizer, now=at(2.2))
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": "pr_open"}

    def test_both_were_overtaken_by_a_third(self) -> None:
        event, ann, ben, eve = make_event(first_merged_wins=True), *(make_person(n) for n in (1, 2, 3))
        task, team = make_task(event, 1), make_team(event, ann)
        for person in (ben, eve):
            claim(task, person)
        claim(task, ann, team=team)
        won = pull_request(task, eve, 1, merged=2)
        self.join(team, ben, 3)
        self.revert(task, won.number, make_organizer(event), 4)
        assert standings_of(task) == {"racer-2": "withdrawn", "racer-3": "claimed", "Oars": "claimed"}

    def test_closed_alone_and_in_the_team_and_reopened(self) -> None:
        event, ann, ben = make_event(first_merged_wins=False), make_person(1), make_person(2)
        task, team = make_task(event, 1), make_team(event, ann)
        claim(task, ben)
        claim(task, ann, team=team)
        made = [pull_request(task, person, 1) for person in (ann, ben)]
        ours = type(made[0]).objects.filter(pk__in=[pr.pk for pr in made])
        ours.update(state="closed", closed_at=at(2), updated_at=at(2))
        standings.recompute_task(task=task, now=at(2))
        assert standings_of(task) == {"racer-2": "closed_unmerged", "Oars": "closed_unmerged"}
        self.join(team, ben, 3)
        ours.update(state="merged", merged_at=at(5), updated_at=at(5))
        standings.recompute_task(task=task, now=at(5))
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": "done"}

    def test_a_merge_before_the_own_release_that_is_learned_of_late(self) -> None:
        event, ann, ben = make_event(), make_person(1), make_person(2)
        task, team = make_task(event, 1), make_team(event, ann)
        claim(task, ben)
        release(task, ben, 3)
        claim(task, ann, 3.5, team=team)
        self.join(team, ben, 4)
        pull_request(task, ben, 1, merged=2)
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": "done"}

    def test_what_was_begun_in_the_team_counts_for_the_team_alone(self) -> None:
        event, ann, ben = make_event(), make_person(1), make_person(2)
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, team=team)
        made = pull_request(task, ben, 1)
        teaming.leave_team(team=team, person=ben, now=at(2))
        claim(task, ben, 3)
        type(made).objects.filter(pk=made.pk).update(state="merged", merged_at=at(4), updated_at=at(4))
        standings.recompute_task(task=task, now=at(4))
        assert [(c.person, c.team) for c in Completion.objects.active()] == [(None, team)]
        release(task, ann, 5)
        pull_request(task, ben, 5, merged=6)
        assert standings_of(task)["racer-2"] == "done"

    def test_what_was_begun_in_a_team_that_gave_the_task_back_is_one_s_own(self) -> None:
        event, ann, ben = make_event(), make_person(1), make_person(2)
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, team=team)
        pull_request(task, ben, 1)
        release(task, ann, 2)
        teaming.leave_team(team=team, person=ben, now=at(2.5))
        claim(task, ben, 3)
        assert standings_of(task) == {"Oars": "withdrawn", "racer-2": "pr_open"}


class TestNames:
    def old_boat(self, event: Event, task: Task, organizer: Person) -> Team:
        """A name that a table ticked, confirmed by another organizer."""
        name = Team.objects.create(event=event, name="Old Boat", created_at=at(0))
        held = Claim.objects.create(task=task, team=name, standing_at=at(0), created_at=at(0))
        deciding.decide(
            claim=held, kind=Decision.Kind.ACCEPTED, acting_user=organizer, key=f"old:{task.pk}", now=at(1)
        )
        return name

    def test_a_name_linked_to_a_team_is_one_claimant_credited_once(self) -> None:
        event, ann = make_event(), make_person(1)
        task, other, organizer = make_task(event, 1), make_task(event, 2), make_organizer(event)
        name = self.old_boat(event, task, organizer)
        team = make_team(event, ann)
        claim(other, ann, team=team)
        named = Claim.objects.create(task=other, team=name, standing_at=at(0), created_at=at(0))
        deciding.decide(claim=named, kind=Decision.Kind.ACCEPTED, acting_user=organizer, key="x", now=at(1))
        pull_request(other, ann, 3, merged=4)
        teaming.point_team_name(name=name, team=team, acting_user=organizer, now=at(5))
        assert standings_of(task) == {"Oars": "done"}
        assert standings_of(other) == {"Oars": "done"}
        active = Completion.objects.active()
        assert sorted((c.task.number, c.team) for c in active) == [("1", team), ("2", team)]
        name.refresh_from_db()
        assert (name.canonical, name.name) == (team, "Old Boat")
        hear(event, task, organizer, "Old Boat ✅", "Old Boat", 6)
        assert set(standings_of(task)) == {"Oars"}

    def test_linking_twice_to_oneself_or_elsewhere_is_refused(self) -> None:
        event, ann = make_event(), make_person(1)
        organizer, task = make_organizer(event), make_task(event, 1)
        name, team = self.old_boat(event, task, organizer), make_team(event, ann)
        own = make_team(event, organizer, name="Own")
        values = {"acting_user": organizer, "now": at(2)}
        assert code_of(NotAllowed, teaming.point_team_name, name=name, team=own, **values) == "own_team"
        assert code_of(DomainError, teaming.point_team_name, name=team, team=own, **values) == "not_a_name"
        assert code_of(DomainError, teaming.point_team_name, name=name, team=name, **values) == "other_event"
        by_ann = {"name": name, "team": team, "acting_user": ann, "now": at(2)}
        assert code_of(NotAllowed, teaming.point_team_name, **by_ann) == "organizers_only"
        teaming.point_team_name(name=name, team=team, **values)  # type: ignore[arg-type]
        assert (
            code_of(DomainError, teaming.point_team_name, name=name, team=team, **values) == "linked_already"
        )

    def test_what_a_member_has_alone_becomes_the_team_s(self) -> None:
        event, ann, ben = make_event(first_merged_wins=False), make_person(1), make_person(2)
        task, organizer = make_task(event, 1), make_organizer(event)
        name = self.old_boat(event, task, organizer)
        alone = Claim.objects.create(task=task, person=ben, standing_at=at(0), created_at=at(0))
        deciding.decide(claim=alone, kind=Decision.Kind.ACCEPTED, acting_user=organizer, key="ben", now=at(1))
        assert Completion.objects.active().count() == 2
        teaming.link_team_name(team=name, members=[ann, ben], acting_user=organizer, now=at(2))
        assert standings_of(task) == {"Old Boat": "done"}
        assert [(c.person, c.team) for c in Completion.objects.active()] == [(None, name)]

    def test_a_person_s_name_goes_to_the_person_or_to_their_team(self) -> None:
        event, ann, ben = event_of_two()
        task, other, organizer = make_task(event, 1), make_task(event, 2), make_organizer(event)
        bare = Person.objects.create(login="老王")
        for wanted in (task, other):
            Claim.objects.create(task=wanted, person=bare, standing_at=at(0), created_at=at(0))
        team = make_team(event, ann, ben)
        claim(task, ann, 1, team=team)
        values = {"event": event, "name": bare, "person": ben, "now": at(2)}
        assert code_of(NotAllowed, naming.link_name, acting_user=ann, **values) == "organizers_only"
        own = {**values, "person": organizer}
        assert code_of(NotAllowed, naming.link_name, acting_user=organizer, **own) == "own_name"
        naming.link_name(acting_user=organizer, **values)  # type: ignore[arg-type]
        assert set(standings_of(task)) == {"Oars"}
        assert set(standings_of(other)) == {"racer-2"}
        assert code_of(DomainError, naming.link_name, acting_user=organizer, **values) == "linked_already"

    def test_a_name_that_stands_elsewhere_is_linked_by_who_organizes_both(self) -> None:
        event, ben = make_event(), make_person(2)
        organizer = make_organizer(event)
        bare = Person.objects.create(login="老王")
        far = Event.objects.create(slug="far", name="Far", kind="contest", status="running", created_at=at(0))
        for wanted in (make_task(event, 1), make_task(far, 1)):
            Claim.objects.create(task=wanted, person=bare, standing_at=at(0), created_at=at(0))
        values = {"event": event, "name": bare, "person": ben, "acting_user": organizer, "now": at(2)}
        assert code_of(NotAllowed, naming.link_name, **values) == "other_events"
        far.roles.create(person=organizer, role="organizer", granted_at=at(0))
        naming.link_name(**values)  # type: ignore[arg-type]
        assert Claim.objects.filter(person=ben).count() == 2
