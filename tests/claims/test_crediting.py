"""What mentors settle about pull requests, and what the ledger makes of it."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from claims.models import CoAuthor, PullRequest
from claims.operations import (
    crediting,
    eligibility,
    naming_pull_requests,
    pull_requests,
    reshaping,
    ruling,
    standings,
)
from claims.operations.checking import check_standings
from claims.settling import describe_settling, list_offers, names_task
from claims.task_fields import TaskTexts
from portal.common.errors import DomainError, NotAllowed
from portal.models import OutboxMessage, Person
from rewards import guards, ledger, operations
from rewards.leaderboards import leaderboard
from rewards.models import Completion, EventReward, Pool
from tasks_board.models import Event, EventMark, Task
from tests.claims.people import (
    at,
    claim,
    make_event,
    make_organizer,
    make_person,
    make_task,
    pull_request,
    standings_of,
)
from tests.rewards.scenes import balance

pytestmark = pytest.mark.django_db


def paying(event: Event, amount: str = "0.1") -> Pool:
    pool = operations.get_or_create_pool(name="Points", unit=Pool.Unit.POINT, acting_user=None, now=at(0))
    operations.set_event_reward(
        event=event, pool=pool, per=EventReward.Per.TASK, amount=Decimal(amount), acting_user=None, now=at(0)
    )
    return pool


def held(pool: Pool, *people: Person) -> list[int]:
    return [balance(ledger.account_of(pool=pool, person=person)) for person in people]


def all_is_well() -> bool:
    return list(guards.problems()) == [] and list(check_standings(now=at(99), fix=False)) == []


def watch(event: Event, repository: str) -> None:
    event.repositories = [*event.repositories, repository]
    event.save(update_fields=["repositories"])


class Crew:
    """A task, its claimant with a merged pull request, and who else there is."""

    def __init__(self, **rules: object) -> None:
        self.event = make_event(**rules)
        self.task = make_task(self.event, 6)
        self.olga = make_organizer(self.event)
        self.ann, self.ben, self.cy = make_person(1), make_person(2), make_person(3)
        self.pool = paying(self.event)
        claim(self.task, self.ann)
        self.pr = pull_request(self.task, self.ann, 1, merged=2)

    def split(self, points: Mapping[int, int], by: Person | None = None, days: float = 3) -> None:
        crediting.split_credit(
            task=self.task, pull_request=self.pr, points=points, acting_user=by or self.olga, now=at(days)
        )

    def mark_unpaid(self, person: Person, days: float) -> None:
        eligibility.mark_people(
            event=self.event,
            logins=[person.login],
            kind=EventMark.Kind.UNPAID,
            note="",
            acting_user=self.olga,
            now=at(days),
        )


class TestSharing:
    def test_both_are_done_and_the_reward_is_shared_to_the_step(self) -> None:
        crew = Crew()
        assert held(crew.pool, crew.ann) == [100]
        crew.split({crew.ben.pk: 3333, crew.cy.pk: 3333})
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "done", "racer-3": "done"}
        assert held(crew.pool, crew.ann, crew.ben, crew.cy) == [34, 33, 33]
        shares = Completion.objects.active().order_by("person").values_list("share_points", flat=True)
        assert list(shares) == [3334, 3333, 3333]
        assert all_is_well()

    def test_the_author_s_proposal_counts_for_whom_a_mentor_credits_for_the_code(self) -> None:
        crew = Crew(proposal_required=True)
        proposal = pull_request(crew.task, crew.ann, 0.5, merged=1)
        proposal.links.update(is_proposal=True)
        standings.recompute_task(task=crew.task, now=at(2))
        assert standings_of(crew.task) == {"racer-1": "done"}
        crew.split({crew.ben.pk: 4000})
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "done"}
        assert held(crew.pool, crew.ann, crew.ben) == [60, 40]
        assert not [c for c in crew.task.claims.all() if c.doubts]
        assert all_is_well()
        crew.split({crew.ben.pk: 10_000}, days=4)
        assert held(crew.pool, crew.ann, crew.ben) == [0, 100]
        crew.split({crew.ben.pk: 0}, days=5)
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "superseded"}
        assert held(crew.pool, crew.ann, crew.ben) == [100, 0]
        assert all_is_well()

    def test_every_step_of_the_author_counts_for_whoever_shares_in_one(self) -> None:
        crew = Crew()
        watch(crew.event, "o/docs")
        ruling.change_task_chain(task=crew.task, text="code → docs o/docs", acting_user=crew.olga, now=at(2))
        crew.task.refresh_from_db()
        crew.split({crew.ben.pk: 4000})
        assert standings_of(crew.task) == {"racer-1": "partly_done", "racer-2": "partly_done"}
        docs = pull_request(crew.task, crew.ann, 4)
        PullRequest.objects.filter(pk=docs.pk).update(repository="o/docs", state="merged", merged_at=at(5))
        standings.recompute_task(task=crew.task, now=at(5))
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "done"}
        assert held(crew.pool, crew.ann, crew.ben) == [60, 40]
        assert all_is_well()

    def test_the_same_again_changes_nothing_and_another_split_is_posted_anew(self) -> None:
        crew = Crew()
        crew.split({crew.ben.pk: 5000})
        before = Completion.objects.count()
        crew.split({crew.ben.pk: 5000}, days=4)
        assert Completion.objects.count() == before
        crew.split({crew.ben.pk: 2500}, days=5)
        assert held(crew.pool, crew.ann, crew.ben) == [75, 25]
        crew.split({crew.ben.pk: 0}, days=6)
        assert held(crew.pool, crew.ann, crew.ben) == [100, 0]
        assert CoAuthor.objects.get().is_credited is False
        assert standings_of(crew.task)["racer-2"] == "superseded"
        assert all_is_well()

    def test_all_of_it_may_move_to_the_claimant(self) -> None:
        crew = Crew(first_merged_wins=False)
        crew.split({crew.ben.pk: 10_000})
        assert standings_of(crew.task) == {"racer-1": "claimed", "racer-2": "done"}
        assert held(crew.pool, crew.ann, crew.ben) == [0, 100]
        assert all_is_well()

    @pytest.mark.parametrize("points", [{2: 10_001}, {2: 6000, 3: 4001}, {2: -1}, {1: 5}, {999: 5}])
    def test_what_does_not_add_up_is_refused(self, points: dict[int, int]) -> None:
        crew = Crew()
        people = {1: crew.ann.pk, 2: crew.ben.pk, 3: crew.cy.pk}
        with pytest.raises(DomainError):
            crew.split({people.get(who, 987_654): share for who, share in points.items()})
        assert held(crew.pool, crew.ann) == [100]

    def test_nobody_settles_their_own(self) -> None:
        crew = Crew()
        mentor = make_organizer(crew.event, 901)
        with pytest.raises(NotAllowed):
            crew.split({mentor.pk: 5000}, by=mentor)
        CoAuthor.objects.create(pull_request=crew.pr, person=mentor, proposed_at=at(2))
        with pytest.raises(NotAllowed):
            crew.split({}, by=mentor)
        with pytest.raises(NotAllowed):
            crew.split({crew.cy.pk: 5000}, by=crew.ben)

    def test_bots_are_never_credited(self) -> None:
        crew = Crew()
        bot = Person.objects.create(github_id=77, login="copilot", is_bot=True)
        with pytest.raises(DomainError):
            crew.split({bot.pk: 100})


class TestUnpaid:
    def test_it_is_recorded_shown_and_not_paid(self) -> None:
        crew = Crew()
        for turn in range(2):
            crew.mark_unpaid(crew.ann, 3 + turn)
            assert held(crew.pool, crew.ann) == [0]
            assert [(row.login, row.is_unpaid) for row in leaderboard(event=crew.event)] == [
                ("racer-1", True)
            ]
            assert all_is_well()
            operations.award_outstanding(event=crew.event, now=at(5))
            assert held(crew.pool, crew.ann) == [0]
            mark = EventMark.objects.get(lifted_at=None)
            eligibility.lift_mark(event=crew.event, mark=mark, acting_user=crew.olga, now=at(6 + turn))
            assert held(crew.pool, crew.ann) == [100]
            assert all_is_well()
        assert Completion.objects.count() == 1

    def test_what_they_complete_later_earns_nothing_either(self) -> None:
        crew = Crew()
        crew.mark_unpaid(crew.ben, 1)
        second = make_task(crew.event, 7)
        claim(second, crew.ben)
        pull_request(second, crew.ben, 2, merged=3)
        assert standings_of(second) == {"racer-2": "done"}
        assert held(crew.pool, crew.ben) == [0]
        assert all_is_well()


class TestLinks:
    def test_what_a_mentor_took_off_stays_off_whatever_titles_say(self) -> None:
        crew = Crew()
        crediting.unlink(task=crew.task, pull_request=crew.pr, acting_user=crew.olga, now=at(3))
        assert standings_of(crew.task) == {"racer-1": "claimed"}
        assert held(crew.pool, crew.ann) == [0]
        for title in ("Nothing", "【Race No.6】again"):
            PullRequest.objects.filter(pk=crew.pr.pk).update(title=title)
            pull_requests.relink(event=crew.event, now=at(4))
            assert standings_of(crew.task) == {"racer-1": "claimed"}
        crediting.link(task=crew.task, pull_request=crew.pr, acting_user=crew.olga, now=at(5))
        assert standings_of(crew.task) == {"racer-1": "done"}
        assert held(crew.pool, crew.ann) == [100]
        assert all_is_well()

    def test_a_mentor_s_word_on_the_part_beats_the_title(self) -> None:
        crew = Crew()
        for is_partial, state in ((True, "partly_done"), (False, "done")):
            crediting.mark_part(
                task=crew.task, pull_request=crew.pr, is_partial=is_partial, acting_user=crew.olga, now=at(3)
            )
            assert standings_of(crew.task) == {"racer-1": state}
        assert all_is_well()

    def test_an_address_is_linked_or_read_first(self) -> None:
        crew = Crew()
        other = make_task(crew.event, 8)

        def named(text: str) -> PullRequest | None:
            return naming_pull_requests.link_by_address(
                task=other, text=text, acting_user=crew.olga, now=at(3)
            )

        assert named(f"https://github.com/o/r/pull/{crew.pr.number}") == crew.pr
        assert named("q/s#4000") is None
        assert OutboxMessage.objects.get(kind="read_pull_request").payload["reason"] == "mentor"
        with pytest.raises(DomainError):
            named("that one")

    def test_work_without_a_pull_request_needs_a_ground(self) -> None:
        crew = Crew()
        task = make_task(crew.event, 9)
        theirs = claim(task, crew.ben)
        values = {"claim": theirs, "acting_user": crew.olga, "key": "k", "now": at(3)}
        with pytest.raises(DomainError):
            crediting.accept_without_pull_request(note=" ", **values)  # type: ignore[arg-type]
        crediting.accept_without_pull_request(note="A talk was held", **values)  # type: ignore[arg-type]
        assert standings_of(task) == {"racer-2": "done"}
        assert held(crew.pool, crew.ben) == [100]


class TestBranches:
    def test_a_merge_elsewhere_waits_and_its_backport_counts(self) -> None:
        crew = Crew(branches=["develop", "release/*"])
        task = make_task(crew.event, 7)
        claim(task, crew.ben)
        made = pull_request(task, crew.ben, 1, merged=2)
        PullRequest.objects.filter(pk=made.pk).update(base_branch="topic")
        ruling.change_rules(event=crew.event, changes={}, acting_user=crew.olga, now=at(3))
        assert standings_of(task) == {"racer-2": "approved"}
        assert task.claims.get().doubts[0]["code"] == "merged_elsewhere"
        pull_request(task, crew.ben, 4, merged=5)
        PullRequest.objects.filter(number=made.number + 1).update(base_branch="release/3.0")
        ruling.change_rules(event=crew.event, changes={}, acting_user=crew.olga, now=at(6))
        assert standings_of(task) == {"racer-2": "done"}

    @pytest.mark.parametrize(
        ("branch", "names"),
        [
            ("race-no-6", True),
            ("feature/race-006-fix", True),
            ("task_6", True),
            ("no6", True),
            ("race-66", False),
            ("fix-6", False),
            ("6", False),
            ("release/6", False),
        ],
    )
    def test_a_branch_names_a_task_behind_a_word_of_the_prefix(self, branch: str, names: bool) -> None:
        assert names_task(branch, number="6", prefix="Race No.") is names

    def test_only_the_claimant_s_merged_and_unlinked_ones_are_offered(self) -> None:
        crew = Crew()
        task = make_task(crew.event, 7)
        claim(task, crew.ben)
        made = pull_request(task, crew.ben, 1, merged=2)
        made.links.all().delete()
        PullRequest.objects.filter(pk=made.pk).update(head_branch="race-7", title="Fix")
        standings.recompute_task(task=task, now=at(3))
        assert standings_of(task) == {"racer-2": "claimed"}
        assert list_offers([task, crew.task]) == {task.pk: [made]}
        assert list_offers([crew.task]) == {}
        assert describe_settling(task).offers == [made]
        crediting.link(task=task, pull_request=made, acting_user=crew.olga, now=at(3))
        assert standings_of(task) == {"racer-2": "done"}


class TestChains:
    def test_a_task_s_own_steps_hold_at_once(self) -> None:
        crew = Crew()

        def change(text: str, by: Person = crew.olga) -> Task:
            return ruling.change_task_chain(task=crew.task, text=text, acting_user=by, now=at(3))

        watch(crew.event, "o/docs")
        change("code → docs o/docs")
        assert standings_of(crew.task) == {"racer-1": "partly_done"}
        docs = pull_request(crew.task, crew.ann, 4, merged=5)
        PullRequest.objects.filter(pk=docs.pk).update(repository="o/docs")
        change("code → docs o/docs")
        assert standings_of(crew.task) == {"racer-1": "done"}
        change("proposal → code")
        assert standings_of(crew.task) == {"racer-1": "approved"}
        assert held(crew.pool, crew.ann) == [0]
        with pytest.raises(DomainError):
            change("lunch")
        with pytest.raises(NotAllowed):
            change("", by=crew.ben)
        change("")
        assert standings_of(crew.task) == {"racer-1": "done"}
        assert all_is_well()

    def test_no_step_stands_where_nobody_looks(self) -> None:
        crew = Crew()
        steps = [{"kind": "code", "repository": ""}, {"kind": "docs", "repository": "o/docs"}]

        def of_task() -> None:
            ruling.change_task_chain(
                task=crew.task, text="code → docs o/Docs", acting_user=crew.olga, now=at(3)
            )

        def of_event() -> None:
            ruling.change_rules(event=crew.event, changes={"chain": steps}, acting_user=crew.olga, now=at(3))

        def of_form() -> None:
            event = Event.objects.get(pk=crew.event.pk)
            TaskTexts(event, {}, {}).read("chain", "code → docs o/docs")

        for door in (of_task, of_event, of_form):
            with pytest.raises(DomainError, match="does not watch o/"):
                door()
        watch(crew.event, "o/docs")
        for door in (of_task, of_event, of_form):
            door()

    @pytest.mark.parametrize("of_task", [True, False])
    def test_no_repository_goes_in_which_a_step_is_to_be_merged(self, of_task: bool) -> None:
        crew = Crew()
        watch(crew.event, "o/docs")
        steps = [{"kind": "docs", "repository": "O/docs"}]
        if of_task:
            Task.objects.filter(pk=crew.task.pk).update(chain=steps)
        else:
            Event.objects.filter(pk=crew.event.pk).update(rules={"chain": steps})
        crew.event.refresh_from_db()
        values = {name: getattr(crew.event, name) for name in reshaping.FIELDS} | {"repositories": ["o/r"]}
        with pytest.raises(DomainError, match="No.6 has a step" if of_task else "rules have a step"):
            reshaping.change_event(event=crew.event, values=values, acting_user=crew.olga, now=at(3))
        values["repositories"] = ["o/docs", "o/r"]
        assert reshaping.change_event(event=crew.event, values=values, acting_user=crew.olga, now=at(3)) == [
            "repositories"
        ]
