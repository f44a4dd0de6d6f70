"""What a mentor takes back counts as never made, and what the rules did because of it is settled anew."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.desk.several import Action, Chosen
from claims.models import Claim, Decision
from claims.operations import deadlines, deciding, deciding_many, undoing
from claims.standing import DecisionFact, derive_standing, that_hold, was_ever_claimed
from portal.common.errors import DomainError, NotAllowed, NotFound
from portal.models import Person
from rewards import operations as rewards
from rewards.models import Completion, EventReward, LedgerEntry, Pool
from tasks_board.models import EventMark, EventRole, Task, Team, TeamMember
from tests.claims.people import (
    NOON,
    at,
    claim,
    make_event,
    make_organizer,
    make_person,
    make_task,
    pull_request,
    release,
    standings_of,
)

_keys = count(1)
KINDS = [kind.value for kind in Decision.Kind if kind.value != "undone"]


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[DecisionFact], list[DecisionFact]]:
    """Decisions with some of them taken back, in any order; and those of them that nobody took back."""
    kinds = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 9)), max_size=8))
    made = [
        DecisionFact(NOON + timedelta(hours=hours), (n, ""), kind, id=n)
        for n, (kind, hours) in enumerate(kinds, start=1)
    ]
    undone = draw(st.sets(st.sampled_from(made))) if made else set()
    words = [DecisionFact(at(9), (99, ""), "undone", id=100 + d.id, undoes=d.id) for d in undone]
    kept = [d for d in made if d.id not in {gone.id for gone in undone}]
    return draw(st.permutations([*made, *words])), kept


@given(histories())
def test_what_was_taken_back_counts_as_never_made(
    history: tuple[list[DecisionFact], list[DecisionFact]],
) -> None:
    everything, kept = history

    def derive(decisions: list[DecisionFact]) -> object:
        standing = derive_standing(decisions=decisions, pull_requests=[], statements=[], known_since=NOON)
        return standing, was_ever_claimed(decisions, [])

    assert derive(that_hold(everything)) == derive(kept)


def decide(of: Claim, kind: str, by: Person, days: float) -> Decision:
    key = f"desk:{next(_keys)}"
    deciding.decide(claim=of, kind=Decision.Kind(kind), acting_user=by, key=key, now=at(days))
    return Decision.objects.get(key=key)


def undo(decision: Decision, by: Person, days: float) -> Claim:
    found = undoing.get_decisions(decision.claim.task.event, [decision.pk])[0]
    return undoing.undo_decision(decision=found, acting_user=by, now=at(days))


def refusal(decision: Decision, by: Person, days: float) -> str:
    with pytest.raises(DomainError) as refused:
        undo(decision, by, days)
    return refused.value.code


@pytest.mark.django_db
class TestUndoing:
    def test_a_completion_and_its_award_are_reversed_and_who_was_overtaken_is_back(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        pool = rewards.get_or_create_pool(name="P", unit=Pool.Unit.POINT, acting_user=None, now=NOON)
        rewards.set_event_reward(
            event=event,
            pool=pool,
            per=EventReward.Per.TASK,
            amount=Decimal(5),
            acting_user=olga,
            now=NOON,
        )
        first = claim(task, make_person(1))
        claim(task, make_person(2))
        accepted = decide(first, "accepted", olga, 1)
        assert standings_of(task) == {"racer-1": "done", "racer-2": "superseded"}
        assert Completion.objects.active().count() == 1
        undo(accepted, olga, 1.5)
        assert standings_of(task) == {"racer-1": "claimed", "racer-2": "claimed"}
        assert Completion.objects.active().count() == 0
        assert (
            sum(entry.amount_steps for entry in LedgerEntry.objects.filter(account__person=first.person)) == 0
        )
        assert Task.objects.get().state == "claimed"

    def test_who_moved_up_keeps_the_place_and_the_line_stands_until_there_is_room(self) -> None:
        event = make_event(places_per_task=1)
        task, olga = make_task(event, 1), make_organizer(event)
        first = claim(task, make_person(1))
        claim(task, make_person(2), 0.1)
        claim(task, make_person(3), 0.2)
        released = decide(first, "released", olga, 1)
        assert standings_of(task) == {"racer-1": "withdrawn", "racer-2": "claimed", "racer-3": "waiting"}
        back = undo(released, olga, 1.1)
        assert standings_of(task) == {"racer-1": "claimed", "racer-2": "claimed", "racer-3": "waiting"}
        assert undoing.count_over_capacity(back) == 1
        release(task, Person.objects.get(login="racer-2"), 2)
        assert standings_of(task)["racer-3"] == "waiting"
        release(task, Person.objects.get(login="racer-1"), 3)
        assert standings_of(task)["racer-3"] == "claimed"

    def test_a_place_that_an_undone_admission_took_goes_to_the_next(self) -> None:
        event = make_event(places_per_task=1)
        task, olga = make_task(event, 1), make_organizer(event)
        first = claim(task, make_person(1))
        decide(first, "declined", olga, 0.1)
        admitted = decide(first, "admitted", olga, 0.2)
        claim(task, make_person(2), 0.3)
        assert standings_of(task)["racer-2"] == "waiting"
        undo(admitted, olga, 0.4)
        assert standings_of(task) == {"racer-1": "declined", "racer-2": "claimed"}

    def test_asking_twice_is_asking_once(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        rejected = decide(claim(task, make_person(1)), "rejected", olga, 1)
        undo(rejected, olga, 1.1)
        undo(rejected, olga, 1.2)
        assert Decision.objects.filter(kind="undone").count() == 1

    def test_the_words_before_it_can_be_taken_back_in_turn(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        mine = claim(task, make_person(1))
        blocked, deferred = decide(mine, "blocked", olga, 1), decide(mine, "deferred", olga, 1.1)
        assert refusal(blocked, olga, 1.2) == "not_the_last_word"
        assert undo(deferred, olga, 1.2).standing == "blocked"
        assert undo(blocked, olga, 1.3).standing == "claimed"

    def test_nothing_is_taken_back_after_somebody_spoke_or_a_day_passed(self) -> None:
        event = make_event()
        task, olga, racer = make_task(event, 1), make_organizer(event), make_person(1)
        released = decide(claim(task, racer), "released", olga, 1)
        assert refusal(released, olga, 2.1) == "too_late_to_undo"
        claim(task, racer, 1.5)
        assert refusal(released, olga, 1.6) == "not_the_last_word"

    def test_only_whoever_made_it_or_an_organizer(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        mentors = [make_person(n) for n in (71, 72)]
        for mentor in mentors:
            EventRole.objects.create(event=event, person=mentor, role="mentor", granted_at=NOON)
        mine = claim(task, make_person(1))
        first = decide(mine, "rejected", mentors[0], 1)
        assert refusal(first, mentors[1], 1.1) == "not_yours_to_undo"
        assert refusal(first, make_person(5), 1.1) == "mentors_only"
        undo(first, olga, 1.1)
        second = decide(mine, "rejected", mentors[0], 1.2)
        undo(second, mentors[0], 1.3)

    def test_nobody_takes_back_what_was_decided_about_their_own_claim(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        racer = make_organizer(event, 901)
        decided = decide(claim(task, racer), "rejected", olga, 1)
        with pytest.raises(NotAllowed) as refused:
            undo(decided, racer, 1.1)
        assert refused.value.code == "own_claim"

    def test_what_the_claimant_or_the_rules_said_stays(self) -> None:
        event = make_event(places_per_task=1)
        task, olga = make_task(event, 1), make_organizer(event)
        claim(task, make_person(1))
        claim(task, make_person(2), 0.1)
        release(task, Person.objects.get(login="racer-1"), 1)
        for decision in Decision.objects.all():
            assert refusal(decision, olga, 1.1) == "not_undoable"

    def test_a_team_s_own_release_stays(self) -> None:
        event = make_event()
        task, olga, racer = make_task(event, 1), make_organizer(event), make_person(1)
        team = Team.objects.create(event=event, name="Tide", created_at=NOON)
        TeamMember.objects.create(team=team, person=racer, invited_at=NOON, accepted_at=NOON)
        claim(task, racer, team=team)
        release(task, racer, 1)
        assert refusal(Decision.objects.get(kind="released"), olga, 1.1) == "not_undoable"

    def test_time_that_was_given_is_taken_back(self) -> None:
        event = make_event(days_to_pull_request=10)
        task, olga = make_task(event, 1), make_organizer(event)
        mine = claim(task, make_person(1))
        deadlines.extend_claim(claim=mine, until=at(30), acting_user=olga, key="e", now=at(1))
        assert Claim.objects.get().due_at == at(30)
        undo(Decision.objects.get(kind="extended"), olga, 1.1)
        assert Claim.objects.get().due_at == at(10)

    def test_a_no_that_was_taken_back_asks_nobody_anew(self) -> None:
        event = make_event()
        task, olga, racer = make_task(event, 1), make_organizer(event), make_person(1)
        declined = decide(claim(task, racer), "declined", olga, 1)
        undo(declined, olga, 1.1)
        release(task, racer, 2)
        assert claim(task, racer, 3).standing == "claimed"

    def test_who_was_let_in_by_mistake_may_be_let_in_again(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        stray = pull_request(task, make_person(1), 0)
        for _round in range(2):
            deciding.admit_author(task=task, pull_request=stray, acting_user=olga, now=at(1))
            assert Claim.objects.get().standing == "pr_open"
            undo(Decision.objects.filter(kind="admitted").latest("pk"), olga, 1.1)
            assert Claim.objects.get().shown is False

    def test_it_counts_from_when_it_was_noted_down(self) -> None:
        event = make_event()
        task, olga = make_task(event, 1), make_organizer(event)
        stray = pull_request(task, make_person(1), 0)
        deciding.admit_author(task=task, pull_request=stray, acting_user=olga, now=at(40))
        admitted = Decision.objects.get(kind="admitted")
        assert (admitted.at, admitted.recorded_at) == (at(0), at(40))
        undo(admitted, olga, 40.5)

    def test_a_ban_since_then_keeps_nobody_out_who_was_in(self) -> None:
        event = make_event()
        task, olga, racer = make_task(event, 1), make_organizer(event), make_person(1)
        released = decide(claim(task, racer), "released", olga, 1)
        EventMark.objects.create(event=event, person=racer, kind="banned", set_at=at(1), set_by=olga)
        assert undo(released, olga, 1.1).standing == "claimed"

    def test_another_event_s_decision_is_not_there(self) -> None:
        event = make_event()
        decided = decide(claim(make_task(event, 1), make_person(1)), "rejected", make_organizer(event), 1)
        event.pk, event.slug = None, "other"
        event.save()
        with pytest.raises(NotFound):
            undoing.get_decisions(event, [decided.pk])

    def test_several_are_decided_and_taken_back_each_for_itself(self) -> None:
        event = make_event()
        olga = make_organizer(event)
        claims = [
            claim(make_task(event, n), person) for n, person in enumerate([make_person(1), olga], start=1)
        ]
        ask = deciding_many.Ask(action=Action.DECLINED, acting_user=olga, key="bulk", now=at(1))
        outcomes = deciding_many.settle_many(chosen=[Chosen(claim=c) for c in claims], ask=ask)
        assert [o.refusal.code if o.refusal else "" for o in outcomes] == ["", "own_claim"]
        assert [Claim.objects.get(pk=c.pk).standing for c in claims] == ["declined", "claimed"]
        made = undoing.get_decisions(event, [outcomes[0].decision or 0])[0]
        [taken] = deciding_many.undo_many(decisions=[made], acting_user=olga, now=at(1.1))
        assert taken.refusal is None
        assert Claim.objects.get(pk=claims[0].pk).standing == "claimed"


def test_ids_are_not_compared() -> None:
    decision = DecisionFact(NOON, (1, "a"), "claimed", id=1)
    assert decision == replace(decision, id=2)
